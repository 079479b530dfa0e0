! Solvers, vector fields and redistributions from Fortran.
module test_solvers
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  real(real64), parameter :: pi = acos(-1.0_real64)
  public :: run_solvers
  integer, parameter :: cells(3) = [12, 10, 8]
  real(real64), parameter :: lengths(3) = [1, 2, 3]

contains

  subroutine run_solvers()
    call per_axis()
    call finite_differences()
    call kernels_of_users()
    call single_precision()
    call in_place()
    call vectors()
    call walls()
    call plane()
    call redistribution()
    call layers()
    call errors()
  end subroutine run_solvers

  ! Conditions, lengths and centrings that differ along all axes: cos(3 pi x) sin(0.75 pi y) cos(4 pi z).
  subroutine per_axis()
    type(weft_poisson) :: solver
    type(weft_facts) :: facts
    real(real64), allocatable :: f(:, :, :), u(:, :, :), x(:), y(:), z(:)
    real(real64) :: square
    integer :: i, j, k
    call solver%create(MPI_COMM_WORLD, cells, [1.0_real64, 2.0_real64, 0.5_real64], "even, odd:even, periodic", &
                       centring="node, cell, cell", screening=1.5_real64)
    x = solver%points(1)
    y = solver%points(2)
    z = solver%points(3)
    allocate (f(size(x), size(y), size(z)))
    do k = 1, size(z)
      do j = 1, size(y)
        do i = 1, size(x)
          f(i, j, k) = cos(3*pi*x(i))*sin(0.75_real64*pi*y(j))*cos(4*pi*z(k))
        end do
      end do
    end do
    allocate (u, mold=f)
    call solver%solve(f, u)
    square = (9 + 0.75_real64**2 + 16)*pi**2 + 1.5_real64**2
    call near(pack(u + f/square, .true.), rounding_of_solves/square, "a wave between even, odd and periodic ends")
    facts = solver%facts()
    call check(facts%setup_seconds > 0, "facts of a solver")
    call check(index(solver%explain(), "Green") > 0, "what a solver says of itself")
  end subroutine per_axis

  ! Two cells of widths 1/2 and 3/2 along y, between a wall with u + du/dn/4 = 0 and one with u = 0, for f = 1:
  ! -3 u1 + u2 = 1/2 and u1 - 7/3 u2 = 3/2.
  subroutine finite_differences()
    type(weft_poisson) :: solver, compact
    type(weft_box) :: box
    real(real64), allocatable :: f(:, :, :), u(:, :, :), y(:)
    real(real64), allocatable, target :: wall(:, :)
    real(real64), parameter :: exact(2) = -[4/9.0_real64, 5/6.0_real64], two = 2
    character(len=200) :: text
    integer :: stat, j
    call solver%create(MPI_COMM_WORLD, [12, 2, 8], [1.0_real64, two, two/4], "periodic, odd, periodic", width_axis=2, &
                       widths=[two/4, 3*two/4], robin=[two/8, 0*two])
    box = solver%box()
    allocate (f(box%lower(1):box%upper(1), box%lower(2):box%upper(2), box%lower(3):box%upper(3)), source=1.0_real64)
    allocate (u, mold=f)
    call solver%solve(f, u)
    do j = lbound(u, 2), ubound(u, 2)
      call near(pack(u(:, j, :) - exact(j), .true.), rounding_of_solves, "cells of given widths")
    end do
    allocate (wall(size(f, 1), size(f, 3)), source=1.0_real64)
    f = 0
    call solver%solve(f, u, ends=[weft_end(2, "left", c_loc(wall), size(wall)), &
                                  weft_end(2, "right", c_loc(wall), size(wall))])
    call near(pack(u - 1, .true.), rounding_of_solves, "what both walls have is everywhere")
    call compact%create(MPI_COMM_WORLD, [12, 2, 8], [1.0_real64, two, two/4], "periodic, odd, periodic", width_axis=2, &
                        widths=[two/4, 3*two/4], robin=[two/8, 0*two], order=4)
    f = 1
    call compact%solve(f, u)
    y = compact%points(2)
    do j = lbound(u, 2), ubound(u, 2)
      call near(pack(u(:, j, :), .true.) - (y(j + 1 - lbound(u, 2))**2/2 - 8*y(j + 1 - lbound(u, 2))/9 - two/9), &
                rounding_of_solves, "rows of order 4 are exact for parabolas")
    end do
    call solver%solve(f, u, stat, text, [weft_end(2, "top", c_loc(wall), size(wall))])
    call check(stat /= 0 .and. index(text, "left") > 0, "a side that is none")
    call solver%create(MPI_COMM_WORLD, [12, 2, 8], [1.0_real64, two, two/4], "periodic, odd, periodic", width_axis=4, &
                       widths=[two/4, 3*two/4], stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "width_axis") > 0, "an axis that is none")
    call solver%create(MPI_COMM_WORLD, [12, 2, 8], [1.0_real64, two, two/4], "periodic, odd, periodic", width_axis=2, &
                       widths=[two], stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "widths") > 0, "widths that are not those of the cells")
  end subroutine finite_differences

  ! chat2 written by hand, and the inverse Laplacian by its symbol, against those of the library.
  subroutine kernels_of_users()
    type(weft_poisson) :: named, own
    real(real64), allocatable :: f(:, :, :), u(:, :, :), v(:, :, :)
    type(weft_box) :: box
    call named%create(MPI_COMM_WORLD, [10, 10, 10], [1.0_real64, 1.0_real64, 1.0_real64], "unbounded")
    call own%create(MPI_COMM_WORLD, [10, 10, 10], [1.0_real64, 1.0_real64, 1.0_real64], "unbounded", &
                    of_distance=free_space)
    box = named%box()
    allocate (f(box%lower(1):box%upper(1), box%lower(2):box%upper(2), box%lower(3):box%upper(3)), source=1.0_real64)
    allocate (u, v, mold=f)
    call named%solve(f, u)
    call own%solve(f, v)
    call near(pack(u - v, .true.), rounding_of_solves, "a kernel of distance")
    ! In a cube, wavenumbers are those of a box of these lengths times the lengths.
    call named%create(MPI_COMM_WORLD, cells, [1.0_real64, 1.0_real64, 1.0_real64], "odd")
    call own%create(MPI_COMM_WORLD, cells, lengths, "odd", of_wavenumber=inverse_of_cube)
    box = named%box()
    deallocate (f, u, v)
    allocate (f(box%lower(1):box%upper(1), box%lower(2):box%upper(2), box%lower(3):box%upper(3)), source=1.0_real64)
    allocate (u, v, mold=f)
    call named%solve(f, u)
    call own%solve(f, v)
    call near(pack(u - v, .true.), rounding_of_solves, "a kernel of the wavenumber")
  end subroutine kernels_of_users

  function free_space(r, k) result(g)
    real(real64), intent(in) :: r, k
    real(real64) :: g
    real(real64), parameter :: ball = 0.1_real64*(3/(4*pi))**(1/3.0_real64)
    g = 0*k - merge(1/(4*pi*max(r, tiny(r))), 3/(8*pi*ball), r > 0)
  end function free_space

  ! Each axis has a weight of its own: wavenumbers in another order would be seen.
  function inverse_of_cube(k) result(g)
    real(real64), intent(in) :: k(:)
    real(real64) :: g
    g = -1/sum((lengths*k)**2)
  end function inverse_of_cube

  subroutine single_precision()
    type(weft_poisson) :: solver
    type(weft_plan_options) :: options
    real, allocatable :: f(:, :), u(:, :)
    real(real64), allocatable :: x(:), y(:)
    integer :: i
    options%precision = "float"
    call solver%create(MPI_COMM_WORLD%MPI_VAL, [8, 6], [1.0_real64, 1.0_real64], "periodic, even", options=options)
    x = solver%points(1)
    y = solver%points(2)
    f = reshape([(real(cos(2*pi*x)), i=1, size(y))], [size(x), size(y)])
    allocate (u, mold=f)
    call solver%solve(f, u)
    call near(pack(real(u, real64) + f/(4*pi**2), .true.), rounding_of_solves*epsilon(u)/epsilon(pi), &
              "single precision in 2-D")
  end subroutine single_precision

  ! cos(2 pi x) becomes -cos(2 pi x) / (2 pi)**2 where it lies.
  subroutine in_place()
    type(weft_poisson) :: solver
    type(weft_plan_options) :: options
    type(weft_field) :: field
    real(real64), pointer :: u(:, :, :)
    real(real64), allocatable :: wave(:)
    integer :: j, k
    nullify (u)
    options%in_place = .true.
    call solver%create(MPI_COMM_WORLD, cells, [1.0_real64, 2.0_real64, 3.0_real64], "periodic", options=options)
    call solver%create_field(field)
    call field%view(weft_physical, u)
    wave = cos(2*pi*solver%points(1))
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        u(:, j, k) = wave
      end do
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
    call solver%solve_field(field)
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        call near(u(:, j, k) + wave/(4*pi**2), rounding_of_solves, "a solve in place")
      end do
    end do
  end subroutine in_place

  ! u = (sin y, sin z, sin x): its curl is -(cos z, cos x, cos y); x is axis 1 and component 1 points along it.
  subroutine vectors()
    type(weft_vector_poisson) :: solver
    real(real64), allocatable :: x(:), y(:), z(:), u(:, :, :, :), curl(:, :, :, :), v(:, :, :, :), div(:, :, :)
    integer :: i, j, k
    call solver%create(MPI_COMM_WORLD, cells, [2*pi, 2*pi, 2*pi], "periodic")
    x = solver%points(1)
    y = solver%points(2)
    z = solver%points(3)
    allocate (u(size(x), size(y), size(z), 3), div(size(x), size(y), size(z)))
    allocate (curl, v, mold=u)
    do k = 1, size(z)
      do j = 1, size(y)
        do i = 1, size(x)
          u(i, j, k, :) = [sin(y(j)), sin(z(k)), sin(x(i))]
          v(i, j, k, :) = -[cos(z(k)), cos(x(i)), cos(y(j))]
        end do
      end do
    end do
    call solver%curl(u, curl)
    call near(pack(curl - v, .true.), rounding_of_solves, "curl")
    call solver%biot_savart(curl, v)
    call near(pack(v - u, .true.), rounding_of_solves, "biot_savart")
    call solver%divergence(u, div)
    call near(pack(div, .true.), rounding_of_solves, "divergence")
    call solver%project(u, v)
    call near(pack(v - u, .true.), rounding_of_solves, "project")
    call solver%solve(u, v)
    call near(pack(v + u, .true.), rounding_of_solves, "solve, component by component")
  end subroutine vectors

  ! cos x cos 2y in a channel between walls at the ends of axis 1: the gradient is (-sin x cos 2y, -2 cos x sin 2y, 0).
  subroutine walls()
    type(weft_vector_poisson) :: solver, by_hand
    real(real64), allocatable :: x(:), y(:), z(:), p(:, :, :), u(:, :, :, :), wanted(:, :, :, :)
    integer :: i, j, k
    call solver%create(MPI_COMM_WORLD, cells, [pi, pi, 1.0_real64], "even, periodic, periodic", scalar_boundary=.true.)
    x = solver%points(1)
    y = solver%points(2)
    z = solver%points(3)
    allocate (p(size(x), size(y), size(z)), u(size(x), size(y), size(z), 3))
    allocate (wanted, mold=u)
    do k = 1, size(z)
      do j = 1, size(y)
        do i = 1, size(x)
          p(i, j, k) = cos(x(i))*cos(2*y(j))
          wanted(i, j, k, :) = [-sin(x(i))*cos(2*y(j)), -2*cos(x(i))*sin(2*y(j)), 0.0_real64]
        end do
      end do
    end do
    call solver%gradient(p, u)
    call near(pack(u - wanted, .true.), rounding_of_solves, "gradient between walls")
    call by_hand%create(MPI_COMM_WORLD, cells, [pi, pi, 1.0_real64], &
                        "odd, periodic, periodic; even, periodic, periodic; even, periodic, periodic")
    call by_hand%solve_gradient(p, u)
    call near(pack(u + wanted/5, .true.), rounding_of_solves, "gradient of the solution")
  end subroutine walls

  ! In two dimensions the curl of (sin y, sin x) is the scalar cos x - cos y.
  subroutine plane()
    type(weft_vector_poisson) :: solver
    real(real64), allocatable :: x(:), y(:), u(:, :, :), v(:, :, :), curl(:, :)
    integer :: i, j
    call solver%create(MPI_COMM_WORLD, [8, 10], [2*pi, 2*pi], "periodic")
    x = solver%points(1)
    y = solver%points(2)
    allocate (u(size(x), size(y), 2), curl(size(x), size(y)))
    allocate (v, mold=u)
    do j = 1, size(y)
      do i = 1, size(x)
        u(i, j, :) = [sin(y(j)), sin(x(i))]
      end do
    end do
    call solver%curl(u, curl)
    do j = 1, size(y)
      call near(curl(:, j) - (cos(x) - cos(y(j))), rounding_of_solves, "curl in the plane")
    end do
    call solver%biot_savart(curl, v)
    call near(pack(v - u, .true.), rounding_of_solves, "biot_savart in the plane")
  end subroutine plane

  ! Layers of columns: even before the first one, odd beyond the last one, periodic along the rows; and added back.
  subroutine layers()
    type(weft_halo) :: halo
    type(weft_box) :: owned, box
    complex(real64), allocatable :: u(:, :)
    complex(real64) :: shown
    character(len=300) :: text
    integer :: rank, ranks, stat, i, j, m
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    owned = weft_box([1, 2*rank + 1], [4, 2*rank + 2])
    call halo%create(MPI_COMM_WORLD, [4, 2*ranks], owned, width=reshape([2, 1, 1, 1], [2, 2]), &
                     boundary="periodic, even:odd", complex=.true.)
    box = halo%box()
    call check(all(box%lower == [-1, 2*rank]) .and. all(box%upper == [5, 2*rank + 3]), "the box of a halo")
    allocate (u(box%lower(1):box%upper(1), box%lower(2):box%upper(2)))
    u = -5
    do j = owned%lower(2), owned%upper(2)
      u(1:4, j) = [(cmplx(i, j, real64), i=1, 4)]
    end do
    call halo%start(u)
    call halo%finish()
    do j = box%lower(2), box%upper(2)
      do i = box%lower(1), box%upper(1)
        m = min(max(j, 1), 2*ranks)
        shown = cmplx(modulo(i - 1, 4) + 1, m, real64)
        call check(u(i, j) == merge(-shown, shown, j > 2*ranks), "a layer of a halo")
      end do
    end do
    ! Rows 3 and 4 are shown by the lower layers, row 1 by the upper one. Column 1 counts its mirror image, the last one
    ! loses its own, the others have a neighbour.
    u = 1
    call halo%accumulate(u)
    call check(all(u(1:4, 2*rank + 1) == 2*[2, 1, 2, 2]), "the first column with what was added")
    call check(all(u(1:4, 2*rank + 2) == merge(0, 2, rank == ranks - 1)*[2, 1, 2, 2]), "the second one")
    call halo%exchange(u)
    call check(index(halo%explain(), "last exchange") > 0, "what a halo says of itself")
    call halo%exchange(u(:, 1:), stat=stat, errmsg=text)
    call fails(stat, text, "u: its shape is")
    call halo%create(MPI_COMM_WORLD, [4], owned, stat=stat, errmsg=text)
    call fails(stat, text, "shape: the number of entries")
    call halo%create(MPI_COMM_WORLD, [4, 2*ranks], owned, boundary="even, x:even", stat=stat, errmsg=text)
    call fails(stat, text, "'x'")
  end subroutine layers

  ! Integers that say where they belong, from columns to rows and back.
  subroutine redistribution()
    type(weft_redistribution) :: moves
    type(weft_box) :: from, to
    type(weft_facts) :: facts
    integer, allocatable :: has(:, :), wants(:, :), back(:, :)
    integer :: rank, ranks, i, j
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    from = weft_box([1, 6*rank/ranks + 1], [6, 6*(rank + 1)/ranks])
    to = weft_box([6*rank/ranks + 1, 1], [6*(rank + 1)/ranks, 6])
    call moves%create(MPI_COMM_WORLD, from, to, element_bytes=storage_size(0)/8)
    allocate (has(from%lower(1):from%upper(1), from%lower(2):from%upper(2)))
    allocate (wants(to%lower(1):to%upper(1), to%lower(2):to%upper(2)))
    do j = from%lower(2), from%upper(2)
      has(:, j) = [(10*i + j, i=1, 6)]
    end do
    call moves%forward(has, wants)
    do j = to%lower(2), to%upper(2)
      do i = to%lower(1), to%upper(1)
        call check(wants(i, j) == 10*i + j, "redistribution")
      end do
    end do
    allocate (back, source=0*has)
    call moves%backward(wants, back)
    call check(all(back == has), "redistribution back")
    facts = moves%facts()
    call check(facts%threads >= 1, "facts of a redistribution")
    call check(len(moves%explain()) > 0, "what a redistribution says of itself")
  end subroutine redistribution

  subroutine errors()
    type(weft_poisson) :: solver
    type(weft_vector_poisson) :: field
    type(weft_redistribution) :: moves
    real(real64), parameter :: one(3) = 1
    real(real64) :: u(4, 4, 4), v(4, 4, 4, 2)
    integer :: stat
    character(len=300) :: errmsg
    call solver%create(MPI_COMM_WORLD, cells, one, "even, odd", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "boundary: 'even, odd' does not have one entry per axis")
    call solver%create(MPI_COMM_WORLD, cells, one, "even, odd, sticky", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "sticky")
    call solver%create(MPI_COMM_WORLD, cells, one, "even:odd:odd", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "with a colon between")
    call solver%create(MPI_COMM_WORLD, cells, one(:2), "even", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "length")
    call solver%create(MPI_COMM_WORLD, cells, one, "even", kernel="magic", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "magic")
    call solver%create(MPI_COMM_WORLD, cells, one, "even", kernel="hej2", alpha=-1.0_real64, stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "alpha: -1.000000 given")
    call solver%create(MPI_COMM_WORLD, cells, one, "even", screening=-1.0_real64, stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "screening: -1.000000 given")
    call solver%create(MPI_COMM_WORLD, cells, one, "even", mean="x", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "mean: unknown value 'x'")
    call solver%create(MPI_COMM_SELF, [4, 4, 4], one, "odd")
    call solver%solve(u(:2, :, :), u, stat, errmsg)
    call fails(stat, errmsg, "rhs: its shape is (2, 4, 4), this rank needs (4, 4, 4)")
    call field%create(MPI_COMM_WORLD, cells, one, "even", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "boundary of component")
    call field%create(MPI_COMM_WORLD, cells, one, "periodic", derivative="3", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "derivative: unknown derivative '3'")
    call field%create(MPI_COMM_WORLD, cells, one, "periodic", kernel="hej2", alpha=-1.0_real64, stat=stat, &
                      errmsg=errmsg)
    call fails(stat, errmsg, "alpha: -1.000000 given")
    call field%create(MPI_COMM_SELF, [4, 4, 4], one, "periodic")
    v = 0
    call field%curl(v, v, stat, errmsg)
    call fails(stat, errmsg, "its shape is (4, 4, 4, 2), this rank needs (4, 4, 4, 3)")
    call moves%create(MPI_COMM_SELF, weft_box([1, 1], [4, 4]), weft_box([1, 1], [4, 4]), 4)
    call moves%forward(u(:, :, 1), v(:, :, 1, 1), stat, errmsg)
    call fails(stat, errmsg, "its elements have 8 bytes")
  end subroutine errors
end module test_solvers

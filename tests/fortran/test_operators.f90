! Powers, several right-hand sides and vector fields at once, displaced and Chebyshev points, products.
module test_operators
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  real(real64), parameter :: pi = acos(-1.0_real64)
  public :: run_operators

contains

  subroutine run_operators()
    call powers()
    call batches()
    call batches_of_vectors()
    call linear_products()
    call products_of_modes()
    call displaced()
    call chebyshev_points()
  end subroutine run_operators

  ! -(4 - lap)^2 u = cos(3 pi x) sin(0.75 pi y).
  subroutine powers()
    type(weft_poisson) :: solver
    real(real64), allocatable :: f(:, :), u(:, :), x(:), y(:)
    real(real64), parameter :: square = (9 + 0.75_real64**2)*pi**2 + 4
    character(len=200) :: text
    integer :: j, stat
    call solver%create(MPI_COMM_WORLD, [12, 10], [1.0_real64, 2.0_real64], "even, odd:even", screening=2.0_real64, &
                       power=2.0_real64)
    x = solver%points(1)
    y = solver%points(2)
    allocate (f(size(x), size(y)))
    do j = 1, size(y)
      f(:, j) = cos(3*pi*x)*sin(0.75_real64*pi*y(j))
    end do
    allocate (u, mold=f)
    call solver%solve(f, u)
    call near(pack(u + f/square**2, .true.), rounding_of_solves/square, "the square of an operator")
    call solver%create(MPI_COMM_WORLD, [12, 10], [1.0_real64, 2.0_real64], "unbounded", power=2.0_real64, stat=stat, &
                       errmsg=text)
    call check(stat /= 0 .and. index(text, "power: 2") > 0, "a power with unbounded ends")
  end subroutine powers

  ! Walls along y at 0, where u = i, and at 1/2, where du/dn = 0: u = i + i (y^2 - y)/2 for f = i, exact at nodes.
  subroutine batches()
    type(weft_poisson) :: solver
    type(weft_box) :: box
    integer, parameter :: sides = 3
    real(real64), allocatable :: f(:, :, :), u(:, :, :), exact(:, :, :), y(:)
    real(real64), allocatable, target :: wall(:, :)
    integer :: i, j
    call solver%create(MPI_COMM_WORLD, [6, 5], [0.6_real64, 0.5_real64], "periodic, odd:even", &
                       centring="cell, node", kernel="lgf2", batch=sides)
    box = solver%box()
    call check(box%lower(3) == 1 .and. box%upper(3) == sides, "right-hand sides are counted by the last axis")
    y = solver%points(2)
    allocate (f(box%lower(1):box%upper(1), box%lower(2):box%upper(2), sides))
    allocate (u, exact, mold=f)
    allocate (wall(size(f, 1), sides))
    do i = 1, sides
      f(:, :, i) = i
      wall(:, i) = i
      do j = lbound(f, 2), ubound(f, 2)
        exact(:, j, i) = i + i*(y(j - lbound(f, 2) + 1)**2 - y(j - lbound(f, 2) + 1))/2
      end do
    end do
    call solver%solve(f, u, ends=[weft_end(2, "left", c_loc(wall), size(wall))])
    call near(pack(u - exact, .true.), rounding_of_solves, "several right-hand sides with values at a wall")
  end subroutine batches

  ! Velocities of sin(j x) with the power 1/2: (d/dy, -d/dx) of the solution -sin(j x)/j, times -1.
  subroutine batches_of_vectors()
    type(weft_vector_poisson) :: solver, one
    integer, parameter :: fields = 3
    real(real64), allocatable :: x(:), y(:), omega(:, :, :), u(:, :, :, :), wanted(:, :, :, :), alone(:, :, :)
    character(len=300) :: text
    integer :: i, j, stat
    call solver%create(MPI_COMM_WORLD, [12, 10], [2*pi, 2*pi], "periodic", power=0.5_real64, batch=fields)
    call one%create(MPI_COMM_WORLD, [12, 10], [2*pi, 2*pi], "periodic", power=0.5_real64)
    x = solver%points(1)
    y = solver%points(2)
    allocate (omega(size(x), size(y), fields), u(size(x), size(y), 2, fields), alone(size(x), size(y), 2))
    allocate (wanted, mold=u)
    wanted = 0
    do j = 1, fields
      do i = 1, size(y)
        omega(:, i, j) = sin(j*x)
        wanted(:, i, 2, j) = -cos(j*x)
      end do
    end do
    call solver%biot_savart(omega, u)
    call near(pack(u - wanted, .true.), rounding_of_solves, "velocities of several fields with a power")
    call one%biot_savart(omega(:, :, 2), alone)
    call check(all(alone == u(:, :, :, 2)), "a field has the bits that it has alone")
    call solver%biot_savart(omega(:, :, :2), u, stat, text)
    call fails(stat, text, "its shape is")
  end subroutine batches_of_vectors

  ! A field of the point (2, 3) shifts another one by (1, 2), beyond its end, and back with the origin.
  subroutine linear_products()
    type(weft_plan) :: plan
    type(weft_box) :: box
    real(real64), allocatable :: one(:, :), u(:, :), v(:, :), moved(:, :)
    real(real64), parameter :: bound = 64*epsilon(1.0_real64)*60
    character(len=200) :: text
    integer :: i, j, stat
    call plan%create(MPI_COMM_WORLD, [12, 5], "r2c")
    box = plan%physical_box()
    allocate (one(box%lower(1):box%upper(1), box%lower(2):box%upper(2)), source=0.0_real64)
    allocate (u, v, moved, mold=one)
    do j = box%lower(2), box%upper(2)
      do i = box%lower(1), box%upper(1)
        if (i == 2 .and. j == 3) one(i, j) = 1
        u(i, j) = i + 0.5_real64*j
        moved(i, j) = merge(i - 1 + 0.5_real64*(j - 2), 0.0_real64, i > 1 .and. j > 2)
      end do
    end do
    call plan%convolve(one, u, v, origin=[0, 0])
    call near(pack(v - moved, .true.), bound, "a shift without the other end")
    call plan%convolve(one, u, v, origin=[1, 2])
    call near(pack(v - u, .true.), bound, "a shift and its origin")
    call plan%correlate(one, u, v, origin=[1, 2])
    call near(pack(v - u, .true.), bound, "a shift back and its origin")
    call plan%convolve(one, u, v, origin=[12, 0], stat=stat, errmsg=text)
    call fails(stat, text, "origin: 12 on axis")
    call plan%correlate(one, u, v, origin=[0], stat=stat, errmsg=text)
    call fails(stat, text, "origin: 1 entries for 2 axes")
  end subroutine linear_products

  ! (cos 3x)^2 = (1 + cos 6x) / 2: on 12 points 6x is the last mode, which stands for both signs.
  subroutine products_of_modes()
    type(weft_plan) :: plan
    real(real64), allocatable :: x(:), u(:, :)
    complex(real64), allocatable :: modes(:, :)
    type(weft_box) :: box
    integer :: j
    call plan%create(MPI_COMM_WORLD, [12, 4], "r2c")
    x = plan%coordinates(1)
    box = plan%physical_box()
    allocate (u(size(x), box%lower(2):box%upper(2)))
    do j = box%lower(2), box%upper(2)
      u(:, j) = cos(3*x)
    end do
    box = plan%spectral_box()
    allocate (modes(box%lower(1):box%upper(1), box%lower(2):box%upper(2)))
    call plan%forward(u, modes)
    call plan%product(modes, modes, modes)
    call plan%backward(modes, u)
    do j = lbound(u, 2), ubound(u, 2)
      u(:, j) = u(:, j) - (1 + cos(6*x))/2
    end do
    call near(pack(u, .true.), rounding_of_solves, "the square of a wave by its modes")
  end subroutine products_of_modes

  ! cos(2 pi (x + y)) at points displaced by (1/10, 1/20), its solution and the gradient of that.
  subroutine displaced()
    type(weft_poisson) :: solver
    type(weft_vector_poisson) :: vectors
    real(real64), allocatable :: f(:, :), u(:, :), gradient(:, :, :), angle(:, :), x(:), y(:)
    real(real64), parameter :: shift(2) = [0.1_real64, 0.05_real64], lengths(2) = 1
    character(len=200) :: text
    integer :: j, stat
    call solver%create(MPI_COMM_WORLD, [12, 10], lengths, "periodic", shift=shift)
    x = solver%points(1)
    y = solver%points(2)
    allocate (f(size(x), size(y)), gradient(size(x), size(y), 2))
    do j = 1, size(y)
      f(:, j) = cos(2*pi*(x + y(j)))
    end do
    allocate (u, angle, mold=f)
    do j = 1, size(y)
      angle(:, j) = 2*pi*(x + y(j) + sum(shift))
    end do
    call solver%solve(f, u)
    call near(pack(u + cos(angle)/(8*pi**2), .true.), rounding_of_solves, "a displaced wave")
    call vectors%create(MPI_COMM_WORLD, [12, 10], lengths, "periodic", shift=shift)
    call vectors%solve_gradient(f, gradient)
    do j = 1, 2
      call near(pack(gradient(:, :, j) - sin(angle)/(4*pi), .true.), rounding_of_solves, "its displaced gradient")
    end do
    call solver%create(MPI_COMM_WORLD, [12, 10], lengths, "periodic, even", shift=[0.1_real64, 0.2_real64], stat=stat, &
                       errmsg=text)
    call check(stat /= 0 .and. index(text, "shift of axis 0: 0.2") > 0, "a shift along an even axis")
    call solver%create(MPI_COMM_WORLD, [12, 10], lengths, "periodic", shift=[0.1_real64], stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "shift: the number") > 0, "a shift without an entry per axis")
  end subroutine displaced

  ! Walls along y at 0, where u = 2, and at 2, where u + du/dn/4 = 0, for f = 1: three points are enough for a parabola.
  subroutine chebyshev_points()
    type(weft_poisson) :: solver
    real(real64), allocatable :: f(:, :), u(:, :), y(:)
    real(real64), allocatable, target :: wall(:)
    real(real64), parameter :: slope = -2, quarter = 0.25_real64
    character(len=200) :: text
    integer :: j, stat
    call solver%create(MPI_COMM_WORLD, [6, 2], [0.6_real64, 2.0_real64], "periodic, odd", &
                       centring="cell, chebyshev", robin=[0*quarter, quarter])
    y = solver%points(2)
    allocate (f(size(solver%points(1)), size(y)), source=1.0_real64)
    allocate (u, mold=f)
    allocate (wall(merge(size(f, 1), 0, size(y) > 0)), source=2.0_real64) ! some ranks may have no points
    call solver%solve(f, u, ends=[weft_end(2, "left", c_loc(wall), size(wall))])
    do j = 1, size(y)
      call near(u(:, j) - (2 + slope*y(j) + y(j)**2/2), rounding_of_solves, "a parabola on three Chebyshev points")
    end do
    call solver%create(MPI_COMM_WORLD, [6, 2], [0.6_real64, 2.0_real64], "periodic", centring="cell, chebyshev", &
                       stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "boundary of axis") > 0, "Chebyshev points without walls")
  end subroutine chebyshev_points
end module test_operators

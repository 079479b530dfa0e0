! Chebyshev points from Fortran: derivatives and integrals of powers, weights of integrals, what is told.
module test_chebyshevs
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: run_chebyshevs
  integer, parameter :: points = 9, lines = 5
  real(real64), parameter :: a = -0.5_real64, b = 2
  !> Coefficients of t**4 on [-0.5, 2] are below 16, and each derivative multiplies what they err by up to points**2.
  real(real64), parameter :: rounding = 200*epsilon(1.0_real64)

contains

  subroutine run_chebyshevs()
    call operations()
    call single_precision()
    call weights()
    call refused()
  end subroutine run_chebyshevs

  !> Column j of a rank's box is the power t**(j - 1), or its derivative of an order, or its integral from a on for -1.
  function powers(box, order) result(u)
    type(weft_box), intent(in) :: box
    integer, intent(in) :: order
    real(real64), allocatable :: u(:, :), t(:)
    real(real64) :: all(points), factor
    integer :: i, j, p
    all = weft_chebyshev_points(points, a, b)
    t = all(box%lower(1):box%upper(1))
    allocate (u(size(t), box%lower(2):box%upper(2)))
    do j = box%lower(2), box%upper(2)
      p = j - 1
      factor = product([(real(p - i, real64), i=0, order - 1)])
      if (order < 0) then
        u(:, j) = (t**(p + 1) - a**(p + 1))/(p + 1)
      else if (order > p) then
        u(:, j) = 0
      else
        u(:, j) = factor*t**(p - order)
      end if
    end do
  end function powers

  ! Boxes that cut the axis, and those that the object chooses.
  subroutine operations()
    type(weft_chebyshev_axis) :: along
    type(weft_plan_options) :: cut
    real(real64), allocatable :: u(:, :), found(:, :)
    integer :: rank, ranks, order, way
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    cut%physical_box = weft_box([points*rank/ranks + 1, 1], [points*(rank + 1)/ranks, lines])
    do way = 1, 2
      if (way == 1) call along%create(MPI_COMM_WORLD, [points, lines], 1, a, b)
      if (way == 2) call along%create(MPI_COMM_WORLD, [points, lines], 1, a, b, cut)
      u = powers(along%box(), 0)
      allocate (found, mold=u)
      call along%derivative(u, found)
      call near(pack(found - powers(along%box(), 1), .true.), rounding*points**2, "a derivative")
      do order = 2, 3
        call along%derivative(u, found, order)
        call near(pack(found - powers(along%box(), order), .true.), rounding*real(points, real64)**(2*order), &
                  "a derivative of higher order")
      end do
      call along%integral(u, found)
      call near(pack(found - powers(along%box(), -1), .true.), rounding, "an integral")
      deallocate (found)
    end do
    call check(index(along%explain(), "dct1") > 0, "what an axis of Chebyshev points says of itself")
  end subroutine operations

  ! Without a and b the axis goes from -1 to 1; u' is u there for exp(t), of which 9 points leave 1e-7.
  subroutine single_precision()
    type(weft_chebyshev_axis) :: along
    type(weft_plan_options) :: options
    type(weft_box) :: box
    real(real32), allocatable :: u(:, :), found(:, :)
    real(real64) :: t(points)
    options%precision = "float"
    call along%create(MPI_COMM_WORLD, [lines, points], 2, options=options)
    box = along%box()
    t = weft_chebyshev_points(points, -1.0_real64, 1.0_real64)
    u = spread(real(exp(t(box%lower(2):box%upper(2))), real32), 1, box%upper(1) - box%lower(1) + 1)
    allocate (found, mold=u)
    call along%derivative(u, found)
    call near(real(pack(found - u, .true.), real64), 1e-6_real64 + exp(1.0_real64)*points**2*epsilon(1.0_real32), &
              "a derivative in single precision")
  end subroutine single_precision

  ! Those of a solver are the same in mean spacings, of this rank's points; of nodes the last one repeats the first.
  subroutine weights()
    type(weft_poisson) :: solver
    type(weft_box) :: box
    real(real64) :: w(points), t(points)
    t = weft_chebyshev_points(points, a, b)
    w = weft_chebyshev_weights(points, a, b)
    call near([dot_product(w, t**4) - (b**5 - a**5)/5], rounding, "an integral by weights")
    call solver%create(MPI_COMM_WORLD, [points - 1, 4], [b - a, 1.0_real64], "odd, periodic", &
                       centring="chebyshev, node")
    box = solver%box()
    call near(solver%weights(1) - w(box%lower(1):box%upper(1))*(points - 1)/(b - a), 4*epsilon(a), "weights of means")
    call check(size(solver%weights(2)) == box%upper(2) - box%lower(2) + 1, "one weight a point")
    if (box%upper(2) == 5) call check(abs(sum(solver%weights(2)) - (5 - box%lower(2))) < 1e-14_real64, "of nodes")
  end subroutine weights

  subroutine refused()
    type(weft_chebyshev_axis) :: along
    type(weft_plan_options) :: options
    real(real64), allocatable :: u(:, :), found(:, :)
    character(len=400) :: text
    integer :: stat
    call along%create(MPI_COMM_WORLD, [points, lines], 3, stat=stat, errmsg=text)
    call fails(stat, text, "axis: it is not an axis")
    call along%create(MPI_COMM_WORLD, [points, lines], 1, b, a, stat=stat, errmsg=text)
    call fails(stat, text, "a < b")
    options%in_place = .true.
    call along%create(MPI_COMM_WORLD, [points, lines], 1, options=options, stat=stat, errmsg=text)
    call fails(stat, text, "in_place")
    call along%create(MPI_COMM_WORLD, [points, lines], 1)
    u = powers(along%box(), 0)
    allocate (found, mold=u)
    call along%derivative(u, found, 0, stat, text)
    call fails(stat, text, "order: 0")
    call along%integral(u(:, :0), found, stat, text)
    call fails(stat, text, "in: its shape is")
  end subroutine refused
end module test_chebyshevs

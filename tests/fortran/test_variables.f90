! Coefficients that vary, from Fortran: an exact solution of the spectral form, and what is told.
module test_variables
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: run_variables
  real(real64), parameter :: pi = acos(-1.0_real64)
  integer :: told = -1

contains

  subroutine run_variables()
    call spectral()
    call volumes()
    call refused()
  end subroutine run_variables

  ! u = sin(2 pi x) sin(pi y) between odd ends of y, a = 2 + cos(2 pi x), c = 3: the divergence by hand.
  subroutine fields(solver, a, c, u, f)
    type(weft_variable_poisson), intent(in) :: solver
    real(real64), allocatable, intent(out), dimension(:, :) :: a, c, u, f
    real(real64), allocatable :: x(:), y(:)
    integer :: j
    x = solver%points(1)
    y = solver%points(2)
    allocate (a(size(x), size(y)), c(size(x), size(y)), u(size(x), size(y)), f(size(x), size(y)))
    do j = 1, size(y)
      a(:, j) = 2 + cos(2*pi*x)
      c(:, j) = 3
      u(:, j) = sin(2*pi*x)*sin(pi*y(j))
      f(:, j) = -(5*pi**2*a(:, j) + 3)*u(:, j) - 4*pi**2*sin(2*pi*x)*cos(2*pi*x)*sin(pi*y(j))
    end do
  end subroutine fields

  ! The residual is at most the tolerance of f, which is below 160 in each of 130 cells, and c = 3.
  subroutine spectral()
    type(weft_variable_poisson) :: solver
    real(real64), allocatable, dimension(:, :) :: a, c, u, f, found
    real(real64) :: residual
    integer :: iterations
    call solver%create(MPI_COMM_WORLD, [13, 10], [1.0_real64, 1.0_real64], "periodic, odd", form="spectral", &
                       tolerance=1e-9_real64)
    call fields(solver, a, c, u, f)
    allocate (found, mold=u)
    call solver%set_coefficients(a, c)
    call solver%apply(u, found)
    call near(pack(found - f, .true.), 1e-11_real64, "waves of the grid have no error but rounding")
    call solver%solve(f, found, report_to=count_iterations, iterations=iterations, residual=residual)
    call near(pack(found - u, .true.), 1e-9_real64*160*sqrt(130.0_real64)/3, "coefficients that vary")
    call check(told == iterations .and. iterations > 1 .and. residual <= 1e-9_real64, "iterations are told")
    call solver%solve(f, found, guess=u, iterations=iterations)
    call check(iterations == 0, "a guess that is the solution")
    call check(index(solver%explain(), "spectral derivatives") > 0, "what a solver says of itself")
  end subroutine spectral

  subroutine count_iterations(iteration, residual)
    integer, intent(in) :: iteration
    real(real64), intent(in) :: residual
    call check(residual > 0 .and. iteration == told + 1, "iterations are counted")
    told = iteration
  end subroutine count_iterations

  ! With a = 1 the solution of finite volumes is that of Poisson with second differences: -f over their symbol.
  subroutine volumes()
    type(weft_variable_poisson) :: solver
    real(real64), allocatable, dimension(:, :) :: a, c, u, f, found
    real(real64) :: square
    call solver%create(MPI_COMM_WORLD, [13, 10], [1.0_real64, 1.0_real64], "periodic, odd", faces="arithmetic", &
                       around="laplacian", mean="error", most_iterations=3)
    call fields(solver, a, c, u, f)
    allocate (found, mold=u)
    a = 1
    call solver%set_coefficients(a)
    call solver%solve(u, found)
    square = (2*13*sin(pi/13))**2 + (2*10*sin(pi/20))**2
    call near(pack(found + u/square, .true.), 1e-10_real64, "finite volumes of a wave")
  end subroutine volumes

  subroutine refused()
    type(weft_variable_poisson) :: solver
    real(real64), allocatable, dimension(:, :) :: a, c, u, f
    character(len=400) :: text
    integer :: stat
    call solver%create(MPI_COMM_WORLD, [13, 10], [1.0_real64, 1.0_real64], "periodic", form="fem", stat=stat, &
                       errmsg=text)
    call fails(stat, text, "form: ")
    call solver%create(MPI_COMM_WORLD, [13, 10], [1.0_real64], "periodic", stat=stat, errmsg=text)
    call fails(stat, text, "length: ")
    call solver%create(MPI_COMM_WORLD, [13, 10], [1.0_real64, 1.0_real64], "periodic")
    call fields(solver, a, c, u, f)
    call solver%solve(f, u, stat=stat, errmsg=text)
    call fails(stat, text, "coefficients: none are set")
    call solver%set_coefficients(a(:, :0), stat=stat, errmsg=text)
    call fails(stat, text, "a: its shape is")
    a = 0
    call solver%set_coefficients(a, c, stat, text)
    call fails(stat, text, "a: 0 given")
  end subroutine refused
end module test_variables

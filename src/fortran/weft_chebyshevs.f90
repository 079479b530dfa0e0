! Chebyshev points along an axis between two walls: where they lie, and derivatives and integrals along them.
module weft_chebyshevs
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_objects
  implicit none
  private
  public :: weft_chebyshev_axis, weft_chebyshev_points, weft_chebyshev_weights

  !> Derivatives and integrals along one axis of a distributed array of real numbers, of the polynomials through the
  !> Chebyshev points of each line. Create, derivative and integral are called by all ranks. Errors as those of
  !> weft_plan.
  type, extends(weft_object) :: weft_chebyshev_axis
  contains
    !> create(comm, shape, axis [, a, b, options, stat, errmsg]): the points of the global array, those along axis being
    !> weft_chebyshev_points(shape(axis), a, b), -1 to 1 by default. options%physical_box is this rank's part of the
    !> array; without it the object chooses. Complex numbers are two reals, on one axis more, the first, which
    !> options%batch_axes keeps whole.
    generic :: create => create_f08, create_integer
    !> This rank's part of the array.
    procedure :: box
    !> derivative(in, out [, order, stat, errmsg]): of order 1 by default. Rounding grows with the square of the points
    !> for each order at the ends.
    procedure :: derivative
    !> integral(in, out [, stat, errmsg]): from a to each point.
    procedure :: integral
    procedure, private :: create_f08, create_integer
    final :: chebyshev_final
  end type weft_chebyshev_axis

  abstract interface
    function c_chebyshev_numbers(n, a, b, values) bind(c) result(code)
      import
      integer(c_int64_t), value :: n
      real(c_double), value :: a, b
      real(c_double), intent(out) :: values(*)
      integer(c_int) :: code
    end function c_chebyshev_numbers
  end interface

  procedure(c_destroy), bind(c, name="weft_chebyshev_axis_destroy") :: c_axis_destroy
  procedure(c_explain), bind(c, name="weft_chebyshev_axis_explain") :: c_axis_explain
  procedure(c_ask_facts), bind(c, name="weft_chebyshev_axis_facts") :: c_axis_facts
  procedure(c_solver_box), bind(c, name="weft_chebyshev_axis_box") :: c_axis_box
  procedure(c_chebyshev_numbers), bind(c, name="weft_chebyshev_points") :: c_points
  procedure(c_chebyshev_numbers), bind(c, name="weft_chebyshev_weights") :: c_weights
  procedure(c_operation), bind(c, name="weft_f_chebyshev_integral") :: weft_f_chebyshev_integral

  interface
    function weft_f_chebyshev_create(comm, fault, dims, shape, axis, a, b, options, handle) bind(c) result(code)
      import
      integer(c_int), value :: comm, dims, axis
      character(kind=c_char), intent(in) :: fault(*)
      integer(c_int64_t), intent(in) :: shape(dims)
      real(c_double), value :: a, b
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: handle
      integer(c_int) :: code
    end function weft_f_chebyshev_create
    function weft_f_chebyshev_derivative(handle, in, out, order) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      integer(c_int), value :: order
      integer(c_int) :: code
    end function weft_f_chebyshev_derivative
  end interface

contains

  !> The n >= 2 points of Gauss and Lobatto from a to b, (a+b)/2 - (b-a)/2 cos(pi (j-1)/(n-1)). Those of an axis of
  !> weft_poisson with the centring "chebyshev" are the ones of n = cells + 1, a = 0, b = length. Stops for fewer
  !> points, and unless a < b.
  function weft_chebyshev_points(n, a, b) result(values)
    integer, intent(in) :: n
    real(real64), intent(in) :: a, b
    real(real64) :: values(max(n, 0))
    call report(c_points(int(n, c_int64_t), a, b, values))
  end function weft_chebyshev_points

  !> The weights of values at these points in the integral from a to b (Clenshaw and Curtis 1960).
  function weft_chebyshev_weights(n, a, b) result(values)
    integer, intent(in) :: n
    real(real64), intent(in) :: a, b
    real(real64) :: values(max(n, 0))
    call report(c_weights(int(n, c_int64_t), a, b, values))
  end function weft_chebyshev_weights

  subroutine create_f08(self, comm, shape, axis, a, b, options, stat, errmsg)
    class(weft_chebyshev_axis), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: shape(:), axis
    real(real64), intent(in), optional :: a, b
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, shape, axis, a, b, options, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, shape, axis, a, b, options, stat, errmsg)
    class(weft_chebyshev_axis), intent(inout) :: self
    integer, intent(in) :: comm, shape(:), axis
    real(real64), intent(in), optional :: a, b
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(options_for_c), allocatable, target :: given
    real(real64) :: left, right
    call self%destroy()
    allocate (given)
    self%c_destroy => c_axis_destroy
    self%c_explain => c_axis_explain
    self%c_facts => c_axis_facts
    left = -1
    right = 1
    if (present(a)) left = a
    if (present(b)) right = b
    call c_options(given, size(shape), options)
    if (given%fault == "" .and. (axis < 1 .or. axis > size(shape))) &
      given%fault = "axis: it is not an axis of the array; give 1 to the number of axes"
    call report(weft_f_chebyshev_create(comm, c_text(given%fault), size(shape), &
                                        int(shape(size(shape):1:-1), c_int64_t), size(shape) - axis, left, right, &
                                        given%options, self%handle), stat, errmsg)
  end subroutine create_integer

  impure elemental subroutine chebyshev_final(self)
    type(weft_chebyshev_axis), intent(inout) :: self
    call self%destroy()
  end subroutine chebyshev_final

  function box(self) result(mine)
    class(weft_chebyshev_axis), intent(in) :: self
    type(weft_box) :: mine
    type(c_box) :: c
    integer(c_int64_t) :: length
    call self%require_made()
    call report(c_axis_box(self%handle, c, length))
    mine = box_from(c)
  end function box

  subroutine derivative(self, in, out, order, stat, errmsg)
    class(weft_chebyshev_axis), intent(in) :: self
    type(*), dimension(..), intent(in) :: in
    type(*), dimension(..), intent(inout) :: out
    integer, intent(in), optional :: order
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer :: wanted
    wanted = 1
    if (present(order)) wanted = order
    call report(weft_f_chebyshev_derivative(self%handle, in, out, wanted), stat, errmsg)
  end subroutine derivative

  subroutine integral(self, in, out, stat, errmsg)
    class(weft_chebyshev_axis), intent(in) :: self
    type(*), dimension(..), intent(in) :: in
    type(*), dimension(..), intent(inout) :: out
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_chebyshev_integral(self%handle, in, out), stat, errmsg)
  end subroutine integral
end module weft_chebyshevs

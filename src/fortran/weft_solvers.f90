! Solvers: lap u = f, and vector fields.
module weft_solvers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_objects
  use weft_fields
  use weft_problems
  implicit none
  private
  public :: weft_end, weft_poisson, weft_solver, weft_vector_poisson

  !> What is given at one end of an axis, from 1 on: u at an odd end, du/dn at an even one, n outwards (weft::EndValues).
  !> values: c_loc of a contiguous array over this rank's points without the axis, of the solver's kind, with so many
  !> elements.
  type :: weft_end
    integer :: axis = 1
    character(len=5) :: side = "left"  !< or "right"
    type(c_ptr) :: values = c_null_ptr
    integer(int64) :: elements = 0
  end type weft_end

  !> What solvers for scalars and for vector fields have in common.
  type, abstract, extends(weft_object) :: weft_solver
    procedure(c_solver_box), pointer, nopass :: c_box => null()
    procedure(c_list), pointer, nopass :: c_points => null()
    integer :: axes = 0  !< of the problem
  contains
    !> This rank's part of the points.
    procedure :: box => solver_box
    !> Coordinates of this rank's points along an axis of the problem.
    procedure :: points
  end type weft_solver

  !> Solves lap u - screening**2 u = f, or with a power of that operator, in 2 or 3 dimensions, any mix of periodic,
  !> even, odd and unbounded ends.
  type, extends(weft_solver) :: weft_poisson
  contains
    !> create(comm, cells, length, boundary [, centring, kernel, alpha, screening, mean, of_distance, of_wavenumber,
    !> width_axis, widths, robin, options, stat, errmsg, power, batch, order, shift]). boundary: one condition for all axes
    !> ("unbounded") or one per axis with commas between, each the same at both ends or lower:upper, as in
    !> "periodic, even, odd:unbounded". centring: "cell" or "node", or one per axis with commas between, of which one
    !> may be "chebyshev". kernel, alpha and mean: as in weft.h; of_distance, of_wavenumber: a kernel of the user's own
    !> in place of a name. Axis width_axis, from 1 on, is a finite-difference axis, whose cells have these widths. At
    !> odd ends of it, or of a Chebyshev axis, u + robin du/dn = 0, n outwards. power: p of
    !> -(screening**2 - lap)**p u = f. batch: right-hand sides of one solve, which one more axis at the end of arrays
    !> counts. order: of the differences, 2 or 4. shift: per axis, how far the points of solutions are displaced.
    generic :: create => create_f08, create_integer
    !> How much these points count in means over the domain, relative to others along the axis: 1 in cells of one width,
    !> by the rules of the axis along nodes, widths and Chebyshev points.
    procedure :: weights
    !> solve(rhs, solution [, stat, errmsg, ends]); called by all ranks. ends: weft_end where values are not 0.
    procedure :: solve
    !> create_field(field [, stat, errmsg]): zeros for a solver made with options%in_place.
    procedure :: create_field
    !> solve_field(field [, stat, errmsg]): the right-hand side becomes the solution.
    procedure :: solve_field
    procedure, private :: create_f08, create_integer
    final :: poisson_final
  end type weft_poisson

  !> Vector fields with as many components as axes: arrays have one more axis at the end, which counts the components,
  !> component 1 along axis 1, and with a batch another one after it. All operations are called by all ranks and take
  !> [, stat, errmsg].
  type, extends(weft_solver) :: weft_vector_poisson
  contains
    !> create(comm, cells, length, boundary [, scalar_boundary, centring, kernel, alpha, screening, derivative,
    !> of_distance, of_wavenumber, options, stat, errmsg, shift, power, batch]). boundary: one list as for weft_poisson
    !> for all components, or one per component with semicolons between. scalar_boundary=.true.: one list, of the
    !> scalars whose gradients these fields are. derivative: "spectral", "2", "4" or "6". shift and power: as for
    !> weft_poisson, of solve, solve_gradient and biot_savart. batch: fields of one call, which one more axis at the end
    !> of arrays counts.
    generic :: create => vector_create_f08, vector_create_integer
    !> solve(rhs, solution), component by component.
    procedure :: solve => vector_solve
    !> biot_savart(vorticity, velocity); in two dimensions the vorticity is a scalar.
    procedure :: biot_savart
    !> curl(vector, rotated); in two dimensions the result is a scalar.
    procedure :: curl
    !> divergence(vector, scalar)
    procedure :: divergence
    !> gradient(scalar, vector)
    procedure :: gradient
    !> solve_gradient(scalar, vector): the gradient of the solution.
    procedure :: solve_gradient
    !> project(vector, projected): the part without divergence.
    procedure :: project
    procedure, private :: vector_create_f08, vector_create_integer, operate
    final :: vector_final
  end type weft_vector_poisson

contains

  ! --- what both have in common ---

  function solver_box(self) result(box)
    class(weft_solver), intent(in) :: self
    type(weft_box) :: box
    type(c_box) :: c
    integer(c_int64_t) :: length
    call self%require_made()
    call report(self%c_box(self%handle, c, length))
    box = box_from(c)
  end function solver_box

  function points(self, axis) result(values)
    class(weft_solver), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable :: values(:)
    values = listed(self%c_points, self%handle, self%box(), axis, self%axes)
  end function points

  ! --- scalars ---

  function weights(self, axis) result(values)
    class(weft_poisson), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable :: values(:)
    values = listed(weft_poisson_weights, self%handle, self%box(), axis, self%axes)
  end function weights

  subroutine create_f08(self, comm, cells, length, boundary, centring, kernel, alpha, screening, mean, of_distance, &
                        of_wavenumber, width_axis, widths, robin, options, stat, errmsg, power, batch, order, shift)
    class(weft_poisson), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    character(len=*), intent(in), optional :: centring, kernel, mean
    real(real64), intent(in), optional :: alpha, screening
    procedure(weft_distance_kernel), optional :: of_distance
    procedure(weft_wavenumber_kernel), optional :: of_wavenumber
    integer, intent(in), optional :: width_axis, order
    real(real64), intent(in), optional :: widths(:), robin(2)
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    real(real64), intent(in), optional :: power, shift(:)
    integer, intent(in), optional :: batch
    call self%create(comm%MPI_VAL, cells, length, boundary, centring, kernel, alpha, screening, mean, of_distance, &
                     of_wavenumber, width_axis, widths, robin, options, stat, errmsg, power, batch, order, shift)
  end subroutine create_f08

  subroutine create_integer(self, comm, cells, length, boundary, centring, kernel, alpha, screening, mean, &
                            of_distance, of_wavenumber, width_axis, widths, robin, options, stat, errmsg, power, &
                            batch, order, shift)
    class(weft_poisson), intent(inout) :: self
    integer, intent(in) :: comm, cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    character(len=*), intent(in), optional :: centring, kernel, mean
    real(real64), intent(in), optional :: alpha, screening
    procedure(weft_distance_kernel), optional :: of_distance
    procedure(weft_wavenumber_kernel), optional :: of_wavenumber
    integer, intent(in), optional :: width_axis, order
    real(real64), intent(in), optional :: widths(:), robin(2)
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    real(real64), intent(in), optional :: power, shift(:)
    integer, intent(in), optional :: batch
    type(options_for_c), allocatable, target :: given
    type(problem_for_c), allocatable, target :: problem
    call self%destroy()
    allocate (given, problem)
    call describe(problem, cells, length, centring, kernel, alpha, screening, of_distance, of_wavenumber, shift)
    call scalar_boundaries(problem, boundary)
    call difference_axis(problem, cells, width_axis, widths, robin, order)
    if (present(power)) problem%scalar%power = power
    if (present(batch)) problem%scalar%batch = batch
    if (present(mean)) problem%scalar%mean = problem%pool%keep(mean)
    call c_options(given, size(cells), options)
    self%axes = size(cells)
    self%c_destroy => weft_poisson_destroy
    self%c_box => weft_poisson_box
    self%c_points => weft_poisson_points
    self%c_explain => weft_poisson_explain
    self%c_facts => weft_poisson_facts
    call report(weft_f_poisson_create(comm, c_text(problem%fault), problem%scalar, given%options, self%handle), &
                stat, errmsg)
  end subroutine create_integer

  impure elemental subroutine poisson_final(self)
    type(weft_poisson), intent(inout) :: self
    call self%destroy()
  end subroutine poisson_final

  subroutine solve(self, rhs, solution, stat, errmsg, ends)
    class(weft_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: rhs
    type(*), dimension(..), intent(inout) :: solution
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(weft_end), intent(in), optional :: ends(:)
    type(c_end_values), allocatable :: given(:)
    integer :: i
    if (.not. present(ends)) then
      call report(weft_f_poisson_solve(self%handle, rhs, solution), stat, errmsg)
      return
    end if
    allocate (given(size(ends)))
    do i = 1, size(ends)
      given(i) = c_end_values(ends(i)%axis, -1, ends(i)%values, ends(i)%elements)
      if (ends(i)%side == "left") given(i)%right = 0
      if (ends(i)%side == "right") given(i)%right = 1
    end do
    call report(weft_f_poisson_solve_ends(self%handle, rhs, solution, given, size(ends)), stat, errmsg)
  end subroutine solve

  subroutine create_field(self, field, stat, errmsg)
    class(weft_poisson), intent(in) :: self
    type(weft_field), intent(inout) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call field%destroy()
    call report(weft_poisson_field_create(self%handle, field%handle), stat, errmsg)
  end subroutine create_field

  subroutine solve_field(self, field, stat, errmsg)
    class(weft_poisson), intent(in) :: self
    type(weft_field), intent(in) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_poisson_solve_field(self%handle, field%handle), stat, errmsg)
  end subroutine solve_field

  ! --- vector fields ---

  subroutine vector_create_f08(self, comm, cells, length, boundary, scalar_boundary, centring, kernel, alpha, &
                               screening, derivative, of_distance, of_wavenumber, options, stat, errmsg, shift, &
                               power, batch)
    class(weft_vector_poisson), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    logical, intent(in), optional :: scalar_boundary
    character(len=*), intent(in), optional :: centring, kernel, derivative
    real(real64), intent(in), optional :: alpha, screening, shift(:), power
    integer, intent(in), optional :: batch
    procedure(weft_distance_kernel), optional :: of_distance
    procedure(weft_wavenumber_kernel), optional :: of_wavenumber
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, cells, length, boundary, scalar_boundary, centring, kernel, alpha, screening, &
                     derivative, of_distance, of_wavenumber, options, stat, errmsg, shift, power, batch)
  end subroutine vector_create_f08

  subroutine vector_create_integer(self, comm, cells, length, boundary, scalar_boundary, centring, kernel, alpha, &
                                   screening, derivative, of_distance, of_wavenumber, options, stat, errmsg, shift, &
                                   power, batch)
    class(weft_vector_poisson), intent(inout) :: self
    integer, intent(in) :: comm, cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    logical, intent(in), optional :: scalar_boundary
    character(len=*), intent(in), optional :: centring, kernel, derivative
    real(real64), intent(in), optional :: alpha, screening, shift(:), power
    integer, intent(in), optional :: batch
    procedure(weft_distance_kernel), optional :: of_distance
    procedure(weft_wavenumber_kernel), optional :: of_wavenumber
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(options_for_c), allocatable, target :: given
    type(problem_for_c), allocatable, target :: problem
    call self%destroy()
    allocate (given, problem)
    call describe(problem, cells, length, centring, kernel, alpha, screening, of_distance, of_wavenumber, shift)
    call vector_boundaries(problem, boundary)
    if (present(power)) problem%vector%power = power
    if (present(batch)) problem%vector%batch = batch
    if (present(derivative)) problem%vector%derivative = problem%pool%keep(derivative)
    call c_options(given, size(cells), options)
    self%axes = size(cells)
    self%c_destroy => weft_vector_poisson_destroy
    self%c_box => weft_vector_poisson_box
    self%c_points => weft_vector_poisson_points
    self%c_explain => weft_vector_poisson_explain
    self%c_facts => weft_vector_poisson_facts
    call report(weft_f_vector_poisson_create(comm, c_text(problem%fault), &
                                             merge(1, 0, is_set(scalar_boundary)), problem%vector, &
                                             given%options, self%handle), stat, errmsg)
  end subroutine vector_create_integer

  pure logical function is_set(flag)
    logical, intent(in), optional :: flag
    is_set = .false.
    if (present(flag)) is_set = flag
  end function is_set

  impure elemental subroutine vector_final(self)
    type(weft_vector_poisson), intent(inout) :: self
    call self%destroy()
  end subroutine vector_final

  subroutine operate(self, operation, in, out, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    procedure(c_operation) :: operation
    type(*), dimension(..), intent(in) :: in
    type(*), dimension(..), intent(inout) :: out
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(operation(self%handle, in, out), stat, errmsg)
  end subroutine operate

  subroutine vector_solve(self, rhs, solution, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: rhs
    type(*), dimension(..), intent(inout) :: solution
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_solve, rhs, solution, stat, errmsg)
  end subroutine vector_solve

  subroutine biot_savart(self, vorticity, velocity, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: vorticity
    type(*), dimension(..), intent(inout) :: velocity
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_biot_savart, vorticity, velocity, stat, errmsg)
  end subroutine biot_savart

  subroutine curl(self, vector, rotated, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: vector
    type(*), dimension(..), intent(inout) :: rotated
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_curl, vector, rotated, stat, errmsg)
  end subroutine curl

  subroutine divergence(self, vector, scalar, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: vector
    type(*), dimension(..), intent(inout) :: scalar
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_divergence, vector, scalar, stat, errmsg)
  end subroutine divergence

  subroutine gradient(self, scalar, vector, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: scalar
    type(*), dimension(..), intent(inout) :: vector
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_gradient, scalar, vector, stat, errmsg)
  end subroutine gradient

  subroutine solve_gradient(self, scalar, vector, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: scalar
    type(*), dimension(..), intent(inout) :: vector
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_solve_gradient, scalar, vector, stat, errmsg)
  end subroutine solve_gradient

  subroutine project(self, vector, projected, stat, errmsg)
    class(weft_vector_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: vector
    type(*), dimension(..), intent(inout) :: projected
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%operate(weft_f_project, vector, projected, stat, errmsg)
  end subroutine project
end module weft_solvers

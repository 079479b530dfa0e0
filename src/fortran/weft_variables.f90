! A solver for coefficients that vary: div(a grad u) - c u = f.
module weft_variables
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_problems
  use weft_solvers, only: weft_solver
  implicit none
  private
  public :: weft_iteration_report, weft_variable_poisson

  abstract interface
    !> Called after each iteration with its number, 0 before the first, and the residual's norm over that of f.
    subroutine weft_iteration_report(iteration, residual)
      import :: real64
      integer, intent(in) :: iteration
      real(real64), intent(in) :: residual
    end subroutine weft_iteration_report
  end interface

  !> Solves div(a grad u) - c u = f with a > 0 and c >= 0 that differ from cell to cell, in 2 or 3 dimensions, with
  !> periodic, even and odd ends, by conjugate gradients; see weft/variable_poisson.hpp.
  type, extends(weft_solver) :: weft_variable_poisson
  contains
    !> create(comm, cells, length, boundary [, form, faces, around, mean, tolerance, most_iterations, options, stat,
    !> errmsg]). boundary: as for weft_poisson. form: "finite-volume" or "spectral"; faces: "harmonic" or "arithmetic";
    !> around: "scaled" or "laplacian"; mean: "remove" or "error". tolerance: of the residual over f.
    generic :: create => create_f08, create_integer
    !> set_coefficients(a [, c, stat, errmsg]): of the next solves; they are copied. Called by all ranks, as all below.
    procedure :: set_coefficients
    !> apply(u, applied [, stat, errmsg]): div(a grad u) - c u.
    procedure :: apply
    !> solve(f, u [, guess, report_to, iterations, residual, stat, errmsg]). guess: where to begin. report_to: a procedure as
    !> weft_iteration_report. iterations, residual: of this solve.
    procedure :: solve
    procedure, private :: create_f08, create_integer
    final :: variable_final
  end type weft_variable_poisson

  !> What C calls with `data`.
  type :: report_for_c
    procedure(weft_iteration_report), pointer, nopass :: tell => null()
  end type report_for_c

contains

  subroutine create_f08(self, comm, cells, length, boundary, form, faces, around, mean, tolerance, most_iterations, &
                        options, stat, errmsg)
    class(weft_variable_poisson), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    character(len=*), intent(in), optional :: form, faces, around, mean
    real(real64), intent(in), optional :: tolerance
    integer, intent(in), optional :: most_iterations
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, cells, length, boundary, form, faces, around, mean, tolerance, most_iterations, &
                     options, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, cells, length, boundary, form, faces, around, mean, tolerance, &
                            most_iterations, options, stat, errmsg)
    class(weft_variable_poisson), intent(inout) :: self
    integer, intent(in) :: comm, cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in) :: boundary
    character(len=*), intent(in), optional :: form, faces, around, mean
    real(real64), intent(in), optional :: tolerance
    integer, intent(in), optional :: most_iterations
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(options_for_c), allocatable, target :: given
    type(problem_for_c), allocatable, target :: common
    type(c_variable_problem) :: problem
    call self%destroy()
    allocate (given, common)
    call describe(common, cells, length)
    call scalar_boundaries(common, boundary)
    if (variable_problem_init(problem, c_sizeof(problem)) /= 0) error stop "weft: of another version"
    problem%dims = common%scalar%dims
    problem%cells = common%scalar%cells
    problem%length = common%scalar%length
    problem%boundary = common%scalar%boundary
    if (present(form)) problem%form = common%pool%keep(form)
    if (present(faces)) problem%faces = common%pool%keep(faces)
    if (present(around)) problem%around = common%pool%keep(around)
    if (present(mean)) problem%mean = common%pool%keep(mean)
    if (present(tolerance)) problem%tolerance = tolerance
    if (present(most_iterations)) problem%most_iterations = most_iterations
    call c_options(given, size(cells), options)
    self%axes = size(cells)
    self%c_destroy => weft_variable_poisson_destroy
    self%c_box => weft_variable_poisson_box
    self%c_points => weft_variable_poisson_points
    self%c_explain => weft_variable_poisson_explain
    self%c_facts => weft_variable_poisson_facts
    call report(weft_f_variable_create(comm, c_text(common%fault), problem, given%options, self%handle), stat, errmsg)
  end subroutine create_integer

  impure elemental subroutine variable_final(self)
    type(weft_variable_poisson), intent(inout) :: self
    call self%destroy()
  end subroutine variable_final

  subroutine set_coefficients(self, a, c, stat, errmsg)
    class(weft_variable_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(in), optional :: c
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_variable_set(self%handle, a, c), stat, errmsg)
  end subroutine set_coefficients

  subroutine apply(self, u, applied, stat, errmsg)
    class(weft_variable_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: u
    type(*), dimension(..), intent(inout) :: applied
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_variable_apply(self%handle, u, applied), stat, errmsg)
  end subroutine apply

  subroutine solve(self, f, u, guess, report_to, iterations, residual, stat, errmsg)
    class(weft_variable_poisson), intent(in) :: self
    type(*), dimension(..), intent(in) :: f
    type(*), dimension(..), intent(inout) :: u
    type(*), dimension(..), intent(in), optional :: guess
    procedure(weft_iteration_report), optional :: report_to
    integer, intent(out), optional :: iterations
    real(real64), intent(out), optional :: residual
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(report_for_c), target :: told
    type(c_funptr) :: function
    integer(c_int) :: code, known_iterations
    real(c_double) :: known_residual
    function = c_null_funptr
    if (present(report_to)) then
      told%tell => report_to
      function = c_funloc(call_report)
    end if
    code = weft_f_variable_solve(self%handle, f, u, guess, function, c_loc(told))
    if (c_associated(self%handle)) then
      if (weft_variable_poisson_outcome(self%handle, known_iterations, known_residual) == 0) then
        if (present(iterations)) iterations = known_iterations
        if (present(residual)) residual = known_residual
      end if
    end if
    call report(code, stat, errmsg)
  end subroutine solve

  subroutine call_report(iteration, residual, data) bind(c)
    integer(c_int), value :: iteration
    real(c_double), value :: residual
    type(c_ptr), value :: data
    type(report_for_c), pointer :: told
    call c_f_pointer(data, told)
    call told%tell(int(iteration), residual)
  end subroutine call_report
end module weft_variables

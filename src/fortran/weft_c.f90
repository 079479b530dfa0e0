! weft.h for Fortran: its structs, its functions, and those of glue.cpp. Users take the module weft.
module weft_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: max_dims = 6, space_dims = 3
  integer(c_int), parameter :: physical_side = 0, spectral_side = 1

  include "structs.inc" ! c_plan_options for weft_plan_options, and so on: cmake/FortranMembers.cmake

  ! Functions of one kind for several handles.
  abstract interface
    function c_destroy(handle) bind(c) result(code)
      import
      type(c_ptr), intent(inout) :: handle
      integer(c_int) :: code
    end function c_destroy
    function c_explain(handle, text) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(c_ptr), intent(out) :: text
      integer(c_int) :: code
    end function c_explain
    function c_ask_facts(handle, facts) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(c_facts), intent(inout) :: facts
      integer(c_int) :: code
    end function c_ask_facts
    function c_list(handle, axis, values, length) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      integer(c_int64_t), value :: length
      real(c_double), intent(out) :: values(length)
      integer(c_int) :: code
    end function c_list
    function c_solver_box(handle, box, length) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(c_box), intent(out) :: box
      integer(c_int64_t), intent(out) :: length
      integer(c_int) :: code
    end function c_solver_box
    function c_field_create(handle, field) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(c_ptr), intent(out) :: field
      integer(c_int) :: code
    end function c_field_create
    function c_field_operation(handle, field) bind(c) result(code)
      import
      type(c_ptr), value :: handle, field
      integer(c_int) :: code
    end function c_field_operation
    ! An operation from array to array, which are checked against what the object has; collective.
    function c_operation(handle, in, out) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(*), dimension(..), intent(in) :: in
      type(*), dimension(..), intent(inout) :: out
      integer(c_int) :: code
    end function c_operation
  end interface

  procedure(c_destroy), bind(c, name="weft_plan_destroy") :: weft_plan_destroy
  procedure(c_destroy), bind(c, name="weft_poisson_destroy") :: weft_poisson_destroy
  procedure(c_destroy), bind(c, name="weft_vector_poisson_destroy") :: weft_vector_poisson_destroy
  procedure(c_destroy), bind(c, name="weft_variable_poisson_destroy") :: weft_variable_poisson_destroy
  procedure(c_destroy), bind(c, name="weft_redistribution_destroy") :: weft_redistribution_destroy
  procedure(c_destroy), bind(c, name="weft_field_destroy") :: weft_field_destroy
  procedure(c_explain), bind(c, name="weft_plan_explain") :: weft_plan_explain
  procedure(c_explain), bind(c, name="weft_poisson_explain") :: weft_poisson_explain
  procedure(c_explain), bind(c, name="weft_vector_poisson_explain") :: weft_vector_poisson_explain
  procedure(c_explain), bind(c, name="weft_variable_poisson_explain") :: weft_variable_poisson_explain
  procedure(c_explain), bind(c, name="weft_redistribution_explain") :: weft_redistribution_explain
  procedure(c_ask_facts), bind(c, name="weft_plan_facts") :: weft_plan_facts
  procedure(c_ask_facts), bind(c, name="weft_poisson_facts") :: weft_poisson_facts
  procedure(c_ask_facts), bind(c, name="weft_vector_poisson_facts") :: weft_vector_poisson_facts
  procedure(c_ask_facts), bind(c, name="weft_variable_poisson_facts") :: weft_variable_poisson_facts
  procedure(c_ask_facts), bind(c, name="weft_redistribution_facts") :: weft_redistribution_facts
  procedure(c_list), bind(c, name="weft_plan_wavenumbers") :: weft_plan_wavenumbers
  procedure(c_list), bind(c, name="weft_plan_weights") :: weft_plan_weights
  procedure(c_list), bind(c, name="weft_plan_coordinates") :: weft_plan_coordinates
  procedure(c_list), bind(c, name="weft_poisson_points") :: weft_poisson_points
  procedure(c_list), bind(c, name="weft_poisson_weights") :: weft_poisson_weights
  procedure(c_list), bind(c, name="weft_vector_poisson_points") :: weft_vector_poisson_points
  procedure(c_list), bind(c, name="weft_variable_poisson_points") :: weft_variable_poisson_points
  procedure(c_solver_box), bind(c, name="weft_poisson_box") :: weft_poisson_box
  procedure(c_solver_box), bind(c, name="weft_vector_poisson_box") :: weft_vector_poisson_box
  procedure(c_solver_box), bind(c, name="weft_variable_poisson_box") :: weft_variable_poisson_box
  procedure(c_field_operation), bind(c, name="weft_plan_forward_field") :: weft_plan_forward_field
  procedure(c_field_operation), bind(c, name="weft_plan_backward_field") :: weft_plan_backward_field
  procedure(c_field_operation), bind(c, name="weft_poisson_solve_field") :: weft_poisson_solve_field
  procedure(c_field_create), bind(c, name="weft_plan_field_create") :: weft_plan_field_create
  procedure(c_field_create), bind(c, name="weft_poisson_field_create") :: weft_poisson_field_create
  procedure(c_operation), bind(c, name="weft_f_forward") :: weft_f_forward
  procedure(c_operation), bind(c, name="weft_f_backward") :: weft_f_backward
  procedure(c_operation), bind(c, name="weft_f_poisson_solve") :: weft_f_poisson_solve
  procedure(c_operation), bind(c, name="weft_f_variable_apply") :: weft_f_variable_apply
  procedure(c_operation), bind(c, name="weft_f_solve") :: weft_f_solve
  procedure(c_operation), bind(c, name="weft_f_biot_savart") :: weft_f_biot_savart
  procedure(c_operation), bind(c, name="weft_f_curl") :: weft_f_curl
  procedure(c_operation), bind(c, name="weft_f_divergence") :: weft_f_divergence
  procedure(c_operation), bind(c, name="weft_f_gradient") :: weft_f_gradient
  procedure(c_operation), bind(c, name="weft_f_solve_gradient") :: weft_f_solve_gradient
  procedure(c_operation), bind(c, name="weft_f_project") :: weft_f_project
  procedure(c_operation), bind(c, name="weft_f_move") :: weft_f_move
  procedure(c_operation), bind(c, name="weft_f_move_back") :: weft_f_move_back

  interface
    function weft_last_error() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function weft_last_error
    function weft_version_text() bind(c, name="weft_version") result(text)
      import
      type(c_ptr) :: text
    end function weft_version_text
    function c_length(text) bind(c, name="strlen") result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_length

    function plan_options_init(options, size) bind(c, name="weft_plan_options_init_sized") result(code)
      import
      type(c_plan_options), intent(out) :: options
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function plan_options_init
    function poisson_problem_init(problem, size) bind(c, name="weft_poisson_problem_init_sized") result(code)
      import
      type(c_poisson_problem), intent(out) :: problem
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function poisson_problem_init
    function vector_problem_init(problem, size) bind(c, name="weft_vector_problem_init_sized") result(code)
      import
      type(c_vector_problem), intent(out) :: problem
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function vector_problem_init
    function variable_problem_init(problem, size) bind(c, name="weft_variable_problem_init_sized") result(code)
      import
      type(c_variable_problem), intent(out) :: problem
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function variable_problem_init
    function facts_init(facts, size) bind(c, name="weft_facts_init_sized") result(code)
      import
      type(c_facts), intent(out) :: facts
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function facts_init

    function weft_f_plan_create(comm, fault, dims, shape, kinds, options, plan) bind(c) result(code)
      import
      integer(c_int), value :: comm, dims
      character(kind=c_char), intent(in) :: fault(*)
      integer(c_int64_t), intent(in) :: shape(dims)
      character(kind=c_char), intent(in) :: kinds(*)
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: code
    end function weft_f_plan_create
    function weft_f_poisson_create(comm, fault, problem, options, solver) bind(c) result(code)
      import
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: fault(*)
      type(c_poisson_problem), intent(in) :: problem
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: solver
      integer(c_int) :: code
    end function weft_f_poisson_create
    function weft_f_poisson_solve_ends(solver, rhs, solution, ends, end_count) bind(c) result(code)
      import
      type(c_ptr), value :: solver
      type(*), dimension(..), intent(in) :: rhs
      type(*), dimension(..), intent(inout) :: solution
      type(c_end_values), intent(in) :: ends(*)
      integer(c_int), value :: end_count
      integer(c_int) :: code
    end function weft_f_poisson_solve_ends
    function weft_f_vector_poisson_create(comm, fault, of_scalar, problem, options, solver) bind(c) result(code)
      import
      integer(c_int), value :: comm, of_scalar
      character(kind=c_char), intent(in) :: fault(*)
      type(c_vector_problem), intent(inout) :: problem
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: solver
      integer(c_int) :: code
    end function weft_f_vector_poisson_create
    function weft_f_variable_create(comm, fault, problem, options, solver) bind(c) result(code)
      import
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: fault(*)
      type(c_variable_problem), intent(in) :: problem
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: solver
      integer(c_int) :: code
    end function weft_f_variable_create
    function weft_f_variable_set(solver, a, c) bind(c) result(code)
      import
      type(c_ptr), value :: solver
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(in), optional :: c
      integer(c_int) :: code
    end function weft_f_variable_set
    function weft_f_variable_solve(solver, f, u, guess, report, data) bind(c) result(code)
      import
      type(c_ptr), value :: solver, data
      type(*), dimension(..), intent(in) :: f
      type(*), dimension(..), intent(inout) :: u
      type(*), dimension(..), intent(in), optional :: guess
      type(c_funptr), value :: report
      integer(c_int) :: code
    end function weft_f_variable_solve
    function weft_variable_poisson_outcome(solver, iterations, residual) bind(c) result(code)
      import
      type(c_ptr), value :: solver
      integer(c_int), intent(out) :: iterations
      real(c_double), intent(out) :: residual
      integer(c_int) :: code
    end function weft_variable_poisson_outcome
    function weft_f_redistribution_create(comm, from, to, bytes, options, moves) bind(c) result(code)
      import
      integer(c_int), value :: comm
      type(c_box), intent(in) :: from, to
      integer(c_size_t), value :: bytes
      type(c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: moves
      integer(c_int) :: code
    end function weft_f_redistribution_create

    function weft_plan_box(plan, side, box) bind(c) result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_box), intent(out) :: box
      integer(c_int) :: code
    end function weft_plan_box
    function weft_plan_count(plan, side, length, is_complex) bind(c) result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      integer(c_int64_t), intent(out) :: length
      integer(c_int), intent(out) :: is_complex
      integer(c_int) :: code
    end function weft_plan_count
    function weft_f_apply(plan, in, out, symbol) bind(c) result(code)
      import
      type(c_ptr), value :: plan
      type(*), dimension(..), intent(in) :: in, symbol
      type(*), dimension(..), intent(inout) :: out
      integer(c_int) :: code
    end function weft_f_apply
    function weft_f_convolve(plan, a, b, out, origin, entries) bind(c) result(code)
      import
      type(c_ptr), value :: plan, origin
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: out
      integer(c_int), value :: entries
      integer(c_int) :: code
    end function weft_f_convolve
    function weft_f_correlate(plan, a, b, out, origin, entries) bind(c) result(code)
      import
      type(c_ptr), value :: plan, origin
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: out
      integer(c_int), value :: entries
      integer(c_int) :: code
    end function weft_f_correlate
    function weft_f_product(plan, a, b, out) bind(c) result(code)
      import
      type(c_ptr), value :: plan
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: out
      integer(c_int) :: code
    end function weft_f_product
    function weft_f_pointer_rank(field, side, rank) bind(c) result(code)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: side, rank
      integer(c_int) :: code
    end function weft_f_pointer_rank
    function weft_f_apply_field(plan, field, symbol) bind(c) result(code)
      import
      type(c_ptr), value :: plan, field
      type(*), dimension(..), intent(in) :: symbol
      integer(c_int) :: code
    end function weft_f_apply_field
  end interface
end module weft_c

! Problems of solvers as C takes them: texts with one entry per axis, and kernels of users.
module weft_problems
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use weft_c
  use weft_base
  implicit none
  private
  public :: weft_distance_kernel, weft_wavenumber_kernel
  public :: problem_for_c, describe, scalar_boundaries, vector_boundaries, difference_axis

  abstract interface
    !> A kernel of the user's: G at distance r over the unbounded axes for the wavenumber k of the others.
    function weft_distance_kernel(r, k) result(g)
      import :: real64
      real(real64), intent(in) :: r, k
      real(real64) :: g
    end function weft_distance_kernel
    !> A kernel of the user's: the factor of the mode of a wavenumber vector.
    function weft_wavenumber_kernel(k) result(g)
      import :: real64
      real(real64), intent(in) :: k(:)
      real(real64) :: g
    end function weft_wavenumber_kernel
  end interface

  !> A problem as C takes it, and the memory that it points to. `fault` is an error in the texts: C reports it, because
  !> all ranks have to report an error together.
  type :: problem_for_c
    type(c_poisson_problem) :: scalar
    type(c_vector_problem) :: vector
    type(text_pool) :: pool
    character(len=:), allocatable :: fault
    real(real64), allocatable :: widths(:)
    procedure(weft_distance_kernel), pointer, nopass :: of_distance => null()
    procedure(weft_wavenumber_kernel), pointer, nopass :: of_wavenumber => null()
  end type problem_for_c

contains

  !> All but the boundaries, for scalars and for vector fields. `made` has to stay where it is while C uses it.
  subroutine describe(made, cells, length, centring, kernel, alpha, screening, of_distance, of_wavenumber, shift)
    type(problem_for_c), intent(inout), target :: made
    integer, intent(in) :: cells(:)
    real(real64), intent(in) :: length(:)
    character(len=*), intent(in), optional :: centring, kernel
    real(real64), intent(in), optional :: alpha, screening
    procedure(weft_distance_kernel), optional :: of_distance
    procedure(weft_wavenumber_kernel), optional :: of_wavenumber
    real(real64), intent(in), optional :: shift(:)
    integer :: n, axis
    made%fault = ""
    if (poisson_problem_init(made%scalar, c_sizeof(made%scalar)) /= 0) error stop "weft: of another version"
    n = min(size(cells), space_dims)
    made%scalar%dims = size(cells)
    if (size(length) /= size(cells)) then
      call note(made, "length: the number of entries is not that of cells; give one per axis")
      return
    end if
    made%scalar%cells(:n) = cells(n:1:-1)
    made%scalar%length(:n) = length(n:1:-1)
    if (present(shift)) then
      if (size(shift) == size(cells)) then
        made%scalar%shift(:n) = shift(n:1:-1)
      else
        call note(made, "shift: the number of entries is not that of cells; give one per axis")
      end if
    end if
    if (present(centring)) then
      call require_entries(made, "centring", centring, n)
      do axis = 1, n
        made%scalar%centring(n + 1 - axis) = made%pool%keep(entry_of(centring, ",", axis))
      end do
    end if
    if (present(kernel)) made%scalar%kernel = made%pool%keep(kernel)
    if (present(alpha)) made%scalar%alpha = alpha
    if (present(screening)) made%scalar%screening = screening
    if (present(of_distance)) then
      made%of_distance => of_distance
      made%scalar%distance = c_funloc(call_distance)
    end if
    if (present(of_wavenumber)) then
      made%of_wavenumber => of_wavenumber
      made%scalar%wavenumber = c_funloc(call_wavenumber)
    end if
    made%scalar%kernel_data = c_loc(made)
    call copy_to_vector(made%scalar, made%vector)
  end subroutine describe

  !> The widths of the cells of a finite-difference axis, 1 the first, its Robin ends and the order of its differences.
  subroutine difference_axis(made, cells, axis, widths, robin, order)
    type(problem_for_c), intent(inout), target :: made
    integer, intent(in) :: cells(:)
    integer, intent(in), optional :: axis, order
    real(real64), intent(in), optional :: widths(:), robin(2)
    if (present(robin)) made%scalar%robin = robin
    if (present(order)) made%scalar%order = order
    if (present(axis) .neqv. present(widths)) then
      call note(made, "widths: widths and width_axis belong together; give both or none")
    else if (present(axis)) then
      if (axis < 1 .or. axis > min(size(cells), space_dims)) then
        call note(made, "width_axis: it is not an axis of the problem; give 1 to the number of axes")
      else if (size(widths) /= cells(axis)) then
        call note(made, "widths: the number of entries is not that of the cells of width_axis; give one per cell")
      else
        made%widths = widths
        made%scalar%widths(size(cells) + 1 - axis) = c_loc(made%widths)
      end if
    end if
  end subroutine difference_axis

  subroutine copy_to_vector(scalar, vector)
    type(c_poisson_problem), intent(in) :: scalar
    type(c_vector_problem), intent(inout) :: vector
    if (vector_problem_init(vector, c_sizeof(vector)) /= 0) error stop "weft: of another version"
    vector%dims = scalar%dims
    vector%cells = scalar%cells
    vector%length = scalar%length
    vector%centring = scalar%centring
    vector%kernel = scalar%kernel
    vector%alpha = scalar%alpha
    vector%screening = scalar%screening
    vector%distance = scalar%distance
    vector%wavenumber = scalar%wavenumber
    vector%kernel_data = scalar%kernel_data
    vector%shift = scalar%shift
    vector%reversed = 1
  end subroutine copy_to_vector

  ! Only the first fault is reported.
  subroutine note(made, text)
    type(problem_for_c), intent(inout) :: made
    character(len=*), intent(in) :: text
    if (made%fault == "") made%fault = text
  end subroutine note

  subroutine require_entries(made, name, text, axes)
    type(problem_for_c), intent(inout) :: made
    character(len=*), intent(in) :: name, text
    integer, intent(in) :: axes
    integer :: entries
    entries = number_of_entries(text, ",")
    if (entries == 1 .or. entries == axes) return
    call note(made, name//": '"//trim(text)//"' does not have one entry per axis; give as many, with commas "// &
              "between, or one for all")
  end subroutine require_entries

  ! "odd:unbounded" of each axis, C's last axis first.
  function ends_of(made, text) result(ends)
    type(problem_for_c), intent(inout), target :: made
    character(len=*), intent(in) :: text
    type(c_ptr) :: ends(2, space_dims)
    character(len=:), allocatable :: entry
    integer :: n, axis, end
    ends = c_null_ptr
    n = min(made%scalar%dims, space_dims)
    call require_entries(made, "boundary", text, n)
    do axis = 1, n
      entry = entry_of(text, ",", axis)
      if (entry == "" .or. number_of_entries(entry, ":") > 2) &
        call note(made, "boundary: '"//entry//"' is not one condition, or two with a colon between")
      do end = 1, 2
        ends(end, n + 1 - axis) = made%pool%keep(entry_of(entry, ":", end))
      end do
    end do
  end function ends_of

  subroutine scalar_boundaries(made, text)
    type(problem_for_c), intent(inout), target :: made
    character(len=*), intent(in) :: text
    type(c_ptr) :: ends(2, space_dims)
    ends = ends_of(made, text)
    made%scalar%boundary = ends
  end subroutine scalar_boundaries

  ! Sets the boundaries of all components.
  subroutine vector_boundaries(made, text)
    type(problem_for_c), intent(inout), target :: made
    character(len=*), intent(in) :: text
    type(c_ptr) :: ends(2, space_dims)
    integer :: component, entries
    entries = number_of_entries(text, ";")
    if (entries > 1 .and. entries /= made%vector%dims) then
      call note(made, "boundary: '"//trim(text)//"' does not have one list per component; give as many, with "// &
                "semicolons between, or one for all")
      return
    end if
    do component = 1, min(entries, space_dims)
      ends = ends_of(made, entry_of(text, ";", component))
      made%vector%boundary(:, :, component) = ends
    end do
  end subroutine vector_boundaries

  ! --- what C calls for a kernel of the user's ---

  function call_distance(r, k, data) bind(c) result(g)
    real(c_double), value :: r, k
    type(c_ptr), value :: data
    real(c_double) :: g
    type(problem_for_c), pointer :: problem
    call c_f_pointer(data, problem)
    g = problem%of_distance(r, k)
  end function call_distance

  function call_wavenumber(dims, k, data) bind(c) result(g)
    integer(c_int), value :: dims
    real(c_double), intent(in) :: k(dims)
    type(c_ptr), value :: data
    real(c_double) :: g
    type(problem_for_c), pointer :: problem
    call c_f_pointer(data, problem)
    g = problem%of_wavenumber(k(dims:1:-1))
  end function call_wavenumber
end module weft_problems

! The common parts of all types of the module weft: texts, errors, boxes and options. Axis 1 is the first, contiguous
! one. The C interface counts axes from 0 in reverse, so lists with one entry per axis are reversed here.
module weft_base
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c
  implicit none
  private
  public :: weft_box, weft_plan_options, weft_facts, weft_default, weft_version
  public :: report, text_of, c_text, entry_of, number_of_entries, reversed, box_from, c_box_of, c_options, described
  public :: asked_facts, listed, take_shape, text_pool

  !> Stands for the library's own default in options that are numbers.
  integer, parameter :: weft_default = -huge(0)

  !> A rank's part of a global array: lower(axis) to upper(axis), both included, counted from 1. A rank without data has
  !> an upper bound below the lower one.
  type :: weft_box
    integer, allocatable :: lower(:), upper(:)
  contains
    !> Number of indices per axis.
    procedure :: extents => box_extents
    !> Number of elements.
    procedure :: elements => box_elements
  end type weft_box

  !> Choices of plans and solvers; see weft_plan_options in weft.h for what they mean. Blank texts, weft_default and
  !> unallocated lists leave the choice to the library. grid, batch_axes and modes follow the axes of Fortran.
  type :: weft_plan_options
    character(len=32) :: precision = "" !< "double" (default) or "float"
    include "option_members.inc" ! strategy, chunks, in_place and so on: cmake/FortranMembers.cmake
    character(len=:), allocatable :: tuning
    integer, allocatable :: grid(:), batch_axes(:), modes(:)
    type(weft_box) :: physical_box, spectral_box
  end type weft_plan_options

  !> Facts about an object on this rank; those that do not apply to it are 0.
  type :: weft_facts
    character(len=:), allocatable :: strategy
    integer :: threads = 0, chunks = 0
    integer, allocatable :: grid(:)
    integer(int64) :: workspace_bytes = 0, bytes_sent = 0
    real(real64) :: setup_seconds = 0
  end type weft_facts

  !> Texts for C, which live as long as this object.
  integer, parameter :: longest = 4096, most_texts = 32
  type :: text_pool
    character(kind=c_char) :: texts(longest, most_texts)
    integer :: used = 0
  contains
    procedure :: keep
  end type text_pool

  !> The options of C and the memory that they point to. `fault` is an error that only Fortran can see: C reports it,
  !> because all ranks have to report an error together.
  type, public :: options_for_c
    type(c_plan_options) :: options
    type(text_pool) :: pool
    type(c_box) :: physical, spectral
    character(len=:), allocatable :: fault
  end type options_for_c

  interface take
    procedure :: take_number, take_long
  end interface take

contains

  !> Version of the library.
  function weft_version() result(version)
    character(len=:), allocatable :: version
    version = text_of(weft_version_text())
  end function weft_version

  ! --- texts ---

  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    text = ""
    if (.not. c_associated(pointer)) return
    call c_f_pointer(pointer, letters, [c_length(pointer)])
    text = repeat(" ", size(letters))
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function text_of

  pure function c_text(text) result(terminated)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=len_trim(text) + 1) :: terminated
    terminated = trim(text)//c_null_char
  end function c_text

  !> The address of a copy for C; null for a blank text.
  function keep(self, text) result(pointer)
    class(text_pool), intent(inout), target :: self
    character(len=*), intent(in) :: text
    type(c_ptr) :: pointer
    integer :: i, length
    pointer = c_null_ptr
    if (text == "") return
    self%used = self%used + 1
    length = min(len_trim(text), longest - 1)
    do i = 1, length
      self%texts(i, self%used) = text(i:i)
    end do
    self%texts(length + 1, self%used) = c_null_char
    pointer = c_loc(self%texts(1, self%used))
  end function keep

  pure integer function number_of_entries(text, separator) result(entries)
    character(len=*), intent(in) :: text
    character, intent(in) :: separator
    integer :: i
    entries = 1
    do i = 1, len(text)
      if (text(i:i) == separator) entries = entries + 1
    end do
  end function number_of_entries

  !> The i-th of the entries between separators; a text with one entry has it everywhere.
  pure function entry_of(text, separator, i) result(entry)
    character(len=*), intent(in) :: text
    character, intent(in) :: separator
    integer, intent(in) :: i
    character(len=:), allocatable :: entry
    integer :: skipped, from, next
    from = 1
    if (number_of_entries(text, separator) > 1) then
      do skipped = 1, i - 1
        next = index(text(from:), separator)
        from = merge(len(text) + 1, from + next, next == 0)
      end do
    end if
    next = index(text(from:), separator)
    entry = trim(adjustl(text(from:merge(len(text), from + next - 2, next == 0))))
  end function entry_of

  !> The entries of a list in reverse order.
  pure function reversed(text) result(other)
    character(len=*), intent(in) :: text
    character(len=:), allocatable :: other
    integer :: i
    other = entry_of(text, ",", number_of_entries(text, ","))
    do i = number_of_entries(text, ",") - 1, 1, -1
      other = other//","//entry_of(text, ",", i)
    end do
  end function reversed

  ! --- errors ---

  !> Hands a code to the caller, or stops with the text of the error where no stat was given.
  subroutine report(code, stat, errmsg)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    if (present(stat)) stat = int(code)
    if (code == 0) return
    if (present(errmsg)) errmsg = text_of(weft_last_error())
    if (.not. present(stat)) error stop "weft: "//text_of(weft_last_error())
  end subroutine report

  ! --- boxes ---

  pure function box_extents(self) result(extents)
    class(weft_box), intent(in) :: self
    integer, allocatable :: extents(:)
    extents = max(self%upper - self%lower + 1, 0)
  end function box_extents

  pure integer(int64) function box_elements(self) result(elements)
    class(weft_box), intent(in) :: self
    elements = product(int(self%extents(), int64))
  end function box_elements

  pure function box_from(c) result(box)
    type(c_box), intent(in) :: c
    type(weft_box) :: box
    box%lower = int(c%lo(c%dims:1:-1)) + 1
    box%upper = int(c%hi(c%dims:1:-1))
  end function box_from

  !> For C: the box that a rank owns, and the points(:n) of the global array, C's first axis first. `fault`: an error in
  !> them.
  subroutine take_shape(shape, owned, most, has, points, n, fault)
    integer, intent(in) :: shape(:), most
    type(weft_box), intent(in) :: owned
    type(c_box), intent(out) :: has
    integer(c_int64_t), intent(out) :: points(max_dims)
    integer, intent(out) :: n
    character(len=:), allocatable, intent(out) :: fault
    has = c_box_of(owned)
    n = min(int(has%dims), most)
    points = 0
    fault = ""
    if (size(shape) /= n) &
      fault = "shape: the number of entries is not that of owned; give one per axis, of 1 to "//achar(iachar("0") + most)// &
              " axes"
    n = min(n, size(shape))
    points(:n) = shape(n:1:-1)
  end subroutine take_shape

  pure type(c_box) function c_box_of(box) result(c)
    type(weft_box), intent(in) :: box
    c%dims = 0
    if (.not. (allocated(box%lower) .and. allocated(box%upper))) return
    c%dims = min(size(box%lower), size(box%upper), max_dims)
    c%lo(:c%dims) = box%lower(c%dims:1:-1) - 1
    c%hi(:c%dims) = box%upper(c%dims:1:-1)
  end function c_box_of

  ! --- options and facts ---

  !> Options for C of a problem with so many axes. `made` has to stay where it is while C reads them.
  subroutine c_options(made, dims, given)
    type(options_for_c), intent(inout), target :: made
    integer, intent(in) :: dims
    type(weft_plan_options), intent(in), optional :: given
    made%fault = ""
    call require_known(plan_options_init(made%options, c_sizeof(made%options)))
    if (.not. present(given)) return
    call take_values(made%options, made%pool, given)
    call take_lists(made%options, dims, given)
    if (allocated(given%modes)) call take_modes(made, dims, given%modes)
    made%physical = c_box_of(given%physical_box)
    made%spectral = c_box_of(given%spectral_box)
    if (made%physical%dims > 0) made%options%physical_box = c_loc(made%physical)
    if (made%spectral%dims > 0) made%options%spectral_box = c_loc(made%spectral)
  end subroutine c_options

  !> The structs of this module are those of weft.h, which the library knows by their size.
  subroutine require_known(code)
    integer(c_int), intent(in) :: code
    if (code /= 0) error stop "weft: the Fortran module and the library are of different versions"
  end subroutine require_known

  subroutine take_values(c, pool, given)
    type(c_plan_options), intent(inout) :: c
    type(text_pool), intent(inout), target :: pool
    type(weft_plan_options), intent(in) :: given
    c%precision = pool%keep(given%precision)
    if (allocated(given%tuning)) c%tuning = pool%keep(given%tuning)
    include "option_values.inc"
  end subroutine take_values

  pure subroutine take_number(given, known)
    integer, intent(in) :: given
    integer(c_int), intent(inout) :: known
    if (given /= weft_default) known = int(given, c_int)
  end subroutine take_number

  pure subroutine take_long(given, known)
    integer(int64), intent(in) :: given
    integer(c_int64_t), intent(inout) :: known
    if (given /= weft_default) known = given
  end subroutine take_long

  subroutine take_lists(c, dims, given)
    type(c_plan_options), intent(inout) :: c
    integer, intent(in) :: dims
    type(weft_plan_options), intent(in) :: given
    integer :: n
    if (allocated(given%grid)) then
      c%grid_dims = size(given%grid) ! what is too many is for C to refuse
      n = min(size(given%grid), max_dims)
      c%grid(:n) = given%grid(n:1:-1)
    end if
    if (allocated(given%batch_axes)) then
      c%batch_count = size(given%batch_axes)
      n = min(size(given%batch_axes), max_dims)
      c%batch_axes(:n) = dims - given%batch_axes(:n)
    end if
  end subroutine take_lists

  ! C takes one number per axis, and does not see how many there were. An empty list stands for none.
  subroutine take_modes(made, dims, modes)
    type(options_for_c), intent(inout) :: made
    integer, intent(in) :: dims, modes(:)
    character(len=60) :: counts
    integer :: n
    n = min(size(modes), dims, max_dims)
    made%options%modes(:n) = modes(n:1:-1)
    if (n == 0 .or. size(modes) == dims) return
    write (counts, '(i0, a, i0, a)') size(modes), " entries for ", dims, " axes"
    made%fault = "modes: "//trim(counts)//"; give one per axis, 0 for all modes, or none"
  end subroutine take_modes

  function described(ask, handle) result(text)
    procedure(c_explain) :: ask
    type(c_ptr), intent(in) :: handle
    character(len=:), allocatable :: text
    type(c_ptr) :: pointer
    pointer = c_null_ptr
    call report(ask(handle, pointer))
    text = text_of(pointer)
  end function described

  function asked_facts(ask, handle) result(facts)
    procedure(c_ask_facts) :: ask
    type(c_ptr), intent(in) :: handle
    type(weft_facts) :: facts
    type(c_facts) :: c
    call require_known(facts_init(c, c_sizeof(c)))
    call report(ask(handle, c))
    facts%strategy = text_of(c%strategy)
    facts%threads = c%threads
    facts%chunks = c%chunks
    facts%grid = c%grid(c%grid_dims:1:-1)
    facts%workspace_bytes = c%workspace_bytes
    facts%bytes_sent = c%bytes_sent
    facts%setup_seconds = c%setup_seconds
  end function asked_facts

  !> One number per index of a box along an axis of Fortran.
  ! Numbers along an axis. axes: how many the object knows, where arrays have more at the end.
  function listed(ask, handle, box, axis, axes) result(values)
    procedure(c_list) :: ask
    type(c_ptr), intent(in) :: handle
    type(weft_box), intent(in) :: box
    integer, intent(in) :: axis
    integer, intent(in), optional :: axes
    real(real64), allocatable :: values(:)
    integer, allocatable :: extents(:)
    integer :: known
    character(len=12) :: number
    extents = box%extents()
    known = size(extents)
    if (present(axes)) known = axes
    if (axis < 1 .or. axis > known) then
      write (number, '(i0)') axis
      error stop "weft: axis: "//trim(number)//" is not an axis of the array; axes count from 1"
    end if
    allocate (values(extents(axis)))
    call report(ask(handle, int(known - axis, c_int), values, size(values, kind=c_int64_t)))
  end function listed
end module weft_base

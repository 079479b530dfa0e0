! Halos: layers of the neighbours' points around a rank's block of an array, and their adjoint.
module weft_halos
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_objects
  implicit none
  private
  public :: weft_halo, take_ends, take_centring

  !> Fills the layers around a rank's block of a global array from the ranks that own the points. A local array holds the
  !> block and its layers, u(box%lower(1):box%upper(1), ...) with box = halo%box(), and an axis at its end that counts
  !> the components if there are several. All procedures but destroy, box, explain and facts are called by all ranks.
  !> Errors as those of weft_plan.
  type, extends(weft_object) :: weft_halo
  contains
    !> create(comm, shape, owned [, width, boundary, centring, components, single, complex, stat, errmsg]): the points of
    !> the global array and this rank's part of them. width(2, axes): layers at the lower and the upper end of each axis,
    !> 1 by default. boundary and centring: texts as for weft_poisson, "periodic" and "cell" by default. single and
    !> complex: the type of the elements, real(real64) by default.
    generic :: create => create_f08, create_integer
    !> The box of a local array, layers included; its bounds may lie beyond the global array.
    procedure :: box
    !> exchange(u [, stat, errmsg]): fills the layers.
    procedure :: exchange
    !> start(u [, stat, errmsg]) and finish([stat, errmsg]): an exchange in two parts, with work in between.
    procedure :: start
    procedure :: finish
    !> accumulate(u [, stat, errmsg]): adds the layers to the points that they show.
    procedure :: accumulate
    procedure, private :: create_f08, create_integer
    final :: halo_final
  end type weft_halo

  abstract interface
    ! An operation of a halo on an array, which is checked against its padded box; collective.
    function c_halo_operation(handle, array) bind(c) result(code)
      import
      type(c_ptr), value :: handle
      type(*), dimension(..), intent(inout) :: array
      integer(c_int) :: code
    end function c_halo_operation
  end interface

  procedure(c_destroy), bind(c, name="weft_halo_destroy") :: weft_halo_destroy
  procedure(c_explain), bind(c, name="weft_halo_explain") :: weft_halo_explain
  procedure(c_ask_facts), bind(c, name="weft_halo_facts") :: weft_halo_facts
  procedure(c_solver_box), bind(c, name="weft_halo_box") :: weft_halo_box
  procedure(c_halo_operation), bind(c, name="weft_f_halo_exchange") :: weft_f_halo_exchange
  procedure(c_halo_operation), bind(c, name="weft_f_halo_start") :: weft_f_halo_start
  procedure(c_halo_operation), bind(c, name="weft_f_halo_accumulate") :: weft_f_halo_accumulate

  interface
    function halo_problem_init(problem, size) bind(c, name="weft_halo_problem_init_sized") result(code)
      import
      type(c_halo_problem), intent(out) :: problem
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function halo_problem_init
    function weft_f_halo_create(comm, fault, shape, owned, problem, halo) bind(c) result(code)
      import
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: fault(*)
      integer(c_int64_t), intent(in) :: shape(max_dims)
      type(c_box), intent(in) :: owned
      type(c_halo_problem), intent(in) :: problem
      type(c_ptr), intent(out) :: halo
      integer(c_int) :: code
    end function weft_f_halo_create
    function weft_halo_finish(halo) bind(c) result(code)
      import
      type(c_ptr), value :: halo
      integer(c_int) :: code
    end function weft_halo_finish
  end interface

contains

  subroutine create_f08(self, comm, shape, owned, width, boundary, centring, components, single, complex, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: shape(:)
    type(weft_box), intent(in) :: owned
    integer, intent(in), optional :: width(:, :), components
    character(len=*), intent(in), optional :: boundary, centring
    logical, intent(in), optional :: single, complex
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, shape, owned, width, boundary, centring, components, single, complex, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, shape, owned, width, boundary, centring, components, single, complex, stat, &
                            errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(in) :: comm, shape(:)
    type(weft_box), intent(in) :: owned
    integer, intent(in), optional :: width(:, :), components
    character(len=*), intent(in), optional :: boundary, centring
    logical, intent(in), optional :: single, complex
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_halo_problem) :: problem
    type(text_pool), allocatable, target :: pool
    type(c_box) :: has
    integer(c_int64_t) :: points(max_dims)
    character(len=:), allocatable :: fault
    integer :: n
    call self%destroy()
    self%c_destroy => weft_halo_destroy
    self%c_explain => weft_halo_explain
    self%c_facts => weft_halo_facts
    call take_shape(shape, owned, max_dims, has, points, n, fault)
    if (halo_problem_init(problem, c_sizeof(problem)) /= 0) error stop "weft: of another version"
    allocate (pool)
    if (present(width)) call take_width(problem, n, width, fault)
    if (present(boundary)) call take_ends(problem%boundary, n, boundary, pool, fault)
    if (present(centring)) call take_centring(problem%centring, n, centring, pool, fault)
    if (present(components)) problem%components = components
    if (present(complex)) problem%is_complex = merge(1, 0, complex)
    if (present(single)) then
      if (single) problem%precision = pool%keep("float")
    end if
    call report(weft_f_halo_create(comm, c_text(fault), points, has, problem, self%handle), stat, errmsg)
  end subroutine create_integer

  subroutine take_width(problem, n, width, fault)
    type(c_halo_problem), intent(inout) :: problem
    integer, intent(in) :: n, width(:, :)
    character(len=:), allocatable, intent(inout) :: fault
    if (size(width, 1) /= 2 .or. size(width, 2) /= n) then
      fault = "width: its shape is not (2, axes); give the layers at the lower and the upper end of each axis"
      return
    end if
    problem%width(:, :n) = width(:, n:1:-1)
  end subroutine take_width

  !> ends(end, axis of C) from "odd:even" of each axis.
  subroutine take_ends(ends, n, text, pool, fault)
    type(c_ptr), intent(inout) :: ends(:, :)
    integer, intent(in) :: n
    character(len=*), intent(in) :: text
    type(text_pool), intent(inout), target :: pool
    character(len=:), allocatable, intent(inout) :: fault
    character(len=:), allocatable :: entry
    integer :: axis, end
    call require_entries("boundary", text, n, fault)
    do axis = 1, n
      entry = entry_of(text, ",", axis)
      if (entry == "" .or. number_of_entries(entry, ":") > 2) &
        fault = "boundary: '"//entry//"' is not one condition, or two with a colon between"
      do end = 1, 2
        ends(end, n + 1 - axis) = pool%keep(entry_of(entry, ":", end))
      end do
    end do
  end subroutine take_ends

  !> centrings(axis of C) from "cell" or "node" of each axis.
  subroutine take_centring(centrings, n, text, pool, fault)
    type(c_ptr), intent(inout) :: centrings(:)
    integer, intent(in) :: n
    character(len=*), intent(in) :: text
    type(text_pool), intent(inout), target :: pool
    character(len=:), allocatable, intent(inout) :: fault
    integer :: axis
    call require_entries("centring", text, n, fault)
    do axis = 1, n
      centrings(n + 1 - axis) = pool%keep(entry_of(text, ",", axis))
    end do
  end subroutine take_centring

  subroutine require_entries(name, text, axes, fault)
    character(len=*), intent(in) :: name, text
    integer, intent(in) :: axes
    character(len=:), allocatable, intent(inout) :: fault
    integer :: entries
    entries = number_of_entries(text, ",")
    if (entries == 1 .or. entries == axes) return
    fault = name//": '"//trim(text)//"' does not have one entry per axis; give as many, with commas between, or one "// &
            "for all"
  end subroutine require_entries

  impure elemental subroutine halo_final(self)
    type(weft_halo), intent(inout) :: self
    call self%destroy()
  end subroutine halo_final

  function box(self) result(padded)
    class(weft_halo), intent(in) :: self
    type(weft_box) :: padded
    type(c_box) :: c
    integer(c_int64_t) :: length
    call self%require_made()
    call report(weft_halo_box(self%handle, c, length))
    padded = box_from(c)
  end function box

  subroutine exchange(self, u, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout) :: u
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_halo_exchange(self%handle, u), stat, errmsg)
  end subroutine exchange

  subroutine start(self, u, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout) :: u
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_halo_start(self%handle, u), stat, errmsg)
  end subroutine start

  subroutine finish(self, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_halo_finish(self%handle), stat, errmsg)
  end subroutine finish

  subroutine accumulate(self, u, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), intent(inout) :: u
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_halo_accumulate(self%handle, u), stat, errmsg)
  end subroutine accumulate
end module weft_halos

! The common part of plans, solvers and redistributions: a handle of the library, which is freed once.
module weft_objects
  use, intrinsic :: iso_c_binding
  use weft_c
  use weft_base
  implicit none
  private
  public :: weft_object

  !> A handle of the C interface and its functions. Its components are internal.
  type, abstract :: weft_object
    type(c_ptr) :: handle = c_null_ptr
    procedure(c_destroy), pointer, nopass :: c_destroy => null()
    procedure(c_explain), pointer, nopass :: c_explain => null()
    procedure(c_ask_facts), pointer, nopass :: c_facts => null()
  contains
    !> Frees everything; done as well when the object goes out of scope, but not at the end of the main program.
    procedure :: destroy
    !> Every step with lines, bytes, flops and the time of the last run.
    procedure :: explain
    procedure :: facts
    !> Stops unless the object was created.
    procedure :: require_made
    generic :: assignment(=) => refuse_copy
    procedure, private :: refuse_copy
  end type weft_object

contains

  subroutine destroy(self)
    class(weft_object), intent(inout) :: self
    if (c_associated(self%handle)) call report(self%c_destroy(self%handle))
  end subroutine destroy

  ! Two objects with one handle would free it twice.
  subroutine refuse_copy(to, from)
    class(weft_object), intent(inout) :: to
    class(weft_object), intent(in) :: from
    if (c_associated(to%handle, from%handle)) return
    error stop "weft: an object cannot be copied; pass it by reference, or use a pointer to it"
  end subroutine refuse_copy

  subroutine require_made(self)
    class(weft_object), intent(in) :: self
    if (.not. c_associated(self%handle)) &
      error stop "weft: the object was not created, or it was destroyed; call create before"
  end subroutine require_made

  function explain(self) result(text)
    class(weft_object), intent(in) :: self
    character(len=:), allocatable :: text
    call self%require_made()
    text = described(self%c_explain, self%handle)
  end function explain

  function facts(self) result(known)
    class(weft_object), intent(in) :: self
    type(weft_facts) :: known
    call self%require_made()
    known = asked_facts(self%c_facts, self%handle)
  end function facts
end module weft_objects

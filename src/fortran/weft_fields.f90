! Fields: memory of the library that plans and solvers work in place in, seen through pointers.
module weft_fields
  use, intrinsic :: iso_c_binding
  use weft_c
  use weft_base
  implicit none
  private
  public :: weft_field

  !> The two sides of a field.
  integer, parameter, public :: weft_physical = int(physical_side), weft_spectral = int(spectral_side)

  !> Points and modes in one memory of a plan made with options%in_place, or a right-hand side that becomes the
  !> solution. It is freed when it goes out of scope, and may outlive the object that made it. Store new points only
  !> when all ranks are done with the modes (MPI_Barrier, where no backward or apply lies between).
  type :: weft_field
    type(c_ptr) :: handle = c_null_ptr !< internal
  contains
    !> view(side, pointer [, stat, errmsg]): points a pointer, of the type and rank of that side, to this rank's part.
    !> Its bounds are those of the box. Declare the pointer => null(), or nullify it before.
    generic :: view => view_real32, view_real64, view_complex32, view_complex64
    procedure :: destroy
    generic :: assignment(=) => refuse_copy
    procedure, private :: refuse_copy, view_real32, view_real64, view_complex32, view_complex64
    final :: field_final
  end type weft_field

  ! One function of C, which finds type and rank in the descriptor of the pointer.
  interface point_to
    function point_real32(field, side, pointer) bind(c, name="weft_f_field_array") result(code)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: side
      real(c_float), pointer, intent(inout) :: pointer(..)
      integer(c_int) :: code
    end function point_real32
    function point_real64(field, side, pointer) bind(c, name="weft_f_field_array") result(code)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: side
      real(c_double), pointer, intent(inout) :: pointer(..)
      integer(c_int) :: code
    end function point_real64
    function point_complex32(field, side, pointer) bind(c, name="weft_f_field_array") result(code)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: side
      complex(c_float_complex), pointer, intent(inout) :: pointer(..)
      integer(c_int) :: code
    end function point_complex32
    function point_complex64(field, side, pointer) bind(c, name="weft_f_field_array") result(code)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: side
      complex(c_double_complex), pointer, intent(inout) :: pointer(..)
      integer(c_int) :: code
    end function point_complex64
  end interface point_to

contains

  subroutine destroy(self)
    class(weft_field), intent(inout) :: self
    call report(weft_field_destroy(self%handle))
  end subroutine destroy

  impure elemental subroutine field_final(self)
    type(weft_field), intent(inout) :: self
    call self%destroy()
  end subroutine field_final

  ! Two fields with one handle would free it twice.
  subroutine refuse_copy(to, from)
    class(weft_field), intent(inout) :: to
    class(weft_field), intent(in) :: from
    if (c_associated(to%handle, from%handle)) return
    error stop "weft: a field cannot be copied; pass it by reference, or use a pointer to it"
  end subroutine refuse_copy

  ! gfortran copies as many bounds to a descriptor for C as the pointer has by its own, which nobody has written where
  ! the pointer has no status. So its rank is looked at before.
  subroutine view_real32(self, side, pointer, stat, errmsg)
    class(weft_field), intent(in) :: self
    integer, intent(in) :: side
    real(c_float), pointer, intent(inout) :: pointer(..)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code
    code = weft_f_pointer_rank(self%handle, int(side, c_int), int(rank(pointer), c_int))
    if (code == 0) code = point_to(self%handle, int(side, c_int), pointer)
    call report(code, stat, errmsg)
  end subroutine view_real32

  subroutine view_real64(self, side, pointer, stat, errmsg)
    class(weft_field), intent(in) :: self
    integer, intent(in) :: side
    real(c_double), pointer, intent(inout) :: pointer(..)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code
    code = weft_f_pointer_rank(self%handle, int(side, c_int), int(rank(pointer), c_int))
    if (code == 0) code = point_to(self%handle, int(side, c_int), pointer)
    call report(code, stat, errmsg)
  end subroutine view_real64

  subroutine view_complex32(self, side, pointer, stat, errmsg)
    class(weft_field), intent(in) :: self
    integer, intent(in) :: side
    complex(c_float_complex), pointer, intent(inout) :: pointer(..)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code
    code = weft_f_pointer_rank(self%handle, int(side, c_int), int(rank(pointer), c_int))
    if (code == 0) code = point_to(self%handle, int(side, c_int), pointer)
    call report(code, stat, errmsg)
  end subroutine view_complex32

  subroutine view_complex64(self, side, pointer, stat, errmsg)
    class(weft_field), intent(in) :: self
    integer, intent(in) :: side
    complex(c_double_complex), pointer, intent(inout) :: pointer(..)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code
    code = weft_f_pointer_rank(self%handle, int(side, c_int), int(rank(pointer), c_int))
    if (code == 0) code = point_to(self%handle, int(side, c_int), pointer)
    call report(code, stat, errmsg)
  end subroutine view_complex64
end module weft_fields

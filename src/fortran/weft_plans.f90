! Plans: transforms of arrays that are spread over ranks.
module weft_plans
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_objects
  use weft_fields
  implicit none
  private
  public :: weft_plan

  !> The transform of a global array of 1 to 6 axes, of real(real32), real(real64) or complex numbers as the option
  !> precision and the transforms say. Axis 1 is contiguous. A rank holds the elements of physical_box() before and of
  !> spectral_box() after a transform. Transforms are unscaled forward and divide backward, unless options%norm says
  !> otherwise. Create, forward, backward and apply are called by all ranks.
  !>
  !> Every procedure has optional stat (0, or a status of weft.h) and errmsg; where something is wrong and no stat is
  !> given, the program stops with the text of the error.
  type, extends(weft_object) :: weft_plan
  contains
    !> create(comm, shape, kinds [, options, stat, errmsg]): comm is of mpi_f08 or an integer, shape has one entry per
    !> axis, kinds is one transform for all axes ("r2c": axis 1 is halved) or one per axis with commas between.
    generic :: create => create_f08, create_integer
    !> forward(points, modes [, stat, errmsg])
    procedure :: forward
    !> backward(modes, points [, stat, errmsg])
    procedure :: backward
    !> apply(in, out, symbol [, stat, errmsg]): backward(symbol * forward(in)); the symbol is real or complex, with the
    !> extents of the modes, or 1 along axes where it repeats.
    procedure :: apply
    !> convolve(a, b, out [, origin, stat, errmsg]): the cyclic convolution out_i = sum over j of a_j b_(i-j), for any
    !> norm; correlate: the cross-correlation out_i = sum over j of conjg(a_j) b_(j+i); i and j count from 0. Kinds are
    !> c2c, r2c and none. With origin, one entry o of 0 to n - 1 per axis, the linear ones, a_j b_(i+o-j) and
    !> conjg(a_j) b_(j+i-o), fields being 0 outside: they are padded inside the transforms.
    procedure :: convolve, correlate
    !> product(a, b, out [, stat, errmsg]): the modes of the product of two fields from their modes, without aliasing.
    procedure :: product => product_of_modes
    !> create_field(field [, stat, errmsg]): zeros for a plan made with options%in_place.
    procedure :: create_field
    !> forward_field(field [, stat, errmsg]): points to modes in that memory.
    procedure :: forward_field
    procedure :: backward_field
    !> apply_field(field, symbol [, stat, errmsg])
    procedure :: apply_field
    procedure :: physical_box
    procedure :: spectral_box
    procedure :: physical_complex
    procedure :: spectral_complex
    !> Mode numbers of this rank along an axis, in units of 2 pi / L (c2c, r2c, signed) or pi / L.
    procedure :: wavenumbers
    !> How often each of these modes counts in a sum over the whole spectrum.
    procedure :: weights
    !> Coordinates of this rank's points along an axis of length 2 pi (c2c, r2c, none) or pi.
    procedure :: coordinates
    procedure, private :: create_f08, create_integer
    final :: plan_final
  end type weft_plan

contains

  subroutine create_f08(self, comm, shape, kinds, options, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: shape(:)
    character(len=*), intent(in) :: kinds
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, shape, kinds, options, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, shape, kinds, options, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(in) :: comm, shape(:)
    character(len=*), intent(in) :: kinds
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(options_for_c), allocatable, target :: given
    call self%destroy()
    allocate (given)
    self%c_destroy => weft_plan_destroy
    self%c_explain => weft_plan_explain
    self%c_facts => weft_plan_facts
    call c_options(given, size(shape), options)
    call report(weft_f_plan_create(comm, c_text(given%fault), size(shape), int(shape(size(shape):1:-1), c_int64_t), &
                                   c_text(reversed(kinds)), given%options, self%handle), stat, errmsg)
  end subroutine create_integer

  impure elemental subroutine plan_final(self)
    type(weft_plan), intent(inout) :: self
    call self%destroy()
  end subroutine plan_final

  subroutine forward(self, points, modes, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: points
    type(*), dimension(..), intent(inout) :: modes
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_forward(self%handle, points, modes), stat, errmsg)
  end subroutine forward

  subroutine backward(self, modes, points, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: modes
    type(*), dimension(..), intent(inout) :: points
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_backward(self%handle, modes, points), stat, errmsg)
  end subroutine backward

  subroutine apply(self, in, out, symbol, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: in, symbol
    type(*), dimension(..), intent(inout) :: out
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_apply(self%handle, in, out, symbol), stat, errmsg)
  end subroutine apply

  subroutine convolve(self, a, b, out, origin, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: out
    integer, intent(in), optional :: origin(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t), allocatable, target :: first(:)
    type(c_ptr) :: at
    call reversed_origin(first, at, origin)
    call report(weft_f_convolve(self%handle, a, b, out, at, size(first)), stat, errmsg)
  end subroutine convolve

  subroutine correlate(self, a, b, out, origin, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: out
    integer, intent(in), optional :: origin(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t), allocatable, target :: first(:)
    type(c_ptr) :: at
    call reversed_origin(first, at, origin)
    call report(weft_f_correlate(self%handle, a, b, out, at, size(first)), stat, errmsg)
  end subroutine correlate

  ! In the order of C; a null pointer where there is none.
  subroutine reversed_origin(first, at, origin)
    integer(c_int64_t), allocatable, target, intent(out) :: first(:)
    type(c_ptr), intent(out) :: at
    integer, intent(in), optional :: origin(:)
    allocate (first(0))
    at = c_null_ptr
    if (.not. present(origin)) return
    first = int(origin(size(origin):1:-1), c_int64_t)
    at = c_loc(first)
  end subroutine reversed_origin

  subroutine product_of_modes(self, a, b, out, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: out
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_product(self%handle, a, b, out), stat, errmsg)
  end subroutine product_of_modes

  subroutine create_field(self, field, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(inout) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call field%destroy()
    call report(weft_plan_field_create(self%handle, field%handle), stat, errmsg)
  end subroutine create_field

  subroutine forward_field(self, field, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_plan_forward_field(self%handle, field%handle), stat, errmsg)
  end subroutine forward_field

  subroutine backward_field(self, field, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_plan_backward_field(self%handle, field%handle), stat, errmsg)
  end subroutine backward_field

  subroutine apply_field(self, field, symbol, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: field
    type(*), dimension(..), intent(in) :: symbol
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_apply_field(self%handle, field%handle, symbol), stat, errmsg)
  end subroutine apply_field

  function side_box(self, side) result(box)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(weft_box) :: box
    type(c_box) :: c
    call report(weft_plan_box(self%handle, side, c))
    box = box_from(c)
  end function side_box

  function physical_box(self) result(box)
    class(weft_plan), intent(in) :: self
    type(weft_box) :: box
    box = side_box(self, physical_side)
  end function physical_box

  function spectral_box(self) result(box)
    class(weft_plan), intent(in) :: self
    type(weft_box) :: box
    box = side_box(self, spectral_side)
  end function spectral_box

  logical function side_complex(self, side)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    integer(c_int64_t) :: length
    integer(c_int) :: flag
    flag = 0
    call report(weft_plan_count(self%handle, side, length, flag))
    side_complex = flag /= 0
  end function side_complex

  logical function physical_complex(self)
    class(weft_plan), intent(in) :: self
    physical_complex = side_complex(self, physical_side)
  end function physical_complex

  logical function spectral_complex(self)
    class(weft_plan), intent(in) :: self
    spectral_complex = side_complex(self, spectral_side)
  end function spectral_complex

  function wavenumbers(self, axis) result(values)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable :: values(:)
    values = listed(weft_plan_wavenumbers, self%handle, self%spectral_box(), axis)
  end function wavenumbers

  function weights(self, axis) result(values)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable :: values(:)
    values = listed(weft_plan_weights, self%handle, self%spectral_box(), axis)
  end function weights

  function coordinates(self, axis) result(values)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable :: values(:)
    values = listed(weft_plan_coordinates, self%handle, self%physical_box(), axis)
  end function coordinates
end module weft_plans

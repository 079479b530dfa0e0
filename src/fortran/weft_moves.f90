! Redistributions: arrays from the boxes of their owners to those that are wanted.
module weft_moves
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_objects
  implicit none
  private
  public :: weft_redistribution

  !> Moves the elements of a global array of 1 to 6 axes, of any type of element_bytes bytes, from the ranks that own
  !> them to those that want them; wanted boxes may overlap (ghost layers). All procedures but destroy, explain and
  !> facts are called by all ranks. Errors as those of weft_plan.
  type, extends(weft_object) :: weft_redistribution
  contains
    !> create(comm, from, to, element_bytes [, options, stat, errmsg]): the boxes that this rank has and wants.
    generic :: create => create_f08, create_integer
    !> forward(has, wants [, stat, errmsg]): arrays of the boxes from and to.
    procedure :: forward
    !> backward(wants, has [, stat, errmsg])
    procedure :: backward
    procedure, private :: create_f08, create_integer
    final :: moves_final
  end type weft_redistribution

contains

  subroutine create_f08(self, comm, from, to, element_bytes, options, stat, errmsg)
    class(weft_redistribution), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    type(weft_box), intent(in) :: from, to
    integer, intent(in) :: element_bytes
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, from, to, element_bytes, options, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, from, to, element_bytes, options, stat, errmsg)
    class(weft_redistribution), intent(inout) :: self
    integer, intent(in) :: comm, element_bytes
    type(weft_box), intent(in) :: from, to
    type(weft_plan_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(options_for_c), allocatable, target :: given
    type(c_box) :: has, wants
    call self%destroy()
    allocate (given)
    self%c_destroy => weft_redistribution_destroy
    self%c_explain => weft_redistribution_explain
    self%c_facts => weft_redistribution_facts
    has = c_box_of(from)
    wants = c_box_of(to)
    call c_options(given, int(has%dims), options)
    call report(weft_f_redistribution_create(comm, has, wants, int(max(element_bytes, 0), c_size_t), given%options, &
                                             self%handle), stat, errmsg)
  end subroutine create_integer

  impure elemental subroutine moves_final(self)
    type(weft_redistribution), intent(inout) :: self
    call self%destroy()
  end subroutine moves_final

  subroutine forward(self, has, wants, stat, errmsg)
    class(weft_redistribution), intent(in) :: self
    type(*), dimension(..), intent(in) :: has
    type(*), dimension(..), intent(inout) :: wants
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_move(self%handle, has, wants), stat, errmsg)
  end subroutine forward

  subroutine backward(self, wants, has, stat, errmsg)
    class(weft_redistribution), intent(in) :: self
    type(*), dimension(..), intent(in) :: wants
    type(*), dimension(..), intent(inout) :: has
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_move_back(self%handle, wants, has), stat, errmsg)
  end subroutine backward
end module weft_moves

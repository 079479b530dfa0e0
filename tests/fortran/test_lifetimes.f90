! Objects in arrays free what they hold when they go out of scope. The library has one communicator of its own for each
! of the user's, a duplicate that lives as long as any object that was made with it; attributes go along to duplicates,
! and MPI says when they are deleted.
module test_lifetimes
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: run_lifetimes
  integer :: deleted
  real(real64), parameter :: one(3) = 1

  type :: simulation
    type(weft_plan) :: plan
    type(weft_field) :: field
  end type simulation

  abstract interface
    subroutine user(comm)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
    end subroutine user
  end interface

contains

  subroutine run_lifetimes()
    call freed(plans, "plans in an array")
    call freed(fields, "fields in an array")
    call freed(scalars, "solvers in an array")
    call freed(vectors, "vector solvers in an array")
    call freed(moves, "redistributions in an array")
    call freed(components, "objects in an array of components")
  end subroutine run_lifetimes

  ! Objects that are made in a procedure and never destroyed let go of their communicator.
  subroutine freed(use_them, what)
    procedure(user) :: use_them
    character(len=*), intent(in) :: what
    type(MPI_Comm) :: comm
    integer :: keyval
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deleted, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_attr(comm, keyval, 0_MPI_ADDRESS_KIND)
    call use_them(comm)
    deleted = 0
    call MPI_Comm_free(comm)
    call check(deleted == 2, what//" are not freed")
    call MPI_Comm_free_keyval(keyval)
  end subroutine freed

  ! MPI calls it with the attribute, which is 0 as what goes with the key. The communicator that Open MPI 4.1 passes to
  ! callbacks in Fortran is any number, the null communicator's too, so its value is not looked at.
  subroutine count_deleted(comm, keyval, value, extra, error)
    type(MPI_Comm) :: comm
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + 1
    error = MPI_SUCCESS
    if (storage_size(comm) == 0 .or. keyval == MPI_KEYVAL_INVALID .or. value /= extra) error = MPI_ERR_OTHER
  end subroutine count_deleted

  subroutine plans(comm)
    type(MPI_Comm), intent(in) :: comm
    type(weft_plan) :: two(2)
    call two(1)%create(comm, [4, 4, 4], "c2c")
    call two(2)%create(comm, [4, 4, 4], "r2c")
  end subroutine plans

  subroutine fields(comm)
    type(MPI_Comm), intent(in) :: comm
    type(weft_plan) :: plan
    type(weft_field), allocatable :: two(:)
    allocate (two(2))
    call plan%create(comm, [4, 4, 4], "c2c", weft_plan_options(in_place=.true.))
    call plan%create_field(two(1))
    call plan%create_field(two(2))
  end subroutine fields

  subroutine scalars(comm)
    type(MPI_Comm), intent(in) :: comm
    type(weft_poisson), allocatable :: two(:)
    allocate (two(2))
    call two(1)%create(comm, [4, 4, 4], one, "odd")
    call two(2)%create(comm, [4, 4, 4], one, "unbounded")
  end subroutine scalars

  subroutine vectors(comm)
    type(MPI_Comm), intent(in) :: comm
    type(weft_vector_poisson) :: block(1, 2)
    call block(1, 1)%create(comm, [4, 4, 4], one, "periodic")
    call block(1, 2)%create(comm, [4, 4, 4], one, "periodic")
  end subroutine vectors

  subroutine moves(comm)
    type(MPI_Comm), intent(in) :: comm
    type(weft_redistribution) :: two(2)
    integer :: i, rank
    call MPI_Comm_rank(comm, rank)
    do i = 1, 2
      call two(i)%create(comm, weft_box([rank + 1], [rank + 1]), weft_box([rank + 1], [rank + 1]), element_bytes=8)
    end do
  end subroutine moves

  subroutine components(comm)
    type(MPI_Comm), intent(in) :: comm
    type(simulation), allocatable :: two(:)
    integer :: i
    allocate (two(2))
    do i = 1, 2
      call two(i)%plan%create(comm, [4, 4, 4], "c2c", weft_plan_options(in_place=.true.))
      call two(i)%plan%create_field(two(i)%field)
    end do
  end subroutine components
end module test_lifetimes

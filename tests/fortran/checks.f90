! What the tests of the Fortran module count and compare with.
module checks
  use, intrinsic :: iso_fortran_env, only: real64, error_unit
  use mpi_f08
  implicit none
  private
  public :: check, near, fails, sum_of_failures
  !> Of solutions and derivatives of a few waves on 12 x 10 x 8 points, as in test_plans: their factors are at most 8.
  real(real64), parameter, public :: rounding_of_solves = &
    2*8*8*epsilon(1.0_real64)*log(real(12*10*8, real64))/log(2.0_real64)
  integer :: failures = 0

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    integer :: rank
    if (holds) return
    failures = failures + 1
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    write (error_unit, '(a, i0, 2a)') "rank ", rank, ": ", what
  end subroutine check

  !> The largest of some errors is within a bound.
  subroutine near(errors, bound, what)
    real(real64), intent(in) :: errors(:), bound
    character(len=*), intent(in) :: what
    character(len=32) :: number
    if (size(errors) == 0) return
    write (number, '(es12.4)') maxval(abs(errors))
    call check(all(abs(errors) <= bound), what//" errs by "//trim(number)) ! not for NaN
  end subroutine near

  !> A call that had to fail: its status, which is that of wrong arguments where no other is given, and words of its
  !> text.
  subroutine fails(stat, errmsg, words, status)
    integer, intent(in) :: stat
    character(len=*), intent(in) :: errmsg, words
    integer, intent(in), optional :: status
    integer :: wanted
    wanted = 1
    if (present(status)) wanted = status
    call check(stat == wanted .and. index(errmsg, words) > 0, "wanted '"//words//"', got '"//trim(errmsg)//"'")
  end subroutine fails

  integer function sum_of_failures() result(total)
    call MPI_Allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  end function sum_of_failures
end module checks

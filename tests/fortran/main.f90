! Runs the tests of the Fortran module on whatever ranks there are.
program main
  use mpi_f08
  use checks
  use test_chebyshevs
  use test_lifetimes
  use test_plans
  use test_solvers
  use test_operators
  use test_particles
  use test_variables
  implicit none
  integer :: rank, ranks, failures
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call run_plans()
  call run_solvers()
  call run_operators()
  call run_particles()
  call run_variables()
  call run_chebyshevs()
  call run_lifetimes()
  failures = sum_of_failures()
  if (rank == 0) print '(a, i0, a, i0, a)', "Fortran module on ", ranks, " ranks: ", failures, " failures"
  call MPI_Finalize()
  if (failures > 0) error stop 1
end program main

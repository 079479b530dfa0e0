! The potential of a Gaussian charge in free space, against the exact one.
! mpifort free_space.f90 $(pkg-config --cflags --libs weft-fortran) -o free_space && mpiexec -n 2 ./free_space
program free_space
  use mpi_f08
  use weft
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: cells = 40
  real(real64), parameter :: pi = acos(-1.0_real64), width = 0.08_real64, h = 1.0_real64/cells
  type(weft_poisson) :: solver
  real(real64), allocatable :: x(:), y(:), z(:), r(:, :, :), rhs(:, :, :), phi(:, :, :)
  real(real64) :: error
  integer :: i, j, k, rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call solver%create(MPI_COMM_WORLD, cells=[cells, cells, cells], length=[1.0_real64, 1.0_real64, 1.0_real64], &
                     boundary="unbounded", kernel="lgf4")
  x = solver%points(1)
  y = solver%points(2)
  z = solver%points(3)
  allocate (r(size(x), size(y), size(z)))
  do concurrent(k=1:size(z), j=1:size(y), i=1:size(x))
    r(i, j, k) = norm2([x(i), y(j), z(k)] - 0.5_real64)
  end do
  rhs = exp(-(r/width)**2/2)/(2*pi*width**2)**1.5_real64
  allocate (phi, mold=rhs)
  call solver%solve(rhs, phi)

  error = 0
  if (size(r) > 0) error = maxval(abs(phi + erf(r/(sqrt(2.0_real64)*width))/(4*pi*r)))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_REAL8, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, es9.2)', "largest error", error
  call solver%destroy()
  call MPI_Finalize()
  ! To leading order lgf4 errs by h**4/90 of the sixth derivatives of u along the axes, inverted: at most
  ! h**4/(70 (2 pi)**1.5 width**5), in the middle. The next order is 3 % of that.
  if (.not. error < 1.1_real64*h**4/(70*(2*pi)**1.5_real64*width**5)) error stop 1
end program free_space

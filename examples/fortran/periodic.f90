! Poisson's equation by hand: lap v = u for periodic u, mode by mode, with the wavenumbers of the plan.
! mpifort periodic.f90 $(pkg-config --cflags --libs weft-fortran) -o periodic && mpiexec -n 2 ./periodic
program periodic
  use mpi_f08
  use weft
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(weft_plan) :: plan
  type(weft_box) :: points, modes
  real(real64), allocatable :: u(:, :, :), v(:, :, :), x(:), y(:), z(:), kx(:), ky(:), kz(:)
  complex(real64), allocatable :: spectrum(:, :, :)
  real(real64) :: error, squared
  integer :: i, j, k, rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call plan%create(MPI_COMM_WORLD, [32, 24, 20], "r2c") ! axis 1 is halved
  points = plan%physical_box()
  modes = plan%spectral_box()
  x = plan%coordinates(1)
  y = plan%coordinates(2)
  z = plan%coordinates(3)
  kx = plan%wavenumbers(1)
  ky = plan%wavenumbers(2)
  kz = plan%wavenumbers(3)
  allocate (u(size(x), size(y), size(z)), v(size(x), size(y), size(z)))
  allocate (spectrum(size(kx), size(ky), size(kz)))

  do concurrent(k=1:size(z), j=1:size(y), i=1:size(x))
    u(i, j, k) = sin(x(i))*cos(2*y(j))*cos(z(k))
  end do
  call plan%forward(u, spectrum)
  do k = 1, size(kz)
    do j = 1, size(ky)
      do i = 1, size(kx)
        squared = kx(i)**2 + ky(j)**2 + kz(k)**2
        if (squared > 0) spectrum(i, j, k) = -spectrum(i, j, k)/squared
      end do
    end do
  end do
  call plan%backward(spectrum, v)

  error = 0
  if (size(u) > 0) error = maxval(abs(v + u/6)) ! lap u = -(1 + 4 + 1) u; u has no mean
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_REAL8, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, es9.2)', "largest error", error
  call plan%destroy()
  call MPI_Finalize()
  if (.not. error < 1e-14_real64) error stop 1 ! rounding alone: every mode is solved exactly
end program periodic

! FFTW's MPI interface from Fortran: a real field of 12 x 10 x 8 points forward and backward.
program fortran_interface
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  include 'fftw3-mpi.f03'
  integer(C_INTPTR_T), parameter :: nx = 8, ny = 10, nz = 12
  type(C_PTR) :: forward, backward, memory
  real(C_DOUBLE), pointer :: u(:, :, :)
  complex(C_DOUBLE_COMPLEX), pointer :: modes(:, :, :)
  integer(C_INTPTR_T) :: room, planes, first, i, j, k
  integer :: rank
  real(C_DOUBLE) :: worst, pi
  pi = acos(-1.0_C_DOUBLE)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call fftw_mpi_init()
  room = fftw_mpi_local_size_3d(nz, ny, nx/2 + 1, MPI_COMM_WORLD%MPI_VAL, planes, first)
  memory = fftw_alloc_complex(int(room, C_SIZE_T))
  call c_f_pointer(memory, u, [2*(nx/2 + 1), ny, planes])
  call c_f_pointer(memory, modes, [nx/2 + 1, ny, planes])
  forward = fftw_mpi_plan_dft_r2c_3d(nz, ny, nx, u, modes, MPI_COMM_WORLD%MPI_VAL, FFTW_ESTIMATE)
  backward = fftw_mpi_plan_dft_c2r_3d(nz, ny, nx, modes, u, MPI_COMM_WORLD%MPI_VAL, FFTW_ESTIMATE)
  if (.not. c_associated(forward) .or. .not. c_associated(backward)) error stop 'no plan'
  do k = 1, planes
    do j = 1, ny
      do i = 1, nx
        u(i, j, k) = cos(2*pi*(2*(i - 1)/real(nx, C_DOUBLE) + 3*(j - 1)/real(ny, C_DOUBLE) + (first + k - 1)/real(nz, C_DOUBLE)))
      end do
    end do
  end do
  call fftw_mpi_execute_dft_r2c(forward, u, modes)
  ! One mode of half the number of points: wavenumbers 2 along x, 3 along y and 1 along z.
  worst = 0
  do k = 1, planes
    do j = 1, ny
      do i = 1, nx/2 + 1
        worst = max(worst, abs(modes(i, j, k) - merge(nx*ny*nz/2, 0_C_INTPTR_T, i == 3 .and. j == 4 .and. first + k == 2)))
      end do
    end do
  end do
  call fftw_mpi_execute_dft_c2r(backward, modes, u)
  do k = 1, planes
    do j = 1, ny
      do i = 1, nx
        worst = max(worst, abs(u(i, j, k) - nx*ny*nz* &
          cos(2*pi*(2*(i - 1)/real(nx, C_DOUBLE) + 3*(j - 1)/real(ny, C_DOUBLE) + (first + k - 1)/real(nz, C_DOUBLE)))))
      end do
    end do
  end do
  call fftw_destroy_plan(forward)
  call fftw_destroy_plan(backward)
  call fftw_free(memory)
  ! 960 points: rounding errors of 10 stages on numbers of up to 960.
  if (worst > 960*10*epsilon(worst)*4) error stop 'wrong'
  if (rank == 0) print '(a, es9.2)', 'worst error ', worst
  call MPI_Finalize()
end program

! Particles on a mesh from Fortran, against weights and forces that are known exactly.
module test_particles
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: run_particles

contains

  subroutine run_particles()
    call clouds()
    call linear_fields_in_space()
    call mistakes()
  end subroutine run_particles

  ! Two columns a rank, three rows. A cloud in cell (2.25, first column + 1/2) of lengths 2 and 1/2.
  subroutine clouds()
    type(weft_particle_mesh) :: mesh
    real(real64), allocatable :: density(:, :), values(:)
    real(real64) :: positions(2, 1)
    integer :: rank, ranks
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call mesh%create(MPI_COMM_WORLD, [3, 2*ranks], weft_box([1, 2*rank + 1], [3, 2*rank + 2]), [2.0_real64, 0.5_real64], &
                     origin=[10.0_real64, -1.0_real64])
    positions(:, 1) = [10 + 2*1.25_real64, -1 + 0.5_real64*(2*rank + 0.5_real64)]
    allocate (density(3, 2*rank + 1:2*rank + 2), values(1))
    call mesh%deposit(positions, [4.0_real64], density)
    call check(all(abs(density(:, 2*rank + 1) - [0.0_real64, 1.5_real64, 0.5_real64]) < 1e-14_real64), "a cloud")
    call check(all(abs(density(:, 2*rank + 2) - [0.0_real64, 1.5_real64, 0.5_real64]) < 1e-14_real64), "its other half")
    density = 0
    density(3, :) = 8
    call mesh%gather(positions, density, values)
    call check(abs(values(1) - 2) < 1e-14_real64, "a quarter of the third row")
    call check(index(mesh%explain(), "order 2") > 0, "what a mesh says of itself")
  end subroutine clouds

  ! Splines give linear functions exactly: three components that are the coordinates, in single precision. Each rank makes
  ! particles that belong anywhere.
  subroutine linear_fields_in_space()
    type(weft_particle_mesh) :: mesh
    type(weft_migration) :: migration
    integer, parameter :: n = 6, made = 40
    real(real32), allocatable :: arrays(:, :, :, :), here(:, :), values(:, :)
    real(real32) :: positions(3, made)
    integer(int64), allocatable :: names(:), back(:)
    integer(int64) :: own(made)
    integer :: rank, ranks, arriving, i, j, k, total
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call mesh%create(MPI_COMM_WORLD, [n, n, n*ranks], weft_box([1, 1, n*rank + 1], [n, n, n*(rank + 1)]), [1.0_real64], &
                     order=3, boundary="unbounded", single=.true.)
    do i = 1, made
      own(i) = 1000*rank + i
      positions(:, i) = real([1 + modulo(7*i, 13)/4.5, 1 + modulo(5*i, 11)/4.0, &
                              1 + modulo(3*i + 5*rank, 17)*(n*ranks - 3)/17.0], real32)
    end do
    call migration%create(mesh, positions, arriving)
    allocate (here(3, arriving), names(arriving), values(3, arriving), back(made))
    call migration%forward(positions, here)
    call migration%forward(own, names)
    call MPI_Allreduce(arriving, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(total == made*ranks, "no particle is lost")
    allocate (arrays(n, n, n*rank + 1:n*(rank + 1), 3))
    do k = n*rank + 1, n*(rank + 1)
      do j = 1, n
        do i = 1, n
          arrays(i, j, k, :) = real([i - 1, j - 1, k - 1], real32)
        end do
      end do
    end do
    call mesh%gather(here, arrays, values)
    ! Sums of 27 products of numbers up to n * ranks.
    call check(all(abs(values - here) < 27*n*ranks*epsilon(1.0_real32)), "coordinates at particles")
    call migration%backward(names, back)
    call check(all(back == own), "names that came back")
  end subroutine linear_fields_in_space

  subroutine mistakes()
    type(weft_particle_mesh) :: mesh
    type(weft_migration) :: migration
    type(weft_box) :: owned
    real(real64) :: positions(1, 2), density(4)
    real(real32) :: short(2)
    character(len=300) :: text
    integer :: rank, ranks, stat, arriving
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    owned = weft_box([4*rank + 1], [4*rank + 4])
    call mesh%create(MPI_COMM_WORLD, [4*ranks], owned, [1.0_real64, 1.0_real64], stat=stat, errmsg=text)
    call fails(stat, text, "spacing: the number of entries")
    call mesh%create(MPI_COMM_WORLD, [4*ranks], owned, [1.0_real64], order=9, stat=stat, errmsg=text)
    call fails(stat, text, "order: 9")
    call mesh%create(MPI_COMM_WORLD, [4*ranks], owned, [1.0_real64])
    positions = 4*rank
    call mesh%deposit(positions, [1.0_real64], density, stat=stat, errmsg=text)
    call fails(stat, text, "charges: it has 1 particles, positions 2")
    call mesh%deposit(real(positions, real32), [1.0_real32, 1.0_real32], density, stat=stat, errmsg=text)
    call fails(stat, text, "positions: its type is real(real32)")
    call migration%create(mesh, positions, arriving)
    call check(arriving == 2, "particles that stay")
    call migration%forward(positions(:, :1), density(:2), stat=stat, errmsg=text)
    call fails(stat, text, "has: its last axis counts 1 particles")
    call migration%forward(positions, short, stat=stat, errmsg=text)
    call fails(stat, text, "gets: a particle has 4 bytes")
  end subroutine mistakes
end module test_particles

! FFTW 3.3's interface for distributed transforms, served by Weft (weft_fftw3_mpi). Include it in
! place of fftw3.f03, after "use, intrinsic :: iso_c_binding". Written by tools/fftw_fortran.py from fftw3-mpi.h.

  include 'fftw3.f03'

  integer(C_INTPTR_T), parameter :: FFTW_MPI_DEFAULT_BLOCK = 0
  integer(C_INT), parameter :: FFTW_MPI_SCRAMBLED_IN = 134217728
  integer(C_INT), parameter :: FFTW_MPI_SCRAMBLED_OUT = 268435456
  integer(C_INT), parameter :: FFTW_MPI_TRANSPOSED_IN = 536870912
  integer(C_INT), parameter :: FFTW_MPI_TRANSPOSED_OUT = 1073741824

  interface
    subroutine fftw_mpi_init() bind(C, name='fftw_mpi_init')
      import
    end subroutine fftw_mpi_init
    subroutine fftw_mpi_cleanup() bind(C, name='fftw_mpi_cleanup')
      import
    end subroutine fftw_mpi_cleanup
    integer(C_INTPTR_T) function fftw_mpi_local_size_many_transposed(rank, n, howmany, block0, block1, comm, &
        local_n0, first_0, local_n1, first_1) bind(C, name='fftw_mpi_local_size_many_transposed_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, block0, block1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftw_mpi_local_size_many_transposed
    integer(C_INTPTR_T) function fftw_mpi_local_size_many(rank, n, howmany, block0, comm, local_n0, first_0) &
        bind(C, name='fftw_mpi_local_size_many_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, block0
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftw_mpi_local_size_many
    integer(C_INTPTR_T) function fftw_mpi_local_size_transposed(rank, n, comm, local_n0, first_0, local_n1, &
        first_1) bind(C, name='fftw_mpi_local_size_transposed_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftw_mpi_local_size_transposed
    integer(C_INTPTR_T) function fftw_mpi_local_size(rank, n, comm, local_n0, first_0) bind(C, &
        name='fftw_mpi_local_size_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftw_mpi_local_size
    integer(C_INTPTR_T) function fftw_mpi_local_size_many_1d(n0, howmany, comm, sign, flags, local_ni, &
        first_i, local_no, first_o) bind(C, name='fftw_mpi_local_size_many_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0, howmany
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
      integer(C_INTPTR_T), intent(out) :: local_ni, first_i, local_no, first_o
    end function fftw_mpi_local_size_many_1d
    integer(C_INTPTR_T) function fftw_mpi_local_size_1d(n0, comm, sign, flags, local_ni, first_i, local_no, &
        first_o) bind(C, name='fftw_mpi_local_size_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
      integer(C_INTPTR_T), intent(out) :: local_ni, first_i, local_no, first_o
    end function fftw_mpi_local_size_1d
    integer(C_INTPTR_T) function fftw_mpi_local_size_2d(n0, n1, comm, local_n0, first_0) bind(C, &
        name='fftw_mpi_local_size_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftw_mpi_local_size_2d
    integer(C_INTPTR_T) function fftw_mpi_local_size_2d_transposed(n0, n1, comm, local_n0, first_0, &
        local_n1, first_1) bind(C, name='fftw_mpi_local_size_2d_transposed_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftw_mpi_local_size_2d_transposed
    integer(C_INTPTR_T) function fftw_mpi_local_size_3d(n0, n1, n2, comm, local_n0, first_0) bind(C, &
        name='fftw_mpi_local_size_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftw_mpi_local_size_3d
    integer(C_INTPTR_T) function fftw_mpi_local_size_3d_transposed(n0, n1, n2, comm, local_n0, first_0, &
        local_n1, first_1) bind(C, name='fftw_mpi_local_size_3d_transposed_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftw_mpi_local_size_3d_transposed
    type(C_PTR) function fftw_mpi_plan_many_transpose(n0, n1, howmany, block0, block1, in, out, comm, flags) &
        bind(C, name='fftw_mpi_plan_many_transpose_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, howmany, block0, block1
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_many_transpose
    type(C_PTR) function fftw_mpi_plan_transpose(n0, n1, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_transpose_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_transpose
    type(C_PTR) function fftw_mpi_plan_many_dft(rank, n, howmany, iblock, oblock, in, out, comm, sign, &
        flags) bind(C, name='fftw_mpi_plan_many_dft_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftw_mpi_plan_many_dft
    type(C_PTR) function fftw_mpi_plan_dft(rank, n, in, out, comm, sign, flags) bind(C, &
        name='fftw_mpi_plan_dft_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftw_mpi_plan_dft
    type(C_PTR) function fftw_mpi_plan_dft_1d(n0, in, out, comm, sign, flags) bind(C, &
        name='fftw_mpi_plan_dft_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftw_mpi_plan_dft_1d
    type(C_PTR) function fftw_mpi_plan_dft_2d(n0, n1, in, out, comm, sign, flags) bind(C, &
        name='fftw_mpi_plan_dft_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftw_mpi_plan_dft_2d
    type(C_PTR) function fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, comm, sign, flags) bind(C, &
        name='fftw_mpi_plan_dft_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftw_mpi_plan_dft_3d
    type(C_PTR) function fftw_mpi_plan_many_r2r(rank, n, howmany, iblock, oblock, in, out, comm, kinds, &
        flags) bind(C, name='fftw_mpi_plan_many_r2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kinds
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_many_r2r
    type(C_PTR) function fftw_mpi_plan_r2r(rank, n, in, out, comm, kinds, flags) bind(C, &
        name='fftw_mpi_plan_r2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kinds
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_r2r
    type(C_PTR) function fftw_mpi_plan_r2r_2d(n0, n1, in, out, comm, kind0, kind1, flags) bind(C, &
        name='fftw_mpi_plan_r2r_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), value :: kind0, kind1
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_r2r_2d
    type(C_PTR) function fftw_mpi_plan_r2r_3d(n0, n1, n2, in, out, comm, kind0, kind1, kind2, flags) bind(C, &
        name='fftw_mpi_plan_r2r_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), value :: kind0, kind1, kind2
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_r2r_3d
    type(C_PTR) function fftw_mpi_plan_many_dft_r2c(rank, n, howmany, iblock, oblock, in, out, comm, flags) &
        bind(C, name='fftw_mpi_plan_many_dft_r2c_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_many_dft_r2c
    type(C_PTR) function fftw_mpi_plan_dft_r2c(rank, n, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_r2c_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_r2c
    type(C_PTR) function fftw_mpi_plan_dft_r2c_2d(n0, n1, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_r2c_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_r2c_2d
    type(C_PTR) function fftw_mpi_plan_dft_r2c_3d(n0, n1, n2, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_r2c_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_r2c_3d
    type(C_PTR) function fftw_mpi_plan_many_dft_c2r(rank, n, howmany, iblock, oblock, in, out, comm, flags) &
        bind(C, name='fftw_mpi_plan_many_dft_c2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_many_dft_c2r
    type(C_PTR) function fftw_mpi_plan_dft_c2r(rank, n, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_c2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_c2r
    type(C_PTR) function fftw_mpi_plan_dft_c2r_2d(n0, n1, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_c2r_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_c2r_2d
    type(C_PTR) function fftw_mpi_plan_dft_c2r_3d(n0, n1, n2, in, out, comm, flags) bind(C, &
        name='fftw_mpi_plan_dft_c2r_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftw_mpi_plan_dft_c2r_3d
    subroutine fftw_mpi_gather_wisdom(comm) bind(C, name='fftw_mpi_gather_wisdom_f03')
      import
      integer(C_INT32_T), value :: comm
    end subroutine fftw_mpi_gather_wisdom
    subroutine fftw_mpi_broadcast_wisdom(comm) bind(C, name='fftw_mpi_broadcast_wisdom_f03')
      import
      integer(C_INT32_T), value :: comm
    end subroutine fftw_mpi_broadcast_wisdom
    subroutine fftw_mpi_execute_dft(plan, in, out) bind(C, name='fftw_mpi_execute_dft')
      import
      type(C_PTR), value :: plan
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in, out
    end subroutine fftw_mpi_execute_dft
    subroutine fftw_mpi_execute_dft_r2c(plan, in, out) bind(C, name='fftw_mpi_execute_dft_r2c')
      import
      type(C_PTR), value :: plan
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine fftw_mpi_execute_dft_r2c
    subroutine fftw_mpi_execute_dft_c2r(plan, in, out) bind(C, name='fftw_mpi_execute_dft_c2r')
      import
      type(C_PTR), value :: plan
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
    end subroutine fftw_mpi_execute_dft_c2r
    subroutine fftw_mpi_execute_r2r(plan, in, out) bind(C, name='fftw_mpi_execute_r2r')
      import
      type(C_PTR), value :: plan
      real(C_DOUBLE), dimension(*), intent(inout) :: in, out
    end subroutine fftw_mpi_execute_r2r
  end interface

  interface
    subroutine fftwf_mpi_init() bind(C, name='fftwf_mpi_init')
      import
    end subroutine fftwf_mpi_init
    subroutine fftwf_mpi_cleanup() bind(C, name='fftwf_mpi_cleanup')
      import
    end subroutine fftwf_mpi_cleanup
    integer(C_INTPTR_T) function fftwf_mpi_local_size_many_transposed(rank, n, howmany, block0, block1, &
        comm, local_n0, first_0, local_n1, first_1) bind(C, name='fftwf_mpi_local_size_many_transposed_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, block0, block1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftwf_mpi_local_size_many_transposed
    integer(C_INTPTR_T) function fftwf_mpi_local_size_many(rank, n, howmany, block0, comm, local_n0, &
        first_0) bind(C, name='fftwf_mpi_local_size_many_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, block0
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftwf_mpi_local_size_many
    integer(C_INTPTR_T) function fftwf_mpi_local_size_transposed(rank, n, comm, local_n0, first_0, local_n1, &
        first_1) bind(C, name='fftwf_mpi_local_size_transposed_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftwf_mpi_local_size_transposed
    integer(C_INTPTR_T) function fftwf_mpi_local_size(rank, n, comm, local_n0, first_0) bind(C, &
        name='fftwf_mpi_local_size_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftwf_mpi_local_size
    integer(C_INTPTR_T) function fftwf_mpi_local_size_many_1d(n0, howmany, comm, sign, flags, local_ni, &
        first_i, local_no, first_o) bind(C, name='fftwf_mpi_local_size_many_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0, howmany
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
      integer(C_INTPTR_T), intent(out) :: local_ni, first_i, local_no, first_o
    end function fftwf_mpi_local_size_many_1d
    integer(C_INTPTR_T) function fftwf_mpi_local_size_1d(n0, comm, sign, flags, local_ni, first_i, local_no, &
        first_o) bind(C, name='fftwf_mpi_local_size_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
      integer(C_INTPTR_T), intent(out) :: local_ni, first_i, local_no, first_o
    end function fftwf_mpi_local_size_1d
    integer(C_INTPTR_T) function fftwf_mpi_local_size_2d(n0, n1, comm, local_n0, first_0) bind(C, &
        name='fftwf_mpi_local_size_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftwf_mpi_local_size_2d
    integer(C_INTPTR_T) function fftwf_mpi_local_size_2d_transposed(n0, n1, comm, local_n0, first_0, &
        local_n1, first_1) bind(C, name='fftwf_mpi_local_size_2d_transposed_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftwf_mpi_local_size_2d_transposed
    integer(C_INTPTR_T) function fftwf_mpi_local_size_3d(n0, n1, n2, comm, local_n0, first_0) bind(C, &
        name='fftwf_mpi_local_size_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0
    end function fftwf_mpi_local_size_3d
    integer(C_INTPTR_T) function fftwf_mpi_local_size_3d_transposed(n0, n1, n2, comm, local_n0, first_0, &
        local_n1, first_1) bind(C, name='fftwf_mpi_local_size_3d_transposed_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      integer(C_INT32_T), value :: comm
      integer(C_INTPTR_T), intent(out) :: local_n0, first_0, local_n1, first_1
    end function fftwf_mpi_local_size_3d_transposed
    type(C_PTR) function fftwf_mpi_plan_many_transpose(n0, n1, howmany, block0, block1, in, out, comm, &
        flags) bind(C, name='fftwf_mpi_plan_many_transpose_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, howmany, block0, block1
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_many_transpose
    type(C_PTR) function fftwf_mpi_plan_transpose(n0, n1, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_transpose_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_transpose
    type(C_PTR) function fftwf_mpi_plan_many_dft(rank, n, howmany, iblock, oblock, in, out, comm, sign, &
        flags) bind(C, name='fftwf_mpi_plan_many_dft_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftwf_mpi_plan_many_dft
    type(C_PTR) function fftwf_mpi_plan_dft(rank, n, in, out, comm, sign, flags) bind(C, &
        name='fftwf_mpi_plan_dft_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftwf_mpi_plan_dft
    type(C_PTR) function fftwf_mpi_plan_dft_1d(n0, in, out, comm, sign, flags) bind(C, &
        name='fftwf_mpi_plan_dft_1d_f03')
      import
      integer(C_INTPTR_T), value :: n0
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftwf_mpi_plan_dft_1d
    type(C_PTR) function fftwf_mpi_plan_dft_2d(n0, n1, in, out, comm, sign, flags) bind(C, &
        name='fftwf_mpi_plan_dft_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftwf_mpi_plan_dft_2d
    type(C_PTR) function fftwf_mpi_plan_dft_3d(n0, n1, n2, in, out, comm, sign, flags) bind(C, &
        name='fftwf_mpi_plan_dft_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: sign, flags
    end function fftwf_mpi_plan_dft_3d
    type(C_PTR) function fftwf_mpi_plan_many_r2r(rank, n, howmany, iblock, oblock, in, out, comm, kinds, &
        flags) bind(C, name='fftwf_mpi_plan_many_r2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kinds
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_many_r2r
    type(C_PTR) function fftwf_mpi_plan_r2r(rank, n, in, out, comm, kinds, flags) bind(C, &
        name='fftwf_mpi_plan_r2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kinds
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_r2r
    type(C_PTR) function fftwf_mpi_plan_r2r_2d(n0, n1, in, out, comm, kind0, kind1, flags) bind(C, &
        name='fftwf_mpi_plan_r2r_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), value :: kind0, kind1
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_r2r_2d
    type(C_PTR) function fftwf_mpi_plan_r2r_3d(n0, n1, n2, in, out, comm, kind0, kind1, kind2, flags) &
        bind(C, name='fftwf_mpi_plan_r2r_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
      integer(C_INT32_T), value :: comm
      integer(C_FFTW_R2R_KIND), value :: kind0, kind1, kind2
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_r2r_3d
    type(C_PTR) function fftwf_mpi_plan_many_dft_r2c(rank, n, howmany, iblock, oblock, in, out, comm, flags) &
        bind(C, name='fftwf_mpi_plan_many_dft_r2c_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_many_dft_r2c
    type(C_PTR) function fftwf_mpi_plan_dft_r2c(rank, n, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_r2c_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_r2c
    type(C_PTR) function fftwf_mpi_plan_dft_r2c_2d(n0, n1, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_r2c_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_r2c_2d
    type(C_PTR) function fftwf_mpi_plan_dft_r2c_3d(n0, n1, n2, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_r2c_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_r2c_3d
    type(C_PTR) function fftwf_mpi_plan_many_dft_c2r(rank, n, howmany, iblock, oblock, in, out, comm, flags) &
        bind(C, name='fftwf_mpi_plan_many_dft_c2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      integer(C_INTPTR_T), value :: howmany, iblock, oblock
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_many_dft_c2r
    type(C_PTR) function fftwf_mpi_plan_dft_c2r(rank, n, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_c2r_f03')
      import
      integer(C_INT), value :: rank
      integer(C_INTPTR_T), dimension(*), intent(in) :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_c2r
    type(C_PTR) function fftwf_mpi_plan_dft_c2r_2d(n0, n1, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_c2r_2d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_c2r_2d
    type(C_PTR) function fftwf_mpi_plan_dft_c2r_3d(n0, n1, n2, in, out, comm, flags) bind(C, &
        name='fftwf_mpi_plan_dft_c2r_3d_f03')
      import
      integer(C_INTPTR_T), value :: n0, n1, n2
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT32_T), value :: comm
      integer(C_INT), value :: flags
    end function fftwf_mpi_plan_dft_c2r_3d
    subroutine fftwf_mpi_gather_wisdom(comm) bind(C, name='fftwf_mpi_gather_wisdom_f03')
      import
      integer(C_INT32_T), value :: comm
    end subroutine fftwf_mpi_gather_wisdom
    subroutine fftwf_mpi_broadcast_wisdom(comm) bind(C, name='fftwf_mpi_broadcast_wisdom_f03')
      import
      integer(C_INT32_T), value :: comm
    end subroutine fftwf_mpi_broadcast_wisdom
    subroutine fftwf_mpi_execute_dft(plan, in, out) bind(C, name='fftwf_mpi_execute_dft')
      import
      type(C_PTR), value :: plan
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in, out
    end subroutine fftwf_mpi_execute_dft
    subroutine fftwf_mpi_execute_dft_r2c(plan, in, out) bind(C, name='fftwf_mpi_execute_dft_r2c')
      import
      type(C_PTR), value :: plan
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine fftwf_mpi_execute_dft_r2c
    subroutine fftwf_mpi_execute_dft_c2r(plan, in, out) bind(C, name='fftwf_mpi_execute_dft_c2r')
      import
      type(C_PTR), value :: plan
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
    end subroutine fftwf_mpi_execute_dft_c2r
    subroutine fftwf_mpi_execute_r2r(plan, in, out) bind(C, name='fftwf_mpi_execute_r2r')
      import
      type(C_PTR), value :: plan
      real(C_FLOAT), dimension(*), intent(inout) :: in, out
    end subroutine fftwf_mpi_execute_r2r
  end interface

! Plans from Fortran: axis 1 is contiguous and halved by r2c, both precisions, symbols that repeat, errors.
module test_plans
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
  use, intrinsic :: iso_fortran_env, only: int8, int64, real32, real64
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: run_plans

  ! A pointer without => null() has no status until it is given one.
  type :: without_status
    real(real64), pointer :: u(:, :, :)
  end type without_status

  integer, parameter :: shape(3) = [12, 10, 9]
  ! Transforms of N points err by eps log2 N; 8 for the constants (Higham 2002, theorem 24.2).
  real(real64), parameter :: rounding = 8*log(real(12*10*9, real64))/log(2.0_real64)

contains

  subroutine run_plans()
    call double_precision()
    call single_precision()
    call apply_symbols()
  call products()
    call options_and_boxes()
    call in_place()
    call texts_and_facts()
    call errors()
    call every_option_by_its_name()
    call shared_memory()
  end subroutine run_plans

  ! cos(2 x - 3 y + z), with axis 1 along x.
  subroutine wave_of(plan, u)
    type(weft_plan), intent(in) :: plan
    real(real64), allocatable, intent(out) :: u(:, :, :)
    real(real64), allocatable :: x(:), y(:), z(:)
    integer :: i, j, k
    x = plan%coordinates(1)
    y = plan%coordinates(2)
    z = plan%coordinates(3)
    allocate (u(size(x), size(y), size(z)))
    do k = 1, size(z)
      do j = 1, size(y)
        do i = 1, size(x)
          u(i, j, k) = cos(2*x(i) - 3*y(j) + z(k))
        end do
      end do
    end do
  end subroutine wave_of

  subroutine double_precision()
    type(weft_plan) :: plan
    type(weft_box) :: points, modes
    real(real64), allocatable :: u(:, :, :), back(:, :, :), kx(:), ky(:), kz(:), weight(:)
    complex(real64), allocatable :: spectrum(:, :, :), wanted(:, :, :)
    real(real64) :: power
    integer :: i, j, k
    call plan%create(MPI_COMM_WORLD, shape, "r2c")
    points = plan%physical_box()
    modes = plan%spectral_box()
    call check(.not. plan%physical_complex(), "points of r2c are real")
    call check(plan%spectral_complex(), "modes of r2c are complex")
    call check(all(points%lower >= 1) .and. all(points%upper <= shape), "bounds count from 1")
    call check(all(modes%upper <= [7, 10, 9]), "axis 1 is halved")
    call wave_of(plan, u)
    call check(points%elements() == size(u, kind=int64), "size of the box")
    kx = plan%wavenumbers(1)
    ky = plan%wavenumbers(2)
    kz = plan%wavenumbers(3)
    weight = plan%weights(1)
    allocate (spectrum(size(kx), size(ky), size(kz)), wanted(size(kx), size(ky), size(kz)))
    allocate (back, mold=u)
    power = 0
    do k = 1, size(kz)
      do j = 1, size(ky)
        do i = 1, size(kx)
          wanted(i, j, k) = merge(product(shape)/2, 0, nint(kx(i)) == 2 .and. nint(ky(j)) == -3 .and. nint(kz(k)) == 1)
          power = power + weight(i)*abs(wanted(i, j, k))**2
        end do
      end do
    end do
    call plan%forward(u, spectrum)
    call near(pack(abs(spectrum - wanted), .true.), rounding*epsilon(power)*product(shape), "modes")
    call MPI_Allreduce(MPI_IN_PLACE, power, 1, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD)
    call near([power - real(product(shape), real64)**2/2], 0.0_real64, "Parseval with weights")
    call plan%backward(spectrum, back)
    call near(pack(back - u, .true.), 2*rounding*epsilon(power), "round trip")
    call ghost_layers(plan, u, spectrum)
    call plan%destroy()
    call plan%destroy()
  end subroutine double_precision

  ! A section of a larger array in place of a copy gives the same bits.
  subroutine ghost_layers(plan, u, spectrum)
    type(weft_plan), intent(in) :: plan
    real(real64), intent(in) :: u(:, :, :)
    complex(real64), intent(in) :: spectrum(:, :, :)
    real(real64) :: wide(size(u, 1) + 4, size(u, 2) + 4, size(u, 3) + 4)
    complex(real64) :: same(size(spectrum, 1), size(spectrum, 2), size(spectrum, 3))
    wide = 7
    associate (inner => wide(3:size(u, 1) + 2, 3:size(u, 2) + 2, 3:size(u, 3) + 2))
      inner = u
      call plan%forward(inner, same)
      call check(all(same == spectrum), "a section gives the same bits")
      call plan%backward(same, inner)
      call near(pack(inner - u, .true.), 2*rounding*epsilon(wide), "back into a section")
    end associate
    call check(all(wide(1, :, :) == 7) .and. all(wide(:, 2, :) == 7), "ghost layers are left alone")
  end subroutine ghost_layers

  subroutine single_precision()
    type(weft_plan) :: plan
    type(weft_plan_options) :: options
    type(weft_box) :: points
    real(real64), allocatable :: u(:, :, :)
    real(real32), allocatable :: single(:, :, :)
    complex(real32), allocatable :: spectrum(:, :, :)
    type(weft_box) :: modes
    options%precision = "float"
    call plan%create(MPI_COMM_WORLD%MPI_VAL, shape, "c2c, c2c, r2c", options) ! an integer communicator; axis 3 halved
    points = plan%physical_box()
    modes = plan%spectral_box()
    call check(all(modes%upper <= [12, 10, 5]), "kinds name axis 1 first")
    call wave_of(plan, u)
    single = real(u, real32)
    allocate (spectrum(modes%lower(1):modes%upper(1), modes%lower(2):modes%upper(2), modes%lower(3):modes%upper(3)))
    call plan%forward(single, spectrum)
    single = 0
    call plan%backward(spectrum, single)
    call near(pack(single - u, .true.), 2*rounding*epsilon(single), "round trip in single precision")
  end subroutine single_precision

  ! The derivative along axis 1 with one factor per wavenumber, and a real symbol that is a number.
  subroutine apply_symbols()
    type(weft_plan) :: plan
    real(real64), allocatable :: u(:, :, :), v(:, :, :), k(:), x(:), y(:), z(:)
    complex(real64), allocatable :: ik(:, :, :)
    integer :: i, j, l
    call plan%create(MPI_COMM_WORLD, shape, "r2c")
    call wave_of(plan, u)
    allocate (v, mold=u)
    k = plan%wavenumbers(1)
    where (nint(k) == 6) k = 0 ! stands for 6 and -6
    ik = reshape(cmplx(0, k, real64), [size(k), 1, 1])
    call plan%apply(u, v, ik)
    x = plan%coordinates(1)
    y = plan%coordinates(2)
    z = plan%coordinates(3)
    do l = 1, size(z)
      do j = 1, size(y)
        do i = 1, size(x)
          v(i, j, l) = v(i, j, l) + 2*sin(2*x(i) - 3*y(j) + z(l))
        end do
      end do
    end do
    call near(pack(v, .true.), 2*6*rounding*epsilon(v), "derivative along axis 1") ! 6 is the largest factor
    call plan%apply(u, v, reshape([0.5_real64], [1, 1, 1]))
    call near(pack(v - u/2, .true.), 2*rounding*epsilon(v), "a number as the symbol")
  end subroutine apply_symbols

  ! A field of one point, the next one along axis 1 to the first, shifts another one by a step: forward or backward.
  subroutine products()
    type(weft_plan) :: plan
    type(weft_box) :: box
    real(real64), allocatable :: one(:, :, :), u(:, :, :), v(:, :, :)
    real(real64), allocatable :: x(:), y(:), z(:)
    real(real64) :: step
    integer :: i, j, l
    call plan%create(MPI_COMM_WORLD, shape, "r2c")
    call wave_of(plan, u)
    box = plan%physical_box()
    allocate (one(box%lower(1):box%upper(1), box%lower(2):box%upper(2), box%lower(3):box%upper(3)), source=0.0_real64)
    if (all(box%lower <= [2, 1, 1]) .and. all(box%upper >= [2, 1, 1])) one(2, 1, 1) = 1
    allocate (v, mold=u)
    x = plan%coordinates(1)
    y = plan%coordinates(2)
    z = plan%coordinates(3)
    step = 8*atan(1.0_real64)/shape(1)
    call plan%convolve(one, u, v)
    do concurrent(l=1:size(z), j=1:size(y), i=1:size(x))
      v(i, j, l) = v(i, j, l) - cos(2*(x(i) - step) - 3*y(j) + z(l))
    end do
    call near(pack(v, .true.), 3*rounding*epsilon(v), "convolution with a shifted point")
    call plan%correlate(one, u, v)
    do concurrent(l=1:size(z), j=1:size(y), i=1:size(x))
      v(i, j, l) = v(i, j, l) - cos(2*(x(i) + step) - 3*y(j) + z(l))
    end do
    call near(pack(v, .true.), 3*rounding*epsilon(v), "correlation with a shifted point")
  end subroutine products

  subroutine options_and_boxes()
    type(weft_plan) :: plan
    type(weft_plan_options) :: options
    type(weft_box) :: box
    type(weft_facts) :: facts
    integer :: rank, ranks
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    options%physical_box%lower = [8*rank/ranks + 1, 1, 1]
    options%physical_box%upper = [8*(rank + 1)/ranks, 6, 4]
    options%batch_axes = [1]
    options%strategy = "alltoallv"
    options%threads = 1
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], "none, dct2, c2c", options)
    box = plan%physical_box()
    call check(all(box%lower == options%physical_box%lower) .and. all(box%upper == options%physical_box%upper), &
               "boxes of the user")
    box = plan%spectral_box()
    call check(box%lower(1) == 1 .and. box%upper(1) == 8, "axis 1 is a batch axis, which no rank cuts")
    call check(all(plan%wavenumbers(1) == 0), "axis 1 is not transformed")
    facts = plan%facts()
    call check(facts%threads == 1 .and. facts%strategy == merge("none     ", "alltoallv", ranks == 1), &
               "strategy and threads of the options")
    call plan%destroy()
    options = weft_plan_options(grid=[1, ranks], modes=[6, 0, 4])
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], "r2c", options)
    facts = plan%facts()
    call check(all(facts%grid == [1, ranks]), "the process grid")
    box = plan%spectral_box()
    call check(box%upper(1) <= 4, "modes are those of 6 points along axis 1")
    call check(index(plan%explain(), " + axis") > 0, "two axes in one pass")
    options%fuse = .false.
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], "r2c", options)
    call check(index(plan%explain(), " + axis") == 0, "one axis in each pass")
    call plan%create(MPI_COMM_SELF, [8, 6, 4], "r2c", weft_plan_options(modes=[integer ::]))
    box = plan%spectral_box()
    call check(all(box%upper == [5, 6, 4]), "an empty list of modes stands for none")
  end subroutine options_and_boxes

  ! Points and modes in one memory, seen through pointers whose bounds are those of the boxes.
  subroutine in_place()
    type(weft_plan) :: plan, other
    type(weft_plan_options) :: options
    type(weft_field) :: field
    type(weft_box) :: box
    real(real64), pointer :: u(:, :, :)
    real(real32), pointer :: single(:, :, :)
    real(real64), pointer :: flat(:, :)
    complex(real64), pointer :: modes(:, :, :)
    real(real64), allocatable :: wanted(:, :, :)
    integer :: stat
    character(len=300) :: errmsg
    nullify (u, single, flat, modes)
    options%in_place = .true.
    call plan%create(MPI_COMM_WORLD, shape, "r2c", options)
    call plan%create_field(field)
    call field%view(weft_physical, u)
    call field%view(weft_spectral, modes)
    box = plan%physical_box()
    call check(all(shape_of(u) == box%extents()), "shape of the points")
    if (size(u) > 0) call check(all(lbound(u) == box%lower), "bounds of the points")
    box = plan%spectral_box()
    if (size(modes) > 0) call check(all(ubound(modes) == box%upper), "bounds of the modes")
    call wave_of(plan, wanted)
    if (size(u) > 0) u = wanted
    call MPI_Barrier(MPI_COMM_WORLD)
    call plan%forward_field(field)
    call plan%backward_field(field)
    call near(pack(u - wanted, .true.), 2*rounding*epsilon(u), "round trip in place")
    call plan%apply_field(field, reshape([0.5_real64], [1, 1, 1]))
    call near(pack(u - wanted/2, .true.), 4*rounding*epsilon(u), "apply in place")
    call field%view(weft_physical, single, stat, errmsg)
    call fails(stat, errmsg, "the pointer: its type is real(real32)")
    call field%view(weft_physical, flat, stat, errmsg)
    call fails(stat, errmsg, "the pointer: its rank is 2, the field has 3 axes")
    call undefined_pointer(field, shape_of(u))
    call other%create(MPI_COMM_WORLD, shape, "r2c")
    call other%forward_field(field, stat, errmsg)
    call fails(stat, errmsg, "in_place")
  end subroutine in_place

  ! gfortran reads its rank from what lies there, here 127. Compilers that know the rank otherwise may set the pointer.
  subroutine undefined_pointer(field, extents)
    type(weft_field), intent(in) :: field
    integer, intent(in) :: extents(3)
    integer(int8), target :: memory(1024)
    type(without_status), pointer :: object
    integer :: stat
    character(len=300) :: errmsg
    memory = huge(memory)
    call c_f_pointer(c_loc(memory), object)
    call field%view(weft_physical, object%u, stat, errmsg)
    if (stat == 0) call check(all(shape_of(object%u) == extents), "a pointer that had no status")
    if (stat /= 0) call fails(stat, errmsg, "the pointer: its status is undefined; declare it => null()")
  end subroutine undefined_pointer

  pure function shape_of(u) result(extents)
    real(real64), intent(in) :: u(:, :, :)
    integer :: extents(3)
    extents = [size(u, 1), size(u, 2), size(u, 3)]
  end function shape_of

  subroutine texts_and_facts()
    type(weft_plan) :: plan
    type(weft_facts) :: facts
    call check(index(weft_version(), ".") > 0, "a version")
    call plan%create(MPI_COMM_WORLD, shape, "c2c")
    call check(index(plan%explain(), "c2c") > 0, "explain()")
    facts = plan%facts()
    call check(len(facts%strategy) > 0 .and. facts%threads >= 1 .and. facts%workspace_bytes >= 0, "facts()")
  end subroutine texts_and_facts

  subroutine errors()
    type(weft_plan) :: plan, other
    real(real64) :: u(4, 4, 4), flat(64)
    complex(real64) :: modes(3, 4, 4)
    integer :: stat
    character(len=300) :: errmsg
    call plan%forward(u, modes, stat, errmsg)
    call fails(stat, errmsg, "plan: NULL")
    call plan%create(MPI_COMM_WORLD, shape, "dct9", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "dct9")
    call plan%create(MPI_COMM_WORLD, [4, 0, 4], "r2c", stat=stat, errmsg=errmsg)
    call fails(stat, errmsg, "axis 1 has 0 points")
    call wrong_modes()
    call plan%create(MPI_COMM_SELF, [4, 4, 4], "r2c")
    call plan%forward(u(:3, :, :), modes, stat, errmsg)
    call fails(stat, errmsg, "points: its shape is (3, 4, 4), this rank needs (4, 4, 4)")
    call plan%forward(flat, modes, stat, errmsg)
    call fails(stat, errmsg, "points: its shape is (64)")
    call plan%forward(modes, u, stat, errmsg)
    call fails(stat, errmsg, "points: its shape is (3, 4, 4)")
    call plan%forward(real(u, real32), modes, stat, errmsg)
    call fails(stat, errmsg, "points: its type is real(real32), this object works on real(real64)")
    call plan%forward(u(4:1:-1, :, :), modes, stat, errmsg)
    call fails(stat, errmsg, "in another order")
    call plan%apply(u, u, modes(:2, :, :), stat, errmsg)
    call fails(stat, errmsg, "symbol: its shape is (2, 4, 4)")
    call other%create(MPI_COMM_SELF, [4, 4, 4], "c2c", stat=stat, errmsg=errmsg)
    call check(stat == 0, "stat is 0 where all is well")
  end subroutine errors

  ! That an option is refused by its name shows that it arrives, and as none of its neighbours.
  subroutine every_option_by_its_name()
    type(weft_plan_options) :: options
    call refused(weft_plan_options(precision="x"), "precision: unknown value 'x'")
    call refused(weft_plan_options(strategy="x"), "strategy: unknown value 'x'")
    call refused(weft_plan_options(between_nodes="x"), "between_nodes: unknown value 'x'")
    call refused(weft_plan_options(norm="x"), "norm: unknown value 'x'")
    call refused(weft_plan_options(effort="x"), "effort: unknown value 'x'")
    call refused(weft_plan_options(engine="x"), "engine: unknown value 'x'")
    call refused(weft_plan_options(wire="x"), "wire: unknown value 'x'")
    call refused(weft_plan_options(output="x"), "output: unknown value 'x'")
    call refused(weft_plan_options(scheme="x"), "scheme: unknown value 'x'")
    options%tuning = "/nowhere/tuning.toml"
    call refused(options, "/nowhere/tuning.toml", status=2)
    call refused(weft_plan_options(chunks=-1), "chunks: -1 is not allowed")
    call refused(weft_plan_options(threads=-1), "threads: -1 is not allowed")
    call refused(weft_plan_options(ranks=-1), "ranks: -1 is not allowed")
    call refused(weft_plan_options(send_batch=-1), "send_batch: -1 is not allowed")
    call refused(weft_plan_options(max_pending=-1), "max_pending: -1 is not allowed")
    call refused(weft_plan_options(node_ranks=-1), "node_ranks: -1 is not allowed")
    call refused(weft_plan_options(message_limit=0), "message_limit: 0 is not allowed")
    call refused(weft_plan_options(spectral_box=weft_box([1, 1], [5, 4])), "spectral_box: [0, 4) x [0, 5) has 2 axes")
  end subroutine every_option_by_its_name

  subroutine refused(options, words, status)
    type(weft_plan_options), intent(in) :: options
    character(len=*), intent(in) :: words
    integer, intent(in), optional :: status
    type(weft_plan) :: plan
    integer :: stat
    character(len=300) :: errmsg
    call plan%create(MPI_COMM_WORLD, shape, "r2c", options, stat, errmsg)
    call fails(stat, errmsg, words, status)
  end subroutine refused

  ! Any limit is allowed, also 0, which leaves this strategy nothing. One rank alone exchanges nothing.
  subroutine shared_memory()
    type(weft_plan) :: plan
    type(weft_plan_options) :: options
    integer :: ranks
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    if (ranks == 1) return
    options%strategy = "shared"
    call plan%create(MPI_COMM_WORLD, shape, "r2c", options)
    options%shared_memory_limit = 0
    call refused(options, "0 MB may be used", status=3)
  end subroutine shared_memory

  ! One rank alone has a list of another length, and all ranks hear of it.
  subroutine wrong_modes()
    type(weft_plan) :: plan
    type(weft_plan_options) :: options
    integer :: rank, stat
    character(len=300) :: errmsg
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    options%modes = [8, 8]
    call plan%create(MPI_COMM_WORLD, [16, 16, 16], "c2c", options, stat, errmsg)
    call fails(stat, errmsg, "modes: 2 entries for 3 axes; give one per axis")
    options%modes = [8, 8, 8]
    if (rank == 0) options%modes = [8, 8, 8, 8]
    call plan%create(MPI_COMM_WORLD, [16, 16, 16], "c2c", options, stat, errmsg)
    call fails(stat, errmsg, "modes: 4 entries for 3 axes")
  end subroutine wrong_modes
end module test_plans

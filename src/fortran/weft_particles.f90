! Particles on a mesh: their deposit, values gathered at them, and their migration to the ranks that own them.
module weft_particles
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_base
  use weft_halos, only: take_centring, take_ends
  use weft_objects
  implicit none
  private
  public :: weft_migration, weft_particle_mesh

  !> Deposits particles on the points of a distributed array of 1 to 3 axes and gathers values at them, by B-splines. A
  !> particle belongs to the rank that owns the point nearest to it. Positions are (axis, particle), of the type of the
  !> mesh. All procedures but destroy, explain and facts are called by all ranks. Errors as those of weft_plan.
  type, extends(weft_object) :: weft_particle_mesh
  contains
    !> create(comm, shape, owned, spacing [, origin, order, margin, boundary, centring, single, stat, errmsg]): the
    !> points of the global array and this rank's part of them. spacing, origin: the distance of points and the position
    !> of the first one, per axis or one for all; origin is 0 by default. order: points per axis that share a particle,
    !> 1 to 8, 2 by default. margin: points beyond its own up to which a rank takes particles, 0 by default. boundary and
    !> centring: texts as for weft_poisson, "periodic" and "cell" by default. single: real(real32) in place of
    !> real(real64).
    generic :: create => create_f08, create_integer
    !> deposit(positions, charges, density [, stat, errmsg]): sets density to the charge of each point of this rank.
    procedure :: deposit
    !> gather(positions, arrays, values [, stat, errmsg]): values(component, particle) of arrays with the component for
    !> the last axis, or values(particle) of one array.
    procedure :: gather
    procedure, private :: create_f08, create_integer
    final :: mesh_final
  end type weft_particle_mesh

  !> The migration of particles, and of arrays with what belongs to each, to the ranks that own them.
  type :: weft_migration
    type(c_ptr) :: handle = c_null_ptr !< internal
  contains
    !> create(mesh, positions, arriving [, stat, errmsg]): arriving is the number of particles of this rank afterwards.
    procedure :: create => create_migration
    !> forward(has, gets [, stat, errmsg]): an array of any type, whose last axis counts particles, to their new ranks.
    procedure :: forward
    !> backward(has, gets [, stat, errmsg]): to the ranks and places that they had before.
    procedure :: backward
    procedure :: destroy => destroy_migration
    generic :: assignment(=) => refuse_copy
    procedure, private :: refuse_copy
    final :: migration_final
  end type weft_migration

  procedure(c_destroy), bind(c, name="weft_particle_mesh_destroy") :: weft_particle_mesh_destroy
  procedure(c_destroy), bind(c, name="weft_migration_destroy") :: weft_migration_destroy
  procedure(c_explain), bind(c, name="weft_particle_mesh_explain") :: weft_particle_mesh_explain
  procedure(c_ask_facts), bind(c, name="weft_particle_mesh_facts") :: weft_particle_mesh_facts
  procedure(c_operation), bind(c, name="weft_f_migration_forward") :: weft_f_migration_forward
  procedure(c_operation), bind(c, name="weft_f_migration_backward") :: weft_f_migration_backward

  interface
    function particle_problem_init(problem, size) bind(c, name="weft_particle_problem_init_sized") result(code)
      import
      type(c_particle_problem), intent(out) :: problem
      integer(c_size_t), value :: size
      integer(c_int) :: code
    end function particle_problem_init
    function weft_f_particle_mesh_create(comm, fault, shape, owned, problem, mesh) bind(c) result(code)
      import
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: fault(*)
      integer(c_int64_t), intent(in) :: shape(max_dims)
      type(c_box), intent(in) :: owned
      type(c_particle_problem), intent(in) :: problem
      type(c_ptr), intent(out) :: mesh
      integer(c_int) :: code
    end function weft_f_particle_mesh_create
    function weft_f_deposit(mesh, positions, charges, density) bind(c) result(code)
      import
      type(c_ptr), value :: mesh
      type(*), dimension(..), intent(in) :: positions, charges
      type(*), dimension(..), intent(inout) :: density
      integer(c_int) :: code
    end function weft_f_deposit
    function weft_f_gather(mesh, positions, arrays, values) bind(c) result(code)
      import
      type(c_ptr), value :: mesh
      type(*), dimension(..), intent(in) :: positions, arrays
      type(*), dimension(..), intent(inout) :: values
      integer(c_int) :: code
    end function weft_f_gather
    function weft_f_migration_create(mesh, positions, migration, arriving) bind(c) result(code)
      import
      type(c_ptr), value :: mesh
      type(*), dimension(..), intent(in) :: positions
      type(c_ptr), intent(out) :: migration
      integer(c_int64_t), intent(out) :: arriving
      integer(c_int) :: code
    end function weft_f_migration_create
  end interface

contains

  subroutine create_f08(self, comm, shape, owned, spacing, origin, order, margin, boundary, centring, single, stat, &
                        errmsg)
    class(weft_particle_mesh), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: shape(:)
    type(weft_box), intent(in) :: owned
    real(real64), intent(in) :: spacing(:)
    real(real64), intent(in), optional :: origin(:)
    integer, intent(in), optional :: order, margin
    character(len=*), intent(in), optional :: boundary, centring
    logical, intent(in), optional :: single
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%create(comm%MPI_VAL, shape, owned, spacing, origin, order, margin, boundary, centring, single, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, shape, owned, spacing, origin, order, margin, boundary, centring, single, stat, &
                            errmsg)
    class(weft_particle_mesh), intent(inout) :: self
    integer, intent(in) :: comm, shape(:)
    type(weft_box), intent(in) :: owned
    real(real64), intent(in) :: spacing(:)
    real(real64), intent(in), optional :: origin(:)
    integer, intent(in), optional :: order, margin
    character(len=*), intent(in), optional :: boundary, centring
    logical, intent(in), optional :: single
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_particle_problem) :: problem
    type(text_pool), allocatable, target :: pool
    type(c_box) :: has
    integer(c_int64_t) :: points(max_dims)
    character(len=:), allocatable :: fault
    integer :: n
    call self%destroy()
    self%c_destroy => weft_particle_mesh_destroy
    self%c_explain => weft_particle_mesh_explain
    self%c_facts => weft_particle_mesh_facts
    call take_shape(shape, owned, space_dims, has, points, n, fault)
    if (particle_problem_init(problem, c_sizeof(problem)) /= 0) error stop "weft: of another version"
    problem%reversed = 1
    allocate (pool)
    call take_reals("spacing", problem%spacing, n, spacing, fault)
    if (present(origin)) call take_reals("origin", problem%origin, n, origin, fault)
    if (present(order)) problem%order = order
    if (present(margin)) problem%margin = margin
    if (present(boundary)) call take_ends(problem%boundary, n, boundary, pool, fault)
    if (present(centring)) call take_centring(problem%centring, n, centring, pool, fault)
    if (present(single)) then
      if (single) problem%precision = pool%keep("float")
    end if
    call report(weft_f_particle_mesh_create(comm, c_text(fault), points, has, problem, self%handle), stat, errmsg)
  end subroutine create_integer

  ! One for all axes, or one for each, C's last axis first.
  subroutine take_reals(name, to, n, given, fault)
    character(len=*), intent(in) :: name
    real(c_double), intent(inout) :: to(:)
    integer, intent(in) :: n
    real(real64), intent(in) :: given(:)
    character(len=:), allocatable, intent(inout) :: fault
    if (size(given) == n) then
      to(:n) = given(n:1:-1)
    else if (size(given) == 1) then
      to(:n) = given(1)
    else
      fault = name//": the number of entries is not that of the axes; give one per axis, or one for all"
    end if
  end subroutine take_reals

  impure elemental subroutine mesh_final(self)
    type(weft_particle_mesh), intent(inout) :: self
    call self%destroy()
  end subroutine mesh_final

  subroutine deposit(self, positions, charges, density, stat, errmsg)
    class(weft_particle_mesh), intent(in) :: self
    type(*), dimension(..), intent(in) :: positions, charges
    type(*), dimension(..), intent(inout) :: density
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_deposit(self%handle, positions, charges, density), stat, errmsg)
  end subroutine deposit

  subroutine gather(self, positions, arrays, values, stat, errmsg)
    class(weft_particle_mesh), intent(in) :: self
    type(*), dimension(..), intent(in) :: positions, arrays
    type(*), dimension(..), intent(inout) :: values
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_gather(self%handle, positions, arrays, values), stat, errmsg)
  end subroutine gather

  ! --- migrations ---

  subroutine create_migration(self, mesh, positions, arriving, stat, errmsg)
    class(weft_migration), intent(inout) :: self
    type(weft_particle_mesh), intent(in) :: mesh
    type(*), dimension(..), intent(in) :: positions
    integer, intent(out) :: arriving
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: count
    call self%destroy()
    count = 0
    call report(weft_f_migration_create(mesh%handle, positions, self%handle, count), stat, errmsg)
    arriving = int(count)
  end subroutine create_migration

  subroutine forward(self, has, gets, stat, errmsg)
    class(weft_migration), intent(in) :: self
    type(*), dimension(..), intent(in) :: has
    type(*), dimension(..), intent(inout) :: gets
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_migration_forward(self%handle, has, gets), stat, errmsg)
  end subroutine forward

  subroutine backward(self, has, gets, stat, errmsg)
    class(weft_migration), intent(in) :: self
    type(*), dimension(..), intent(in) :: has
    type(*), dimension(..), intent(inout) :: gets
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(weft_f_migration_backward(self%handle, has, gets), stat, errmsg)
  end subroutine backward

  subroutine destroy_migration(self)
    class(weft_migration), intent(inout) :: self
    if (c_associated(self%handle)) call report(weft_migration_destroy(self%handle))
  end subroutine destroy_migration

  impure elemental subroutine migration_final(self)
    type(weft_migration), intent(inout) :: self
    call self%destroy()
  end subroutine migration_final

  ! Two migrations with one handle would free it twice.
  subroutine refuse_copy(to, from)
    class(weft_migration), intent(inout) :: to
    class(weft_migration), intent(in) :: from
    if (c_associated(to%handle, from%handle)) return
    error stop "weft: a migration cannot be copied; pass it by reference, or use a pointer to it"
  end subroutine refuse_copy
end module weft_particles

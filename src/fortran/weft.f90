!> The Fortran interface of Weft: distributed Fourier-type transforms and Poisson solvers over MPI. docs/fortran.md is
!> the guide. Fortran 2018.
!>
!> Arrays are local, in Fortran's order: axis 1 is contiguous, and everything that has one entry per axis names axis 1
!> first. Indices count from 1. Texts of errors and explain() count axes as C does: from 0, the last axis of Fortran
!> first.
module weft
  use weft_base, only: weft_box, weft_default, weft_facts, weft_plan_options, weft_version
  use weft_chebyshevs, only: weft_chebyshev_axis, weft_chebyshev_points, weft_chebyshev_weights
  use weft_fields, only: weft_field, weft_physical, weft_spectral
  use weft_halos, only: weft_halo
  use weft_moves, only: weft_redistribution
  use weft_particles, only: weft_migration, weft_particle_mesh
  use weft_plans, only: weft_plan
  use weft_problems, only: weft_distance_kernel, weft_wavenumber_kernel
  use weft_solvers, only: weft_end, weft_poisson, weft_vector_poisson
  use weft_variables, only: weft_iteration_report, weft_variable_poisson
  implicit none
  private
  public :: weft_box, weft_default, weft_facts, weft_plan_options, weft_version
  public :: weft_chebyshev_axis, weft_chebyshev_points, weft_chebyshev_weights
  public :: weft_field, weft_physical, weft_spectral
  public :: weft_end, weft_halo, weft_migration, weft_particle_mesh, weft_plan, weft_poisson, weft_redistribution
  public :: weft_vector_poisson
  public :: weft_distance_kernel, weft_wavenumber_kernel
  public :: weft_iteration_report, weft_variable_poisson
  !> Values of stat: 0 without an error, else as in weft_status of weft.h.
  integer, parameter, public :: weft_error_argument = 1, weft_error_file = 2, weft_error_resource = 3, &
                                weft_error_internal = 4
end module weft

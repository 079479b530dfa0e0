// Shapes and allocates the memory of in-place plans.
#include "plan/run/in_place.hpp"

#include <algorithm>

namespace weft {

namespace {

// Extents in reals of an array that can hold either side. Rows are whole complex numbers if a side is complex.
Extents common_extents(const Extents& physical, int width_physical, const Extents& spectral, int width_spectral) {
  const int last = physical.dims() - 1;
  Extents reals(physical.dims());
  for (int axis = 0; axis <= last; axis++) reals[axis] = std::max(physical[axis], spectral[axis]);
  reals[last] = round_up(std::max(physical[last] * width_physical, spectral[last] * width_spectral),
                         std::max(width_physical, width_spectral));
  return reals;
}

Extents global_extents(const Schedule& s) {
  return common_extents(s.physical.extents(), s.width_physical, s.spectral.extents(), s.width_spectral);
}

template <class Real>
index_t bytes_spanned(const Extents& reals) {
  return reals_spanned(reals, work_strides<Real>(reals, 1)) * static_cast<index_t>(sizeof(Real));
}

// Bytes of one side of a rank's own array.
template <class Real>
index_t side_bytes(const Layout& layout, int width, int rank) {
  Extents reals = layout.box(rank).extents();
  reals[reals.dims() - 1] *= width;
  return bytes_spanned<Real>(reals);
}

// Bytes that hold either side of a rank's own array.
Extents own_extents(const Schedule& s, int rank) {
  return common_extents(s.physical.box(rank).extents(), s.width_physical, s.spectral.box(rank).extents(),
                        s.width_spectral);
}

// A single pass stores lines while others are not yet loaded, so that both sides need the same strides. All other plans
// have exchanges, and each side of a rank's own array has its own strides: none are set here.
template <class Real>
Extents common_strides(const Schedule& s, int rank, bool shared) {
  if (shared) return work_strides<Real>(global_extents(s), 1);
  return s.passes.size() == 1 ? work_strides<Real>(own_extents(s, rank), 1) : Extents();
}

}  // namespace

template <class Real>
index_t in_place_bytes(const Comm& comm, const Schedule& s, bool shared) {
  if (!shared && s.passes.size() == 1) return bytes_spanned<Real>(own_extents(s, comm.rank()));
  if (!shared)
    return std::max(side_bytes<Real>(s.physical, s.width_physical, comm.rank()),
                    side_bytes<Real>(s.spectral, s.width_spectral, comm.rank()));
  // Slabs lie one after the other; any other layout is spread evenly.
  const index_t lines = round_up(bytes_spanned<Real>(global_extents(s)), cache_line_bytes) / cache_line_bytes;
  const index_t ranks = comm.size(), rank = comm.rank();
  return (lines * (rank + 1) / ranks - lines * rank / ranks) * cache_line_bytes;
}

template <class Real>
InPlaceMemory<Real>::InPlaceMemory(const Comm& comm, const Comm& holders, const Schedule& schedule)
    : rank_(comm.rank()),
      shared_(holders.size() == comm.size()),
      schedule_physical_(schedule.physical),
      schedule_spectral_(schedule.spectral),
      width_physical_(schedule.width_physical),
      width_spectral_(schedule.width_spectral),
      strides_(common_strides<Real>(schedule, comm.rank(), shared_)),
      memory_(holders, in_place_bytes<Real>(comm, schedule, shared_)) {}

template <class Real>
LocalArray<Real> InPlaceMemory<Real>::at(const Layout& layout, int width) const {
  const Box box = layout.box(rank_);
  const int last = box.dims() - 1;
  auto* data = reinterpret_cast<Real*>(memory_.part(0));
  if (strides_.dims() == 0) {
    Extents reals = box.extents();
    reals[last] *= width;
    Extents strides = work_strides<Real>(reals, 1);
    strides[last] = width;
    return {data, strides};
  }
  Extents strides = strides_;
  strides[last] = width;
  for (int axis = 0; shared_ && axis <= last; axis++) data += box[axis].lo * strides[axis];
  return {data, strides};
}

// The rows of a half spectrum lie over the rows of reals that they come from. Along any other axis they would overlap
// adjacent rows.
void check_in_place(const Schedule& schedule) {
  const int last = schedule.physical.dims() - 1;
  for (int axis = 0; axis < last; axis++)
    require(schedule.axes[static_cast<std::size_t>(axis)].kind != Kind::r2c,
            "in_place: r2c is on axis " + std::to_string(axis) + "; in place it has to be on the last axis (" +
                std::to_string(last) + "); reorder the axes, or plan without in_place");
}

template class InPlaceMemory<double>;
template class InPlaceMemory<float>;
template index_t in_place_bytes<double>(const Comm&, const Schedule&, bool);
template index_t in_place_bytes<float>(const Comm&, const Schedule&, bool);

}  // namespace weft

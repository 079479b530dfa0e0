// Runs one or two line passes over a local box, with threads over batches or planes.
#include <algorithm>
#include <array>

#include "plan/fused_pass.hpp"

namespace weft {

namespace {

// Shares 0 .. count among the threads, in order.
template <class Body>
void share(index_t count, std::size_t threads, const Body& body) {
  const auto parts = static_cast<index_t>(threads);
  on_threads(static_cast<int>(threads),
             [&](int part) { body(count * part / parts, count * (part + 1) / parts, static_cast<std::size_t>(part)); });
}

}  // namespace

// A thread is worth waking for a quarter of a megabyte or more.
template <class Real>
std::size_t FusedPass<Real>::team(std::size_t threads) const {
  constexpr double least_bytes = 1 << 18;
  return std::clamp<std::size_t>(static_cast<std::size_t>(bytes() / least_bytes), 1, threads);
}

namespace {

// The lines of `all` that lie in every stretch.
template <class Lines>
Lines within(Lines all, const std::vector<Stretch>& only) {
  for (const Stretch& stretch : only) {
    auto& range = all[static_cast<std::size_t>(stretch.axis)];
    const index_t lo = std::max(range[0], stretch.range.lo);
    range = {lo, std::max(lo, std::min(range[1], stretch.range.hi))};
  }
  return all;
}

// Calls body(begin, end) for stretches of begin .. end, and something else in between. Backward, the last stretch comes
// first: what the way forward did last is still in a cache. Forward without anything in between is one stretch.
template <class Body>
void with_breaks(Direction direction, index_t begin, index_t end, index_t stretch,
                 const std::function<void()>* now_and_then, const Body& body) {
  if (direction == Direction::forward && now_and_then == nullptr) stretch = std::max<index_t>(end - begin, 1);
  const index_t count = (end - begin + stretch - 1) / stretch;
  for (index_t i = 0; i < count; i++) {
    const index_t first = begin + stretch * (direction == Direction::forward ? i : count - 1 - i);
    body(first, std::min(first + stretch, end));
    if (now_and_then != nullptr) (*now_and_then)();
  }
}

}  // namespace

// Calls body(lines of the first pass, lines of the second pass, thread) for groups of at most so many planes.
template <class Real>
template <class Body>
void FusedPass<Real>::for_each_plane(Direction direction, const Places& places, std::size_t threads, index_t group,
                                     const Body& body) const {
  typename Pass::Lines outer = within(any()[0].all_lines(), places.only);
  index_t planes = 1;
  for (int axis = 0; axis < before_.dims(); axis++) {
    auto& range = outer[static_cast<std::size_t>(axis)];
    if (axis == first_axis() || axis == last_axis()) range = {0, 1};
    planes *= range[1] - range[0];
  }
  share(planes, team(threads), [&](index_t begin, index_t end, std::size_t thread) {
    typename Pass::Lines first = any()[0].all_lines(), second = any()[1].all_lines();
    // Returns how many planes from `plane` on are a group.
    const auto select = [&](index_t plane, index_t most) {
      index_t rest = plane, count = 1;
      for (int axis = before_.dims() - 1; axis >= 0; axis--) {
        if (axis == first_axis() || axis == last_axis()) continue;
        const auto& range = outer[static_cast<std::size_t>(axis)];
        const index_t size = range[1] - range[0], lo = range[0] + rest % size;
        if (axis == group_axis_) count = std::min({group, range[1] - lo, most});
        const index_t hi = axis == group_axis_ ? lo + count : lo + 1;
        first[static_cast<std::size_t>(axis)] = second[static_cast<std::size_t>(axis)] = {lo, hi};
        rest /= size;
      }
      return count;
    };
    const auto planes_of = [&](index_t from, index_t to) {
      while (from < to) {
        from += select(from, to - from);
        body(first, second, thread);
      }
    };
    with_breaks(direction, begin, end, group, thread == 0 ? places.now_and_then : nullptr, planes_of);
  });
}

// Calls body(lines, first batch, last batch, thread) for the batches of the only pass.
template <class Real>
template <class Body>
void FusedPass<Real>::for_batches(Direction direction, const Pass& pass, const Places& places, std::size_t threads,
                                  const Body& body) const {
  constexpr index_t stretch = 32;  // batches between looks at what moves meanwhile: about a quarter of a megabyte
  const typename Pass::Lines lines = within(pass.all_lines(), places.only);
  share(pass.batches(lines), team(threads), [&](index_t begin, index_t end, std::size_t thread) {
    with_breaks(direction, begin, end, stretch, thread == 0 ? places.now_and_then : nullptr,
                [&](index_t from, index_t to) { body(lines, from, to, thread); });
  });
}

// Calls body(passes, places) for each component with its part of the lines, or once where all are alike.
template <class Real>
template <class Body>
void FusedPass<Real>::for_each_component(const Places& places, const Body& body) const {
  if (before_.product() == 0) return;  // an axis that lies on another rank still leaves a line, without points
  if (components_.size() == 1) return body(components_.front(), places);
  for (std::size_t c = 0; c < components_.size(); c++) {
    Places own = places;
    own.only.push_back(one_component(c));
    body(components_[c], own);
  }
}

template <class Real>
void FusedPass<Real>::run(Direction direction, const Places& places, Real scale, const Workspaces& workspaces) const {
  for_each_component(places,
                     [&](const Passes& passes, const Places& own) { run(passes, direction, own, scale, workspaces); });
}

template <class Real>
void FusedPass<Real>::convolve(const LineSymbol<Real>& symbol, const Places& places, Real scale,
                               const Workspaces& workspaces) const {
  for_each_component(
      places, [&](const Passes& passes, const Places& own) { convolve(passes, symbol, own, scale, workspaces); });
}

template <class Real>
void FusedPass<Real>::run(const Passes& passes, Direction direction, const Places& places, Real scale,
                          const Workspaces& workspaces) const {
  const bool forward = direction == Direction::forward;
  const auto moves = [&](const Pass& pass, const SegmentedView<Real>& view, bool physical) {
    return physical ? pass.physical_moves(view, direction) : pass.spectral_moves(view, direction);
  };
  const Pass &first = forward ? passes.front() : passes.back(), &last = forward ? passes.back() : passes.front();
  const auto load = moves(first, places.from, forward), store = moves(last, places.to, !forward);
  const Memory where = memory(places);
  if (passes.size() == 1) {
    for_batches(direction, first, places, workspaces.size(),
                [&](const auto& lines, index_t begin, index_t end, std::size_t thread) {
                  first.run(
                      direction,
                      {.load = load, .store = store, .scale = scale, .from = where, .to = where, .watch = places.watch},
                      lines, begin, end, workspaces[thread].blocks);
                });
    return;
  }
  const auto one_plane = [&](const auto& lines_first, const auto& lines_second, std::size_t thread) {
    const Workspace& workspace = workspaces[thread];
    const auto &lines1 = forward ? lines_first : lines_second, &lines2 = forward ? lines_second : lines_first;
    const auto middle_store = moves(first, plane_view(workspace, places.middle, first.axis(), lines1), !forward);
    const auto middle_load = moves(last, plane_view(workspace, places.middle, last.axis(), lines1), forward);
    first.run(direction,
              {.load = load,
               .store = middle_store,
               .scale = forward ? Real(1) : scale,
               .from = where,
               .to = Memory::cache,
               .watch = places.watch},
              lines1, 0, first.batches(lines1), workspace.blocks);
    last.run(direction,
             {.load = middle_load,
              .store = store,
              .scale = forward ? scale : Real(1),
              .from = Memory::cache,
              .to = behind_plane(places)},
             lines2, 0, last.batches(lines2), workspace.blocks);
  };
  for_each_plane(direction, places, workspaces.size(), group_, one_plane);
}

template <class Real>
void FusedPass<Real>::convolve(const Passes& passes, const LineSymbol<Real>& symbol, const Places& places, Real scale,
                               const Workspaces& workspaces) const {
  const Pass& inner = passes.back();
  const Memory where = memory(places);
  if (passes.size() == 1) {
    const auto load = inner.physical_moves(places.from, Direction::forward);
    const auto store = inner.physical_moves(places.to, Direction::backward);
    for_batches(Direction::forward, inner, places, workspaces.size(),
                [&](const auto& lines, index_t begin, index_t end, std::size_t thread) {
                  inner.convolve(symbol, {.load = load, .store = store, .scale = scale, .from = where, .to = where},
                                 lines, begin, end, workspaces[thread].blocks);
                });
    return;
  }
  const Pass& outer = passes.front();
  const auto load = outer.physical_moves(places.from, Direction::forward);
  const auto store = outer.physical_moves(places.to, Direction::backward);
  const auto one_plane = [&](const auto& lines_outer, const auto& lines_inner, std::size_t thread) {
    const Workspace& workspace = workspaces[thread];
    const auto plane = plane_view(workspace, places.middle, outer.axis(), lines_outer);
    const auto to_plane = outer.spectral_moves(plane, Direction::forward);
    const auto from_plane = outer.spectral_moves(plane, Direction::backward);
    const auto inner_view = plane_view(workspace, places.middle, inner.axis(), lines_outer);
    const auto inner_load = inner.physical_moves(inner_view, Direction::forward);
    const auto inner_store = inner.physical_moves(inner_view, Direction::backward);
    outer.run(Direction::forward, {.load = load, .store = to_plane, .from = where, .to = Memory::cache}, lines_outer, 0,
              outer.batches(lines_outer), workspace.blocks);
    inner.convolve(
        symbol, {.load = inner_load, .store = inner_store, .scale = scale, .from = Memory::cache, .to = Memory::cache},
        lines_inner, 0, inner.batches(lines_inner), workspace.blocks);
    outer.run(Direction::backward,
              {.load = from_plane, .store = store, .from = Memory::cache, .to = behind_plane(places)}, lines_outer, 0,
              outer.batches(lines_outer), workspace.blocks);
  };
  for_each_plane(Direction::forward, places, workspaces.size(), group_, one_plane);
}

namespace {

// The part of a view that one component has, as if it were the first.
template <class Real>
SegmentedView<Real> of_component(SegmentedView<Real> view, std::size_t c) {
  for (Segment<Real>& segment : view.segments) segment.base += static_cast<index_t>(c) * segment.stride[0];
  return view;
}

}  // namespace

// The components of one side of combine(): the last pass of each, on the part of the view that `view_of` says, which is
// in `memory`.
template <class Real>
template <class ViewOf>
typename LinePass<Real>::Components FusedPass<Real>::inner_components(Direction direction, const Workspaces& workspaces,
                                                                      Memory memory, const ViewOf& view_of) const {
  typename Pass::Components all;
  for (std::size_t c = 0; c < workspaces.size(); c++) {
    const Pass& pass = passes_of(c).back();
    all.push_back({&pass, pass.physical_moves(view_of(c), direction), memory, &workspaces[c].blocks});
  }
  return all;
}

// The outer passes of the components of one plane, forward or backward, from or to `memory`.
template <class Real>
void FusedPass<Real>::run_outer(Direction direction, const SegmentedView<Real>& view, const Workspaces& workspaces,
                                Memory memory, const typename Pass::Lines& lines) const {
  const bool forward = direction == Direction::forward;
  for (std::size_t c = 0; c < workspaces.size(); c++) {
    const Pass& outer = passes_of(c).front();
    const auto outside = outer.physical_moves(of_component(view, c), direction);
    const auto plane = outer.spectral_moves(plane_view(workspaces[c], {}, outer.axis(), lines), direction);
    const auto &load = forward ? outside : plane, &store = forward ? plane : outside;
    outer.run(direction,
              {.load = load,
               .store = store,
               .from = forward ? memory : Memory::cache,
               .to = forward ? Memory::cache : memory},
              lines, 0, outer.batches(lines), workspaces[c].blocks);
  }
}

template <class Real>
void FusedPass<Real>::combine(const FusedPass& back, const ModeOperation<Real>& operation, const Places& places,
                              Real scale, const std::vector<FieldWorkspace>& workspaces) const {
  if (before_.product() == 0) return;  // an axis that lies on another rank still leaves a line, without points
  Places first = places;
  first.only.push_back(one_component(0));
  const Memory where = memory(places);
  if (!is_fused()) {
    for_batches(Direction::forward, any().back(), first, workspaces.size(),
                [&](const auto& lines, index_t begin, index_t end, std::size_t thread) {
                  const FieldWorkspace& room = workspaces[thread];
                  const auto in = [&](std::size_t c) { return of_component(places.from, c); };
                  const auto out = [&](std::size_t c) { return of_component(places.to, c); };
                  Pass::combine(inner_components(Direction::forward, room.from, where, in),
                                back.inner_components(Direction::backward, room.to, where, out), operation, scale,
                                lines, begin, end);
                });
    return;
  }
  const auto one_plane = [&](const auto& outer, const auto& inner, std::size_t thread) {
    const FieldWorkspace& room = workspaces[thread];
    const auto in = [&](std::size_t c) { return plane_view(room.from[c], {}, last_axis(), outer); };
    const auto out = [&](std::size_t c) { return back.plane_view(room.to[c], {}, last_axis(), outer); };
    run_outer(Direction::forward, places.from, room.from, where, outer);
    Pass::combine(inner_components(Direction::forward, room.from, Memory::cache, in),
                  back.inner_components(Direction::backward, room.to, Memory::cache, out), operation, scale, inner, 0,
                  any().back().batches(inner));
    back.run_outer(Direction::backward, places.to, room.to, where, outer);
  };
  for_each_plane(Direction::forward, first, workspaces.size(), std::min(group_, back.group_), one_plane);
}

#define WEFT_FUSED_RUN(Real)                                                                                      \
  template void FusedPass<Real>::run(Direction, const Places&, Real, const Workspaces&) const;                    \
  template void FusedPass<Real>::convolve(const LineSymbol<Real>&, const Places&, Real, const Workspaces&) const; \
  template void FusedPass<Real>::combine(const FusedPass&, const ModeOperation<Real>&, const Places&, Real,       \
                                         const std::vector<FieldWorkspace>&) const;
WEFT_FUSED_RUN(double)
WEFT_FUSED_RUN(float)
#undef WEFT_FUSED_RUN

}  // namespace weft

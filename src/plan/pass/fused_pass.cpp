// Runs one or two line passes over a local box, with threads over batches or groups of planes.
#include "plan/pass/fused_pass.hpp"

#include <algorithm>
#include <bit>

namespace weft {

namespace {

// Splits 0 .. count - 1 among the threads in order, and calls body(begin, end, thread).
template <class Body>
void share(index_t count, std::size_t threads, const Body& body) {
  const auto parts = static_cast<index_t>(threads);
  on_threads(static_cast<int>(threads),
             [&](int part) { body(count * part / parts, count * (part + 1) / parts, static_cast<std::size_t>(part)); });
}

// Calls body(begin, end) for runs of begin .. end - 1, and `now_and_then` between runs. Backward, the last run comes
// first: the data stored last by the forward pass are still in cache. Forward without `now_and_then` is one run.
template <class Body>
void with_breaks(Direction direction, index_t begin, index_t end, index_t run_length,
                 const std::function<void()>* now_and_then, const Body& body) {
  if (direction == Direction::forward && now_and_then == nullptr) run_length = std::max<index_t>(end - begin, 1);
  const index_t count = (end - begin + run_length - 1) / run_length;
  for (index_t i = 0; i < count; i++) {
    const index_t first = begin + run_length * (direction == Direction::forward ? i : count - 1 - i);
    body(first, std::min(first + run_length, end));
    if (now_and_then != nullptr) (*now_and_then)();
  }
}

}  // namespace

// Uses one thread per quarter of a megabyte: waking a thread for less does not pay.
template <class Real>
std::size_t FusedPass<Real>::team(std::size_t threads) const {
  constexpr double least_bytes = 1 << 18;
  return std::clamp<std::size_t>(static_cast<std::size_t>(bytes() / least_bytes), 1, threads);
}

// Sets the lines of both passes in the planes from number `plane` of `outer` on, at most `most` planes that form a
// group. Returns their number.
template <class Real>
index_t FusedPass<Real>::select_planes(const LineRanges& outer, index_t plane, index_t most, Planes& planes) const {
  index_t count = 1;
  for (int axis = before_.dims() - 1; axis >= 0; axis--) {
    if (axis == first_axis() || axis == last_axis()) continue;
    const index_t size = outer.end[axis] - outer.begin[axis], begin = outer.begin[axis] + plane % size;
    if (axis == group_axis_) count = std::min(outer.end[axis] - begin, most);
    const index_t end = begin + (axis == group_axis_ ? count : 1);
    for (LineRanges* lines : {&planes.first, &planes.second}) {
      lines->begin[axis] = begin;
      lines->end[axis] = end;
    }
    plane /= size;
  }
  return count;
}

// Calls body(lines of both passes, thread) for groups of at most `group` planes.
template <class Real>
template <class Body>
void FusedPass<Real>::for_each_plane(Direction direction, const PassData& data, std::size_t threads, index_t group,
                                     const Body& body) const {
  LineRanges outer = data.only.within(any()[0].all_lines());
  for (const int axis : {first_axis(), last_axis()}) {
    outer.begin[axis] = 0;
    outer.end[axis] = 1;
  }
  share(outer.count(), team(threads), [&](index_t begin, index_t end, std::size_t thread) {
    Planes planes{any()[0].all_lines(), any()[1].all_lines()};
    const auto planes_of = [&](index_t from, index_t to) {
      while (from < to) {
        from += select_planes(outer, from, std::min(group, to - from), planes);
        body(planes, thread);
      }
    };
    with_breaks(direction, begin, end, group, thread == 0 ? data.now_and_then : nullptr, planes_of);
  });
}

// Calls body(thread, first batch, last batch) for the batches of a single pass. prepare(thread) sets up the sweep of a
// thread and returns the number of batches.
template <class Real>
template <class Prepare, class Body>
void FusedPass<Real>::for_batches(Direction direction, const PassData& data, std::size_t threads,
                                  const Prepare& prepare, const Body& body) const {
  constexpr index_t run_length = 32;  // batches between calls of now_and_then: about 256 KB
  share(prepare(0), team(threads), [&](index_t begin, index_t end, std::size_t thread) {
    if (thread > 0) prepare(thread);
    with_breaks(direction, begin, end, run_length, thread == 0 ? data.now_and_then : nullptr,
                [&](index_t from, index_t to) { body(thread, from, to); });
  });
}

// Calls body(passes, data) for each component of each field with its part of the lines, or once if all are alike.
template <class Real>
template <class Body>
void FusedPass<Real>::for_each_component(const PassData& data, const Body& body) const {
  if (before_.product() == 0) return;  // an axis owned by another rank still leaves a line, without points
  if (components_.size() == 1) return body(components_.front(), data);
  for (std::size_t c = 0; c < static_cast<std::size_t>(before_[0]); c++) {
    PassData own = data;
    own.only.add_component(c);
    body(passes_of(c), own);
  }
}

template <class Real>
void FusedPass<Real>::run(Direction direction, const PassData& data, Real scale, Workspaces& workspaces) const {
  const auto run_all = [&] {
    for_each_component(
        data, [&](const Passes& passes, const PassData& own) { run(passes, direction, own, scale, workspaces); });
  };
  if (!may_repeat(data, workspaces.size())) return run_all();
  Workspace& workspace = workspaces.front();
  workspace.repeated.new_key();
  add_to_key(workspace.repeated, direction, data, scale);
  workspace.repeated.run([&](LineCalls<Real>* calls) {
    workspace.blocks.calls = calls;
    run_all();
    workspace.blocks.calls = nullptr;
  });
}

// Whether a pass over a small array consists of calls of kernels and engines by one thread.
template <class Real>
bool FusedPass<Real>::may_repeat(const PassData& data, std::size_t threads) const {
  return full_ && data.now_and_then == nullptr && data.loaded == nullptr && !data.from.stream && !data.to.stream &&
         bytes() <= most_repeated_bytes && team(threads) == 1;
}

// Adds all that the calls of a pass depend on.
template <class Real>
void FusedPass<Real>::add_to_key(RepeatedPasses<Real>& key, Direction direction, const PassData& data,
                                 Real scale) const {
  key.add(this);
  key.add(static_cast<index_t>(direction));
  key.add(std::bit_cast<index_t>(static_cast<double>(scale)));
  for (const SegmentedView<Real>* view : {&data.from, &data.to}) {
    key.add(static_cast<index_t>(view->segments.size()));
    for (const Segment<Real>& segment : view->segments) {
      key.add(segment.base);
      key.add(segment.first);
      key.add(segment.count);
      key.add(segment.stride);
    }
  }
  key.add(index_t{data.check_finite});
  key.add(data.middle.data);
  key.add(data.middle.strides);
  for (std::size_t i = 0; i < data.only.count; i++) {
    const auto& [axis, range] = data.only.of[i];
    key.add(axis);
    key.add(range.lo);
    key.add(range.hi);
  }
}

template <class Real>
void FusedPass<Real>::convolve(const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                               Workspaces& workspaces) const {
  for_each_component(
      data, [&](const Passes& passes, const PassData& own) { convolve(passes, symbol, own, scale, workspaces); });
}

// Runs a pass over lines of a group of planes.
template <class Real>
void FusedPass<Real>::sweep(const Pass& pass, Direction direction, const LineEnd<Real>& from, const LineEnd<Real>& to,
                            const LineRanges& lines, Workspace& workspace, typename LineSweep<Real>::Options options) {
  options.alone = true;
  workspace.sweep.prepare(pass, direction, from, to, lines, workspace.blocks, options);
  workspace.sweep.run(0, workspace.sweep.batches());
}

template <class Real>
void FusedPass<Real>::run(const Passes& passes, Direction direction, const PassData& data, Real scale,
                          Workspaces& workspaces) const {
  const bool forward = direction == Direction::forward;
  const Pass &first = forward ? passes.front() : passes.back(), &last = forward ? passes.back() : passes.front();
  const LineEnd<Real> from(data.from, memory(data.from), data.loaded);
  if (passes.size() == 1) {
    const LineEnd<Real> to(data.to, memory(data.to));
    const LineRanges lines = data.only.within(first.all_lines());
    const auto prepare = [&](std::size_t thread) {
      auto& [blocks, plane, sweep, repeated] = workspaces[thread];
      sweep.prepare(first, direction, from, to, lines, blocks,
                    {.scale = scale, .check_finite = data.check_finite, .alone = team(workspaces.size()) == 1});
      return sweep.batches();
    };
    return for_batches(
        direction, data, workspaces.size(), prepare,
        [&](std::size_t thread, index_t begin, index_t end) { workspaces[thread].sweep.run(begin, end); });
  }
  const LineEnd<Real> to(data.to, after_plane(data));
  const auto group = [&](const Planes& planes, std::size_t thread) {
    Workspace& workspace = workspaces[thread];
    const LineRanges &lines1 = forward ? planes.first : planes.second, &lines2 = forward ? planes.second : planes.first;
    const Segment<Real> stored = plane_of(workspace, data.middle, first.axis(), lines1),
                        loaded = plane_of(workspace, data.middle, last.axis(), lines1);
    sweep(first, direction, from, {stored, Memory::cache}, lines1, workspace,
          {.scale = forward ? Real(1) : scale, .check_finite = data.check_finite});
    sweep(last, direction, {loaded, Memory::cache}, to, lines2, workspace, {.scale = forward ? scale : Real(1)});
  };
  for_each_plane(direction, data, workspaces.size(), group_, group);
}

template <class Real>
void FusedPass<Real>::convolve(const Passes& passes, const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                               Workspaces& workspaces) const {
  const Pass& inner = passes.back();
  const LineEnd<Real> from(data.from, memory(data.from), data.loaded);
  if (passes.size() == 1) {
    const LineEnd<Real> to(data.to, memory(data.to));
    const LineRanges lines = data.only.within(inner.all_lines());
    const auto prepare = [&](std::size_t thread) {
      auto& [blocks, plane, sweep, repeated] = workspaces[thread];
      sweep.prepare_forward_and_backward(inner, &from, &to, lines, blocks, scale);
      return sweep.batches();
    };
    return for_batches(
        Direction::forward, data, workspaces.size(), prepare,
        [&](std::size_t thread, index_t begin, index_t end) { workspaces[thread].sweep.convolve(symbol, begin, end); });
  }
  const Pass& outer = passes.front();
  const LineEnd<Real> to(data.to, after_plane(data));
  const auto group = [&](const Planes& planes, std::size_t thread) {
    Workspace& workspace = workspaces[thread];
    const Segment<Real> stored = plane_of(workspace, data.middle, outer.axis(), planes.first),
                        loaded = plane_of(workspace, data.middle, inner.axis(), planes.first);
    const LineEnd<Real> of_outer(stored, Memory::cache), of_inner(loaded, Memory::cache);
    sweep(outer, Direction::forward, from, of_outer, planes.first, workspace, {});
    workspace.sweep.prepare_forward_and_backward(inner, &of_inner, &of_inner, planes.second, workspace.blocks, scale);
    workspace.sweep.convolve(symbol, 0, workspace.sweep.batches());
    sweep(outer, Direction::backward, of_outer, to, planes.first, workspace, {});
  };
  for_each_plane(Direction::forward, data, workspaces.size(), group_, group);
}

// --- components of fields ----------------------------------------------------------------------------------------

// Runs the outer passes of all components in a group of planes, forward or backward, from or to `memory`.
template <class Real>
void FusedPass<Real>::run_outer(Direction direction, const SegmentedView<Real>& view, Workspaces& workspaces,
                                Memory memory, const LineRanges& lines) const {
  const bool forward = direction == Direction::forward;
  for (std::size_t c = 0; c < workspaces.size(); c++) {
    const Pass& outer = passes_of(c).front();
    const SegmentedView<Real> own = from_index(view, static_cast<index_t>(c));
    const Segment<Real> plane = plane_of(workspaces[c], {}, outer.axis(), lines);
    const LineEnd<Real> outside(own, memory), inside(plane, Memory::cache);
    sweep(outer, direction, forward ? outside : inside, forward ? inside : outside, lines, workspaces[c], {});
  }
}

// Prepares the sweeps of all components: from the pieces of memory from(c) to modes, and back to the pieces to(c).
template <class Real>
template <class From, class To>
void FusedPass<Real>::prepare_fields(const FusedPass& back, Memory memory, const From& from, const To& to,
                                     const LineRanges& lines, Real scale, FieldWorkspace& workspace) const {
  for (std::size_t c = 0; c < workspace.from.size(); c++) {
    const auto piece = from(c);
    const LineEnd<Real> end(piece, memory);
    workspace.from_sweeps[c].prepare_forward_and_backward(passes_of(c).back(), &end, nullptr, lines,
                                                          workspace.from[c].blocks, 1);
  }
  for (std::size_t c = 0; c < workspace.to.size(); c++) {
    const auto piece = to(c);
    const LineEnd<Real> end(piece, memory);
    workspace.to_sweeps[c].prepare_forward_and_backward(back.passes_of(c).back(), nullptr, &end, lines,
                                                        workspace.to[c].blocks, scale);
  }
}

// A single pass goes from the user's arrays or an exchange and back to them, two passes meet in planes.
template <class Real>
void FusedPass<Real>::combine(const LocalPass<Real>& other, const ModeOperation<Real>& operation, const PassData& data,
                              Real scale, std::vector<FieldWorkspace>& workspaces) const {
  const auto& back = dynamic_cast<const FusedPass&>(other);
  if (before_.product() == 0) return;  // an axis owned by another rank still leaves a line, without points
  PassData first = data;
  first.only.add_component(0);
  const Memory where = memory();
  const auto combine_batches = [&](FieldWorkspace& workspace, index_t begin, index_t end) {
    LineSweep<Real>::combine(workspace.from_sweeps, workspace.to_sweeps, operation, begin, end);
  };
  if (!is_fused()) {
    const LineRanges lines = first.only.within(any().back().all_lines());
    const auto from = [&](std::size_t c) { return from_index(data.from, static_cast<index_t>(c)); };
    const auto to = [&](std::size_t c) { return from_index(data.to, static_cast<index_t>(c)); };
    const auto prepare = [&](std::size_t thread) {
      prepare_fields(back, where, from, to, lines, scale, workspaces[thread]);
      return workspaces[thread].from_sweeps.front().batches();
    };
    return for_batches(
        Direction::forward, first, workspaces.size(), prepare,
        [&](std::size_t thread, index_t begin, index_t end) { combine_batches(workspaces[thread], begin, end); });
  }
  const auto group = [&](const Planes& planes, std::size_t thread) {
    FieldWorkspace& workspace = workspaces[thread];
    const auto from = [&](std::size_t c) { return plane_of(workspace.from[c], {}, last_axis(), planes.first); };
    const auto to = [&](std::size_t c) { return back.plane_of(workspace.to[c], {}, last_axis(), planes.first); };
    run_outer(Direction::forward, data.from, workspace.from, where, planes.first);
    prepare_fields(back, Memory::cache, from, to, planes.second, scale, workspace);
    combine_batches(workspace, 0, workspace.from_sweeps.front().batches());
    back.run_outer(Direction::backward, data.to, workspace.to, where, planes.first);
  };
  for_each_plane(Direction::forward, first, workspaces.size(), std::min(group_, back.group_), group);
}

template class FusedPass<double>;
template class FusedPass<float>;

}  // namespace weft

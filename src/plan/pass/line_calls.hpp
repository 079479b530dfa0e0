// The calls of kernels and engines that a pass over small arrays makes. To find the addresses of lines takes about as
// long as to transform them there, so a pass over the same memory as before repeats its calls.
#pragma once

#include <algorithm>
#include <new>
#include <variant>
#include <vector>

#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"

namespace weft {

/// Calls in their order, with copies of the tables of addresses that they take.
template <class Real>
class LineCalls {
 public:
  void load(const LineCopy<Real>& copy, Real* block) {
    add([&] { return Load{with_table(copy), block}; });
  }
  void store(const LineCopy<Real>& copy, const Real* block, Real scale) {
    add([&] { return Store{with_table(copy), block, scale}; });
  }
  /// `loaded` and `stored` are the numbers of elements in the tables of the points.
  void transform(const LineEngine<Real>& engine, LanePoints<Real> points, index_t loaded, index_t stored, Real* in,
                 Real* out) {
    add([&] {
      points.from.at = table(points.from.at, loaded);
      points.to.at = table(points.to.at, stored);
      return Points{&engine, points, in, out};
    });
  }
  void transform(const LineEngine<Real>& engine, LaneLines<Real> lines, Real* const* last, Real* work) {
    add([&] {
      lines.from = table(lines.from, lines.count);
      lines.to = table(lines.to, lines.count);
      return Lines{&engine, lines, table(last, lines.count), work};
    });
  }

  void mark_non_finite(Real* const* lines, int count, index_t reals, Real* sum) {
    add([&] { return Check{table(lines, count), count, reals, sum}; });
  }

  /// Whether all calls are here. There is no room for those of large arrays, which would gain nothing.
  bool are_all() const { return all_; }
  void clear() {
    calls_.clear();
    tables_.clear();
    all_ = true;
  }
  void repeat() {
    for (Call& call : calls_) std::visit([this](auto& any) { this->run(any); }, call);
  }

 private:
  static constexpr std::size_t most = 1024;
  struct Load {
    LineCopy<Real> copy;
    Real* block;
  };
  struct Store {
    LineCopy<Real> copy;
    const Real* block;
    Real scale;
  };
  struct Points {
    const LineEngine<Real>* engine;
    LanePoints<Real> points;
    Real *in, *out;
  };
  struct Lines {
    const LineEngine<Real>* engine;
    LaneLines<Real> lines;
    Real* const* last;
    Real* work;
  };
  struct Check {
    Real* const* lines;
    int count;
    index_t reals;
    Real* sum;
  };
  using Call = std::variant<Load, Store, Points, Lines, Check>;

  void run(const Load& call) const { kernels_->load(call.copy, call.block); }
  void run(const Store& call) const { kernels_->store(call.copy, call.block, call.scale); }
  void run(Points& call) const { call.engine->transform(call.points, call.in, call.out); }
  void run(const Lines& call) const { call.engine->transform(call.lines, call.last, call.work); }
  void run(const Check& call) const { kernels_->mark_non_finite(call.lines, call.count, call.reals, call.sum); }

  // Memory may run out on one rank alone, whose passes then find their addresses again.
  template <class Make>
  void add(const Make& make) {
    all_ = all_ && calls_.size() < most;
    if (!all_) return;
    try {
      calls_.emplace_back(make());
    } catch (const std::bad_alloc&) {
      all_ = false;
    }
  }
  LineCopy<Real> with_table(LineCopy<Real> copy) {
    copy.lines = table(copy.lines, kernels_->lanes);
    return copy;
  }
  // A copy of a table, or the one that equals it; null for none.
  Real* const* table(Real* const* at, index_t count) {
    if (at == nullptr) return nullptr;
    for (const std::vector<Real*>& known : tables_)
      if (std::equal(at, at + count, known.begin(), known.end())) return known.data();
    return tables_.emplace_back(at, at + count).data();
  }

  const LaneKernels<Real>* kernels_ = &lane_kernels<Real>();
  std::vector<Call> calls_;
  std::vector<std::vector<Real*>> tables_;
  bool all_ = true;
};

/// The calls of the last passes over small arrays. They are kept when a pass comes for the second time, so that arrays
/// that are used once cost little.
template <class Real>
class RepeatedPasses {
 public:
  /// Makes room for calls; without it none are kept.
  void make_room() {
    passes_.resize(most);
    key_.reserve(longest_key);
  }
  /// Begins the key of the next pass. All that its calls depend on is to be added.
  void new_key() {
    key_.clear();
    whole_ = !passes_.empty();
  }
  void add(index_t number) {
    whole_ = whole_ && key_.size() < longest_key;
    if (whole_) key_.push_back(number);
  }
  void add(const void* address) { add(static_cast<index_t>(reinterpret_cast<std::intptr_t>(address))); }
  void add(const Extents& numbers) {
    for (const index_t number : numbers) add(number);
  }

  /// Repeats the calls of the pass, or calls run(calls), which adds its calls to `calls` unless that is null.
  template <class Run>
  void run(const Run& run) {
    Pass* pass = whole_ ? find() : nullptr;
    if (pass != nullptr && pass->state == State::kept) return pass->calls.repeat();
    const bool keeps = pass != nullptr && pass->state == State::seen;
    if (keeps) pass->calls.clear();
    run(keeps ? &pass->calls : nullptr);
    if (!keeps) return;
    pass->state = pass->calls.are_all() ? State::kept : State::large;
    if (pass->state == State::large) pass->calls.clear();
  }

 private:
  enum class State { seen, kept, large };
  struct Pass {
    std::vector<index_t> key;  // empty: none
    State state = State::seen;
    index_t last_use = 0;
    LineCalls<Real> calls;
  };
  static constexpr std::size_t most = 32, longest_key = 512, usual_key = 64;

  // The pass with the key; null if it is new, and takes the place of the one not used for longest. The passes of a plan
  // follow each other, so the search begins after the last that was found.
  Pass* find() {
    for (std::size_t i = 0; i < most; i++) {
      Pass& pass = passes_[(next_ + i) % most];
      if (pass.key != key_) continue;
      next_ = (next_ + i + 1) % most;
      pass.last_use = ++uses_;
      return &pass;
    }
    Pass& oldest = *std::min_element(passes_.begin(), passes_.end(),
                                     [](const Pass& a, const Pass& b) { return a.last_use < b.last_use; });
    oldest.last_use = ++uses_;
    oldest.state = State::seen;
    oldest.calls.clear();
    try {
      oldest.key.reserve(usual_key);
      oldest.key = key_;
    } catch (const std::bad_alloc&) {
      oldest.key.clear();  // as in LineCalls
    }
    return nullptr;
  }

  std::vector<Pass> passes_;
  std::vector<index_t> key_;
  bool whole_ = false;
  std::size_t next_ = 0;
  index_t uses_ = 0;
};

}  // namespace weft

// The calls of kernels and engines that a pass over small arrays makes. To find the addresses of lines takes about as
// long as to transform them there, so a pass over the same memory as before repeats its calls.
#pragma once

#include <variant>
#include <vector>

#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"

namespace weft {

/// The most bytes that a pass loads and stores if it repeats its calls: 64^3 points gain 6 to 9 %, larger arrays have
/// not been measured.
constexpr double most_repeated_bytes = 8 << 20;

/// Calls in their order, with copies of the tables of addresses that they take.
template <class Real>
class LineCalls {
 public:
  void load(const LineCopy<Real>& copy, Real* block) { add(Load{copy, block}); }
  void store(const LineCopy<Real>& copy, const Real* block, Real scale) { add(Store{copy, block, scale}); }
  /// `loaded` and `stored` are the numbers of elements in the tables of the points.
  void transform(const LineEngine<Real>& engine, const LanePoints<Real>& points, index_t loaded, index_t stored,
                 Real* in, Real* out) {
    add(Points{&engine, points, loaded, stored, in, out});
  }
  void transform(const LineEngine<Real>& engine, const LaneLines<Real>& lines, Real* const* last, Real* work) {
    add(Lines{&engine, lines, last, work});
  }
  void mark_non_finite(Real* const* lines, int count, index_t reals, Real* sum) {
    add(Check{lines, count, reals, sum});
  }

  /// Whether all calls are here. There is no room for those of large arrays, which would gain nothing.
  bool are_all() const { return all_; }
  void clear() {
    calls_.clear();
    tables_.clear();
    all_ = true;
  }
  void repeat();

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
    index_t loaded, stored;
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

  void add(Call call);
  Real* const* table(Real* const* at, index_t count);

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

  Pass* find();

  std::vector<Pass> passes_;
  std::vector<index_t> key_;
  bool whole_ = false;
  std::size_t next_ = 0;
  index_t uses_ = 0;
};

}  // namespace weft

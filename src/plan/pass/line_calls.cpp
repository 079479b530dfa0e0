// Keeps the calls of passes, and finds those of a pass that has come before.
#include "plan/pass/line_calls.hpp"

#include <algorithm>
#include <new>

namespace weft {

// Memory may run out on one rank alone, whose passes then find their addresses again.
template <class Real>
void LineCalls<Real>::add(Call call) {
  all_ = all_ && calls_.size() < most;
  if (!all_) return;
  const auto keep = [this](auto& any) {
    if constexpr (requires { any.copy; }) {
      any.copy.lines = table(any.copy.lines, kernels_->lanes);
    } else if constexpr (requires { any.points; }) {
      any.points.from.at = table(any.points.from.at, any.loaded);
      any.points.to.at = table(any.points.to.at, any.stored);
    } else if constexpr (requires { any.last; }) {
      any.lines.from = table(any.lines.from, any.lines.count);
      any.lines.to = table(any.lines.to, any.lines.count);
      any.last = table(any.last, any.lines.count);
    } else {
      any.lines = table(any.lines, any.count);
    }
  };
  try {
    std::visit(keep, call);
    calls_.push_back(call);
  } catch (const std::bad_alloc&) {
    all_ = false;
  }
}

// A copy of a table, or the one that equals it; null for none.
template <class Real>
Real* const* LineCalls<Real>::table(Real* const* at, index_t count) {
  if (at == nullptr) return nullptr;
  for (const std::vector<Real*>& known : tables_)
    if (std::equal(at, at + count, known.begin(), known.end())) return known.data();
  return tables_.emplace_back(at, at + count).data();
}

template <class Real>
void LineCalls<Real>::repeat() {
  const auto run = [this](auto& any) {
    using Kind = std::remove_reference_t<decltype(any)>;
    if constexpr (std::is_same_v<Kind, Load>) {
      kernels_->load(any.copy, any.block);
    } else if constexpr (std::is_same_v<Kind, Store>) {
      kernels_->store(any.copy, any.block, any.scale);
    } else if constexpr (std::is_same_v<Kind, Points>) {
      any.engine->transform(any.points, any.in, any.out);
    } else if constexpr (std::is_same_v<Kind, Lines>) {
      any.engine->transform(any.lines, any.last, any.work);
    } else {
      kernels_->mark_non_finite(any.lines, any.count, any.reals, any.sum);
    }
  };
  for (Call& call : calls_) std::visit(run, call);
}

// The pass with the key; null if it is new, and takes the place of the one not used for longest. The passes of a plan
// follow each other, so the search begins after the last that was found.
template <class Real>
typename RepeatedPasses<Real>::Pass* RepeatedPasses<Real>::find() {
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

template class LineCalls<double>;
template class LineCalls<float>;
template class RepeatedPasses<double>;
template class RepeatedPasses<float>;

}  // namespace weft

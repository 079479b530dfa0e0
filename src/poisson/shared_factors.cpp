// Keeps factors under a text with all that they depend on, which the ranks or threads that made them are not.
#include "poisson/shared_factors.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace weft {

namespace {

template <class Real>
class Store {
 public:
  using Factors = std::shared_ptr<const ModeFactors<Real>>;

  Factors find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(key);
    Factors factors = found == all_.end() ? nullptr : found->second.lock();
    if (factors != nullptr) use(factors);
    return factors;
  }

  void keep(const std::string& key, const Factors& factors) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
    all_[key] = factors;
    use(factors);
  }

 private:
  // Moves factors to the front and drops the last ones beyond the limits. Factors that exceed the limit alone replace
  // no others.
  void use(const Factors& factors) {
    if (factors->values.bytes() > most_kept_bytes) return;
    std::erase(last_, factors);
    last_.push_front(factors);
    index_t bytes = 0;
    std::size_t kept = 0;
    while (kept < std::min(last_.size(), most_kept_factors) &&
           (bytes += last_[kept]->values.bytes()) <= most_kept_bytes)
      kept++;
    last_.resize(kept);
  }

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const ModeFactors<Real>>> all_;
  std::deque<Factors> last_;
};

template <class Real>
Store<Real>& store() {
  static Store<Real> the_store;
  return the_store;
}

}  // namespace

template <class Real>
std::shared_ptr<const ModeFactors<Real>> kept_factors(const std::string& key) {
  return store<Real>().find(key);
}

template <class Real>
void keep_factors(const std::string& key, const std::shared_ptr<const ModeFactors<Real>>& factors) {
  store<Real>().keep(key, factors);
}

template std::shared_ptr<const ModeFactors<double>> kept_factors(const std::string&);
template std::shared_ptr<const ModeFactors<float>> kept_factors(const std::string&);
template void keep_factors(const std::string&, const std::shared_ptr<const ModeFactors<double>>&);
template void keep_factors(const std::string&, const std::shared_ptr<const ModeFactors<float>>&);

}  // namespace weft

// Kernels that users give as functions.

#include <cmath>
#include <new>

#include "base/number.hpp"
#include "poisson/kernels.hpp"
#include "poisson/radial_grid.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

std::string text_of(double value) { return number("%.10g", value); }

/// Runs a user's function. Exceptions become an Error that says where they come from, except for lack of memory.
template <class Call>
void run(const Call& call) {
  try {
    call();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(Fault::argument, std::string("kernel: the user's function failed: ") + error.what());
  }
}

/// Throws Error that names the first value that is not finite; place(i) says where it is.
template <class Place>
void require_finite(std::span<const double> values, const Place& place) {
  for (std::size_t i = 0; i < values.size(); i++) {
    if (std::isfinite(values[i])) continue;
    throw Error(Fault::argument,
                "kernel: the user's function gives " + text_of(values[i]) + " at " + place(i) +
                    "; every value must be finite, also at r = 0 and wavenumber 0: give a mean or 0 there");
  }
}

/// Calls the user's function on the calling thread only: it need not be thread safe, and Python's functions are not.
class OfDistance final : public GreenKernel {
 public:
  explicit OfDistance(const KernelInput& input) : axes_(input.axes), function_(input.kernel.distance) {}

  void sample(const GreenGrid& grid, double* values, int threads) const override {
    if (grid.size() == 0) return;
    const RadialGrid radial(grid, axes_, 0);
    const std::vector<double>& r = radial.distances();
    std::vector<double> table(r.size() * radial.wavenumbers().size());
    std::span<double> rest(table);
    for (const double k : radial.wavenumbers()) {
      const std::span<double> row = rest.first(r.size());
      rest = rest.subspan(r.size());
      run([&] { function_(r, k, row); });
      require_finite(row, [&](std::size_t i) { return "r = " + text_of(r[i]) + ", k = " + text_of(k); });
    }
    radial.spread(table, values, threads);
  }

 private:
  std::vector<GreenAxis> axes_;
  Kernel::ManyOfDistance function_;
};

class OfWavenumber final : public GreenKernel {
 public:
  explicit OfWavenumber(const KernelInput& input) : function_(input.kernel.wavenumber) {
    for (const GreenAxis& axis : input.axes) half_periods_.push_back(axis.convolved ? axis.farthest : 0);
  }

  std::vector<index_t> half_periods() const override { return half_periods_; }

  void sample(const GreenGrid& grid, double* values, int) const override {
    if (grid.size() == 0) return;
    const std::span<double> all(values, static_cast<std::size_t>(grid.size()));
    run([&] { function_(grid, all); });
    require_finite(all, [&](std::size_t i) {
      std::string place;
      for (std::size_t a = grid.coordinates.size(); a-- > 0;) {
        const std::vector<double>& axis = grid.coordinates[a];
        place.insert(0, (a > 0 ? ", " : "") + text_of(axis[i % axis.size()]));
        i /= axis.size();
      }
      return "the wavenumber (" + place + ")";
    });
  }

 private:
  std::vector<index_t> half_periods_;
  Kernel::ManyOfWavenumber function_;
};

}  // namespace

Kernel Kernel::of_distance(OneOfDistance function) {
  require(function != nullptr, "kernel: of_distance was given no function");
  return of_distance(ManyOfDistance([function = std::move(function)](auto r, double k, auto values) {
    for (std::size_t i = 0; i < r.size(); i++) values[i] = function(r[i], k);
  }));
}

Kernel Kernel::of_distance(ManyOfDistance function) {
  require(function != nullptr, "kernel: of_distance was given no function");
  Kernel kernel("of_distance");
  kernel.distance = std::move(function);
  return kernel;
}

Kernel Kernel::of_wavenumber(OneOfWavenumber function) {
  require(function != nullptr, "kernel: of_wavenumber was given no function");
  return of_wavenumber(ManyOfWavenumber([function = std::move(function)](const GreenGrid& grid, auto values) {
    std::vector<double> wavenumber(grid.coordinates.size());
    for (std::size_t i = 0; i < values.size(); i++) {
      std::size_t rest = i;
      for (std::size_t a = wavenumber.size(); a-- > 0;) {
        const std::vector<double>& axis = grid.coordinates[a];
        wavenumber[a] = axis[rest % axis.size()];
        rest /= axis.size();
      }
      values[i] = function(wavenumber);
    }
  }));
}

Kernel Kernel::of_wavenumber(ManyOfWavenumber function) {
  require(function != nullptr, "kernel: of_wavenumber was given no function");
  Kernel kernel("of_wavenumber");
  kernel.wavenumber = std::move(function);
  return kernel;
}

std::unique_ptr<GreenKernel> make_of_distance(const KernelInput& input) { return std::make_unique<OfDistance>(input); }

std::unique_ptr<GreenKernel> make_of_wavenumber(const KernelInput& input) {
  return std::make_unique<OfWavenumber>(input);
}

}  // namespace weft

// Powers of a kernel whose samples are factors of modes.

#include <cmath>
#include <string>
#include <utility>

#include "base/number.hpp"
#include "poisson/kernels.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Replaces the factor -a of every mode by -a^power. Zeros stay zeros: the constant, which is free, and waves that the
/// kernel removes.
class PowerKernel final : public GreenKernel {
 public:
  PowerKernel(std::unique_ptr<GreenKernel> kernel, double power) : kernel_(std::move(kernel)), power_(power) {}

  void sample(const GreenGrid& grid, double* values, int threads) const override {
    kernel_->sample(grid, values, threads);
    const index_t size = grid.size();
    for (index_t i = 0; i < size; i++) values[i] = values[i] < 0 ? -std::pow(-values[i], power_) : 0;
  }
  std::vector<index_t> half_periods() const override { return kernel_->half_periods(); }
  std::string note() const override { return kernel_->note(); }

 private:
  std::unique_ptr<GreenKernel> kernel_;
  double power_;
};

bool smooths(const std::string& kernel) { return kernel.starts_with("hej") && kernel != "hej0"; }

void check_power(const KernelInput& input, double power) {
  const std::string given = "power: " + number("%.6g", power) + " given";
  require(std::isfinite(power) && power != 0, given + "; it must be finite and not 0, 1 is the Laplacian itself");
  if (power == 1) return;
  require(!input.kernel.is_users(), given + " with a kernel of your own; put it into the function and leave power = 1");
  require(input.dimension() == 0, given +
                                      " with an unbounded axis; powers are taken mode by mode, where all axes are "
                                      "periodic, even or odd; leave power = 1, or give the Green's function of the "
                                      "power as a kernel of your own (of_distance, of_wavenumber)");
  require(!smooths(input.kernel.name), given + " with kernel " + input.kernel.name +
                                           ", which smooths the right-hand side and has no powers; use chat2, which "
                                           "is exact here, or a lattice kernel");
  require(power > 0 || input.kernel.name != "mehr4f" || input.axes.size() < 3,
          given +
              " with kernel mehr4f, whose weights in three dimensions vanish for the shortest wave, so that it "
              "cannot be undone; use mehr6f, mehr4l, mehr6l, lgf2 to lgf8, or chat2");
}

}  // namespace

std::unique_ptr<GreenKernel> to_power(std::unique_ptr<GreenKernel> kernel, const KernelInput& input, double power) {
  check_power(input, power);
  if (power == 1) return kernel;
  return std::make_unique<PowerKernel>(std::move(kernel), power);
}

}  // namespace weft

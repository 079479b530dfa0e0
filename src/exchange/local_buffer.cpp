// The exchange without communication: one array between two passes of the same rank.
#include "exchange/exchange.hpp"

namespace weft {

namespace {

template <class Real>
class LocalBuffer final : public Exchange<Real> {
 public:
  LocalBuffer(const ExchangePlan& plan, int rank, const Arena& arena)
      : extents_(plan.near.box(rank).extents()),
        strides_(work_strides<Real>(extents_, plan.width, plan.memory_order)),
        near_axis_(plan.near_axis),
        far_axis_(plan.far_axis),
        width_(plan.width),
        data_(reals_spanned(extents_, strides_), arena) {}

  PassEndpoint<Real> near() const override { return endpoint_of(view(near_axis_)); }
  PassEndpoint<Real> far() const override { return endpoint_of(view(far_axis_)); }
  bool moves() const override { return false; }
  void open(Direction) override {}
  void start(Direction, int) override {}
  void finish(Direction, int) override {}
  std::string name() const override { return "none"; }
  index_t workspace_bytes() const override { return data_.bytes(); }
  index_t bytes_sent() const override { return 0; }

 private:
  SegmentedView<Real> view(int axis) const { return whole_view(data_.data(), extents_, strides_, width_, axis); }

  Extents extents_, strides_;
  int near_axis_, far_axis_, width_;
  Buffer<Real> data_;
};

}  // namespace

template <class Real>
std::unique_ptr<Exchange<Real>> make_local_buffer(const ExchangePlan& plan, int rank, const Arena& arena) {
  return std::make_unique<LocalBuffer<Real>>(plan, rank, arena);
}

template std::unique_ptr<Exchange<double>> make_local_buffer<double>(const ExchangePlan&, int, const Arena&);
template std::unique_ptr<Exchange<float>> make_local_buffer<float>(const ExchangePlan&, int, const Arena&);

}  // namespace weft

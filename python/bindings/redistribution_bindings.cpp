// weft._core.Redistribution. Arrays are passed as addresses and strides, since nanobind lacks some of numpy's types.
#include <memory>

#include "common.hpp"
#include "plan/run/border.hpp"

namespace weft::python {

namespace {

/// A numpy array of the right shape and element size; Python has checked that. Strides in elements.
struct ArrayAddress {
  void* data;
  Extents strides;
};

ArrayAddress array_address(std::uintptr_t address, const std::vector<index_t>& strides) {
  return {reinterpret_cast<void*>(address), extents_from(strides)};  // NOLINT: numpy gives addresses as integers
}

// Shared with the arrays over its source, which may outlive it in Python.
using Shared = std::shared_ptr<Redistribution>;

class AnyRedistribution {
 public:
  AnyRedistribution(std::uintptr_t comm, const Ranges& from, const Ranges& to, std::size_t element_bytes,
                    const nb::dict& options)
      : AnyRedistribution(comm, box_from(from), box_from(to), element_bytes, options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  const Redistribution& operator*() const { return *moves_; }

  void forward(std::uintptr_t in, const std::vector<index_t>& in_strides, std::uintptr_t out,
               const std::vector<index_t>& out_strides) {
    const ArrayAddress from = array_address(in, in_strides), to = array_address(out, out_strides);
    without_gil(lock_, [&] { moves_->forward(from.data, from.strides, to.data, to.strides); });
  }
  void backward(std::uintptr_t in, const std::vector<index_t>& in_strides, std::uintptr_t out,
                const std::vector<index_t>& out_strides) {
    const ArrayAddress from = array_address(in, in_strides), to = array_address(out, out_strides);
    without_gil(lock_, [&] { moves_->backward(from.data, from.strides, to.data, to.strides); });
  }
  void forward_source(std::uintptr_t out, const std::vector<index_t>& out_strides) {
    const ArrayAddress to = array_address(out, out_strides);
    without_gil(lock_, [&] { moves_->forward_source(to.data, to.strides); });
  }
  // The memory as an array of bytes that keeps it alive, and the strides in bytes of the array in it.
  nb::object source() {
    const Redistribution::Source source = moves_->source();
    const auto bytes = static_cast<index_t>(moves_->element_bytes());
    index_t span = moves_->from().empty() ? 0 : bytes;
    std::vector<index_t> strides;
    for (int axis = 0; axis < source.strides.dims(); axis++) {
      strides.push_back(source.strides[axis] * bytes);
      if (span > 0) span += (moves_->from()[axis].size() - 1) * strides.back();
    }
    const nb::capsule owner(new Shared(moves_), [](void* p) noexcept { delete static_cast<Shared*>(p); });
    return nb::make_tuple(nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(
                              source.data, {static_cast<std::size_t>(span)}, owner)),
                          nb::cast(strides));
  }

 private:
  AnyRedistribution(std::uintptr_t comm, const Box& from, const Box& to, std::size_t element_bytes,
                    const PlanOptions& options)
      : lock_(call_lock(options.workspace)), moves_(without_gil(lock_, [&] {
          return std::make_shared<Redistribution>(communicator(comm), from, to, element_bytes,
                                                  redistribution_options(options));
        })) {}

  CallLock lock_;
  Shared moves_;
};

}  // namespace

void bind_redistribution(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyRedistribution& any) { return member(*any); }; };
  nb::class_<AnyRedistribution>(module, "Redistribution")
      .def(nb::init<std::uintptr_t, const Ranges&, const Ranges&, std::size_t, const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("from_box"), nb::arg("to_box"), nb::arg("element_bytes"),
           nb::arg("options"))
      .def_prop_ro("workspace_bytes", get([](const auto& r) { return r.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& r) { return r.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const auto& r) { return r.strategy(); }))
      .def_prop_ro("threads", get([](const auto& r) { return r.threads(); }))
      .def("explain", get([](const auto& r) { return r.explain(); }))
      .def("forward", &AnyRedistribution::forward)
      .def("backward", &AnyRedistribution::backward)
      .def("forward_source", &AnyRedistribution::forward_source)
      .def("source", &AnyRedistribution::source);
}

}  // namespace weft::python

// weft._core.TensorDft: both precisions behind one class; and the timings of its parts for the command line.
#include <nanobind/stl/array.h>

#include <variant>

#include "common.hpp"
#include "weft/tensor.hpp"

namespace weft::python {

namespace {

TensorOptions tensor_options_from(const nb::dict& given) {
  TensorOptions options;
  const auto [take, parse] = option_readers(given);
  take("mesh", options.mesh);
  parse("algorithm", options.algorithm, parse_tensor_algorithm);
  parse("matrix", options.matrix, parse_matrix_blocks);
  parse("folding", options.folding, parse_folding);
  take("threads", options.threads);
  take("communication_thread", options.communication_thread);
  parse("norm", options.norm, parse_norm);
  return options;
}

class AnyTensorDft {
 public:
  AnyTensorDft(std::uintptr_t comm, const std::vector<index_t>& shape, const std::string& kind,
               const std::string& dtype, const nb::dict& options)
      : AnyTensorDft(communicator(comm), extents_from(shape), parse_kind(kind), dtype, tensor_options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, transform_);
  }

  void forward(const ConstArray& in, const Array& out) {
    with_arrays(in, out, [](auto& transform, auto from, auto to) { transform.forward(from, to); });
  }
  void backward(const ConstArray& in, const Array& out) {
    with_arrays(in, out, [](auto& transform, auto from, auto to) { transform.backward(from, to); });
  }

 private:
  using Variant = std::variant<TensorDft<double>, TensorDft<float>>;

  AnyTensorDft(MPI_Comm comm, const Extents& shape, Kind kind, const std::string& dtype, const TensorOptions& options)
      : lock_(call_lock()), transform_(without_gil(lock_, [&] { return make(comm, shape, kind, dtype, options); })) {}

  static Variant make(MPI_Comm comm, const Extents& shape, Kind kind, const std::string& dtype,
                      const TensorOptions& options) {
    return with_real(dtype,
                     [&](auto real) -> Variant { return TensorDft<decltype(real)>(comm, shape, kind, options); });
  }

  template <class Work>
  void with_arrays(const ConstArray& in, const Array& out, const Work& work) {
    const auto run = [&]<class Real>(TensorDft<Real>& transform) {
      work(transform, static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
    };
    without_gil(lock_, [&] { std::visit(run, transform_); });
  }

  CallLock lock_;
  Variant transform_;
};

nb::list traffic_of(const AnyTensorDft& any) {
  const auto traffic = without_gil(any.lock(), [&] { return any.visit([](const auto& t) { return t.traffic(); }); });
  nb::list found;
  for (const TensorTraffic& one : traffic) {
    nb::dict facts;
    facts["axis"] = one.axis;
    facts["alignments"] = one.alignments;
    facts["shifts"] = one.shifts;
    facts["events"] = one.events;
    facts["bytes"] = one.bytes;
    facts["aligning"] = one.aligning;
    facts["computing"] = one.computing;
    facts["waiting"] = one.waiting;
    found.append(facts);
  }
  return found;
}

nb::dict update_rate(index_t block, int threads, bool folded, int axis, const std::string& dtype, double seconds) {
  const TensorUpdateRate found = without_gil(call_lock(), [&] {
    return with_real(
        dtype, [&](auto real) { return tensor_update_rate<decltype(real)>(block, threads, folded, axis, seconds); });
  });
  nb::dict facts;
  facts["seconds"] = found.seconds;
  facts["gflops"] = found.gflops;
  facts["best_gflops"] = found.best_gflops;
  facts["kernel"] = found.kernel;
  facts["blas"] = found.blas;
  return facts;
}

double event_seconds(std::uintptr_t comm, const std::vector<int>& mesh, index_t block, int axis,
                     const std::string& dtype, int repetitions) {
  return without_gil(call_lock(), [&] {
    return with_real(dtype, [&](auto real) {
      return tensor_event_seconds<decltype(real)>(communicator(comm), mesh, block, axis, repetitions);
    });
  });
}

}  // namespace

void bind_tensor(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyTensorDft& any) { return any.visit(member); }; };
  nb::class_<AnyTensorDft>(module, "TensorDft")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const std::string&, const std::string&,
                    const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("kind"), nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("physical_box", get([](const auto& t) { return ranges_of(t.physical_box()); }))
      .def_prop_ro("spectral_box", get([](const auto& t) { return ranges_of(t.spectral_box()); }))
      .def_prop_ro("physical_complex", get([](const auto& t) { return t.physical_complex(); }))
      .def_prop_ro("spectral_complex", get([](const auto& t) { return t.spectral_complex(); }))
      .def_prop_ro("spectral_shape_global", get([](const auto& t) { return list_of(t.spectral_layout().extents()); }))
      .def_prop_ro("mesh", get([](const auto& t) { return t.mesh(); }))
      .def_prop_ro("threads", get([](const auto& t) { return t.threads(); }))
      .def_prop_ro("algorithm", get([](const auto& t) { return to_string(t.algorithm()); }))
      .def_prop_ro("matrix", get([](const auto& t) { return to_string(t.matrix()); }))
      .def_prop_ro("folded", get([](const auto& t) { return t.folded(); }))
      .def_prop_ro("workspace_bytes", get([](const auto& t) { return t.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& t) { return t.bytes_sent(); }))
      .def_prop_ro("messages_sent", get([](const auto& t) { return t.messages_sent(); }))
      .def_prop_ro("flops", get([](const auto& t) { return t.flops(); }))
      .def("explain", &explained<AnyTensorDft>)
      .def("traffic", &traffic_of)
      .def("forward", &AnyTensorDft::forward)
      .def("backward", &AnyTensorDft::backward);
  module.def("tensor_update_rate", &update_rate, nb::kw_only(), nb::arg("block"), nb::arg("threads"), nb::arg("folded"),
             nb::arg("axis"), nb::arg("dtype"), nb::arg("seconds"),
             "Seconds and GF/s of a local update of complex blocks, and GF/s of the best complex product of the BLAS.");
  module.def("tensor_event_seconds", &event_seconds, nb::arg("comm_address"), nb::arg("mesh"), nb::arg("block"),
             nb::arg("axis"), nb::arg("dtype"), nb::arg("repetitions"),
             "Seconds of the messages of one shift of complex blocks. Collective.");
}

}  // namespace weft::python

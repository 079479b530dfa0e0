// weft._core.Halo. Python checks types, shapes and layouts of arrays, the library the arguments of the halo.
#include "halo_arguments.hpp"

namespace weft::python {

std::vector<Boundary> boundaries_from(const Ends& ends) {
  std::vector<Boundary> boundaries;
  int axis = 0;
  for (const auto& [left, right] : ends) {
    boundaries.emplace_back(parse_end(left, axis), parse_end(right, axis));
    axis++;
  }
  return boundaries;
}

std::vector<Centring> centrings_from(const std::vector<std::string>& texts) {
  std::vector<Centring> centrings;
  int axis = 0;
  for (const std::string& text : texts) centrings.push_back(parse_centring(text, axis++));
  return centrings;
}

HaloOptions halo_options_from(const nb::dict& given) {
  const PlanOptions options = options_from(given);
  HaloOptions result;
  result.threads = options.threads;
  result.node_ranks = options.node_ranks;
  result.message_limit = options.message_limit;
  return result;
}

namespace {

HaloProblem halo_problem_from(const nb::dict& given) {
  HaloProblem problem;
  problem.width.clear();
  for (const auto& [lower, upper] : nb::cast<Ranges>(given["width"])) problem.width.emplace_back(lower, upper);
  problem.boundary.clear();
  for (const Ends& ends : nb::cast<std::vector<Ends>>(given["boundary"]))
    problem.boundary.push_back(boundaries_from(ends));
  problem.centring = centrings_from(nb::cast<std::vector<std::string>>(given["centring"]));
  problem.components = nb::cast<int>(given["components"]);
  problem.element = parse_element("dtype", nb::cast<std::string>(given["dtype"]));
  return problem;
}

class AnyHalo {
 public:
  AnyHalo(std::uintptr_t comm, const std::vector<index_t>& shape, const Ranges& owned, const nb::dict& problem,
          const nb::dict& options)
      : AnyHalo(communicator(comm), extents_from(shape), box_from(owned), halo_problem_from(problem),
                halo_options_from(options)) {}

  const CallLock& lock() const { return lock_; }
  const Halo& operator*() const { return halo_; }

  void exchange(const Array& array) {
    without_gil(lock_, [&] { halo_.exchange(array.data()); });
  }
  void start(const Array& array) {
    without_gil(lock_, [&] { halo_.start(array.data()); });
  }
  void finish() {
    without_gil(lock_, [&] { halo_.finish(); });
  }
  void accumulate(const Array& array) {
    without_gil(lock_, [&] { halo_.accumulate(array.data()); });
  }

 private:
  AnyHalo(MPI_Comm comm, const Extents& shape, const Box& owned, const HaloProblem& problem, const HaloOptions& options)
      : lock_(call_lock()), halo_(without_gil(lock_, [&] { return Halo(comm, shape, owned, problem, options); })) {}

  CallLock lock_;
  Halo halo_;
};

}  // namespace

void bind_halo(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyHalo& any) { return member(*any); }; };
  nb::class_<AnyHalo>(module, "Halo")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const Ranges&, const nb::dict&, const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("owned_box"), nb::arg("problem"), nb::arg("options"))
      .def_prop_ro("padded_box", get([](const Halo& halo) { return ranges_of(halo.padded()); }))
      .def_prop_ro("workspace_bytes", get([](const Halo& halo) { return halo.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const Halo& halo) { return halo.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const Halo& halo) { return halo.strategy(); }))
      .def_prop_ro("threads", get([](const Halo& halo) { return halo.threads(); }))
      .def("explain", get([](const Halo& halo) { return halo.explain(); }))
      .def("exchange", &AnyHalo::exchange)
      .def("start", &AnyHalo::start)
      .def("finish", &AnyHalo::finish)
      .def("accumulate", &AnyHalo::accumulate);
}

}  // namespace weft::python

// weft._core.ParticleMesh and Migration. Python checks types and shapes, the library the positions of particles.
#include <variant>

#include "common.hpp"
#include "halo_arguments.hpp"

namespace weft::python {

namespace {

ParticleProblem particle_problem_from(const nb::dict& given) {
  ParticleProblem problem;
  problem.spacing = nb::cast<std::vector<double>>(given["spacing"]);
  problem.origin = nb::cast<std::vector<double>>(given["origin"]);
  problem.order = nb::cast<int>(given["order"]);
  problem.margin = nb::cast<int>(given["margin"]);
  problem.boundary = boundaries_from(nb::cast<Ends>(given["boundary"]));
  problem.centring = centrings_from(nb::cast<std::vector<std::string>>(given["centring"]));
  return problem;
}

class AnyMigration {
 public:
  AnyMigration(CallLock lock, Migration migration) : lock_(std::move(lock)), migration_(std::move(migration)) {}

  index_t count() const { return migration_.count(); }
  void forward(const ConstArray& in, const Array& out, std::size_t bytes) const {
    without_gil(lock_, [&] { migration_.forward(in.data(), out.data(), bytes); });
  }
  void backward(const ConstArray& in, const Array& out, std::size_t bytes) const {
    without_gil(lock_, [&] { migration_.backward(in.data(), out.data(), bytes); });
  }

 private:
  CallLock lock_;
  Migration migration_;
};

class AnyParticleMesh {
 public:
  AnyParticleMesh(std::uintptr_t comm, const std::vector<index_t>& shape, const Ranges& owned, const nb::dict& problem,
                  const std::string& dtype, const nb::dict& options)
      : AnyParticleMesh(communicator(comm), extents_from(shape), box_from(owned), particle_problem_from(problem), dtype,
                        halo_options_from(options)) {}

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, mesh_);
  }

  /// Calls work(mesh) while no other call uses the mesh.
  template <class Work>
  auto visit_alone(const Work& work) {
    return without_gil(lock_, [&] { return std::visit(work, mesh_); });
  }

  void deposit(const ConstArray& positions, const ConstArray& charges, const Array& mesh) {
    const auto count = static_cast<index_t>(positions.shape(0));
    visit_alone([&]<class Real>(ParticleMesh<Real>& of) {
      of.deposit(static_cast<const Real*>(positions.data()), static_cast<const Real*>(charges.data()), count,
                 static_cast<Real*>(mesh.data()));
    });
  }
  void gather(const ConstArray& positions, const ConstArray& mesh, int components, const Array& values) {
    const auto count = static_cast<index_t>(positions.shape(0));
    visit_alone([&]<class Real>(ParticleMesh<Real>& of) {
      of.gather(static_cast<const Real*>(positions.data()), count, static_cast<const Real*>(mesh.data()), components,
                static_cast<Real*>(values.data()));
    });
  }
  AnyMigration migration(const ConstArray& positions) {
    const auto count = static_cast<index_t>(positions.shape(0));
    return visit_alone([&]<class Real>(ParticleMesh<Real>& of) {
      return AnyMigration(lock_, of.migration(static_cast<const Real*>(positions.data()), count));
    });
  }

 private:
  using Variant = std::variant<ParticleMesh<double>, ParticleMesh<float>>;

  AnyParticleMesh(MPI_Comm comm, const Extents& shape, const Box& owned, const ParticleProblem& problem,
                  const std::string& dtype, const HaloOptions& options)
      : lock_(call_lock()), mesh_(without_gil(lock_, [&] {
          return with_real(dtype, [&](auto real) -> Variant {
            return ParticleMesh<decltype(real)>(comm, shape, owned, problem, options);
          });
        })) {}

  CallLock lock_;
  Variant mesh_;
};

}  // namespace

void bind_particles(nb::module_& module) {
  nb::class_<AnyMigration>(module, "Migration")
      .def_prop_ro("count", &AnyMigration::count)
      .def("forward", &AnyMigration::forward, nb::arg("given"), nb::arg("arrived"), nb::arg("particle_bytes"))
      .def("backward", &AnyMigration::backward, nb::arg("given"), nb::arg("arrived"), nb::arg("particle_bytes"));
  const auto get = [](const auto& member) {
    return [member](const AnyParticleMesh& any) { return any.visit(member); };
  };
  nb::class_<AnyParticleMesh>(module, "ParticleMesh")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const Ranges&, const nb::dict&, const std::string&,
                    const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("owned_box"), nb::arg("problem"), nb::arg("dtype"),
           nb::arg("options"))
      .def_prop_ro("workspace_bytes", get([](const auto& mesh) { return mesh.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& mesh) { return mesh.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const auto& mesh) { return mesh.strategy(); }))
      .def_prop_ro("threads", get([](const auto& mesh) { return mesh.threads(); }))
      .def("explain", get([](const auto& mesh) { return mesh.explain(); }))
      .def("deposit", &AnyParticleMesh::deposit, nb::arg("positions"), nb::arg("charges"), nb::arg("mesh"))
      .def("gather", &AnyParticleMesh::gather, nb::arg("positions"), nb::arg("mesh"), nb::arg("components"),
           nb::arg("values"))
      .def("migration", &AnyParticleMesh::migration, nb::arg("positions"));
}

}  // namespace weft::python

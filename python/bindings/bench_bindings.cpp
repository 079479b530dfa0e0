// weft._core.engine_speed: timings of the lane engine and of FFTW, for the command line.
#include "calibration/engine_speed.hpp"
#include "common.hpp"

namespace weft::python {

namespace {

nb::dict speed(const std::string& kind, index_t length, bool strided, const std::string& dtype, index_t bytes,
               int turns, double plan_seconds) {
  const SpeedSpec spec{parse_kind(kind), length, strided, bytes, turns, plan_seconds};
  const EngineSpeed found = without_gil(
      call_lock(), [&] { return with_real(dtype, [&](auto real) { return engine_speed<decltype(real)>(spec); }); });
  nb::dict facts;
  facts["lines"] = found.lines;
  facts["lanes"] = nb::cast(found.lanes);
  facts["fftw"] = nb::cast(found.fftw);
  facts["copy"] = nb::cast(found.copy);
  facts["copy_bytes"] = found.copy_bytes;
  facts["difference"] = found.difference;
  return facts;
}

}  // namespace

void bind_bench(nb::module_& module) {
  module.def("engine_speed", &speed, nb::kw_only(), nb::arg("kind"), nb::arg("length"), nb::arg("strided"),
             nb::arg("dtype"), nb::arg("bytes"), nb::arg("turns"), nb::arg("plan_seconds"),
             "Seconds of sweeps over the lines of an array, turn by turn: the lane engine, FFTW, and a copy.");
}

}  // namespace weft::python

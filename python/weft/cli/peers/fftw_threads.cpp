// FFTW in one process with threads, timed for `weft bench fft --peers fftw-threads`: FFTW_MEASURE, in place or out of
// place, whichever a trial finds faster. Usage and output: contender.hpp.
#include "threaded.hpp"

namespace {

template <class Real>
void work(const contender::Job& job) {
  const contender::Choice choice = contender::choose<Real>(job);
  const double before = contender::process_bytes("VmRSS");
  contender::Transform<Real> transform(job, choice.in_place);
  contender::take_part(contender::Team(), job, transform, before);
}

}  // namespace

int main(int argc, char** argv) {
  contender::Job job{};
  if (!contender::read_job(argc, argv, true, job)) return 2;
  job.precision == "float" ? work<float>(job) : work<double>(job);
  return 0;
}

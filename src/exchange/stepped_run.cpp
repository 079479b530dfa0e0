// Runs of steps.
#include "exchange/stepped_run.hpp"

#include <cstring>
#include <utility>

namespace weft {

SteppedRun::SteppedRun(MPI_Comm comm, int tag, std::vector<Step> steps)
    : comm_(comm), tag_(tag), steps_(std::move(steps)) {}

void SteppedRun::start() {
  next_ = 0;
  advance();
}

bool SteppedRun::advance() {
  for (;;) {
    int arrived = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &arrived, MPI_STATUSES_IGNORE);
    if (arrived == 0) return false;
    requests_.clear();
    if (next_ == steps_.size()) return true;
    begin_step();
  }
}

void SteppedRun::begin_step() {
  const Step& step = steps_[next_++];
  for (const Copy& copy : step.copies) std::memcpy(copy.to, copy.from, copy.bytes);
  for (const Piece& piece : step.receives) requests_.push_back(piece.receive(comm_, tag_));
  for (const Piece& piece : step.sends) requests_.push_back(piece.send(comm_, tag_));
}

}  // namespace weft

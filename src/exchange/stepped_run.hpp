// Messages in steps: a step begins when the sends and receives of the step before are complete.
#pragma once

#include <cstddef>
#include <vector>

#include "exchange/driven_mover.hpp"

namespace weft {

/// Bytes to be copied within the memory of the rank.
struct Copy {
  const void* from;
  void* to;
  std::size_t bytes;
};

/// Copies, followed by messages that all start at once.
struct Step {
  std::vector<Copy> copies;
  std::vector<Piece> receives, sends;
};

class SteppedRun final : public Run {
 public:
  SteppedRun(MPI_Comm comm, int tag, std::vector<Step> steps);
  void start() override;
  bool advance() override;

 private:
  void begin_step();

  MPI_Comm comm_;
  int tag_;
  std::vector<Step> steps_;
  std::size_t next_ = 0;  // the first step that has not begun
  std::vector<MPI_Request> requests_;
};

}  // namespace weft

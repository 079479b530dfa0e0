// Strategy datatype: MPI_Isend of a datatype directly from the array, without a send buffer, and MPI_Irecv of the same
// number of bytes as one block (FLUPS "isr").
#include "exchange/mover.hpp"
#include "exchange/throttled_run.hpp"

namespace weft {

namespace {

class PlainRun final : public ThrottledRun {
 public:
  PlainRun(const Comm& comm, int tag, const ChunkMessages& messages, Direction direction, const MoverOptions& options)
      : ThrottledRun(comm, messages, direction, options), comm_(comm.handle()), tag_(tag) {}

 private:
  void launch(std::size_t i) override {
    request(i) = is_send(i) ? piece(i).send(comm_, tag_) : piece(i).receive(comm_, tag_);
  }

  MPI_Comm comm_;
  int tag_;
};

}  // namespace

std::unique_ptr<Mover> make_datatype_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                           const MoverOptions& options) {
  return std::make_unique<DrivenMover>(comm, chunks.size(), [&](std::size_t chunk, Direction direction) {
    return std::make_unique<PlainRun>(comm, static_cast<int>(chunk), chunks[chunk], direction, options);
  });
}

}  // namespace weft

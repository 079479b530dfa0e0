// Strategy persistent: MPI_Send_init and MPI_Recv_init at planning, MPI_Start in every run (FLUPS "nb").
#include "exchange/mover.hpp"
#include "exchange/throttled_run.hpp"

namespace weft {

namespace {

class PersistentRun final : public ThrottledRun {
 public:
  PersistentRun(const Comm& comm, int tag, const ChunkMessages& messages, Direction direction,
                const MoverOptions& options)
      : ThrottledRun(comm, messages, direction, options) {
    for (std::size_t i = 0; i < size(); i++) {
      const Piece& p = piece(i);
      if (is_send(i)) {
        MPI_Send_init(p.address, p.count, p.type, p.peer, tag, comm.handle(), &request(i));
      } else {
        MPI_Recv_init(p.address, p.count, p.type, p.peer, tag, comm.handle(), &request(i));
      }
    }
  }
  ~PersistentRun() override {
    int finalised = 0;
    MPI_Finalized(&finalised);
    for (std::size_t i = 0; finalised == 0 && i < size(); i++) MPI_Request_free(&request(i));
  }
  PersistentRun(const PersistentRun&) = delete;
  PersistentRun& operator=(const PersistentRun&) = delete;

 private:
  void launch(std::size_t i) override { MPI_Start(&request(i)); }
};

}  // namespace

std::unique_ptr<Mover> make_persistent_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options) {
  return std::make_unique<DrivenMover>(comm, chunks.size(), [&](std::size_t chunk, Direction direction) {
    return std::make_unique<PersistentRun>(comm, static_cast<int>(chunk), chunks[chunk], direction, options);
  });
}

}  // namespace weft

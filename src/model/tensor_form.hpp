// The time of a 3-D DFT by block tensor-matrix products on p x p x p ranks (S3DFT 2024, section 2), in closed form.
#pragma once

namespace weft {

struct TensorRates {
  double flop = 0;          ///< seconds of a flop of a matrix product, on one rank with all its threads
  double t_w = 0, t_s = 0;  ///< sending a word of 8 bytes to a neighbour in the mesh, starting a message
};

/// One of three stages: blocks of b^3 points travel around a ring of p ranks, which multiply them by blocks of the
/// matrix.
struct TensorStage {
  double alignment = 0;  ///< before the first product
  double event = 0;      ///< both blocks move to the next rank
  double update = 0;     ///< the product of both blocks
  int events = 0;        ///< each follows an update
  double seconds() const { return alignment + update + events * (event > update ? event : update); }
};

TensorStage tensor_stage(double n, int p, const TensorRates& rates);
/// The edge of blocks from which updates hide events: 8 b^4 flops take as long as sending 2 b^3 + 2 b^2 words, without
/// latency.
double hiding_block(const TensorRates& rates);

}  // namespace weft

/* 3-D DFTs by products with matrices, from C: weft::TensorDft, weft/tensor.hpp. A part of weft.h, which includes it. */
#ifndef WEFT_TENSOR_H
#define WEFT_TENSOR_H

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// 3-D DFTs on a mesh of ranks by products with dense matrices and messages between neighbours.

typedef struct weft_tensor weft_tensor;  ///< a 3-D DFT by products with matrices

/// Options of tensor transforms; see weft::TensorOptions (weft/tensor.hpp).
typedef struct weft_tensor_options {
  size_t struct_size;        ///< set by weft_tensor_options_init()
  const char* precision;     ///< "double" (default) or "float"
  const char* algorithm;     ///< "cannon" (default) or "transpose"
  const char* matrix;        ///< "circulate" (default) or "own"
  const char* folding;       ///< "auto" (default), "on", "off"
  const char* norm;          ///< as in weft_plan_options
  int mesh[3];               ///< ranks per axis; 0, 0, 0: the most cubic mesh of all ranks
  int threads;               ///< per rank; 0: cores of the node / ranks of the communicator on it
  int communication_thread;  ///< not 0: one of the threads handles messages only
} weft_tensor_options;

/// \cond
int weft_tensor_options_init_sized(weft_tensor_options* options, size_t size);
/// \endcond
/// Sets the defaults of tensor transforms.
static inline int weft_tensor_options_init(weft_tensor_options* options) {
  return weft_tensor_options_init_sized(options, sizeof(weft_tensor_options));
}

/// Collective. `kind` is "c2c" or "r2c", `shape` has 3 entries, `options` may be NULL.
int weft_tensor_create(MPI_Comm comm, const int64_t* shape, const char* kind, const weft_tensor_options* options,
                       weft_tensor** tensor);
int weft_tensor_destroy(weft_tensor** tensor);
int weft_tensor_box(const weft_tensor* tensor, int side, weft_box* box);
int weft_tensor_count(const weft_tensor* tensor, int side, int64_t* count, int* is_complex);
/// Transforms as for plans. `in` and `out` may be the same array. Collective.
int weft_tensor_forward(weft_tensor* tensor, const void* in, int64_t in_count, void* out, int64_t out_count);
int weft_tensor_backward(weft_tensor* tensor, const void* in, int64_t in_count, void* out, int64_t out_count);
int weft_tensor_explain(const weft_tensor* tensor, const char** text);
int weft_tensor_facts(const weft_tensor* tensor, weft_facts* facts);

#ifdef __cplusplus
}
#endif

#endif

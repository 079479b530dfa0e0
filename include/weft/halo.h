/* Halos from C: weft::Halo, weft/halo.hpp. A part of weft.h, which includes it. */
#ifndef WEFT_HALO_H
#define WEFT_HALO_H

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// Layers of the neighbours' points around the block of every rank.

typedef struct weft_halo weft_halo;  ///< layers of the neighbours' points around a block

/// Layers around a rank's block of an array. Fill the struct by weft_halo_problem_init(). The members have the meaning
/// of those of weft::HaloProblem and weft::HaloOptions (weft/halo.hpp).
typedef struct weft_halo_problem {
  size_t struct_size;                      ///< set by weft_halo_problem_init()
  int64_t width[WEFT_MAX_DIMS][2];         ///< layers per axis and end; 1
  const char* boundary[WEFT_MAX_DIMS][2];  ///< per axis and end: "periodic" (default), "even", "odd", "unbounded"
  const char* centring[WEFT_MAX_DIMS];     ///< "cell" (default) or "node"
  const char* precision;                   ///< "double" (default) or "float"
  int is_complex;                          ///< not 0: elements are complex
  int components;                          ///< arrays that are exchanged together, one after the other; 1
  int threads;                             ///< per rank; 0: cores of the node / ranks of the communicator on it
  int node_ranks;                          ///< ranks that count as one node; 0: as many as share a node
  int64_t message_limit;                   ///< elements per MPI message beyond which messages are split
} weft_halo_problem;

int weft_halo_problem_init_sized(weft_halo_problem* problem, size_t size);
/// Sets the defaults of a halo.
static inline int weft_halo_problem_init(weft_halo_problem* problem) {
  return weft_halo_problem_init_sized(problem, sizeof(weft_halo_problem));
}

/// Collective. `owned` is this rank's part of an array of `shape` points; `problem` may be NULL.
int weft_halo_create(MPI_Comm comm, const int64_t* shape, const weft_box* owned, const weft_halo_problem* problem,
                     weft_halo** halo);
int weft_halo_destroy(weft_halo** halo);
/// The box of a local array, layers included, and the number of its elements in all components.
int weft_halo_box(const weft_halo* halo, weft_box* padded, int64_t* count);
/// Fills the layers of a local array. This function and the next three are collective.
int weft_halo_exchange(weft_halo* halo, void* array, int64_t count);
/// Begin and complete an exchange, with work in between that needs no layers.
int weft_halo_start(weft_halo* halo, void* array, int64_t count);
int weft_halo_finish(weft_halo* halo);
/// Adds the layers to the points that they show: the adjoint of the exchange.
int weft_halo_accumulate(weft_halo* halo, void* array, int64_t count);
int weft_halo_explain(const weft_halo* halo, const char** text);
int weft_halo_facts(const weft_halo* halo, weft_facts* facts);

#ifdef __cplusplus
}
#endif

#endif

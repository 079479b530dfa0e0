// The closed forms of Ayala and Wang (2013) for real N^3 arrays on P ranks: times, shares, and best numbers of ranks.
#pragma once

namespace weft {

/// Their elementary times, in seconds. A word is a real number of 8 bytes.
struct ElementaryTimes {
  double t_c = 0;  ///< a floating-point operation
  double t_a = 0;  ///< copying a word from memory to memory
  double t_w = 0;  ///< sending a word
  double t_s = 0;  ///< starting a message
};

/// One forward transform, part by part.
struct ClosedForm {
  double computation = 0, copying = 0, transmission = 0, latency = 0;
  double communication() const { return transmission + latency; }
  double seconds() const { return computation + copying + communication(); }
};

/// The shares of the parts in the total time.
struct Shares {
  double computation = 0, copying = 0, communication = 0;
};

/// The computation on one rank, to which speed-ups refer.
double serial_seconds(double n, const ElementaryTimes& times);
/// Slabs, one cyclic exchange (Dmitruk et al. 2001). P <= N.
ClosedForm slab_form(double n, double ranks, const ElementaryTimes& times);
/// Pencils on rows x columns ranks, two cyclic exchanges whose elementary times may differ: eqs. (1) and (2).
ClosedForm pencil_form(double n, double rows, double columns, const ElementaryTimes& in_rows,
                       const ElementaryTimes& in_columns);
/// Pencils on many ranks, the limit of pencil_form: eq. (3).
ClosedForm pencil_form_at_scale(double n, double rows, double columns, const ElementaryTimes& times);
/// Pencils, in stages of messages of half the data (Plimpton): eq. (7).
ClosedForm multistage_form(double n, double ranks, const ElementaryTimes& times);
/// Bricks on x x y x z ranks: eq. (8).
ClosedForm brick_form(double n, double x, double y, double z, const ElementaryTimes& times);
/// Pencils whose exchanges are cut into `parts` that overlap with the transforms: eq. (10).
ClosedForm overlapped_form(double n, double rows, double columns, double parts, const ElementaryTimes& times);

/// Shares without latency: eqs. (4), as in their Table 2.
Shares shares_without_latency(double n, const ElementaryTimes& times);
/// The share of latency on sqrt(P) x sqrt(P) ranks: eq. (5).
double latency_share(double n, double ranks, const ElementaryTimes& times);
/// The ranks up to which latency is less than 1% of the communication: P (sqrt(P) - 1) = N^3 t_w / (99 t_s).
double most_ranks_without_latency(double n, const ElementaryTimes& times);
/// The ranks with the largest speed-up: eq. (9).
double fastest_ranks(double n, const ElementaryTimes& times);
/// The number of parts with the shortest time on sqrt(P) x sqrt(P) ranks, where eq. (10) has its minimum; a real
/// number.
double best_parts(double n, double ranks, const ElementaryTimes& times);
/// The ranks for which the best number of parts is 2: eq. (11). Overlap is useful up to 2^(2/3) times as many ranks,
/// where two parts take as long as one.
double most_ranks_with_overlap(double n, const ElementaryTimes& times);

}  // namespace weft

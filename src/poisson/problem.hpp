// What scalar and vector solvers check and plan alike.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// Everything about a problem, for comparing it between ranks.
std::string to_text(const PoissonProblem& problem);
/// The axes of a problem. Throws Error where counts do not fit or an axis is not allowed.
std::vector<DomainAxis> domain_of(const PoissonProblem& problem);
/// Throws Error where a problem is not possible in place: what an unbounded end needs beside the data is not in their
/// array.
void refuse_padding(const std::vector<DomainAxis>& domain);
/// What becomes of periodic axes of one cell beside two others: no transform, so that real data stay real, or theirs,
/// which may be the real one that a transform in place has along the last axis.
enum class SingleCells { left_out, transformed };
/// Transforms and their order; the process grid is left to the caller.
ScheduleInput schedule_input(const std::vector<DomainAxis>& domain, std::size_t bytes_per_real,
                             SingleCells single = SingleCells::left_out);
/// Transforms in a given order of axes, and none along others. Slabs are exchanged after the first axis (padded) or
/// after the second.
ScheduleInput schedule_input(const std::vector<DomainAxis>& domain, std::size_t bytes_per_real, std::vector<int> order,
                             bool padded);

/// The same for so many right-hand sides at once, which axis 0 counts and no rank cuts; 0: unchanged.
ScheduleInput with_batch(ScheduleInput input, index_t batch);
/// What is left of a box or of the strides of an array without the axis that counts right-hand sides.
Box without_batch(const Box& box);
Extents without_batch(const Extents& extents);

/// What users should know about a kernel, and the lines of explain() that say so.
std::vector<std::string> notes_of(const GreenKernel& kernel);
std::string lines_of(const std::vector<std::string>& notes);

/// Throws Error on every rank alike, naming the argument and the first such point, when any of the values of this
/// rank's box that are transformed (those that are ignored may be anything) is NaN or infinite. The last axis has
/// stride 1. `components`: of each of several fields that axis 0 counts, so that the point is told by field and
/// component; 0: by the index of axis 0. Collective.
template <class Real>
void check_finite(const Comm& comm, const std::string& name, const Real* values, const Schedule& schedule,
                  const Extents& strides, index_t components = 0);

}  // namespace weft

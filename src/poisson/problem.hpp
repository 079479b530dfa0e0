// Checks and plans that scalar and vector solvers have in common.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// A problem as text, for comparing it between ranks.
std::string to_text(const PoissonProblem& problem);
/// The axes of a problem. Throws Error if counts do not fit or an axis is not allowed.
std::vector<DomainAxis> domain_of(const PoissonProblem& problem);
/// Throws Error if a problem is not possible in place: the array has no room for the padding of unbounded ends.
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

/// The input with an axis 0 added that counts `batch` right-hand sides, and that is not cut; unchanged for 0.
ScheduleInput with_batch(ScheduleInput input, index_t batch);
/// A box, or the extents or strides of an array, without the axis that counts right-hand sides.
Box without_batch(const Box& box);
Extents without_batch(const Extents& extents);

/// A kernel's notes to users, and the lines of explain() with them.
std::vector<std::string> notes_of(const GreenKernel& kernel);
std::string lines_of(const std::vector<std::string>& notes);

/// Throws Error on every rank alike, naming the argument and the first such point, if a value that is transformed is
/// NaN or infinite; values that are ignored may be anything. The last axis has stride 1. `components`: if axis 0 counts
/// several fields, the components of each, and the message gives field and component; 0: it gives the index.
/// Collective.
template <class Real>
void check_finite(const Comm& comm, const std::string& name, const Real* values, const Schedule& schedule,
                  const Extents& strides, index_t components = 0);

}  // namespace weft

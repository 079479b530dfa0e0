// The time that this thread spends in exchanges, for reports about whole programs.
#pragma once

namespace weft {

/// Seconds that this thread has spent in exchanges of plans and in redistributions since it began.
double exchange_seconds();
void add_exchange_seconds(double seconds);

}  // namespace weft

// Adds up the times of exchanges. A library that is linked with this one reads the same sum.
#include "exchange/exchange_seconds.hpp"

namespace weft {

namespace {

thread_local double all_exchanges = 0;

}  // namespace

double exchange_seconds() { return all_exchanges; }
void add_exchange_seconds(double seconds) { all_exchanges += seconds; }

}  // namespace weft

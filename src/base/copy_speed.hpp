// How fast memory is here and now: the yardstick of everything that is limited by it.
#pragma once

namespace weft {

/// Bytes read and written per second, in GB/s, when `threads` threads of this process copy 64 MB together; the best of
/// a few. Measured at every call: the speed of a shared machine changes.
double copy_speed(int threads);

}  // namespace weft

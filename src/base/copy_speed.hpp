// The copy speed of memory, with which everything that memory limits is compared.
#pragma once

namespace weft {

/// Bytes read and written per second, in GB/s, when `threads` threads of this process copy 64 MB together: the best of
/// a few runs. It is measured at every call, because the speed of a shared machine changes.
double copy_speed(int threads);

}  // namespace weft

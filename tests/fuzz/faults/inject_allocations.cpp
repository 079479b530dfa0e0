// Preloaded (LD_PRELOAD) into the ranks of a fault test, this library makes allocations fail: those of C++ in the whole
// process (MPI and Python allocate in other ways), aligned ones, and those of the elements of numpy's arrays.
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "inject.hpp"

// What malloc() is when nobody is in front of it.
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t bytes);

namespace weft::inject {

namespace {

std::mutex guard;  // threads of a transform allocate, too
thread_local bool inside = false;

struct Place {
  char text[4096];
  std::size_t length;
};
Place place{};

void add(const char* text) {
  const std::size_t left = sizeof place.text - 1 - place.length;
  const std::size_t length = std::strlen(text) < left ? std::strlen(text) : left;
  std::memcpy(place.text + place.length, text, length);
  place.length += length;
  place.text[place.length] = '\0';
}

}  // namespace

void Trigger::arm(long first, long many) {
  const std::lock_guard lock(guard);
  first_ = first;
  many_ = many;
  seen_ = 0;
  hits_ = 0;
  armed_ = true;
}

bool Trigger::fails() {
  if (!armed_ || inside) return false;
  const std::lock_guard lock(guard);
  seen_++;
  if (seen_ < first_ || seen_ - first_ >= many_) return false;
  hits_++;
  return true;
}

int Trigger::disarm() {
  const std::lock_guard lock(guard);
  armed_ = false;
  return hits_;
}

void note_place() {
  const std::lock_guard lock(guard);
  if (place.length > sizeof place.text / 2) return;  // the first ones say enough
  inside = true;                                     // backtrace() allocates when it is first called
  constexpr int most = 24;
  void* frames[most];
  const int count = backtrace(frames, most);
  for (int i = 2; i < count; i++) {
    Dl_info info;
    if (dladdr(frames[i], &info) == 0) continue;
    if (info.dli_sname == nullptr) continue;
    if (std::strncmp(info.dli_sname, "Py", 2) == 0 || std::strncmp(info.dli_sname, "_Py", 3) == 0) break;
    int status = 0;
    char* const name = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    add(name != nullptr ? name : info.dli_sname);
    add("\n");
    std::free(name);
  }
  inside = false;
}

void forget_place(const char* text) {
  const std::lock_guard lock(guard);
  place.length = 0;
  place.text[0] = '\0';
  add(text);
}

namespace {

Trigger allocations;
std::size_t least = 0;  // smaller ones are neither counted nor fail

// Where numpy allocates the elements of arrays: what malloc() and calloc() go back to. Whatever else it allocates, such
// as the buffers of its iterators, it does not always check.
std::size_t learnt_bytes = 0;  // of an array that is made to find that out; 0 where none is
const void *numpy_malloc = nullptr, *numpy_calloc = nullptr;

bool refused(std::size_t bytes) {
  if (!allocations.armed() || bytes < least || !allocations.fails()) return false;
  note_place();
  return true;
}

// malloc() is called by everybody; only what numpy asks for may fail.
bool refused_to(const void* caller, const void*& numpy, std::size_t bytes) {
  if (learnt_bytes > 0 && bytes == learnt_bytes) numpy = caller;
  return allocations.armed() && caller == numpy && refused(bytes);
}

void* allocated(std::size_t bytes) {
  if (refused(bytes)) throw std::bad_alloc();
  void* memory = __libc_malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocated(std::size_t bytes, std::align_val_t alignment) {
  if (refused(bytes)) throw std::bad_alloc();
  void* memory = __libc_memalign(static_cast<std::size_t>(alignment), bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

}  // namespace weft::inject

/// Arrays of numpy's with so many bytes are being made, with and without zeros; 0: no more.
WEFT_INJECT_EXPORT void weft_inject_learn(std::size_t bytes) { weft::inject::learnt_bytes = bytes; }

/// Allocations of at least `bytes` fail: the one of number `first` (from 1), and `many` - 1 of those that follow.
WEFT_INJECT_EXPORT void weft_inject_allocations(long first, long many, std::size_t bytes) {
  using namespace weft::inject;
  forget_place("");
  least = bytes;
  allocations.arm(first, many);
}

/// Ends that; how many have failed.
WEFT_INJECT_EXPORT int weft_inject_allocations_end() { return weft::inject::allocations.disarm(); }
/// How many have been counted.
WEFT_INJECT_EXPORT long weft_inject_allocations_seen() { return weft::inject::allocations.seen(); }
/// The functions that what has failed was called from, the innermost first, a line each.
WEFT_INJECT_EXPORT const char* weft_inject_where() { return weft::inject::place.text; }

void* operator new(std::size_t bytes) { return weft::inject::allocated(bytes); }
void* operator new[](std::size_t bytes) { return weft::inject::allocated(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return weft::inject::allocated(bytes, alignment); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return weft::inject::allocated(bytes, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

WEFT_INJECT_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return weft::inject::refused(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
WEFT_INJECT_EXPORT void* malloc(std::size_t bytes) {
  return weft::inject::refused_to(__builtin_return_address(0), weft::inject::numpy_malloc, bytes)
             ? nullptr
             : __libc_malloc(bytes);
}
WEFT_INJECT_EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  return weft::inject::refused_to(__builtin_return_address(0), weft::inject::numpy_calloc, count * bytes)
             ? nullptr
             : __libc_calloc(count, bytes);
}

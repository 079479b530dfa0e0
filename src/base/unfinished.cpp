// A list that a signal handler can read, and the handlers.
#include "base/unfinished.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace weft {

namespace {

// A file that does not fit in the list remains on disk, as after the process is killed.
constexpr int most_files = 64;
std::array<std::atomic<char*>, most_files> files;

using Handler = void (*)(int);
Handler before = SIG_DFL;
itimerval patience{};

// This function and the next make only calls that are allowed in signal handlers (setitimer is a plain system call).
void end_now(int) {
  for (std::atomic<char*>& file : files)
    if (const char* path = file.exchange(nullptr)) (void)::unlink(path);
  ::_exit(interrupted_status);
}

void on_interrupt(int number) {
  const int error = errno;
  (void)setitimer(ITIMER_REAL, &patience, nullptr);
  if (before != SIG_DFL && before != SIG_IGN) before(number);
  errno = error;
}

void handle(int number, Handler handler) {
  struct sigaction action {};
  action.sa_handler = handler;
  (void)sigaction(number, &action, nullptr);
}

}  // namespace

Unfinished::Unfinished(const std::string& path) : place_(0) {
  char* copy = path.empty() ? nullptr : ::strdup(path.c_str());
  for (; copy != nullptr && place_ < most_files; place_++) {
    char* none = nullptr;
    if (files[static_cast<std::size_t>(place_)].compare_exchange_strong(none, copy)) return;
  }
  std::free(copy);
  place_ = most_files;
}

// The code that takes a path out of the list owns it: a handler that takes it at this moment ends the process.
Unfinished::~Unfinished() {
  if (place_ < most_files) std::free(files[static_cast<std::size_t>(place_)].exchange(nullptr));
}

void end_on_interrupt(double seconds) {
  struct sigaction present {};
  (void)sigaction(SIGINT, nullptr, &present);
  if (present.sa_handler == SIG_IGN || present.sa_handler == on_interrupt) return;
  before = present.sa_handler;
  const double whole_seconds = std::floor(seconds);
  patience.it_value = {static_cast<time_t>(whole_seconds), static_cast<suseconds_t>((seconds - whole_seconds) * 1e6)};
  handle(SIGALRM, end_now);
  handle(SIGINT, on_interrupt);
}

}  // namespace weft

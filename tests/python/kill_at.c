// Preloaded (LD_PRELOAD) into a rank of a test, this library ends its process by SIGKILL in the middle of writing a
// file:
//
//   WEFT_KILL_RANK  the rank that is ended (of COMM_WORLD, as the launchers of MPICH and Open MPI number it)
//   WEFT_KILL_FILE  how the name of the file ends; calls for other files pass untouched
//   WEFT_KILL_CALL  write, half (writes half of the bytes first), flush, rename, renamed (after it)
//   WEFT_KILL_NUMBER  which of these calls, from 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? "" : text;
}

static int ends_with(const char* name, const char* end) {
  const size_t length = strlen(name), wanted = strlen(end);
  return wanted > 0 && length >= wanted && strcmp(name + length - wanted, end) == 0;
}

static int is_rank(void) {
  const char* rank = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : setting("OMPI_COMM_WORLD_RANK");
  return strcmp(rank, setting("WEFT_KILL_RANK")) == 0;
}

// Whether this is the call to end with.
static int now(const char* call, const char* path) {
  static int seen = 0;
  if (strcmp(call, setting("WEFT_KILL_CALL")) != 0 || !is_rank() || !ends_with(path, setting("WEFT_KILL_FILE")))
    return 0;
  return ++seen == atoi(setting("WEFT_KILL_NUMBER"));
}

static void end(void) { kill(getpid(), SIGKILL); }

static const char* name_of(int file, char* buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, buffer, size - 1);
  buffer[length < 0 ? 0 : length] = '\0';
  return buffer;
}

typedef ssize_t (*write_call)(int, const void*, size_t, off_t);

static ssize_t checked_write(const char* symbol, int file, const void* data, size_t bytes, off_t offset) {
  const write_call real = (write_call)dlsym(RTLD_NEXT, symbol);
  char path[4096];
  name_of(file, path, sizeof path);
  if (now("write", path)) end();
  if (now("half", path)) {
    real(file, data, bytes / 2, offset);
    end();
  }
  return real(file, data, bytes, offset);
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset) {
  return checked_write("pwrite", file, data, bytes, offset);
}

ssize_t pwrite64(int file, const void* data, size_t bytes, off_t offset) {
  return checked_write("pwrite64", file, data, bytes, offset);
}

int fsync(int file) {
  char path[4096];
  if (now("flush", name_of(file, path, sizeof path))) end();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int rename(const char* from, const char* to) {
  if (now("rename", from)) end();
  const int status = ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
  if (now("renamed", from)) end();
  return status;
}

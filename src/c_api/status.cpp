// The one table of faults, codes and their names, and the text of the last error.
#include "c_api/status.hpp"

#include <array>
#include <exception>
#include <new>

namespace weft::c_api {

namespace {

struct Entry {
  Fault fault;
  weft_status status;
  const char* name;
};
constexpr std::array<Entry, 4> table{{{Fault::argument, WEFT_ERROR_ARGUMENT, "argument"},
                                      {Fault::file, WEFT_ERROR_FILE, "file"},
                                      {Fault::resource, WEFT_ERROR_RESOURCE, "resource"},
                                      {Fault::internal, WEFT_ERROR_INTERNAL, "internal"}}};

int status_of(Fault fault) {
  for (const Entry& entry : table)
    if (entry.fault == fault) return entry.status;
  return WEFT_ERROR_INTERNAL;
}

struct LastError {
  std::string text;
  const char* shown = "";
};
thread_local LastError last;

int note(Fault fault, const char* text) noexcept {
  try {
    last.text = text;
    last.shown = last.text.c_str();
  } catch (...) {
    last.shown = "out of memory while an error was reported; use more nodes or a smaller problem";
  }
  return status_of(fault);
}

}  // namespace

int failure() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return note(error.fault(), error.what());
  } catch (const std::bad_alloc&) {
    return note(Fault::resource, "out of memory; use more nodes or a smaller problem");
  } catch (const std::exception& error) {
    return note(Fault::internal, error.what());
  } catch (...) {
    return note(Fault::internal, "an exception that is not a std::exception was thrown");
  }
}

}  // namespace weft::c_api

using namespace weft::c_api;

const char* weft_last_error() { return last.shown; }

const char* weft_status_name(int status) {
  if (status == WEFT_SUCCESS) return "success";
  for (const Entry& entry : table)
    if (entry.status == status) return entry.name;
  return "unknown";
}

const char* weft_version() { return WEFT_VERSION; }

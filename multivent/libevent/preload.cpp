// Start and end of a process that libmultivent.so was preloaded into.
//
// A program's children are not to be run by Heddle: its process drops us, and our variables, from the environment.
// Other libraries that the user preloads stay. A process without libevent is not the program but one that starts it,
// such as a shell or timeout(1), and hands the environment on as it is.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "multivent/core/crash.hpp"
#include "multivent/core/library.hpp"
#include "multivent/core/runtime.hpp"
#include "multivent/core/user_error.hpp"

using namespace heddle::multivent;

namespace {

// Whether an entry of LD_PRELOAD, which may be a bare name to search for, means the library at `path`.
bool names(std::string_view entry, const std::filesystem::path& path) {
  if (entry.find('/') == std::string_view::npos) return entry == path.filename().string();
  std::error_code none;
  return std::filesystem::equivalent(entry, path, none);
}

// NOLINTBEGIN(concurrency-mt-unsafe): before main runs there are no other threads
void leave_preload_list() {
  const char* list = std::getenv("LD_PRELOAD");
  Dl_info us{};
  if (list == nullptr || dladdr(reinterpret_cast<const void*>(&leave_preload_list), &us) == 0) return;
  constexpr std::string_view kSeparators = ": ";  // ld.so(8)
  std::string others;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(kSeparators), rest.size());
    const std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (entry.empty() || names(entry, us.dli_fname)) continue;
    if (!others.empty()) others += ':';
    others += entry;
  }
  if (others.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", others.c_str(), 1);
  }
}
// NOLINTEND(concurrency-mt-unsafe)

[[gnu::constructor]] void start() {
  if (!library::present()) return;
  try {
    leave_preload_list();
    Runtime::configure(Settings::from_environment());
    if (Runtime::get().registry() != nullptr) name_handlers_that_crash();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: %s\n", error.what());
    std::_Exit(2);
  }
}

[[gnu::destructor]] void finish() { Runtime::get().report(); }

}  // namespace

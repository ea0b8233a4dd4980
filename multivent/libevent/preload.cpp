// Start and end of a process that libmultivent.so was preloaded into, or that is linked with it.
//
// A program's children are not to be run by Heddle: its process drops us, and our variables, from the environment.
// Other libraries that the user preloads stay. A process without libevent and libev, and not linked with us, is not the
// program but one that starts it, such as a shell or timeout(1), and hands the environment on as it is.
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "multivent/loop/library.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/process/startup.hpp"
#include "schemas/reasons.hpp"
#include "telemetry/say.hpp"

using namespace heddle::multivent;

namespace {

// Whether an entry of LD_PRELOAD, which may be a bare name to search for, means the library at `path`.
bool names(std::string_view entry, const std::filesystem::path& path) {
  if (entry.find('/') == std::string_view::npos) return entry == path.filename().string();
  std::error_code none;
  return std::filesystem::equivalent(entry, path, none);
}

// LD_PRELOAD: whether we are in it, and the other entries.
struct PreloadList {
  bool has_us = false;
  std::string others;
};

// NOLINTBEGIN(concurrency-mt-unsafe): before main runs there are no other threads
PreloadList preload_list() {
  PreloadList found;
  const char* list = std::getenv("LD_PRELOAD");
  Dl_info us{};
  if (list == nullptr || dladdr(reinterpret_cast<const void*>(&preload_list), &us) == 0) return found;
  constexpr std::string_view kSeparators = ": ";  // ld.so(8)
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(kSeparators), rest.size());
    const std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (entry.empty()) continue;
    if (names(entry, us.dli_fname)) {
      found.has_us = true;
      continue;
    }
    if (!found.others.empty()) found.others += ':';
    found.others += entry;
  }
  return found;
}

void set_preload_list(const std::string& entries) {
  if (entries.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", entries.c_str(), 1);
  }
}
// NOLINTEND(concurrency-mt-unsafe)

// Why a linked program cannot be run by us; empty if it can. Its calls go to the first library that has libevent's
// functions, and that must be this one.
std::string obstacle() {
  Dl_info us{};
  Dl_info theirs{};
  const void* const first = dlsym(RTLD_DEFAULT, "event_base_new");
  if (dladdr(reinterpret_cast<const void*>(&obstacle), &us) == 0 || dladdr(first, &theirs) == 0 ||
      us.dli_fbase == theirs.dli_fbase)
    return {};
  return heddle::schemas::reasons::libevent_comes_first(theirs.dli_fname);
}

// Whether there is a libev whose functions ours stand before.
bool libev_is_present() { return dlsym(RTLD_NEXT, "ev_version_major") != nullptr; }

// Whether the program itself is linked with us, too, and so may call the functions of multivent.h.
bool linked_as_well() {
  const ElfW(Dyn)* const first = _r_debug.r_map->l_ld;  // the program comes first
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = first; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      names = reinterpret_cast<const char*>(entry->d_un.d_ptr);  // NOLINT(performance-no-int-to-ptr): as elf(5) has it
  if (names == nullptr) return false;
  for (const ElfW(Dyn)* entry = first; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && std::string_view(names + entry->d_un.d_val).starts_with("libmultivent.so"))
      return true;
  return false;
}

[[gnu::constructor]] void start() {
  heddle::telemetry::note_standard_error();
  try {
    const PreloadList list = preload_list();
    if (!list.has_us) {
      Startup::get().linked(obstacle());
    } else if (const bool linked = linked_as_well(); linked || library::present() || libev_is_present()) {
      set_preload_list(list.others);
      Startup::get().preloaded(linked);
    }
  } catch (const std::exception& error) {
    heddle::telemetry::say(std::string("heddle: ") + error.what() + "\n");
    std::_Exit(2);
  }
}

[[gnu::destructor]] void finish() { Runtime::get().report(); }

}  // namespace

// Making, configuring and freeing event bases.
#include <mutex>
#include <new>
#include <unordered_set>
#include <vector>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/entered_loops.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/process/startup.hpp"

using namespace heddle::multivent;

// Threading functions given to libevent after this was set come too late; its threading code looks at it.
int event_debug_created_threadable_ctx_ = 0;

namespace {

// One backend under the three names that libevent has on Linux, best first, so that a program that avoids one, or asks
// for EV_FEATURE_FDS, is served. Behind all of them is epoll; the last two take regular files, which are always ready.
constexpr Method kMethods[] = {
    {"epoll", EV_FEATURE_ET | EV_FEATURE_O1 | EV_FEATURE_EARLY_CLOSE},
    {"poll", EV_FEATURE_FDS | EV_FEATURE_EARLY_CLOSE},
    {"select", EV_FEATURE_FDS},
};
constexpr Method kEpollWithChangelist = {"epoll (with changelist)", kMethods[0].features};

bool disabled_by_environment(const char* method) {
  std::string variable = std::string("EVENT_NO") + method;
  for (char& c : variable) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return library::environment(variable.c_str()) != nullptr;
}

const Method* choose_method(const event_config& config, bool obey_environment) {
  for (const Method& method : kMethods) {
    bool avoided = obey_environment && disabled_by_environment(method.name);
    for (const std::string& name : config.avoided_methods) avoided = avoided || name == method.name;
    if (avoided || (method.features & config.required_features) != config.required_features) continue;
    const bool changelist = (config.flags & EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST) ||
                            (obey_environment && library::environment("EVENT_EPOLL_USE_CHANGELIST") != nullptr);
    return changelist && &method == &kMethods[0] ? &kEpollWithChangelist : &method;
  }
  return nullptr;
}

// Where bases lie. Events may still point to a base that was freed, and programs free them after it: libevent then
// looks at memory that it has given back, finds that the event waits for nothing, and returns. Here there is still a
// base to lock: an empty one, or the next one that is made in its place, which knows nothing of the event either. So
// the memory is never used for anything but bases.
//
// A program with an allocator of its own (event_set_mem_functions) may count what libevent takes and gives back. Its
// bases lie in its memory, and it gets that back; an event that it frees later meets what libevent's would.
class BaseMemory {
 public:
  // For a base; null if memory has run out.
  void* take() {
    if (program_allocates()) return event_mm_malloc_(sizeof(event_base));
    const std::lock_guard guard(mutex_);
    if (empty_.empty()) {
      void* const memory = event_mm_malloc_(sizeof(event_base));
      if (memory != nullptr) own_.insert(memory);
      return memory;
    }
    event_base* const base = empty_.back();
    empty_.pop_back();
    base->~event_base();
    return base;
  }

  // `base` has no events any more.
  void put(event_base* base) {
    base->~event_base();
    const std::lock_guard guard(mutex_);
    if (own_.count(base) == 0) {
      event_mm_free_(base);
      return;
    }
    new (base) event_base(event_config(), LoopOptions());
    empty_.push_back(base);
  }

 private:
  std::mutex mutex_;  // guards the rest
  std::vector<event_base*> empty_;
  std::unordered_set<const void*> own_;
};

BaseMemory& base_memory() {
  static BaseMemory& bases = *new BaseMemory;  // exit handlers of the program may still free events
  return bases;
}

bool runs(event_base& base) {
  const BaseLock lock(base);
  return base.driver.runs();
}

void free_base(event_base* base, bool run_finalizers) {
  base = base_or_current(base);
  if (base == nullptr) {
    library::warn_x("event_base_free_: no base to free");
    return;
  }
  EnteredLoop::forget(*base);
  base->empty(run_finalizers);
  if (base == event_global_current_base_) event_global_current_base_ = nullptr;
  Runtime::get().remove(*base);
  // A handler has ended the process, and its functions of atexit() clean up: threads of the base's loop sleep in it
  // until the process is gone. An empty base that nobody frees harms nobody.
  if (runs(*base)) return;
  base_memory().put(base);
}

}  // namespace

event_base* event_base_new_with_config(const event_config* given) {
  Startup::get().settle();
  debug_mode::too_late();
  event_config config = given != nullptr ? *given : event_config();
  const bool obey_environment = !(config.flags & EVENT_BASE_FLAG_IGNORE_ENV);
  if (obey_environment && library::environment("EVENT_PRECISE_TIMER") != nullptr)
    config.flags |= EVENT_BASE_FLAG_PRECISE_TIMER;
  const Method* method = choose_method(config, obey_environment);
  if (method == nullptr) {
    library::warn_x("event_base_new_with_config: no event mechanism available");
    return nullptr;
  }
  if (Runtime::get().parallel()) give_libevent_locks();
  void* const memory = base_memory().take();
  if (memory == nullptr) {
    library::warn("event_base_new_with_config: calloc");
    return nullptr;
  }
  auto* base = new (memory) event_base(config, Runtime::get().loop_options());
  Runtime::get().add(*base);
  if (!base->open(*method)) {
    library::warn("event_base_new_with_config: epoll");
    free_base(base, false);
    return nullptr;
  }
  if (library::environment("EVENT_SHOW_METHOD") != nullptr) library::message("libevent using: %s", method->name);
  event_debug_created_threadable_ctx_ = 1;
  return base;
}

event_base* event_base_new() { return event_base_new_with_config(nullptr); }

event_base* event_init() {
  event_base* base = event_base_new_with_config(nullptr);
  if (base == nullptr) library::fatal(1, "event_init: Unable to construct event_base");
  event_global_current_base_ = base;
  return base;
}

void event_base_free(event_base* base) { free_base(base, true); }
void event_base_free_nofinalize(event_base* base) { free_base(base, false); }

int event_reinit(event_base* base) {
  BaseLock lock(*base);
  return base->reopen(lock.lock()) ? 0 : -1;
}

int evthread_make_base_notifiable(event_base* base) { return base != nullptr ? 0 : -1; }

// --- Configuration ---

event_config* event_config_new() {
  void* memory = event_mm_malloc_(sizeof(event_config));
  return memory != nullptr ? new (memory) event_config : nullptr;
}

void event_config_free(event_config* config) {
  config->~event_config();
  event_mm_free_(config);
}

int event_config_set_flag(event_config* config, int flag) {
  if (config == nullptr) return -1;
  config->flags |= flag;
  return 0;
}

int event_config_avoid_method(event_config* config, const char* method) {
  if (method == nullptr) return -1;
  config->avoided_methods.emplace_back(method);
  return 0;
}

int event_config_require_features(event_config* config, int features) {
  if (config == nullptr) return -1;
  config->required_features = features;
  return 0;
}

int event_config_set_num_cpus_hint(event_config* config, int) { return config != nullptr ? 0 : -1; }

int event_config_set_max_dispatch_interval(event_config* config, const timeval* interval, int callbacks,
                                           int min_priority) {
  config->max_dispatch_interval = interval != nullptr ? *interval : timeval{-1, 0};
  config->max_dispatch_callbacks = callbacks >= 0 ? callbacks : INT_MAX;
  config->limit_callbacks_after_priority = min_priority < 0 ? 0 : min_priority;
  return 0;
}

// --- What a base is ---

const char** event_get_supported_methods() {
  static const char* names[] = {kMethods[0].name, kMethods[1].name, kMethods[2].name, nullptr};
  return names;
}

const char* event_base_get_method(const event_base* base) { return base->method.name; }
const char* event_get_method() { return event_global_current_base_->method.name; }
int event_base_get_features(const event_base* base) { return base->method.features; }

int event_base_priority_init(event_base* base, int priorities) {
  const BaseLock lock(*base);
  return base->set_priorities(priorities) ? 0 : -1;
}

int event_priority_init(int priorities) { return event_base_priority_init(event_global_current_base_, priorities); }

int event_base_get_npriorities(event_base* base) {
  base = base_or_current(base);
  const BaseLock lock(*base);
  return static_cast<int>(base->active.size());
}

// There is no such thing on this system.
int event_base_start_iocp_(event_base*, int) { return -1; }
void event_base_stop_iocp_(event_base*) {}

#include "multivent/loop/debug_mode.hpp"

#include <fcntl.h>

#include <atomic>
#include <mutex>
#include <unordered_map>

extern "C" {
int event_debug_mode_on_ = 0;
}

namespace heddle::multivent::debug_mode {

namespace {

// Never destroyed: exit handlers of the program may still use events.
std::mutex& table_mutex = *new std::mutex;
std::unordered_map<const event*, bool>& added_events = *new std::unordered_map<const event*, bool>;  // guarded by it
std::atomic<bool> is_too_late{false};

// In libevent's words.
[[noreturn]] void complain(const char* about, const event& ev) {
  library::fatal(library::kAbort, "%s event %p (events: 0x%x, fd: %d, flags: 0x%x)", about,
                 static_cast<const void*>(&ev), static_cast<unsigned>(ev.ev_events), ev.ev_fd,
                 static_cast<unsigned>(flags_of(ev)));
}

bool is_known(const event& ev) {
  const std::lock_guard guard(table_mutex);
  return added_events.count(&ev) != 0;
}

bool is_added(const event& ev) {
  const std::lock_guard guard(table_mutex);
  const auto entry = added_events.find(&ev);
  return entry != added_events.end() && entry->second;
}

}  // namespace

void enable() {
  if (event_debug_mode_on_) library::fatal(1, "event_enable_debug_mode was called twice!");
  if (is_too_late.load(std::memory_order_relaxed))
    library::fatal(1, "event_enable_debug_mode must be called *before* creating any events or event_bases");
  event_debug_mode_on_ = 1;
}

void disable() {
  const std::lock_guard guard(table_mutex);
  added_events.clear();
  event_debug_mode_on_ = 0;
}

void too_late() {
  if (!is_too_late.load(std::memory_order_relaxed)) is_too_late.store(true, std::memory_order_relaxed);
}

namespace detail {

void note_set_up(const event& ev) {
  const std::lock_guard guard(table_mutex);
  added_events[&ev] = false;
}

void note_torn_down(const event& ev) {
  const std::lock_guard guard(table_mutex);
  added_events.erase(&ev);
}

void note(const event& ev, bool added) {
  if (!is_known(ev))
    complain(added ? "event_debug_note_add_: noting an add on a non-setup"
                   : "event_debug_note_del_: noting a del on a non-setup",
             ev);
  const std::lock_guard guard(table_mutex);
  added_events[&ev] = added;
}

void check_set_up(const event& ev) {
  if (!is_known(ev)) complain("event_debug_assert_is_setup_ called on a non-initialized", ev);
}

void check_not_added(const event& ev) {
  if (is_added(ev)) complain("event_debug_assert_not_added_ called on an already added", ev);
}

void check_nonblocking(int fd) {
  if (fd < 0) return;
  const int status = fcntl(fd, F_GETFL);
  if (status >= 0 && !(status & O_NONBLOCK))
    library::fatal(library::kAbort, "%s",
                   "event.c:385: Assertion flags & O_NONBLOCK failed in event_debug_assert_socket_nonblocking_");
}

}  // namespace detail

}  // namespace heddle::multivent::debug_mode

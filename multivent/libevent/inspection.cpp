// Asking events and bases what they are and what they wait for.
#include <cstdio>

#include "multivent/libevent/abi.hpp"

using namespace heddle::multivent;

int event_pending(const event* ev, short what, timeval* when) {
  if (!has_base(ev, "event_pending")) return 0;
  const BaseLock lock(*ev->ev_base);
  debug_mode::assert_is_set_up(*ev);
  int pending = 0;
  if (flags_of(*ev) & EVLIST_INSERTED) pending |= ev->ev_events & (kIoEvents | EV_SIGNAL);
  if (flags_of(*ev) & kActiveFlags) pending |= ev->ev_res;
  if (flags_of(*ev) & EVLIST_TIMEOUT) pending |= EV_TIMEOUT;
  what = static_cast<short>(what & (EV_TIMEOUT | kIoEvents | EV_SIGNAL));
  if (when != nullptr && (pending & what & EV_TIMEOUT)) *when = ev->ev_base->wall_clock(without_magic(ev->ev_timeout));
  return pending & what;
}

int event_initialized(const event* ev) { return is_assigned(*ev) ? 1 : 0; }
std::size_t event_get_struct_event_size() { return sizeof(event); }

evutil_socket_t event_get_fd(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_fd;
}
event_base* event_get_base(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_base;
}
short event_get_events(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_events;
}
event_callback_fn event_get_callback(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_evcallback.evcb_cb_union.evcb_callback;
}
void* event_get_callback_arg(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_evcallback.evcb_arg;
}
int event_get_priority(const event* ev) {
  debug_mode::assert_is_set_up(*ev);
  return ev->ev_evcallback.evcb_pri;
}

void event_get_assignment(const event* ev, event_base** base, evutil_socket_t* fd, short* what,
                          event_callback_fn* function, void** argument) {
  debug_mode::assert_is_set_up(*ev);
  if (base != nullptr) *base = ev->ev_base;
  if (fd != nullptr) *fd = ev->ev_fd;
  if (what != nullptr) *what = ev->ev_events;
  if (function != nullptr) *function = ev->ev_evcallback.evcb_cb_union.evcb_callback;
  if (argument != nullptr) *argument = ev->ev_evcallback.evcb_arg;
}

// --- All events of a base ---

int event_base_get_num_events(event_base* base, unsigned which) {
  const BaseLock lock(*base);
  return (which & EVENT_BASE_COUNT_ACTIVE ? base->active_events.now : 0) +
         (which & EVENT_BASE_COUNT_VIRTUAL ? base->virtual_events.now : 0) +
         (which & EVENT_BASE_COUNT_ADDED ? base->events.now : 0);
}

int event_base_get_max_events(event_base* base, unsigned which, int clear) {
  const BaseLock lock(*base);
  int sum = 0;
  const auto take = [&](Count& count) {
    sum += count.most;
    if (clear) count.most = 0;
  };
  if (which & EVENT_BASE_COUNT_ACTIVE) take(base->active_events);
  if (which & EVENT_BASE_COUNT_VIRTUAL) take(base->virtual_events);
  if (which & EVENT_BASE_COUNT_ADDED) take(base->events);
  return sum;
}

int event_base_foreach_event(event_base* base, event_base_foreach_event_cb fn, void* argument) {
  if (fn == nullptr || base == nullptr) return -1;
  const BaseLock lock(*base);
  const void* const outer = base->inspector.load(std::memory_order_relaxed);
  base->inspector.store(this_thread(), std::memory_order_relaxed);
  const int result = base->visit_events(fn, argument);
  base->inspector.store(outer, std::memory_order_relaxed);
  return result;
}

namespace {

int dump_inserted(const event_base* base, const event* ev, void* output) {
  if (!(flags_of(*ev) & (EVLIST_INSERTED | EVLIST_TIMEOUT))) return 0;
  auto* file = static_cast<std::FILE*>(output);
  std::fprintf(file, "  %p [%s %d]%s%s%s%s%s%s%s", static_cast<const void*>(ev),
               (ev->ev_events & EV_SIGNAL) ? "sig" : "fd ", ev->ev_fd, (ev->ev_events & EV_READ) ? " Read" : "",
               (ev->ev_events & EV_WRITE) ? " Write" : "", (ev->ev_events & EV_CLOSED) ? " EOF" : "",
               (ev->ev_events & EV_SIGNAL) ? " Signal" : "", (ev->ev_events & EV_PERSIST) ? " Persist" : "",
               (ev->ev_events & EV_ET) ? " ET" : "", (flags_of(*ev) & EVLIST_INTERNAL) ? " Internal" : "");
  if (flags_of(*ev) & EVLIST_TIMEOUT) {
    const timeval due = base->wall_clock(without_magic(ev->ev_timeout));
    std::fprintf(file, " Timeout=%ld.%06d", static_cast<long>(due.tv_sec), static_cast<int>(due.tv_usec));
  }
  std::fputc('\n', file);
  return 0;
}

int dump_active(const event_base*, const event* ev, void* output) {
  if (!(flags_of(*ev) & kActiveFlags)) return 0;
  std::fprintf(static_cast<std::FILE*>(output), "  %p [%s %d, priority=%d]%s%s%s%s%s active%s%s\n",
               static_cast<const void*>(ev), (ev->ev_events & EV_SIGNAL) ? "sig" : "fd ", ev->ev_fd,
               ev->ev_evcallback.evcb_pri, (ev->ev_res & EV_READ) ? " Read" : "",
               (ev->ev_res & EV_WRITE) ? " Write" : "", (ev->ev_res & EV_CLOSED) ? " EOF" : "",
               (ev->ev_res & EV_SIGNAL) ? " Signal" : "", (ev->ev_res & EV_TIMEOUT) ? " Timeout" : "",
               (flags_of(*ev) & EVLIST_INTERNAL) ? " [Internal]" : "",
               (flags_of(*ev) & EVLIST_ACTIVE_LATER) ? " [NextTime]" : "");
  return 0;
}

}  // namespace

void event_base_dump_events(event_base* base, std::FILE* output) {
  const BaseLock lock(*base);
  std::fprintf(output, "Inserted events:\n");
  base->visit_events(dump_inserted, output);
  std::fprintf(output, "Active events:\n");
  base->visit_events(dump_active, output);
}

void event_base_active_by_fd(event_base* base, evutil_socket_t fd, short what) {
  const BaseLock lock(*base);
  if (what & EV_TIMEOUT) {
    base->timers.visit([&](event& ev) {
      if (ev.ev_fd == fd) base->activate(ev, EV_TIMEOUT, 1);
      return 0;
    });
    return;
  }
  const auto conditions = static_cast<short>(what & kIoEvents);
  for (event* ev = base->io.first(fd); ev != nullptr; ev = IoMap::next(*ev))
    if (ev->ev_events & conditions) base->activate(*ev, ev->ev_events & conditions, 1);
}

void event_base_active_by_signal(event_base* base, int signal) {
  const BaseLock lock(*base);
  for (event* ev = base->signals.first(signal); ev != nullptr; ev = Signals::next(*ev))
    base->activate(*ev, EV_SIGNAL, 1);
}

void event_base_assert_ok_(event_base* base) {
  const BaseLock lock(*base);
  base->check();
}

// --- The library ---

const char* event_get_version() { return EVENT__VERSION; }
ev_uint32_t event_get_version_number() { return EVENT__NUMERIC_VERSION; }

// event_enable_debug_mode(): a table of all events that were set up, kept apart from the events themselves, by which
// calls on events that were never initialised, or initialised again while added, are found.
//
// Off, every function is one test of a global. Thread-safe by a mutex of its own, taken inside that of a base.
#pragma once

#include "multivent/calls/event_fields.hpp"
#include "multivent/loop/library.hpp"

namespace heddle::multivent::debug_mode {

void enable();
void disable();
// From the first event or base on it is too late to turn it on.
void too_late();

namespace detail {
void note_set_up(const event& ev);
void note_torn_down(const event& ev);
void note(const event& ev, bool added);
void check_set_up(const event& ev);
void check_not_added(const event& ev);
void check_nonblocking(int fd);
}  // namespace detail

inline void note_set_up(const event& ev) {
  if (event_debug_mode_on_) detail::note_set_up(ev);
}
inline void note_torn_down(const event& ev) {
  if (event_debug_mode_on_) detail::note_torn_down(ev);
}
inline void note_added(const event& ev) {
  if (event_debug_mode_on_) detail::note(ev, true);
}
inline void note_deleted(const event& ev) {
  if (event_debug_mode_on_) detail::note(ev, false);
}
inline void assert_is_set_up(const event& ev) {
  if (event_debug_mode_on_) detail::check_set_up(ev);
}
inline void assert_not_added(const event& ev) {
  if (event_debug_mode_on_) detail::check_not_added(ev);
}
inline void assert_nonblocking(int fd) {
  if (event_debug_mode_on_) detail::check_nonblocking(fd);
}

}  // namespace heddle::multivent::debug_mode

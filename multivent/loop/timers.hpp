// Which events have a timeout, and which of them is due next.
//
// A binary heap of events ordered by ev_timeout, each knowing its index; and, for durations that the program declared
// as common, one list per duration, kept in order by appending (Lauck's and Varghese's timing wheels solve the same
// problem for all durations; libevent's callers name the few that matter). Equal timeouts leave a common list in the
// order of arrival. ev_timeout keeps the mark of the common list it is in.
//
// libevent has a timer of its own in the heap for each list, which ends when the first of the list did when it was set.
// It shows in the order in which timers of one time are called. So it is in a serial loop (follow_libevent()).
//
// Every function needs the base's mutex.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "multivent/calls/event_fields.hpp"
#include "multivent/loop/timeval_math.hpp"

namespace heddle::multivent {

class Timers {
 public:
  // True in serial loops. Nothing of a list may be due meanwhile.
  void follow_libevent(bool follows);

  // No event can be due, nor a list's own timer.
  bool empty() const { return follows_libevent_ ? first_plain() == nullptr : first() == nullptr; }

  // `ev` must have ev_timeout set, with the mark of a common list or without.
  void insert(event& ev);
  void remove(event& ev);

  // `ev` goes on waiting, but no other function but remove() and visit() sees it before bring_back().
  void set_aside(event& ev);
  bool any_aside() const { return !aside_.empty(); }
  void bring_back();

  // When the next event is due, or a list's own timer; none if no event waits for time.
  std::optional<timeval> next() const;
  // Nothing ends before this event, so who polls must know of it.
  bool is_next(event& ev) const;
  // Of those without a common timeout, and the lists' own timers, the one that is due first and not later than `now`,
  // or null.
  event* due(const timeval& now) const;
  // If that is a list's own timer, it is taken out, and the call for the list is returned; else null.
  event_callback* take_own(event& timer);
  // The list's call has been made: its timer is set for the first that is left.
  void go_on_with_list(const event_callback& call);
  bool any_common() const { return !common_.empty(); }
  // The first of that list if it is due, or null.
  event* due_in_list(const event_callback& call, const timeval& now) const;
  // Calls expire(ev), which removes it, for each with a common timeout that is due. List by list, as their first ones
  // are due.
  template <class Expire>
  void visit_common_due(const timeval& now, Expire&& expire) {
    while (CommonList* const list = first_list()) {
      if (less(now, without_magic(list->first->ev_timeout))) return;
      do {
        expire(*list->first);
      } while (list->first != nullptr && !less(now, without_magic(list->first->ev_timeout)));
    }
  }
  // Not where libevent is followed.
  event* first() const {
    event* const plain = first_plain();
    return common_.empty() ? plain : first_of_all(plain);
  }

  bool is_common(const timeval& duration) const {
    return (duration.tv_usec & kCommonTimeoutMask) == kCommonTimeoutMagic && has_list(duration);
  }
  // The marked duration to hand to the program; null if there are too many already.
  const timeval* common(const timeval& duration);

  template <class Visit>
  void visit_aside(Visit&& fn) const {
    for (event* ev : aside_) fn(*ev);
  }
  template <class Visit>
  int visit(Visit&& fn) const {
    for (event* ev : heap_)
      if (int r = is_own(*ev) ? 0 : fn(*ev)) return r;
    for (const std::deque<event*>* const apart : {&back_, &aside_})
      for (event* ev : *apart)
        if (int r = fn(*ev)) return r;
    for (const auto& list : common_)
      for (event* ev = list->first; ev != nullptr; ev = ev->ev_timeout_pos.ev_next_with_common_timeout.tqe_next)
        if (int r = fn(*ev)) return r;
    return 0;
  }

  // Ends the process if the heap or a list is out of order.
  void check() const;

 private:
  // When the first of a list is due, and the list's index.
  using FirstDue = std::tuple<time_t, suseconds_t, std::size_t>;
  struct CommonList {
    timeval duration;       // marked
    event_callback call{};  // see event_base::make_own_call_due()
    event timer{};          // its own, where libevent is followed; EVLIST_TIMEOUT is set while it is in the heap
    event* first = nullptr;
    event* last = nullptr;
    std::optional<std::set<FirstDue>::iterator> in_order;  // where it stands in lists_in_order_
  };
  static bool is_own(const event& ev) { return (flags_of(ev) & EVLIST_INTERNAL) != 0; }

  // The first without a common timeout.
  event* first_plain() const {
    if (heap_.empty()) return back_.empty() ? nullptr : back_.front();
    if (back_.empty() || less(heap_.front()->ev_timeout, back_.front()->ev_timeout)) return heap_.front();
    return back_.front();
  }
  event* first_of_all(event* plain) const;  // `plain`: first_plain()
  bool has_list(const timeval& marked) const;
  CommonList& list_of(const timeval& marked) const;
  // The one whose first event is due first; null if all are empty.
  CommonList* first_list() const {
    return lists_in_order_.empty() ? nullptr : common_[std::get<std::size_t>(*lists_in_order_.begin())].get();
  }
  void first_has_changed(CommonList& list);
  void set_own(CommonList& list);
  void push(event& ev);
  void take_out(event& ev);
  void place(event* ev, std::size_t index);
  void sift_up(std::size_t hole, event* ev);
  void sift_down(std::size_t hole, event* ev);

  std::vector<event*> heap_;
  std::deque<event*> aside_;  // mostly empty
  // Those that were brought back, by their timeouts: where these are equal, in the order in which the heap gave them
  // up, which it would change. Mostly empty; otherwise the first ones go first.
  std::deque<event*> back_;
  std::vector<std::unique_ptr<CommonList>> common_;
  std::set<FirstDue> lists_in_order_;  // those that are not empty; none where libevent is followed
  bool follows_libevent_ = false;
};

}  // namespace heddle::multivent

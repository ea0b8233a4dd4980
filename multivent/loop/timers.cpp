#include "multivent/loop/timers.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace heddle::multivent {

namespace {

constexpr std::size_t kMaxCommonTimeouts = 256;

// What stands in the place of an index in the heap while an event is in no heap but in aside_ or back_. Neither is the
// lower half of a pointer, which the place holds of an event in a list.
constexpr int kAside = -2;
constexpr int kBack = -3;

auto& timeout_links(event& ev) { return ev.ev_timeout_pos.ev_next_with_common_timeout; }

// A list's predecessor link, which the ABI types as a pointer to a pointer, holds the event before this one.
event* earlier(event& ev) { return reinterpret_cast<event*>(timeout_links(ev).tqe_prev); }
void set_earlier(event& ev, event* other) { timeout_links(ev).tqe_prev = reinterpret_cast<event**>(other); }

}  // namespace

bool Timers::has_list(const timeval& marked) const {
  return static_cast<std::size_t>((marked.tv_usec & kCommonTimeoutIndexMask) >> kCommonTimeoutIndexShift) <
         common_.size();
}

Timers::CommonList& Timers::list_of(const timeval& marked) const {
  return *common_[static_cast<std::size_t>((marked.tv_usec & kCommonTimeoutIndexMask) >> kCommonTimeoutIndexShift)];
}

void Timers::push(event& ev) {
  heap_.push_back(nullptr);
  sift_up(heap_.size() - 1, &ev);
}

void Timers::follow_libevent(bool follows) {
  follows_libevent_ = follows;
  for (const auto& list : common_) {
    if (follows && list->first != nullptr) set_own(*list);
    if (!follows && (flags_of(list->timer) & EVLIST_TIMEOUT)) take_own(list->timer);
    first_has_changed(*list);
  }
}

void Timers::set_own(CommonList& list) {
  if (flags_of(list.timer) & EVLIST_TIMEOUT) take_out(list.timer);
  list.timer.ev_timeout = without_magic(list.first->ev_timeout);
  set_flags(flags_of(list.timer), EVLIST_INTERNAL | EVLIST_TIMEOUT);
  push(list.timer);
}

event_callback* Timers::take_own(event& timer) {
  if (!is_own(timer)) return nullptr;
  take_out(timer);
  clear_flags(flags_of(timer), EVLIST_TIMEOUT);
  return &common_[static_cast<std::size_t>(timer.ev_fd)]->call;
}

void Timers::go_on_with_list(const event_callback& call) {
  for (const auto& list : common_)
    if (&list->call == &call && list->first != nullptr) set_own(*list);
}

void Timers::insert(event& ev) {
  if (!is_common(ev.ev_timeout)) {
    push(ev);
    return;
  }
  CommonList& list = list_of(ev.ev_timeout);
  event* before = list.last;
  while (before != nullptr && less(ev.ev_timeout, before->ev_timeout)) before = earlier(*before);
  event*& after = before != nullptr ? timeout_links(*before).tqe_next : list.first;
  timeout_links(ev).tqe_next = after;
  set_earlier(ev, before);
  if (after != nullptr) {
    set_earlier(*after, &ev);
  } else {
    list.last = &ev;
  }
  after = &ev;
  if (list.first != &ev) return;
  if (follows_libevent_) set_own(list);
  first_has_changed(list);
}

void Timers::set_aside(event& ev) {
  remove(ev);
  aside_.push_back(&ev);
  ev.ev_timeout_pos.min_heap_idx = kAside;
}

void Timers::bring_back() {
  const auto later = [](const event* a, const event* b) { return less(a->ev_timeout, b->ev_timeout); };
  for (event* ev : std::exchange(aside_, {})) {
    if (is_common(ev->ev_timeout)) {
      insert(*ev);
    } else {
      back_.insert(std::upper_bound(back_.begin(), back_.end(), ev, later), ev);
      ev->ev_timeout_pos.min_heap_idx = kBack;
    }
  }
}

void Timers::remove(event& ev) {
  if (const int index = ev.ev_timeout_pos.min_heap_idx; index == kAside || index == kBack) {
    std::deque<event*>& apart = index == kAside ? aside_ : back_;
    apart.erase(std::find(apart.begin(), apart.end(), &ev));
    return;
  }
  if (is_common(ev.ev_timeout)) {
    CommonList& list = list_of(ev.ev_timeout);
    event* before = earlier(ev);
    event* after = timeout_links(ev).tqe_next;
    (before != nullptr ? timeout_links(*before).tqe_next : list.first) = after;
    if (after != nullptr) {
      set_earlier(*after, before);
    } else {
      list.last = before;
    }
    if (before == nullptr) first_has_changed(list);
    return;
  }
  take_out(ev);
}

void Timers::take_out(event& ev) {
  const auto hole = static_cast<std::size_t>(ev.ev_timeout_pos.min_heap_idx);
  HEDDLE_ASSERT(hole < heap_.size() && heap_[hole] == &ev);
  event* moved = heap_.back();
  heap_.pop_back();
  if (moved == &ev) return;
  if (hole > 0 && less(moved->ev_timeout, heap_[(hole - 1) / 2]->ev_timeout)) {
    sift_up(hole, moved);
  } else {
    sift_down(hole, moved);
  }
}

// Many lists whose first ones go on changing keep their places in the set, and cost no memory.
void Timers::first_has_changed(CommonList& list) {
  std::set<FirstDue>::node_type place;
  if (list.in_order) {
    place = lists_in_order_.extract(*list.in_order);
    list.in_order.reset();
  }
  if (follows_libevent_ || list.first == nullptr) return;
  const timeval end = without_magic(list.first->ev_timeout);
  const FirstDue due{end.tv_sec, end.tv_usec, static_cast<std::size_t>(list.timer.ev_fd)};
  if (place.empty()) {
    list.in_order = lists_in_order_.insert(due).first;
  } else {
    place.value() = due;
    list.in_order = lists_in_order_.insert(std::move(place)).position;
  }
}

event* Timers::first_of_all(event* plain) const {
  const CommonList* const list = first_list();
  if (list == nullptr) return plain;
  return plain == nullptr || less(without_magic(list->first->ev_timeout), plain->ev_timeout) ? list->first : plain;
}

event* Timers::due_in_list(const event_callback& call, const timeval& now) const {
  for (const auto& list : common_)
    if (&list->call == &call && list->first != nullptr && !less(now, without_magic(list->first->ev_timeout)))
      return list->first;
  return nullptr;
}

std::optional<timeval> Timers::next() const {
  const event* ev = follows_libevent_ ? first_plain() : first();
  if (ev == nullptr) return std::nullopt;
  return without_magic(ev->ev_timeout);
}

bool Timers::is_next(event& ev) const {
  if (!follows_libevent_) return first() == &ev;
  if (!is_common(ev.ev_timeout)) return first_plain() == &ev;
  const CommonList& list = list_of(ev.ev_timeout);
  return list.first == &ev && first_plain() == &list.timer;
}

event* Timers::due(const timeval& now) const {
  event* const ev = first_plain();
  return ev != nullptr && !less(now, ev->ev_timeout) ? ev : nullptr;
}

const timeval* Timers::common(const timeval& duration) {
  for (const auto& list : common_) {
    const timeval plain = without_magic(list->duration);
    if (plain.tv_sec == duration.tv_sec && plain.tv_usec == duration.tv_usec) return &list->duration;
  }
  if (common_.size() == kMaxCommonTimeouts) return nullptr;
  auto list = std::make_unique<CommonList>();
  const auto index = static_cast<long>(common_.size());
  list->duration = {duration.tv_sec, duration.tv_usec | kCommonTimeoutMagic | (index << kCommonTimeoutIndexShift)};
  list->timer.ev_fd = static_cast<evutil_socket_t>(index);
  common_.push_back(std::move(list));
  return &common_.back()->duration;
}

void Timers::place(event* ev, std::size_t index) {
  heap_[index] = ev;
  ev->ev_timeout_pos.min_heap_idx = static_cast<int>(index);
}

void Timers::sift_up(std::size_t hole, event* ev) {
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / 2;
    if (!less(ev->ev_timeout, heap_[parent]->ev_timeout)) break;
    place(heap_[parent], hole);
    hole = parent;
  }
  place(ev, hole);
}

void Timers::sift_down(std::size_t hole, event* ev) {
  for (std::size_t child = 2 * hole + 1; child < heap_.size(); child = 2 * hole + 1) {
    // Of two equal ones the second, as libevent does: programs see in what order equal timeouts end.
    if (child + 1 < heap_.size() && !less(heap_[child]->ev_timeout, heap_[child + 1]->ev_timeout)) ++child;
    if (!less(heap_[child]->ev_timeout, ev->ev_timeout)) break;
    place(heap_[child], hole);
    hole = child;
  }
  place(ev, hole);
}

void Timers::check() const {
  const auto earlier_end = [](const event* a, const event* b) { return less(a->ev_timeout, b->ev_timeout); };
  HEDDLE_ASSERT(std::is_sorted(back_.begin(), back_.end(), earlier_end));
  for (const std::deque<event*>* const apart : {&back_, &aside_})
    for (const event* ev : *apart) HEDDLE_ASSERT(flags_of(*ev) & EVLIST_TIMEOUT);
  for (std::size_t i = 0; i < heap_.size(); ++i) {
    HEDDLE_ASSERT(heap_[i]->ev_timeout_pos.min_heap_idx == static_cast<int>(i));
    HEDDLE_ASSERT(flags_of(*heap_[i]) & EVLIST_TIMEOUT);
    HEDDLE_ASSERT(i == 0 || !less(heap_[i]->ev_timeout, heap_[(i - 1) / 2]->ev_timeout));
  }
  for (const auto& list : common_) {
    event* previous = nullptr;
    for (event* ev = list->first; ev != nullptr; previous = ev, ev = timeout_links(*ev).tqe_next) {
      HEDDLE_ASSERT(earlier(*ev) == previous && (flags_of(*ev) & EVLIST_TIMEOUT));
      HEDDLE_ASSERT(previous == nullptr || !less(ev->ev_timeout, previous->ev_timeout));
    }
    HEDDLE_ASSERT(list->last == previous);
    const auto& place = list->in_order;
    HEDDLE_ASSERT(place.has_value() == (!follows_libevent_ && previous != nullptr));
    if (!place) continue;
    const timeval end = without_magic(list->first->ev_timeout);
    HEDDLE_ASSERT(**place == FirstDue(end.tv_sec, end.tv_usec, static_cast<std::size_t>(list->timer.ev_fd)));
  }
}

}  // namespace heddle::multivent

// Which events wait for which descriptor, and what epoll has been told about it.
//
// A descriptor's events form a list, newest first, as libevent reports them. epoll is told the union of what they want,
// level-triggered unless an event asked for edges, minus what is *suppressed*: the conditions for which every event
// that wants them is queued or running already. Without that a poller beside a running handler would be woken for the
// same readiness without end. A suppressed condition comes back as soon as one of its events is free again; being level
// triggered, it then reports whatever is still there, so nothing is lost and nothing stale is run. Edges are never
// suppressed: the caller remembers them.
//
// A descriptor whose only event is good for one report (no EV_PERSIST) is registered as one-shot: the kernel stops
// watching by itself, which saves the call that would tell it to, and one call makes it watch again. From the report
// until then the registration is *spent*: it exists, and reports nothing. That can change the order in which
// descriptors are reported, so a serial loop, which keeps libevent's order, does without one-shot registrations.
//
// A report that was fetched while a call for its descriptor was ending may tell of data that this call has read. It is
// dropped, and epoll reports again if there is data left: a handler that reads a blocking descriptor would hang.
//
// A file that epoll refuses (a regular one, /dev/null) is always ready for poll(2), and so it is here, if that is what
// the program has asked for: an eventfd of our own, which is always ready, is watched in its stead.
//
// epoll reports hang-ups even for a descriptor with no interest left, so such a descriptor is taken out of epoll.
// A report carries the generation of the descriptor's registration: one that was fetched before the descriptor was
// closed and its number used again is dropped.
//
// Every function needs the base's mutex, except wait(), which one thread at a time may be in.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "multivent/calls/event_fields.hpp"

namespace heddle::multivent {

class IoMap {
 public:
  IoMap() = default;
  ~IoMap();
  IoMap(const IoMap&) = delete;
  IoMap& operator=(const IoMap&) = delete;

  // What the program has asked for: epoll is behind all of them, but files and hang-ups are reported by the rules of
  // that one, and in its order.
  enum class Rules : std::uint8_t { kEpoll, kPoll, kSelect };

  // Both return false with errno set if the kernel refuses. `one_shot`: where it saves calls.
  bool open(bool one_shot, Rules rules);
  // From here on; descriptors that wait already go on as they are.
  void use_one_shot(bool where_it_saves_calls) { one_shot_ = where_it_saves_calls; }
  // After fork: a new epoll instance with all registrations, nothing shared with the parent. shut() comes first.
  bool reopen();
  // Closes what only epoll needs.
  void shut();

  // -1 on error, 0 if epoll did not have to be told, 1 if it was.
  int add(event& ev);
  int remove(event& ev);

  event* first(int fd) const { return has_slot(fd) ? slots_[static_cast<std::size_t>(fd)].first : nullptr; }
  static event* next(const event& ev) { return ev.ev_.ev_io.ev_io_next.le_next; }

  short suppressed(int fd) const { return has_slot(fd) ? slots_[static_cast<std::size_t>(fd)].suppressed : short{0}; }
  // Whether an event that asked for edges is told so when it is called: epoll_dispatch() tells it in any case, also
  // where another event of its descriptor has asked for none.
  bool tells_edges() const { return rules_ == Rules::kEpoll; }
  bool edge_triggered(int fd) const { return has_slot(fd) && slots_[static_cast<std::size_t>(fd)].edge; }
  // Sets what is suppressed and tells epoll.
  void suppress(int fd, short conditions);

  // Every wait() begins with this, with the mutex still held.
  void wait_begins() { ++waits_; }
  void call_ended(int fd) {
    if (has_slot(fd)) slots_[static_cast<std::size_t>(fd)].ended_in_wait = waits_;
  }
  // An event that was reported will not be called after all, and goes on waiting.
  void renew(int fd);

  // Which of the conditions hold now, as the kernel says.
  short ready(int fd, short conditions) const;

  // Descriptors of our own (a wake-up eventfd, a signal pipe), reported as `own(tag)`.
  bool watch_own(int fd, std::uint32_t tag);

  // Blocks for `timeout_ns` (-1: for ever). The number of reports, or -1 with errno.
  int wait(std::int64_t timeout_ns, bool precise);
  // Calls io(fd, EV_ conditions) and own(tag) for what the last wait() fetched.
  template <class Io, class Own>
  void reports(int count, Io&& io, Own&& own);

  template <class Visit>
  int visit(Visit&& fn) const {
    for (const Slot& slot : slots_)
      for (event* ev = slot.first; ev != nullptr; ev = next(*ev))
        if (int r = fn(*ev)) return r;
    return 0;
  }

  // Some registered event that is not internal, of the descriptor `from` or a later one, or null. `from` becomes its
  // descriptor.
  event* any_event(std::size_t& from) const;
  // Ends the process if counts and lists disagree.
  void check() const;

 private:
  struct Slot {  // one per descriptor, so as small as can be
    event* first = nullptr;
    std::uint16_t readers = 0;
    std::uint16_t writers = 0;
    std::uint16_t closers = 0;
    short told = 0;        // what epoll watches for
    short suppressed = 0;  // what it would, were it not for busy events
    bool edge = false;     // as the event asked that changed the interest last
    bool one_shot = false;
    bool spent = false;               // then told is 0
    bool has_stand_in = false;        // in stand_ins_, as long as the descriptor has events
    int row = -1;                     // in table_
    std::uint32_t ended_in_wait = 0;  // waits_ when a call for it ended last
    std::uint32_t generation = 0;
  };
  static constexpr std::uint32_t kOwn = 0x80000000;  // in the half of the report that holds the descriptor

  bool has_slot(int fd) const { return fd >= 0 && static_cast<std::size_t>(fd) < slots_.size(); }
  short wanted(const Slot& slot) const;
  short conditions_of(std::uint32_t events) const;
  // poll(2) and select(2) know no edges.
  bool wants_edges(const event& ev) const { return (ev.ev_events & EV_ET) != 0 && tells_edges(); }
  void note_in_table(int fd, Slot& slot);
  void put_in_order(int count);
  bool tell(int fd, Slot& slot, bool quiet = false);
  bool tell_otherwise(int operation, int fd, Slot& slot, epoll_event& interest, short target, bool quiet);
  epoll_event interest_of(int fd, const Slot& slot, std::uint32_t generation) const;
  int control(int operation, int fd, Slot& slot, epoll_event& interest);
  int stand_in(int operation, int fd, Slot& slot, epoll_event& interest);
  void watch_what_the_number_is_of_now(int fd, Slot& slot);
  void drop_stand_in(int fd, Slot& slot);
  void grow_reports(int used);

  int epoll_fd_ = -1;
  bool one_shot_ = false;
  Rules rules_ = Rules::kEpoll;
  std::uint32_t waits_ = 1;  // may wrap around: a report that is then dropped by mistake comes again
  std::vector<Slot> slots_;
  std::unordered_map<int, int> stand_ins_;  // what is watched in a descriptor's stead
  std::vector<int> table_;                  // of poll(2): descriptors in the order in which it is given them
  std::vector<epoll_event> reports_;
  std::vector<std::pair<int, std::uint32_t>> own_;
};

inline short IoMap::conditions_of(std::uint32_t events) const {
  if (rules_ == Rules::kPoll && (events & (EPOLLHUP | EPOLLERR)))
    return static_cast<short>(EV_READ | EV_WRITE | (events & EPOLLRDHUP ? EV_CLOSED : 0));
  // For select(2) the end of what can be read is something to read, and no more.
  if (rules_ == Rules::kSelect && (events & (EPOLLHUP | EPOLLERR)) == EPOLLHUP)
    return static_cast<short>(EV_READ | (events & EPOLLOUT ? EV_WRITE : 0));
  // Errors and full hang-ups wake readers and writers alike: their next call will see which it is.
  if ((events & EPOLLERR) || ((events & EPOLLHUP) && !(events & EPOLLRDHUP))) return EV_READ | EV_WRITE;
  return static_cast<short>((events & EPOLLIN ? EV_READ : 0) | (events & EPOLLOUT ? EV_WRITE : 0) |
                            (events & EPOLLRDHUP ? EV_CLOSED : 0));
}

template <class Io, class Own>
void IoMap::reports(int count, Io&& io, Own&& own) {
  if (rules_ != Rules::kEpoll) put_in_order(count);
  for (int i = 0; i < count; ++i) {
    const epoll_event& report = reports_[static_cast<std::size_t>(i)];
    const auto low = static_cast<std::uint32_t>(report.data.u64);
    if (low & kOwn) {
      own(low & ~kOwn);
      continue;
    }
    const int fd = static_cast<int>(low);
    if (!has_slot(fd) || slots_[low].generation != static_cast<std::uint32_t>(report.data.u64 >> 32)) continue;
    if (slots_[low].one_shot && slots_[low].told != 0) {
      slots_[low].told = 0;
      slots_[low].spent = true;
    }
    if (slots_[low].ended_in_wait == waits_ && !slots_[low].edge) {
      renew(fd);
      continue;
    }
    const short conditions = conditions_of(report.events);
    if (conditions != 0) io(fd, conditions);
  }
  grow_reports(count);
}

}  // namespace heddle::multivent

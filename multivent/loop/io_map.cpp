#include "multivent/loop/io_map.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>

#include "base/assert.hpp"
#include "multivent/loop/library.hpp"

namespace heddle::multivent {

namespace {

constexpr std::size_t kFirstReports = 32;
constexpr std::size_t kMostReports = 4096;
// Some kernels take a longer timeout of epoll_wait() for an endless one.
constexpr int kLongestWait_ms = 35 * 60 * 1000;

std::uint32_t epoll_bits(short conditions, bool edge, bool one_shot) {
  return (conditions & EV_READ ? EPOLLIN : 0U) | (conditions & EV_WRITE ? EPOLLOUT : 0U) |
         (conditions & EV_CLOSED ? EPOLLRDHUP : 0U) | (edge ? EPOLLET : 0U) | (one_shot ? EPOLLONESHOT : 0U);
}

static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLRDHUP == EPOLLRDHUP && POLLERR == EPOLLERR &&
              POLLHUP == EPOLLHUP);

// In libevent's words.
void say_that_it_failed(int operation, std::uint32_t bits, int fd, short old, short target) {
  const char* const name = operation == EPOLL_CTL_ADD ? "ADD" : operation == EPOLL_CTL_MOD ? "MOD" : "DEL";
  struct Change {
    int number;
    const char* name;
  };
  const int edge = bits & EPOLLET ? EV_ET : 0;
  const auto change = [&](short condition) {
    if (((old ^ target) & condition) == 0) return Change{0, "none"};
    return (target & condition) != 0 ? Change{1 | edge, "add"} : Change{2 | edge, "del"};
  };
  const Change read = change(EV_READ);
  const Change write = change(EV_WRITE);
  const Change closed = change(EV_CLOSED);
  library::warn_later(
      "Epoll %s(%d) on fd %d failed. Old events were %d; read change was %d (%s); write change was %d (%s); close "
      "change "
      "was %d (%s)",
      name, static_cast<int>(bits & ~static_cast<std::uint32_t>(EPOLLONESHOT)), fd, old, read.number, read.name,
      write.number, write.name, closed.number, closed.name);
}

}  // namespace

IoMap::~IoMap() { shut(); }

bool IoMap::open(bool one_shot, Rules rules) {
  one_shot_ = one_shot;
  rules_ = rules;
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  reports_.resize(rules == Rules::kEpoll ? kFirstReports : kMostReports);  // the others report all that is ready
  return epoll_fd_ >= 0;
}

void IoMap::shut() {
  for (const auto& [fd, stand_in] : stand_ins_) {
    close(stand_in);
    slots_[static_cast<std::size_t>(fd)].has_stand_in = false;
  }
  stand_ins_.clear();
  if (epoll_fd_ >= 0) close(epoll_fd_);
  epoll_fd_ = -1;
}

bool IoMap::reopen() {
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  own_.clear();
  if (epoll_fd_ < 0) return false;
  bool all = true;
  table_.clear();
  for (std::size_t fd = 0; fd < slots_.size(); ++fd) {
    slots_[fd].row = -1;
    note_in_table(static_cast<int>(fd), slots_[fd]);
    slots_[fd].told = 0;
    slots_[fd].suppressed = 0;
    slots_[fd].spent = false;
    all = tell(static_cast<int>(fd), slots_[fd]) && all;
  }
  return all;
}

// libevent's select looks for no closing.
short IoMap::wanted(const Slot& slot) const {
  return static_cast<short>((slot.readers != 0 ? EV_READ : 0) | (slot.writers != 0 ? EV_WRITE : 0) |
                            (slot.closers != 0 && rules_ != Rules::kSelect ? EV_CLOSED : 0));
}

// libevent keeps a table for poll(2): what is new comes last, and the last takes the place of what goes.
void IoMap::note_in_table(int fd, Slot& slot) {
  if (rules_ != Rules::kPoll || (wanted(slot) != 0) == (slot.row >= 0)) return;
  if (slot.row < 0) {
    slot.row = static_cast<int>(table_.size());
    table_.push_back(fd);
    return;
  }
  const int last = table_.back();
  slots_[static_cast<std::size_t>(last)].row = slot.row;
  table_[static_cast<std::size_t>(slot.row)] = last;
  table_.pop_back();
  slot.row = -1;
}

// libevent walks the table of poll(2), or the descriptors that it has given select(2), from a random one on; we from
// the first.
void IoMap::put_in_order(int count) {
  const auto place = [this](const epoll_event& report) {
    const auto low = static_cast<std::uint32_t>(report.data.u64);
    if ((low & kOwn) || low >= slots_.size()) return INT_MAX;
    return rules_ == Rules::kPoll ? slots_[low].row : static_cast<int>(low);
  };
  std::sort(reports_.begin(), reports_.begin() + std::max(count, 0),
            [&](const epoll_event& a, const epoll_event& b) { return place(a) < place(b); });
}

int IoMap::add(event& ev) {
  const int fd = ev.ev_fd;
  if (fd < 0) return 0;
  if (!has_slot(fd)) {
    if (fd > INT_MAX / 2 || fcntl(fd, F_GETFD) < 0) {
      errno = EBADF;
      say_that_it_failed(EPOLL_CTL_ADD, epoll_bits(ev.ev_events, (ev.ev_events & EV_ET) != 0, /*one_shot=*/false), fd,
                         0, ev.ev_events);
      return -1;
    }
    slots_.resize(std::max<std::size_t>({32, slots_.size() + slots_.size() / 4, static_cast<std::size_t>(fd) + 1}));
  }
  Slot& slot = slots_[static_cast<std::size_t>(fd)];
  const Slot old = slot;
  const auto full = [](std::uint16_t count) { return count == 0xffff; };
  if (((ev.ev_events & EV_READ) && full(slot.readers)) || ((ev.ev_events & EV_WRITE) && full(slot.writers)) ||
      ((ev.ev_events & EV_CLOSED) && full(slot.closers))) {
    library::warn_x_later("Too many events reading or writing on fd %d", fd);
    return -1;
  }
  const bool edge = wants_edges(ev);
  if (event_debug_mode_on_ && slot.first != nullptr && ((slot.first->ev_events ^ ev.ev_events) & EV_ET)) {
    library::warn_x_later("Tried to mix edge-triggered and non-edge-triggered events on fd %d", fd);
    return -1;
  }
  if (ev.ev_events & EV_READ) ++slot.readers;
  if (ev.ev_events & EV_WRITE) ++slot.writers;
  if (ev.ev_events & EV_CLOSED) ++slot.closers;
  // A new event is free, so what it wants need not be suppressed.
  clear_flags(slot.suppressed, ev.ev_events);
  const bool changes = wanted(slot) != wanted(old);
  if (changes) {
    slot.edge = edge;
    if (old.first == nullptr) ++slot.generation;
  }
  // Every report is for an event that waits for reading or writing, if that is all its descriptor is watched for.
  slot.one_shot = one_shot_ && old.first == nullptr && !(ev.ev_events & (EV_PERSIST | EV_ET | EV_CLOSED));
  const bool told_otherwise = slot.suppressed != old.suppressed || slot.one_shot != old.one_shot;
  if (changes || told_otherwise) {
    if (!tell(fd, slot)) {
      slot = old;
      return -1;
    }
  } else if (old.first != nullptr) {
    watch_what_the_number_is_of_now(fd, slot);
  }
  note_in_table(fd, slot);
  push_front<io_links>(slot.first, ev);
  return changes ? 1 : 0;
}

int IoMap::remove(event& ev) {
  const int fd = ev.ev_fd;
  if (fd < 0) return 0;
  if (!has_slot(fd)) return -1;
  Slot& slot = slots_[static_cast<std::size_t>(fd)];
  const short before = wanted(slot);
  if (ev.ev_events & EV_READ) --slot.readers;
  if (ev.ev_events & EV_WRITE) --slot.writers;
  if (ev.ev_events & EV_CLOSED) --slot.closers;
  remove_from_list<io_links>(slot.first, ev);
  if (slot.first == nullptr) drop_stand_in(fd, slot);  // the number may be of something else when it comes again
  slot.suppressed = static_cast<short>(slot.suppressed & wanted(slot));
  if (wanted(slot) == before) return 0;
  note_in_table(fd, slot);
  slot.edge = wants_edges(ev);
  return tell(fd, slot) ? 1 : -1;
}

short IoMap::ready(int fd, short conditions) const {
  if (!has_slot(fd)) return 0;
  if (slots_[static_cast<std::size_t>(fd)].has_stand_in) return conditions;
  const int error = errno;
  pollfd asked{fd, static_cast<short>(epoll_bits(conditions, /*edge=*/false, /*one_shot=*/false)), 0};
  const int count = poll(&asked, 1, 0);
  errno = error;
  if (count < 0) return conditions;  // interrupted: as it was found
  return count == 0 || (asked.revents & POLLNVAL) ? short{0} : conditions_of(static_cast<unsigned>(asked.revents));
}

// Closes the descriptor's stand-in, if it has one; epoll's registration of the stand-in ends with it.
void IoMap::drop_stand_in(int fd, Slot& slot) {
  if (!slot.has_stand_in) return;
  const auto found = stand_ins_.find(fd);
  close(found->second);
  stand_ins_.erase(found);
  slot.has_stand_in = false;
  slot.told = 0;
  slot.spent = false;
}

// Events of the descriptor wait for the same, but it may have been closed, and its number be of another file: one
// handler closes it and then frees its event, and another opens something in between. Then epoll has nothing under that
// number.
void IoMap::watch_what_the_number_is_of_now(int fd, Slot& slot) {
  if (slot.has_stand_in || wanted(slot) == 0) return;
  const int error = errno;
  epoll_event interest = interest_of(fd, slot, slot.generation + 1);
  if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &interest) == 0) ++slot.generation;  // EEXIST: it is the same file
  errno = error;
}

[[gnu::always_inline]] inline epoll_event IoMap::interest_of(int fd, const Slot& slot, std::uint32_t generation) const {
  epoll_event interest{};
  interest.events = epoll_bits(static_cast<short>(wanted(slot) & ~slot.suppressed), slot.edge, slot.one_shot);
  interest.data.u64 = static_cast<std::uint64_t>(generation) << 32 | static_cast<std::uint32_t>(fd);
  return interest;
}

void IoMap::suppress(int fd, short conditions) {
  Slot& slot = slots_[static_cast<std::size_t>(fd)];
  if (slot.suppressed == conditions) return;
  slot.suppressed = conditions;
  // The program may have closed the descriptor and be about to delete the event: that is no error of ours.
  tell(fd, slot, /*quiet=*/true);
}

void IoMap::renew(int fd) {
  if (has_slot(fd) && slots_[static_cast<std::size_t>(fd)].spent) tell(fd, slots_[static_cast<std::size_t>(fd)]);
}

// epoll_ctl(2), on a stand-in where epoll does not take the descriptor.
int IoMap::control(int operation, int fd, Slot& slot, epoll_event& interest) {
  const int result = epoll_ctl(epoll_fd_, operation, slot.has_stand_in ? stand_ins_.at(fd) : fd, &interest);
  return result == 0 ? result : stand_in(operation, fd, slot, interest);
}

// Where epoll has refused, with errno.
int IoMap::stand_in(int operation, int fd, Slot& slot, epoll_event& interest) {
  if (operation != EPOLL_CTL_ADD || errno != EPERM || rules_ == Rules::kEpoll) return -1;
  const int ready = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);  // never read: ready to be read and to be written
  if (ready < 0) return -1;
  stand_ins_[fd] = ready;
  slot.has_stand_in = true;
  if (epoll_ctl(epoll_fd_, operation, ready, &interest) == 0) return 0;
  const int error = errno;
  drop_stand_in(fd, slot);
  errno = error;
  return -1;
}

// Makes epoll watch for wanted minus suppressed.
bool IoMap::tell(int fd, Slot& slot, bool quiet) {
  const auto target = static_cast<short>(wanted(slot) & ~slot.suppressed);
  if (target == 0 && slot.told == 0) return true;
  epoll_event interest = interest_of(fd, slot, slot.generation);
  const int operation = target == 0 ? EPOLL_CTL_DEL : slot.told == 0 && !slot.spent ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const int watched = slot.has_stand_in ? stand_ins_.at(fd) : fd;
  if (epoll_ctl(epoll_fd_, operation, watched, &interest) != 0 &&
      !tell_otherwise(operation, fd, slot, interest, target, quiet)) [[unlikely]]
    return false;
  slot.told = target;
  slot.spent = false;
  return true;
}

// Where epoll has refused, with errno. A descriptor that was closed behind our back is not an error when its
// registration ends; one that was closed and opened again gets a fresh registration.
bool IoMap::tell_otherwise(int operation, int fd, Slot& slot, epoll_event& interest, short target, bool quiet) {
  int result = stand_in(operation, fd, slot, interest);
  // ENOENT: the number is of something else now; EPERM: of something that epoll does not take.
  if (result != 0 && operation == EPOLL_CTL_MOD && (errno == ENOENT || errno == EPERM)) {
    interest = interest_of(fd, slot, ++slot.generation);
    result = control(EPOLL_CTL_ADD, fd, slot, interest);
  }
  if (result != 0 && operation == EPOLL_CTL_ADD && errno == EEXIST) result = control(EPOLL_CTL_MOD, fd, slot, interest);
  if (result != 0 && operation == EPOLL_CTL_DEL && (errno == ENOENT || errno == EBADF || errno == EPERM)) result = 0;
  if (result == 0) return true;
  if (!quiet) say_that_it_failed(operation, interest.events, fd, slot.told, target);
  if (operation != EPOLL_CTL_ADD) slot.told = target;
  slot.spent = false;
  return false;
}

bool IoMap::watch_own(int fd, std::uint32_t tag) {
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.u64 = kOwn | tag;
  return epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &interest) == 0;
}

int IoMap::wait(std::int64_t timeout_ns, bool precise) {
  const auto most = static_cast<int>(reports_.size());
  if (precise && timeout_ns > 0) {
    const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                           static_cast<long>(timeout_ns % 1'000'000'000)};
    const int count = epoll_pwait2(epoll_fd_, reports_.data(), most, &timeout, nullptr);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;  // EPERM: a filter of an older container
  }
  int timeout_ms = -1;
  if (timeout_ns >= 0)
    timeout_ms = static_cast<int>(std::min<std::int64_t>((timeout_ns + 999'999) / 1'000'000, kLongestWait_ms));
  return epoll_wait(epoll_fd_, reports_.data(), most, timeout_ms);
}

void IoMap::grow_reports(int used) {
  if (static_cast<std::size_t>(used) == reports_.size() && used < static_cast<int>(kMostReports))
    reports_.resize(reports_.size() * 2);
}

event* IoMap::any_event(std::size_t& from) const {
  for (; from < slots_.size(); ++from)
    for (event* ev = slots_[from].first; ev != nullptr; ev = next(*ev))
      if (!(flags_of(*ev) & EVLIST_INTERNAL)) return ev;
  return nullptr;
}

void IoMap::check() const {
  for (std::size_t fd = 0; fd < slots_.size(); ++fd) {
    int readers = 0;
    int writers = 0;
    int closers = 0;
    event* previous = nullptr;
    for (event* ev = slots_[fd].first; ev != nullptr; previous = ev, ev = next(*ev)) {
      HEDDLE_ASSERT(flags_of(*ev) & EVLIST_INSERTED);
      HEDDLE_ASSERT(ev->ev_fd == static_cast<int>(fd) && before_in_list<io_links>(*ev) == previous);
      HEDDLE_ASSERT(!(ev->ev_events & EV_SIGNAL) && (ev->ev_events & kIoEvents));
      readers += (ev->ev_events & EV_READ) != 0;
      writers += (ev->ev_events & EV_WRITE) != 0;
      closers += (ev->ev_events & EV_CLOSED) != 0;
    }
    HEDDLE_ASSERT(readers == slots_[fd].readers && writers == slots_[fd].writers && closers == slots_[fd].closers);
  }
}

}  // namespace heddle::multivent

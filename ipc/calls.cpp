// Each function does what it did, and notes what it was: what it returns, errno, and when it is cancelled, are the C
// library's own. None is noexcept: a thread may be cancelled in it, which unwinds the stack.
#include "ipc/calls.hpp"

#include <alloca.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ipc/channels.hpp"
#include "ipc/environment.hpp"
#include "ipc/sample.hpp"

namespace heddle::ipc {

namespace {

// The functions as they were; set before the program starts.
template <class Function>
struct Next;
template <class Result, class... Arguments>
struct Next<Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);
};
template <class Function>
using Was = typename Next<Function>::Pointer;

constexpr std::uint64_t kPause_ns = 10'000'000;  // a sender that pauses longer has ended a batch

struct {
  Was<ssize_t(int, void*, size_t)> read;
  Was<ssize_t(int, const iovec*, int)> readv;
  Was<ssize_t(int, void*, size_t, int)> recv;
  Was<ssize_t(int, void*, size_t, int, sockaddr*, socklen_t*)> recvfrom;
  Was<ssize_t(int, msghdr*, int)> recvmsg;
  Was<int(int, mmsghdr*, unsigned, int, timespec*)> recvmmsg;
  Was<ssize_t(int, const void*, size_t)> write;
  Was<ssize_t(int, const iovec*, int)> writev;
  Was<ssize_t(int, const void*, size_t, int)> send;
  Was<ssize_t(int, const void*, size_t, int, const sockaddr*, socklen_t)> sendto;
  Was<ssize_t(int, const msghdr*, int)> sendmsg;
  Was<int(int, mmsghdr*, unsigned, int)> sendmmsg;
  Was<ssize_t(int, int, off_t*, size_t)> sendfile;
  Was<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)> splice;
  Was<ssize_t(int, const iovec*, size_t, unsigned)> vmsplice;
  Was<int(pollfd*, nfds_t, int)> poll;
  Was<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> ppoll;
  Was<int(int, fd_set*, fd_set*, fd_set*, timeval*)> select;
  Was<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)> pselect;
  Was<int(int, epoll_event*, int, int)> epoll_wait;
  Was<int(int, epoll_event*, int, int, const sigset_t*)> epoll_pwait;
  Was<int(int, epoll_event*, int, const timespec*, const sigset_t*)> epoll_pwait2;
  Was<int(int)> close;
  Was<int(int)> close_nocancel;
  Was<int(unsigned, unsigned, int)> close_range;
  Was<int(int)> dup;
  Was<int(int, int)> dup2;
  Was<int(int, int, int)> dup3;
  Was<int(int*)> pipe;
  Was<int(int*, int)> pipe2;
  Was<int(int, int, int)> socket;
  Was<int(int, int, int, int*)> socketpair;
  Was<int(int, const sockaddr*, socklen_t)> connect;
  Was<int(int, int)> listen;
  Was<int(int, sockaddr*, socklen_t*)> accept;
  Was<int(int, sockaddr*, socklen_t*, int)> accept4;
  Was<int(const char*, char* const*, char* const*)> execve;
  Was<int(int, char* const*, char* const*)> fexecve;
  Was<int(int, const char*, char* const*, char* const*, int)> execveat;
  Was<void(int)> leave;
  Was<int(int, unsigned long, unsigned long, unsigned long, unsigned long)> prctl;
  Was<long(long, long, long, long, long, long, long)> syscall;
} next;

// What a call moved.
struct Moved {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

Moved one(ssize_t result) { return {result >= 0 ? 1U : 0U, result > 0 ? static_cast<std::uint64_t>(result) : 0}; }

Moved several(int result, const mmsghdr* messages) {
  Moved moved;
  for (int i = 0; i < result; ++i) moved.bytes += messages[i].msg_len;
  moved.messages = result > 0 ? static_cast<std::uint64_t>(result) : 0;
  return moved;
}

std::uint64_t room_in(const iovec* parts, std::size_t count) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

bool is_stream(const Slot& slot) {
  const IpcKind kind = slot.about.kind;
  return kind == IpcKind::kPipe || kind == IpcKind::kUnixStream || kind == IpcKind::kTcp;
}

// The poll that led to the use of this channel is its own.
void claim_poll(Slot& slot) {
  if (!thread.polled) return;
  thread.polled = false;
  IpcMeter& polled = slot.meter(IpcMeterKind::kPolled);
  add(polled, thread.poll);
}

void used(int descriptor, Slot& slot, const Sample& sample) {
  if (sample.ended_ns() != 0) set(slot.about.last_ns, sample.ended_ns());
  File* const of = state->file.load(std::memory_order_relaxed);
  if (of == nullptr) return;
  add(of->process.calls, 1);
  if (sample.weight() == 0) return;
  add(of->process.samples, 1);
  note_cpu(*of, false);
  check(descriptor, slot);
}

// Notes a call that sends, in errno what it left there.
void sent(int descriptor, Slot& slot, bool first, const Sample& sample, Moved moved) {
  const int error = errno;
  claim_poll(slot);
  if (moved.messages == 0) {
    IpcMeter& nothing = slot.meter(IpcMeterKind::kNothing);
    count(nothing, 1, 0);
    time(nothing, sample);
  } else {
    IpcMeter& meter = slot.meter(first ? IpcMeterKind::kFirst : IpcMeterKind::kLater);
    count(meter, 1, moved.bytes);
    time(meter, sample);
    if (moved.messages > 1) add(slot.about.more, moved.messages - 1);
    if (first) add(slot.about.batches, 1);
    set(slot.about.turn, turn());
  }
  used(descriptor, slot, sample);
  errno = error;
}

template <class Call, class Count>
auto send_by(int descriptor, Slot* slot, Call call, Count counted) {
  if (slot == nullptr) return call();
  const bool in_turn = get(slot->about.turn) == turn();
  Sample sample(slot->meter(in_turn ? IpcMeterKind::kLater : IpcMeterKind::kFirst));
  const auto result = call();
  sample.end();
  const bool first = !in_turn || sample.began_ns() > get(slot->about.last_ns) + kPause_ns;
  sent(descriptor, *slot, first, sample, counted(result));
  return result;
}

template <class Call>
ssize_t send_by(int descriptor, Slot* slot, Call call) {
  return send_by(descriptor, slot, call, one);
}

void received(int descriptor, Slot& slot, const Sample& sample, Moved moved, std::uint64_t room, bool failed) {
  const int error = errno;
  claim_poll(slot);
  // Of a stream, nothing is its end; a datagram may be empty.
  const bool ended = !failed && moved.bytes == 0 && room > 0 && is_stream(slot);
  if (ended) mark(slot.about.flags, IpcChannel::kEndOfFile);
  const bool got = moved.messages > 0 && !ended;
  IpcMeter& meter = slot.meter(got ? IpcMeterKind::kReceived : IpcMeterKind::kNothing);
  count(meter, 1, moved.bytes);
  time(meter, sample);
  if (got) {
    add(slot.about.room, room);
    next_turn();
  }
  used(descriptor, slot, sample);
  errno = error;
}

// `peek`: what was received stays there, and will be counted when it is taken.
template <class Call>
ssize_t receive_by(int descriptor, std::uint64_t room, int flags, Call call) {
  Slot* const slot = channel(descriptor);
  if (slot == nullptr) return call();
  Sample sample(slot->meter(IpcMeterKind::kReceived));
  const ssize_t result = call();
  sample.end();
  const bool looked_only = (flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0;
  received(descriptor, *slot, sample, looked_only ? Moved{} : one(result), looked_only ? 0 : room, result < 0);
  return result;
}

ssize_t on_read(int descriptor, void* to, size_t bytes) {
  return receive_by(descriptor, bytes, 0, [&] { return next.read(descriptor, to, bytes); });
}

ssize_t on_readv(int descriptor, const iovec* parts, int count) {
  const std::uint64_t room = count > 0 && channel(descriptor) != nullptr ? room_in(parts, count) : 0;
  return receive_by(descriptor, room, 0, [&] { return next.readv(descriptor, parts, count); });
}

ssize_t on_recv(int descriptor, void* to, size_t bytes, int flags) {
  return receive_by(descriptor, bytes, flags, [&] { return next.recv(descriptor, to, bytes, flags); });
}

ssize_t on_recvfrom(int descriptor, void* to, size_t bytes, int flags, sockaddr* from, socklen_t* from_bytes) {
  Slot* const slot = channel(descriptor);
  if (slot == nullptr || (slot->about.flags & IpcChannel::kAddressed) == 0 || from == nullptr)
    return receive_by(descriptor, bytes, flags,
                      [&] { return next.recvfrom(descriptor, to, bytes, flags, from, from_bytes); });
  Sample sample(state->addressed_calls.fetch_add(1, std::memory_order_relaxed), 0);
  const ssize_t result = next.recvfrom(descriptor, to, bytes, flags, from, from_bytes);
  sample.end();
  const int error = errno;
  Slot* const by_sender = result >= 0 ? channel(descriptor, slot, from, *from_bytes) : slot;
  errno = error;
  const bool looked_only = (flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0;
  received(descriptor, *by_sender, sample, looked_only ? Moved{} : one(result), bytes, result < 0);
  return result;
}

void forget_received(const msghdr& message) {
  auto* const given = const_cast<msghdr*>(&message);
  for (cmsghdr* part = CMSG_FIRSTHDR(given); part != nullptr; part = CMSG_NXTHDR(given, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; at + sizeof(int) <= part->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(part) + at, sizeof descriptor);
      forget(descriptor);
    }
  }
}

bool passes_descriptors(const msghdr& message) {
  auto* const given = const_cast<msghdr*>(&message);
  for (cmsghdr* part = CMSG_FIRSTHDR(given); part != nullptr; part = CMSG_NXTHDR(given, part))
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) return true;
  return false;
}

ssize_t on_recvmsg(int descriptor, msghdr* message, int flags) {
  Slot* const slot = channel(descriptor);
  if (slot == nullptr) return next.recvmsg(descriptor, message, flags);
  const std::uint64_t room = room_in(message->msg_iov, message->msg_iovlen);
  const bool addressed = (slot->about.flags & IpcChannel::kAddressed) != 0;
  Sample sample = addressed ? Sample(state->addressed_calls.fetch_add(1, std::memory_order_relaxed), 0)
                            : Sample(slot->meter(IpcMeterKind::kReceived));
  const ssize_t result = next.recvmsg(descriptor, message, flags);
  sample.end();
  const int error = errno;
  Slot* by_sender = slot;
  if (result >= 0) {
    forget_received(*message);
    by_sender = channel(descriptor, slot, static_cast<const sockaddr*>(message->msg_name), message->msg_namelen);
  }
  errno = error;
  const bool looked_only = (flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0;
  received(descriptor, *by_sender, sample, looked_only ? Moved{} : one(result), looked_only ? 0 : room, result < 0);
  return result;
}

int on_recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  Slot* const slot = channel(descriptor);
  if (slot == nullptr) return next.recvmmsg(descriptor, messages, count, flags, timeout);
  Sample sample(slot->meter(IpcMeterKind::kReceived));
  const int result = next.recvmmsg(descriptor, messages, count, flags, timeout);
  sample.end();
  const int error = errno;
  Slot* by_sender = slot;
  if (result > 0) {
    for (int i = 0; i < result; ++i) forget_received(messages[i].msg_hdr);
    const msghdr& head = messages[0].msg_hdr;
    by_sender = channel(descriptor, slot, static_cast<const sockaddr*>(head.msg_name), head.msg_namelen);
  }
  errno = error;
  received(descriptor, *by_sender, sample, several(result, messages), 1, result < 0);
  return result;
}

ssize_t on_write(int descriptor, const void* from, size_t bytes) {
  return send_by(descriptor, channel(descriptor), [&] { return next.write(descriptor, from, bytes); });
}

ssize_t on_writev(int descriptor, const iovec* parts, int count) {
  return send_by(descriptor, channel(descriptor), [&] { return next.writev(descriptor, parts, count); });
}

ssize_t on_send(int descriptor, const void* from, size_t bytes, int flags) {
  return send_by(descriptor, channel(descriptor), [&] { return next.send(descriptor, from, bytes, flags); });
}

ssize_t on_sendto(int descriptor, const void* from, size_t bytes, int flags, const sockaddr* to, socklen_t to_bytes) {
  Slot* const slot = channel(descriptor, channel(descriptor), to, to_bytes);
  return send_by(descriptor, slot, [&] { return next.sendto(descriptor, from, bytes, flags, to, to_bytes); });
}

ssize_t on_sendmsg(int descriptor, const msghdr* message, int flags) {
  Slot* slot = channel(descriptor);
  if (slot != nullptr) {
    slot = channel(descriptor, slot, static_cast<const sockaddr*>(message->msg_name), message->msg_namelen);
    if (passes_descriptors(*message)) mark(slot->about.flags, IpcChannel::kDescriptors);
  }
  return send_by(descriptor, slot, [&] { return next.sendmsg(descriptor, message, flags); });
}

int on_sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  Slot* slot = channel(descriptor);
  if (slot != nullptr && count > 0) {
    const msghdr& head = messages[0].msg_hdr;
    slot = channel(descriptor, slot, static_cast<const sockaddr*>(head.msg_name), head.msg_namelen);
  }
  return send_by(
      descriptor, slot, [&] { return next.sendmmsg(descriptor, messages, count, flags); },
      [messages](int result) { return several(result, messages); });
}

ssize_t on_sendfile(int out, int in, off_t* offset, size_t bytes) {
  return send_by(out, channel(out), [&] { return next.sendfile(out, in, offset, bytes); });
}

// One call that receives and sends: its time is the sender's, or the receiver's if what it sends to is no channel.
ssize_t on_splice(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t bytes, unsigned flags) {
  Slot* const from = channel(in);
  Slot* const to = channel(out);
  const auto call = [&] { return next.splice(in, in_offset, out, out_offset, bytes, flags); };
  if (from == nullptr) return send_by(out, to, call);
  if (to == nullptr) return receive_by(in, bytes, 0, call);
  const ssize_t result = send_by(out, to, call);
  const Sample none = Sample::none();
  received(in, *from, none, one(result), bytes, result < 0);
  return result;
}

ssize_t on_vmsplice(int descriptor, const iovec* parts, size_t count, unsigned flags) {
  return send_by(descriptor, channel(descriptor), [&] { return next.vmsplice(descriptor, parts, count, flags); });
}

void polled(const Sample& sample, int result, bool waits) {
  const int error = errno;
  File* const of = file();
  if (of != nullptr) {
    add(of->process.calls, 1);
    if (sample.weight() != 0) add(of->process.samples, 1);
    if (thread.polled) add(of->unclaimed, thread.poll);
    thread.polled = result > 0;
    if (result > 0) {
      thread.poll = {};
      count(thread.poll, 1, 0);
      time(thread.poll, sample);
    } else {
      count(of->idle, 1, 0);
      time(of->idle, sample);
    }
    if (sample.weight() != 0) note_cpu(*of, false);
  }
  if (waits) next_turn();
  errno = error;
}

template <class Call>
int poll_by(bool waits, Call call) {
  Sample sample(state->polls.fetch_add(1, std::memory_order_relaxed), 0);
  const int result = call();
  sample.end();
  polled(sample, result, waits);
  return result;
}

bool is_long(const timespec* timeout) { return timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_nsec != 0; }

int on_poll(pollfd* wanted, nfds_t count, int timeout) {
  return poll_by(timeout != 0, [&] { return next.poll(wanted, count, timeout); });
}
int on_ppoll(pollfd* wanted, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  return poll_by(is_long(timeout), [&] { return next.ppoll(wanted, count, timeout, mask); });
}
int on_select(int most, fd_set* reads, fd_set* writes, fd_set* others, timeval* timeout) {
  const bool waits = timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_usec != 0;
  return poll_by(waits, [&] { return next.select(most, reads, writes, others, timeout); });
}
int on_pselect(int most, fd_set* reads, fd_set* writes, fd_set* others, const timespec* timeout, const sigset_t* mask) {
  return poll_by(is_long(timeout), [&] { return next.pselect(most, reads, writes, others, timeout, mask); });
}
int on_epoll_wait(int poller, epoll_event* events, int most, int timeout) {
  return poll_by(timeout != 0, [&] { return next.epoll_wait(poller, events, most, timeout); });
}
int on_epoll_pwait(int poller, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  return poll_by(timeout != 0, [&] { return next.epoll_pwait(poller, events, most, timeout, mask); });
}
int on_epoll_pwait2(int poller, epoll_event* events, int most, const timespec* timeout, const sigset_t* mask) {
  return poll_by(is_long(timeout), [&] { return next.epoll_pwait2(poller, events, most, timeout, mask); });
}

// Before the call, for the number may be another thread's at once; and after it, for one may have looked meanwhile.
int on_close(int descriptor) {
  forget(descriptor);
  const int result = next.close(descriptor);
  forget(descriptor);
  return result;
}
int on_close_nocancel(int descriptor) {
  forget(descriptor);
  const int result = next.close_nocancel(descriptor);
  forget(descriptor);
  return result;
}
int on_close_range(unsigned first, unsigned last, int flags) {
  const int result = next.close_range(first, last, flags);
  if ((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) == 0) forget_range(first, last);
  return result;
}

int made(int descriptor) {
  forget(descriptor);
  return descriptor;
}
int on_dup(int descriptor) { return made(next.dup(descriptor)); }
int on_dup2(int descriptor, int wanted) {
  if (descriptor != wanted) forget(wanted);
  return made(next.dup2(descriptor, wanted));
}
int on_dup3(int descriptor, int wanted, int flags) {
  forget(wanted);
  return made(next.dup3(descriptor, wanted, flags));
}
int on_pipe(int* made_ones) {
  const int result = next.pipe(made_ones);
  if (result == 0) forget(made_ones[0]), forget(made_ones[1]);
  return result;
}
int on_pipe2(int* made_ones, int flags) {
  const int result = next.pipe2(made_ones, flags);
  if (result == 0) forget(made_ones[0]), forget(made_ones[1]);
  return result;
}
int on_socket(int family, int type, int protocol) { return made(next.socket(family, type, protocol)); }
int on_socketpair(int family, int type, int protocol, int* made_ones) {
  const int result = next.socketpair(family, type, protocol, made_ones);
  if (result != 0) return result;
  const int ends[2] = {made_ones[0], made_ones[1]};
  forget(ends[0]);
  forget(ends[1]);
  note_pair(ends);
  return result;
}
int on_connect(int descriptor, const sockaddr* address, socklen_t bytes) {
  const int result = next.connect(descriptor, address, bytes);
  forget(descriptor);
  return result;
}
int on_listen(int descriptor, int backlog) {
  const int result = next.listen(descriptor, backlog);
  if (result == 0) note_listener(descriptor);
  return result;
}
int on_accept(int descriptor, sockaddr* address, socklen_t* bytes) {
  return made(next.accept(descriptor, address, bytes));
}
int on_accept4(int descriptor, sockaddr* address, socklen_t* bytes, int flags) {
  return made(next.accept4(descriptor, address, bytes, flags));
}

// A program is followed if it finds our variables, so they are put back where the caller leaves them out.
template <class Call>
int execute(const char* path, char* const* given, Call call) {
  note_program(path);
  note_end(IpcProcess::kExecuted);
  const Environment environment(given);
  int result = 0;
  if (environment.is_whole()) {
    result = call(given);
  } else {
    // On the stack: in a child of vfork() nothing may be allocated.
    auto** const whole = static_cast<char**>(alloca(environment.entries() * sizeof(char*)));
    auto* const list = static_cast<char*>(alloca(environment.list_bytes()));
    environment.write(whole, list);
    result = call(whole);
  }
  const int error = errno;
  note_failed_exec();
  note_program(nullptr);
  errno = error;
  return result;
}
int on_execve(const char* path, char* const* arguments, char* const* environment) {
  return execute(path, environment, [&](char* const* whole) { return next.execve(path, arguments, whole); });
}
int on_fexecve(int descriptor, char* const* arguments, char* const* environment) {
  return execute("(a descriptor)", environment,
                 [&](char* const* whole) { return next.fexecve(descriptor, arguments, whole); });
}
int on_execveat(int folder, const char* path, char* const* arguments, char* const* environment, int flags) {
  return execute(path, environment,
                 [&](char* const* whole) { return next.execveat(folder, path, arguments, whole, flags); });
}

void on_leave(int code) {
  note_end(IpcProcess::kEnded);
  next.leave(code);
}

// Some libraries close descriptors, and send, by the number of the call.
//
// A filter of system calls may end the process for one that it does not make by itself.
int on_prctl(int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  if (what == PR_SET_SECCOMP) look_no_more();
  return next.prctl(what, a, b, c, d);
}
long on_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number == SYS_seccomp && a != SECCOMP_GET_ACTION_AVAIL) look_no_more();
  File* const of = number == SYS_io_uring_setup ? file() : nullptr;
  if (of != nullptr) mark(of->process.flags, IpcProcess::kUsesRing);
  const auto call = [&]() -> ssize_t { return next.syscall(number, a, b, c, d, e, f); };
  const auto descriptor = static_cast<int>(a);
  switch (number) {
    case SYS_read:
    case SYS_recvfrom:
      return receive_by(descriptor, static_cast<std::uint64_t>(c), 0, call);
    case SYS_readv:
    case SYS_recvmsg:
      return receive_by(descriptor, 1, 0, call);
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
      return send_by(descriptor, channel(descriptor), call);
    case SYS_close:
      forget(descriptor);
      break;
    case SYS_dup2:
    case SYS_dup3:
      forget(static_cast<int>(b));
      break;
    case SYS_close_range:
      forget_range(static_cast<unsigned>(a), static_cast<unsigned>(b));
      break;
    default:
      break;
  }
  return call();
}

struct Followed {
  const char* name;
  void* ours;
  void** next;
};

#define HEDDLE_FOLLOWED(name) {#name, reinterpret_cast<void*>(on_##name), reinterpret_cast<void**>(&next.name)}

const Followed kFollowed[] = {
    HEDDLE_FOLLOWED(read),
    HEDDLE_FOLLOWED(readv),
    HEDDLE_FOLLOWED(recv),
    HEDDLE_FOLLOWED(recvfrom),
    HEDDLE_FOLLOWED(recvmsg),
    HEDDLE_FOLLOWED(recvmmsg),
    HEDDLE_FOLLOWED(write),
    HEDDLE_FOLLOWED(writev),
    HEDDLE_FOLLOWED(send),
    HEDDLE_FOLLOWED(sendto),
    HEDDLE_FOLLOWED(sendmsg),
    HEDDLE_FOLLOWED(sendmmsg),
    HEDDLE_FOLLOWED(sendfile),
    HEDDLE_FOLLOWED(splice),
    HEDDLE_FOLLOWED(vmsplice),
    HEDDLE_FOLLOWED(poll),
    HEDDLE_FOLLOWED(ppoll),
    HEDDLE_FOLLOWED(select),
    HEDDLE_FOLLOWED(pselect),
    HEDDLE_FOLLOWED(epoll_wait),
    HEDDLE_FOLLOWED(epoll_pwait),
    HEDDLE_FOLLOWED(epoll_pwait2),
    HEDDLE_FOLLOWED(close),
    {"__close_nocancel", reinterpret_cast<void*>(on_close_nocancel), reinterpret_cast<void**>(&next.close_nocancel)},
    HEDDLE_FOLLOWED(close_range),
    HEDDLE_FOLLOWED(dup),
    HEDDLE_FOLLOWED(dup2),
    HEDDLE_FOLLOWED(dup3),
    HEDDLE_FOLLOWED(pipe),
    HEDDLE_FOLLOWED(pipe2),
    HEDDLE_FOLLOWED(socket),
    HEDDLE_FOLLOWED(socketpair),
    HEDDLE_FOLLOWED(connect),
    HEDDLE_FOLLOWED(listen),
    HEDDLE_FOLLOWED(accept),
    HEDDLE_FOLLOWED(accept4),
    HEDDLE_FOLLOWED(execve),
    HEDDLE_FOLLOWED(fexecve),
    HEDDLE_FOLLOWED(execveat),
    {"_exit", reinterpret_cast<void*>(on_leave), reinterpret_cast<void**>(&next.leave)},
    HEDDLE_FOLLOWED(prctl),
    HEDDLE_FOLLOWED(syscall),
};

#undef HEDDLE_FOLLOWED

}  // namespace

std::uint64_t follow_calls(Patcher& patcher) {
  std::uint64_t unseen = 0;
  for (const Followed& each : kFollowed) {
    if (patcher.ready() && patcher.replace(each.name, each.ours, each.next)) continue;
    ++unseen;
    note_line("unseen", each.name);
  }
  return unseen;
}

}  // namespace heddle::ipc

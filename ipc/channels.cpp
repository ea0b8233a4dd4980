#include "ipc/channels.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include "ipc/raw.hpp"

namespace heddle::ipc {

namespace {

constexpr std::uint32_t kNoChannel = 1;
constexpr std::uint32_t kFirstSlot = 3;

constinit bool looks = true;

struct Address {
  sockaddr_storage value{};
  socklen_t bytes = sizeof(sockaddr_storage);
};

struct Endpoint {
  IpcKind kind = IpcKind::kNone;
  int family = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  Address local;
  std::optional<Address> remote;
};

bool is_datagram(IpcKind kind) { return kind == IpcKind::kUnixDatagram || kind == IpcKind::kUdp; }

int option(int descriptor, int name) {
  int value = -1;
  socklen_t bytes = sizeof value;
  return raw(SYS_getsockopt, descriptor, SOL_SOCKET, name, &value, &bytes) == 0 ? value : -1;
}

IpcKind kind_of_socket(int family, int type) {
  if (family == AF_UNIX) {
    if (type == SOCK_STREAM) return IpcKind::kUnixStream;
    return type == SOCK_DGRAM ? IpcKind::kUnixDatagram : IpcKind::kUnixPacket;
  }
  if (family != AF_INET && family != AF_INET6) return IpcKind::kNone;
  if (type == SOCK_STREAM) return IpcKind::kTcp;
  return type == SOCK_DGRAM ? IpcKind::kUdp : IpcKind::kNone;
}

// Nothing if it cannot be told now, such as of a socket that is not connected yet.
std::optional<Endpoint> look_at(int descriptor) {
  struct stat found{};
  if (raw(SYS_fstat, descriptor, &found) != 0) return std::nullopt;
  Endpoint end;
  end.device = found.st_dev;
  end.inode = found.st_ino;
  if (S_ISFIFO(found.st_mode)) end.kind = IpcKind::kPipe;
  if (!S_ISSOCK(found.st_mode)) return end;
  end.family = option(descriptor, SO_DOMAIN);
  end.kind = kind_of_socket(end.family, option(descriptor, SO_TYPE));
  if (end.kind == IpcKind::kNone) return end;
  raw(SYS_getsockname, descriptor, &end.local.value, &end.local.bytes);
  Address remote;
  if (raw(SYS_getpeername, descriptor, &remote.value, &remote.bytes) == 0)
    end.remote = remote;
  else if (!is_datagram(end.kind))
    return std::nullopt;
  return end;
}

// FNV-1a (Fowler, Noll, Vo). Never 0.
std::uint64_t hash(const Address& address) {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&address.value);
  for (socklen_t i = 0; i < std::min<socklen_t>(address.bytes, sizeof address.value); ++i)
    sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum | 1U;
}

void put_name(const Address& address, char (&name)[schemas::kIpcNameBytes]) {
  const auto& given = reinterpret_cast<const sockaddr_un&>(address.value);
  if (address.bytes <= offsetof(sockaddr_un, sun_path)) return;
  const std::size_t bytes = address.bytes - offsetof(sockaddr_un, sun_path);
  std::memcpy(name, given.sun_path, std::min({bytes, sizeof given.sun_path, sizeof name - 1}));
  if (name[0] == 0) name[0] = '@';
}

void put_number(const Address& address, std::uint64_t& high, std::uint64_t& low, std::uint16_t& port) {
  if (address.value.ss_family == AF_INET) {
    const auto& given = reinterpret_cast<const sockaddr_in&>(address.value);
    low = 0x0000ffff00000000U | __builtin_bswap32(given.sin_addr.s_addr);
    port = __builtin_bswap16(given.sin_port);
  } else if (address.value.ss_family == AF_INET6) {
    const auto& given = reinterpret_cast<const sockaddr_in6&>(address.value);
    std::uint64_t halves[2];
    std::memcpy(halves, &given.sin6_addr, sizeof halves);
    high = __builtin_bswap64(halves[0]);
    low = __builtin_bswap64(halves[1]);
    port = __builtin_bswap16(given.sin6_port);
  }
}

// The inode of a UNIX socket's peer as the kernel knows it (sock_diag(7)); 0 if it does not say.
std::uint64_t peer_of(std::uint64_t inode) {
  struct {
    nlmsghdr header;
    unix_diag_req wanted;
  } request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.wanted.sdiag_family = AF_UNIX;
  request.wanted.udiag_states = ~0U;
  request.wanted.udiag_ino = static_cast<std::uint32_t>(inode);
  request.wanted.udiag_show = UDIAG_SHOW_PEER;
  std::fill(std::begin(request.wanted.udiag_cookie), std::end(request.wanted.udiag_cookie), ~0U);
  const long link = raw(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (link < 0) return 0;
  alignas(nlmsghdr) char answer[512] = {};
  long got = raw(SYS_sendto, link, &request, sizeof request, 0, nullptr, 0);
  if (got > 0) got = raw(SYS_recvfrom, link, answer, sizeof answer, 0, nullptr, nullptr);
  raw(SYS_close, link);
  const auto* const header = reinterpret_cast<const nlmsghdr*>(answer);
  if (got < static_cast<long>(NLMSG_LENGTH(sizeof(unix_diag_msg))) || header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
    return 0;
  const auto* const found = static_cast<const unix_diag_msg*>(NLMSG_DATA(header));
  const auto* attribute = reinterpret_cast<const rtattr*>(found + 1);
  for (auto left = static_cast<int>(header->nlmsg_len - NLMSG_LENGTH(sizeof *found)); RTA_OK(attribute, left);
       attribute = RTA_NEXT(attribute, left)) {
    std::uint32_t peer = 0;
    if (attribute->rta_type != UNIX_DIAG_PEER || RTA_PAYLOAD(attribute) < sizeof peer) continue;
    std::memcpy(&peer, RTA_DATA(attribute), sizeof peer);
    return peer;
  }
  return 0;
}

void fill(Slot& slot, int descriptor, const Endpoint& end, std::uint64_t key) {
  IpcChannel& about = slot.about;
  about.flags = is_datagram(end.kind) && !end.remote ? IpcChannel::kAddressed : 0;
  about.device = end.device;
  about.inode = end.inode;
  about.key = key;
  about.family = static_cast<std::uint32_t>(end.family);
  about.last_ns = about_now_ns();
  if (end.family == AF_UNIX) {
    put_name(end.local, slot.local);
    if (end.remote) put_name(*end.remote, slot.remote);
    ucred peer{};
    socklen_t bytes = sizeof peer;
    if (raw(SYS_getsockopt, descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0)
      about.peer_pid = static_cast<std::uint32_t>(peer.pid);
    // Who has connected to a name sees no peer before it was accepted; who accepted always does. One of both suffices.
    if (end.remote && slot.remote[0] == 0) about.peer_inode = peer_of(end.inode);
  } else {
    put_number(end.local, about.local_high, about.local_low, about.local_port);
    if (end.remote) put_number(*end.remote, about.remote_high, about.remote_low, about.remote_port);
  }
  // Last: a slot without a kind is not in use.
  std::atomic_ref(about.kind).store(end.kind, std::memory_order_release);
}

bool is_of(const Slot& slot, const Endpoint& end, std::uint64_t key) {
  return slot.about.inode == end.inode && slot.about.device == end.device && slot.about.key == key;
}

// The first slot in a page finds out whether there is one.
bool has_room(File& of, std::uint64_t number) {
  const std::size_t begin = number * sizeof(Slot);
  const bool first = begin % 4096 < sizeof(Slot) || (begin + sizeof(Slot) - 1) / 4096 != begin / 4096;
  return !first || has_memory(&of.slots()[number], sizeof(Slot));
}

// The slot of this end, a new one if there is none; null if there is no room.
Slot* slot_for(File& of, int descriptor, const Endpoint& end, std::uint64_t key) {
  std::uint32_t place = static_cast<std::uint32_t>((end.inode * 0x9e3779b97f4a7c15U + key) >> 32U) % kPlaces;
  for (std::uint32_t tries = 0; tries < kPlaces; ++tries, place = (place + 1) % kPlaces) {
    // Acquire, with the exchange below: who finds a slot finds what it is of.
    std::uint32_t there = state->places[place].load(std::memory_order_acquire);
    if (there == 0) {
      const std::uint64_t number = std::atomic_ref(of.process.channels).load(std::memory_order_relaxed);
      if (number >= state->room) return nullptr;
      const std::uint64_t mine = std::atomic_ref(of.process.channels).fetch_add(1, std::memory_order_relaxed);
      if (mine >= state->room) {
        std::atomic_ref(of.process.channels).fetch_sub(1, std::memory_order_relaxed);
        return nullptr;
      }
      if (!has_room(of, mine)) return nullptr;
      fill(of.slots()[mine], descriptor, end, key);
      if (state->places[place].compare_exchange_strong(there, static_cast<std::uint32_t>(mine) + 1,
                                                       std::memory_order_acq_rel))
        return &of.slots()[mine];
      // Another thread was first; what was filled stays unused, as a channel with no calls.
    }
    if (is_of(of.slots()[there - 1], end, key)) return &of.slots()[there - 1];
  }
  return nullptr;
}

Slot* look_up(int descriptor) {
  File* const of = file();
  if (of == nullptr || !looks || !is_own()) return nullptr;
  const std::uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  const auto end = look_at(descriptor);
  Slot* slot = nullptr;
  if (end) {
    std::uint32_t meaning = kNoChannel;
    if (end->kind != IpcKind::kNone) {
      slot = slot_for(*of, descriptor, *end, is_datagram(end->kind) && end->remote ? hash(*end->remote) : 0);
      if (slot == nullptr)
        add(of->process.lost, 1);
      else
        meaning = kFirstSlot + static_cast<std::uint32_t>(slot - of->slots());
      if (slot != nullptr && descriptor == 0) mark(slot->about.flags, IpcChannel::kStandardInput);
      if (slot != nullptr && (descriptor == 1 || descriptor == 2)) mark(slot->about.flags, IpcChannel::kStandardOutput);
    }
    if (static_cast<std::uint32_t>(descriptor) < kMostDescriptors && (slot != nullptr || meaning == kNoChannel))
      state->descriptors[descriptor].store(meaning, std::memory_order_release);
  }
  add(of->process.own_ns, clock_ns(CLOCK_THREAD_CPUTIME_ID) - began + costs.clock_ns);
  return slot;
}

}  // namespace

Slot* channel(int descriptor) {
  if (descriptor < 0) return nullptr;
  if (static_cast<std::uint32_t>(descriptor) < kMostDescriptors) {
    const std::uint32_t meaning = state->descriptors[descriptor].load(std::memory_order_acquire);
    if (meaning == kNoChannel) return nullptr;
    if (meaning >= kFirstSlot) return &state->file.load(std::memory_order_relaxed)->slots()[meaning - kFirstSlot];
  }
  return look_up(descriptor);
}

Slot* channel(int descriptor, Slot* slot, const sockaddr* address, socklen_t bytes) {
  if (slot == nullptr || address == nullptr || bytes == 0 || (slot->about.flags & IpcChannel::kAddressed) == 0)
    return slot;
  File* const of = file();
  if (of == nullptr || !looks) return slot;
  Endpoint end;
  end.kind = slot->about.kind;
  end.family = static_cast<int>(slot->about.family);
  end.device = slot->about.device;
  end.inode = slot->about.inode;
  Address remote;
  remote.bytes = std::min<socklen_t>(bytes, sizeof remote.value);
  std::memcpy(&remote.value, address, remote.bytes);
  end.remote = remote;
  // A socket gets its own address by sending.
  raw(SYS_getsockname, descriptor, &end.local.value, &end.local.bytes);
  Slot* const found = slot_for(*of, descriptor, end, hash(remote));
  if (found != nullptr) mark(found->about.flags, IpcChannel::kAddressed);
  return found != nullptr ? found : slot;
}

void forget(int descriptor) {
  if (descriptor >= 0 && static_cast<std::uint32_t>(descriptor) < kMostDescriptors &&
      state->descriptors[descriptor].load(std::memory_order_relaxed) != 0)
    state->descriptors[descriptor].store(0, std::memory_order_relaxed);
}

void forget_range(unsigned first, unsigned last) {
  for (unsigned i = first; i <= std::min(last, kMostDescriptors - 1); ++i) forget(static_cast<int>(i));
}

void check(int descriptor, const Slot& slot) {
  struct stat found{};
  if (raw(SYS_fstat, descriptor, &found) != 0) return;
  if (found.st_ino == slot.about.inode && found.st_dev == slot.about.device) return;
  forget(descriptor);
  if (File* const of = file()) add(of->process.stale, 1);
}

void note_pair(const int (&descriptors)[2]) {
  Slot* const ends[2] = {channel(descriptors[0]), channel(descriptors[1])};
  if (ends[0] == nullptr || ends[1] == nullptr) return;
  set(ends[0]->about.peer_inode, ends[1]->about.inode);
  set(ends[1]->about.peer_inode, ends[0]->about.inode);
}

void note_listener(int descriptor) {
  File* const of = file();
  if (of == nullptr || !looks || !is_own()) return;
  struct stat found{};
  if (raw(SYS_fstat, descriptor, &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  Endpoint end;
  end.kind = IpcKind::kListener;
  end.family = option(descriptor, SO_DOMAIN);
  end.device = found.st_dev;
  end.inode = found.st_ino;
  raw(SYS_getsockname, descriptor, &end.local.value, &end.local.bytes);
  slot_for(*of, descriptor, end, 1);
}

void look_no_more() {
  looks = false;
  if (File* const of = file()) mark(of->process.flags, IpcProcess::kSandboxed);
}

}  // namespace heddle::ipc

#include "objectbase/transport/channel.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

constexpr std::size_t kReadAtOnce = 65'536;
constexpr int kBacklog = 64;

sockaddr_un address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path)
    throw base::UserError(path.string() + ": the name of a socket has at most " +
                          std::to_string(sizeof address.sun_path - 1) + " bytes: put the store into another folder");
  std::memcpy(address.sun_path, path.c_str(), path.native().size());
  return address;
}

Descriptor new_socket() {
  Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made) throw base::UserError("objectbase: no socket: " + base::errno_text());
  return made;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::filesystem::path socket_of(const std::filesystem::path& store) { return store.string() + ".socket"; }

Descriptor listening_socket(const std::filesystem::path& store) {
  const std::filesystem::path path = socket_of(store);
  const sockaddr_un address = address_of(path);
  Descriptor made = new_socket();
  struct stat status{};
  // The permissions of the store, before the socket has its name: unix(7), "Pathname socket ownership and permissions".
  if (stat(store.c_str(), &status) == 0) fchmod(made.number(), status.st_mode & 0777);
  unlink(path.c_str());
  if (bind(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(made.number(), kBacklog) != 0)
    throw base::UserError(path.string() + ": cannot be made: " + base::errno_text());
  return made;
}

Descriptor connected_socket(const std::filesystem::path& store) {
  const std::filesystem::path path = socket_of(store);
  const sockaddr_un address = address_of(path);
  Descriptor made = new_socket();
  int result = 0;
  do {
    result = connect(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    const bool nobody = errno == ENOENT || errno == ECONNREFUSED;
    throw base::UserError(store.string() + ": " + (nobody ? "has no owner now" : base::errno_text()) +
                          ": start the program that owns it");
  }
  return made;
}

Descriptor new_epoll() {
  Descriptor made(epoll_create1(EPOLL_CLOEXEC));
  if (!made) throw base::UserError("objectbase: no epoll descriptor: " + base::errno_text());
  return made;
}

Descriptor process_at(int socket, pid_t& process) {
  ucred peer{};
  socklen_t length = sizeof peer;
  process = 0;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return {};
  process = peer.pid;
  if (peer.pid == 0 || peer.pid == getpid()) return {};
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
}

// --- Out ---

std::size_t Channel::send_now(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t sent = ::send(socket_.number(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      broken_ = true;  // receive() will say so
      return bytes.size();
    }
    if (sent <= 0) break;
    done += static_cast<std::size_t>(sent);
  }
  return done;
}

void Channel::send(std::string_view message) {
  if (broken_) return;
  ++traffic_.messages;
  traffic_.bytes += message.size();
  const std::size_t done = kept_bytes() == 0 ? send_now(message) : 0;
  kept_.add(message.substr(done));
}

void Channel::send(const Outgoing& group, bool together) {
  if (together) {
    send(group.bytes());
  } else {
    for (std::size_t i = 0; i < group.messages(); ++i) send(group.message(i));
  }
}

void Channel::send_with(const Outgoing& group, int descriptor) {
  // The first that is sent on the connection, so there is room.
  std::string bytes = group.bytes();
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  ++traffic_.messages;
  traffic_.bytes += bytes.size();
  if (sendmsg(socket_.number(), &message, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) broken_ = true;
}

void Channel::flush() {
  if (!kept_.empty()) kept_.drop(send_now(kept_.first()));
  if (broken_) kept_.drop(kept_.size());
}

void Backlog::drop(std::size_t count) {
  done_ += count;
  if (!empty() && (done_ < kReadAtOnce || done_ < bytes_.size() / 2)) return;
  bytes_.erase(0, done_);
  done_ = 0;
}

// --- In ---

bool Channel::receive(Inbox& inbox) {
  for (;;) {
    const std::size_t most = std::min(kReadAtOnce, inbox.free_bytes());
    if (most == 0) return true;
    char* place = inbox.room(most);
    const ssize_t got =
        expects_descriptor_ ? receive_with_descriptor(place, most) : recv(socket_.number(), place, most, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    inbox.add(static_cast<std::size_t>(got));
    // Less than there was room for: that was all. If not, the descriptor is readable still.
    if (static_cast<std::size_t>(got) < most) return true;
  }
}

ssize_t Channel::receive_with_descriptor(char* place, std::size_t bytes) {
  iovec part{place, bytes};
  int descriptor = -1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(socket_.number(), &message, MSG_CMSG_CLOEXEC);
  if (got <= 0) return got;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    std::memcpy(&descriptor, CMSG_DATA(each), sizeof descriptor);
    received_ = Descriptor(descriptor);
    expects_descriptor_ = false;
  }
  return got;
}

}  // namespace heddle::objectbase

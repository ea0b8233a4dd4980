// A connection between owner and editor: a UNIX socket that nobody waits at. What cannot be sent at once is kept, and
// sent when there is room.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "objectbase/transport/message.hpp"
#include "objectbase/transport/transport.hpp"

namespace heddle::objectbase {

// A descriptor, closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

std::filesystem::path socket_of(const std::filesystem::path& store);

// A socket that owners' editors find. The caller sees to it that there is one owner. Throws base::UserError.
Descriptor listening_socket(const std::filesystem::path& store);
// Throws base::UserError if there is no owner.
Descriptor connected_socket(const std::filesystem::path& store);
// An epoll(7) descriptor. Throws base::UserError.
Descriptor new_epoll();
// Readable when the process at the other end of a connected socket has ended; none if that is this process, or the
// kernel has no such thing.
Descriptor process_at(int socket, pid_t& process);

// Bytes for which there is no room yet where they are to go, in their order.
class Backlog {
 public:
  bool empty() const { return done_ == bytes_.size(); }
  std::size_t size() const { return bytes_.size() - done_; }
  std::string_view first() const { return std::string_view(bytes_).substr(done_); }
  void add(std::string_view bytes) { bytes_.append(bytes); }
  void drop(std::size_t count);  // the first so many

 private:
  std::string bytes_;
  std::size_t done_ = 0;
};

class Channel {
 public:
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.number(); }
  // One write for each message, or one for all of them, as far as there is room.
  void send(const Outgoing& group, bool together);
  void send(std::string_view message);  // one write
  void send_with(const Outgoing& group, int descriptor);
  void flush();  // what was kept
  std::size_t kept_bytes() const { return kept_.size(); }
  // All that there is, as far as the inbox takes it; false if the other side has closed, or died.
  bool receive(Inbox& inbox);
  // The descriptor that came with what was received, once.
  Descriptor take_descriptor() { return std::move(received_); }
  void expect_descriptor() { expects_descriptor_ = true; }

  const Traffic& traffic() const { return traffic_; }

 private:
  std::size_t send_now(std::string_view bytes);
  ssize_t receive_with_descriptor(char* place, std::size_t bytes);

  Descriptor socket_;
  Backlog kept_;
  bool broken_ = false;  // the other side has closed: nothing is kept any more
  bool expects_descriptor_ = false;
  Descriptor received_;
  Traffic traffic_;
};

}  // namespace heddle::objectbase

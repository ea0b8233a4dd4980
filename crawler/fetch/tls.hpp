// Connections through TLS 1.2 and 1.3, by OpenSSL: whom to trust, sessions to go on with, and streams.
//
// OpenSSL's calls never wait here. They read and write a socket that does not block, on a large stack, for handshakes
// and certificates need more than a pico thread has; between them the thread waits for the socket.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "crawler/fetch/stream.hpp"
#include "pico/io/socket.hpp"

namespace heddle::crawler {

// What all connections of a client share. Used by all workers.
class TlsContext {
 public:
  // `ca_file`: certificates that are trusted, in PEM; empty: those of the system, which are read when they are first
  // needed, for that takes 20 ms. With `insecure` any certificate will do. std::runtime_error if there is no such file.
  TlsContext(bool insecure, const std::string& ca_file);

  // A handshake with the server that should be `host`, a name or a number (in brackets if of IPv6). A session with the
  // same `origin` is resumed. Failure (kTls), std::system_error, Cancelled.
  std::unique_ptr<Stream> connect(pico::Socket socket, const std::string& host, const std::string& origin);

  std::uint64_t handshakes() const { return handshakes_.load(std::memory_order_relaxed); }
  std::uint64_t resumed() const { return resumed_.load(std::memory_order_relaxed); }

 private:
  friend class TlsStream;
  template <auto release>
  struct Release {
    template <class T>
    void operator()(T* object) const {
      release(object);
    }
  };
  using Context = std::unique_ptr<SSL_CTX, Release<SSL_CTX_free>>;
  using Session = std::unique_ptr<SSL_SESSION, Release<SSL_SESSION_free>>;
  struct Known {
    std::string origin;
    Session session;
  };
  static constexpr std::size_t kMostSessions = 4096;

  SSL_CTX* context();
  Context make_context() const;
  void keep(const std::string& origin, Session session);
  Session take(const std::string& origin);

  const bool insecure_;
  const std::string ca_file_;
  std::once_flag made_;
  Context context_;  // behind made_
  std::atomic<std::uint64_t> handshakes_{0};
  std::atomic<std::uint64_t> resumed_{0};

  std::mutex mutex_;           // guards what follows
  std::list<Known> sessions_;  // the oldest first
  std::unordered_map<std::string, std::list<Known>::iterator> by_origin_;
};

}  // namespace heddle::crawler

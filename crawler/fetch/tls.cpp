#include "crawler/fetch/tls.hpp"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <system_error>

#include "crawler/fetch/failure.hpp"
#include "pico/core/helpers.hpp"

namespace heddle::crawler {
namespace {

std::string text_of(unsigned long error) {
  std::array<char, 256> text{};
  ERR_error_string_n(error, text.data(), text.size());
  return text.data();
}

}  // namespace

// A BIO (OpenSSL's notion of a byte stream) that is a socket. OpenSSL's own one would send without MSG_NOSIGNAL.
class SocketBio {
 public:
  explicit SocketBio(int descriptor) : descriptor_(descriptor) {}

  // For a new BIO; it must not outlive this.
  BIO* attach() {
    BIO* const bio = BIO_new(method());
    if (bio == nullptr) throw std::bad_alloc();
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    return bio;
  }

  // Of the last call that has failed.
  int error() const { return error_; }

 private:
  static SocketBio& of(BIO* bio) { return *static_cast<SocketBio*>(BIO_get_data(bio)); }

  static const BIO_METHOD* method() {
    static const BIO_METHOD* const made = [] {
      BIO_METHOD* const fresh = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pico socket");
      if (fresh == nullptr) throw std::bad_alloc();
      BIO_meth_set_read(fresh, read);
      BIO_meth_set_write(fresh, write);
      BIO_meth_set_ctrl(fresh, control);
      return fresh;
    }();
    return made;
  }

  int finish(BIO* bio, ssize_t count, bool reading) {
    BIO_clear_retry_flags(bio);
    error_ = count < 0 ? errno : 0;
    if (error_ == EAGAIN || error_ == EWOULDBLOCK || error_ == EINTR)
      reading ? BIO_set_retry_read(bio) : BIO_set_retry_write(bio);
    // This is how OpenSSL learns that the peer has closed, and not that it should try again.
    if (count == 0 && reading) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return static_cast<int>(count);
  }

  static int read(BIO* bio, char* into, int size) {
    SocketBio& self = of(bio);
    return self.finish(bio, ::recv(self.descriptor_, into, static_cast<std::size_t>(size), 0), true);
  }
  static int write(BIO* bio, const char* from, int size) {
    SocketBio& self = of(bio);
    return self.finish(bio, ::send(self.descriptor_, from, static_cast<std::size_t>(size), MSG_NOSIGNAL), false);
  }
  static long control(BIO* bio, int command, long /*number*/, void* /*pointer*/) {
    if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  const int descriptor_;
  int error_ = 0;
};

class TlsStream final : public Stream {
 public:
  TlsStream(TlsContext& context, pico::Socket socket, std::string origin)
      : context_(context), socket_(std::move(socket)), origin_(std::move(origin)), bio_(socket_.descriptor()) {}
  ~TlsStream() override {
    // The session stays good although nobody says goodbye.
    if (ssl_ != nullptr) SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  }

  void handshake(const std::string& host);

  void set_deadline(pico::Time deadline) override { socket_.set_deadline(deadline); }
  std::size_t read(std::span<char> into) override {
    const int size = static_cast<int>(std::min<std::size_t>(into.size(), INT_MAX));
    return static_cast<std::size_t>(drive([&] { return SSL_read(ssl_.get(), into.data(), size); }));
  }
  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
      const int count = drive([&] { return SSL_write(ssl_.get(), bytes.data(), size); });
      if (count == 0) throw std::system_error(EPIPE, std::generic_category(), "the peer has closed");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void await_answer() override {}
  bool quiet() override;

  // By OpenSSL, when the server gives a session to go on with.
  static int on_session(SSL* ssl, SSL_SESSION* session) {
    auto& self = *static_cast<TlsStream*>(SSL_get_app_data(ssl));
    self.context_.keep(self.origin_, TlsContext::Session(session));
    return 1;  // it is ours now
  }

 private:
  // What a call of OpenSSL has done; its queue of errors is the kernel thread's, so it is read at once.
  struct Outcome {
    int result = 0;
    int kind = SSL_ERROR_NONE;
    unsigned long error = 0;
  };
  template <class Step>
  Outcome attempt(Step step) {
    return pico::on_big_stack([&] {
      ERR_clear_error();
      Outcome outcome;
      outcome.result = step();
      if (outcome.result > 0) return outcome;
      outcome.kind = SSL_get_error(ssl_.get(), outcome.result);
      outcome.error = ERR_peek_error();
      ERR_clear_error();
      return outcome;
    });
  }

  // Calls step() until it has done something, and returns its result; 0: the peer has said goodbye.
  template <class Step>
  int drive(Step step) {
    for (;;) {
      const Outcome outcome = attempt(step);
      switch (outcome.kind) {
        case SSL_ERROR_NONE:
          return outcome.result;
        case SSL_ERROR_ZERO_RETURN:
          return 0;
        case SSL_ERROR_WANT_READ:
          socket_.wait(pico::Direction::kRead);
          break;
        case SSL_ERROR_WANT_WRITE:
          socket_.wait(pico::Direction::kWrite);
          break;
        default:
          fail(outcome);
      }
    }
  }
  [[noreturn]] void fail(const Outcome& outcome) const;

  TlsContext& context_;
  pico::Socket socket_;
  const std::string origin_;
  SocketBio bio_;
  std::unique_ptr<SSL, TlsContext::Release<SSL_free>> ssl_;
};

void TlsStream::fail(const Outcome& outcome) const {
  if (outcome.kind == SSL_ERROR_SYSCALL)
    throw std::system_error(bio_.error() != 0 ? bio_.error() : ECONNRESET, std::generic_category(), "TLS");
  // RFC 9112, section 9.8: without a goodbye nobody knows whether it was the end.
  if (ERR_GET_REASON(outcome.error) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
    throw std::system_error(ECONNRESET, std::generic_category(), "closed without a goodbye of TLS");
  const long verified = SSL_get_verify_result(ssl_.get());
  throw Failure(FetchError::kTls, ERR_GET_REASON(outcome.error) == SSL_R_CERTIFICATE_VERIFY_FAILED
                                      ? std::string("certificate: ") + X509_verify_cert_error_string(verified)
                                      : text_of(outcome.error));
}

void TlsStream::handshake(const std::string& host) {
  std::string name = host;
  if (name.size() > 2 && name.front() == '[') name = name.substr(1, name.size() - 2);
  ssl_.reset(SSL_new(pico::on_big_stack([this] { return context_.context(); })));
  if (ssl_ == nullptr) throw std::bad_alloc();
  SSL_set_app_data(ssl_.get(), this);
  BIO* const bio = bio_.attach();
  SSL_set_bio(ssl_.get(), bio, bio);
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), name.c_str()) != 1) {
    if (name.ends_with('.')) name.pop_back();  // neither SNI (RFC 6066, section 3) nor certificates have it
    if (SSL_set_tlsext_host_name(ssl_.get(), name.c_str()) != 1 || SSL_set1_host(ssl_.get(), name.c_str()) != 1)
      throw Failure(FetchError::kTls, "no name for TLS: " + name);
  }
  if (const TlsContext::Session session = context_.take(origin_)) SSL_set_session(ssl_.get(), session.get());
  SSL_set_connect_state(ssl_.get());
  try {
    if (drive([this] { return SSL_do_handshake(ssl_.get()); }) == 0)
      throw Failure(FetchError::kTls, "the peer has closed during the handshake");
  } catch (const std::system_error& error) {
    if (error.code().value() == ETIMEDOUT) throw;
    throw Failure(FetchError::kTls, std::string("handshake: ") + error.what());
  }
  context_.handshakes_.fetch_add(1, std::memory_order_relaxed);
  if (SSL_session_reused(ssl_.get()) == 1) context_.resumed_.fetch_add(1, std::memory_order_relaxed);
}

bool TlsStream::quiet() {
  char byte = 0;
  // Sessions may have come, which are not for us.
  return attempt([&] { return SSL_peek(ssl_.get(), &byte, 1); }).kind == SSL_ERROR_WANT_READ;
}

TlsContext::TlsContext(bool insecure, const std::string& ca_file) : insecure_(insecure), ca_file_(ca_file) {
  if (!insecure_ && !ca_file_.empty()) context();
}

SSL_CTX* TlsContext::context() {
  std::call_once(made_, [this] { context_ = make_context(); });
  return context_.get();
}

TlsContext::Context TlsContext::make_context() const {
  Context made(SSL_CTX_new(TLS_client_method()));
  if (made == nullptr) throw std::bad_alloc();
  SSL_CTX* const context = made.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, TlsStream::on_session);
  constexpr std::array<unsigned char, 9> kProtocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};  // RFC 7301
  SSL_CTX_set_alpn_protos(context, kProtocols.data(), kProtocols.size());
  SSL_CTX_set_verify(context, insecure_ ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (!insecure_ && (ca_file_.empty() ? SSL_CTX_set_default_verify_paths(context) != 1
                                      : SSL_CTX_load_verify_file(context, ca_file_.c_str()) != 1))
    throw std::runtime_error("no certificates to trust: " + (ca_file_.empty() ? text_of(ERR_peek_error()) : ca_file_));
  return made;
}

std::unique_ptr<Stream> TlsContext::connect(pico::Socket socket, const std::string& host, const std::string& origin) {
  auto stream = std::make_unique<TlsStream>(*this, std::move(socket), origin);
  stream->handshake(host);
  return stream;
}

void TlsContext::keep(const std::string& origin, Session session) {
  std::list<Known> removed;  // outlives the lock
  const std::scoped_lock lock(mutex_);
  if (const auto found = by_origin_.find(origin); found != by_origin_.end()) {
    removed.splice(removed.end(), sessions_, found->second);
  } else if (sessions_.size() >= kMostSessions) {
    by_origin_.erase(sessions_.front().origin);
    removed.splice(removed.end(), sessions_, sessions_.begin());
  }
  sessions_.push_back({origin, std::move(session)});
  by_origin_[origin] = std::prev(sessions_.end());
}

TlsContext::Session TlsContext::take(const std::string& origin) {
  const std::scoped_lock lock(mutex_);
  const auto found = by_origin_.find(origin);
  if (found == by_origin_.end()) return nullptr;
  if (SSL_SESSION_get_protocol_version(found->second->session.get()) < TLS1_3_VERSION) {
    SSL_SESSION_up_ref(found->second->session.get());
    return Session(found->second->session.get());
  }
  // A ticket of TLS 1.3 is for one use (RFC 8446, appendix C.4); others come with each connection.
  Session session = std::move(found->second->session);
  sessions_.erase(found->second);
  by_origin_.erase(found);
  return session;
}

}  // namespace heddle::crawler

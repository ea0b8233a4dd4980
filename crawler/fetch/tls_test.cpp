#include "crawler/fetch/tls.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "crawler/fetch/client.hpp"
#include "crawler/fetch/testing/servers.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

using namespace std::chrono_literals;

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// A key and a certificate that it has signed itself, for `names` ("DNS:a,IP:127.0.0.1").
struct Identity {
  explicit Identity(const std::string& names, long valid_seconds = 3600)
      : key(EVP_EC_gen("P-256")), certificate(X509_new()) {
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -7200);
    X509_gmtime_adj(X509_getm_notAfter(certificate), valid_seconds);
    X509_set_pubkey(certificate, key);
    X509_NAME* const name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    for (const auto& [kind, text] :
         {std::pair{NID_subject_alt_name, names}, {NID_basic_constraints, std::string("CA:TRUE")}}) {
      X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, text.c_str());
      X509_add_ext(certificate, extension, -1);
      X509_EXTENSION_free(extension);
    }
    X509_sign(certificate, key, EVP_sha256());
    const std::string made = std::filesystem::temp_directory_path() / "heddle_tls_XXXXXX";
    path = made;
    const int descriptor = mkstemp(path.data());
    FILE* const file = fdopen(descriptor, "w");
    PEM_write_X509(file, certificate);
    fclose(file);
  }
  ~Identity() {
    std::filesystem::remove(path);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  EVP_PKEY* key;
  X509* certificate;
  std::string path;  // of the certificate, in PEM
};

// A server of blocking code on a kernel thread; one connection after the other, each by serve(ssl).
class TlsServer {
 public:
  using Serve = std::function<void(SSL*)>;

  TlsServer(const Identity& identity, Serve serve, int version = TLS1_3_VERSION)
      : context_(SSL_CTX_new(TLS_server_method())), serve_(std::move(serve)) {
    SSL_CTX_use_PrivateKey(context_, identity.key);
    SSL_CTX_use_certificate(context_, identity.certificate);
    SSL_CTX_set_max_proto_version(context_, version);
    SSL_CTX_set_session_id_context(context_, reinterpret_cast<const unsigned char*>("t"), 1);
    SSL_CTX_set_tlsext_servername_arg(context_, this);
    SSL_CTX_set_tlsext_servername_callback(context_, on_name);
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listening_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listening_, 16) != 0)
      throw std::runtime_error("listen");
    getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~TlsServer() {
    shutdown(listening_, SHUT_RDWR);
    thread_.join();
    close(listening_);
    SSL_CTX_free(context_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::vector<std::string> names() {
    const std::scoped_lock lock(mutex_);
    return names_;
  }

  std::uint16_t port = 0;

 private:
  static int on_name(SSL* ssl, int*, void* self) {
    auto& server = *static_cast<TlsServer*>(self);
    const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    const std::scoped_lock lock(server.mutex_);
    server.names_.emplace_back(name == nullptr ? "" : name);
    return SSL_TLSEXT_ERR_OK;
  }

  void run() {
    for (;;) {
      const int peer = accept(listening_, nullptr, nullptr);
      if (peer < 0) return;
      const timeval limit{2, 0};
      setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
      SSL* const ssl = SSL_new(context_);
      SSL_set_fd(ssl, peer);
      if (SSL_accept(ssl) == 1) serve_(ssl);
      SSL_free(ssl);
      close(peer);
    }
  }

  SSL_CTX* context_;
  Serve serve_;
  int listening_ = -1;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<std::string> names_;
};

bool read_head(SSL* ssl) {
  std::string text;
  char byte = 0;
  while (!text.ends_with("\r\n\r\n"))
    if (SSL_read(ssl, &byte, 1) == 1)
      text += byte;
    else
      return false;
  return true;
}
void send(SSL* ssl, const std::string& bytes) { SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size())); }

void serve_once(SSL* ssl) {
  if (read_head(ssl)) send(ssl, kOk);
  SSL_shutdown(ssl);
}

Request request_to(const TlsServer& server, const std::string& host = "localhost") {
  Request request;
  request.scheme = "https";
  request.host = host;
  request.port = server.port;
  return request;
}

TEST(Tls, TrustsACertificateOfTheHostByNameAndNumber) {
  const Identity identity("DNS:localhost,IP:127.0.0.1");
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsServer server(identity, serve_once, version);
    pico::run([&] {
      Client client(ClientOptions{.ca_file = identity.path});
      for (const char* host : {"localhost", "127.0.0.1"}) {
        const Answer answer = client.fetch(request_to(server, host));
        EXPECT_EQ(answer.error, FetchError::kNone) << answer.detail;
        EXPECT_EQ(answer.body, "ok");
      }
    });
    const std::vector<std::string> names = server.names();
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names.front(), "localhost");  // SNI
  }
}

TEST(Tls, RefusesACertificateOfAnotherHost) {
  const Identity identity("DNS:other.example");
  TlsServer server(identity, serve_once);
  pico::run([&] {
    Client client(ClientOptions{.ca_file = identity.path});
    for (const char* host : {"localhost", "127.0.0.1"}) {
      const Answer answer = client.fetch(request_to(server, host));
      EXPECT_EQ(answer.error, FetchError::kTls);
      EXPECT_EQ(answer.status, 0);
      EXPECT_NE(answer.detail.find("mismatch"), std::string::npos) << answer.detail;
    }
  });
}

TEST(Tls, RefusesAnUnknownAndAnExpiredCertificate) {
  const Identity unknown("DNS:localhost");
  const Identity trusted("DNS:localhost");
  const Identity expired("DNS:localhost", -3600);
  TlsServer one(unknown, serve_once);
  TlsServer other(expired, serve_once);
  pico::run([&] {
    Client client(ClientOptions{.ca_file = trusted.path});
    EXPECT_EQ(client.fetch(request_to(one)).error, FetchError::kTls);
    Client of_system(ClientOptions{});
    EXPECT_EQ(of_system.fetch(request_to(one)).error, FetchError::kTls);
    Client late(ClientOptions{.ca_file = expired.path});
    const Answer answer = late.fetch(request_to(other));
    EXPECT_EQ(answer.error, FetchError::kTls);
    EXPECT_NE(answer.detail.find("expired"), std::string::npos) << answer.detail;
  });
}

TEST(Tls, InsecureTakesAnyCertificate) {
  const Identity identity("DNS:other.example", -3600);
  TlsServer server(identity, serve_once);
  pico::run([&] {
    Client client(ClientOptions{.insecure = true});
    EXPECT_EQ(client.fetch(request_to(server)).body, "ok");
  });
}

TEST(Tls, ResumesTheSessionOfAnOrigin) {
  const Identity identity("DNS:localhost");
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsServer server(identity, serve_once, version);
    pico::run([&] {
      Client client(ClientOptions{.ca_file = identity.path});
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(client.fetch(request_to(server)).body, "ok");
        pico::sleep_for(20ms);  // so that the goodbye has come
      }
      EXPECT_EQ(client.statistics().handshakes, 4U);
      EXPECT_EQ(client.statistics().resumed, 3U);
    });
  }
}

TEST(Tls, UsesAConnectionAgain) {
  const Identity identity("DNS:localhost");
  TlsServer server(identity, [](SSL* ssl) {
    while (read_head(ssl)) send(ssl, kOk);
  });
  pico::run([&] {
    Client client(ClientOptions{.ca_file = identity.path});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(client.fetch(request_to(server)).reused_connection, i > 0);
    EXPECT_EQ(client.statistics().handshakes, 1U);
  });
}

TEST(Tls, AnAnswerWithoutLengthEndsWithAGoodbyeOnly) {
  const Identity identity("DNS:localhost");
  bool goodbye = true;
  TlsServer server(identity, [&](SSL* ssl) {
    read_head(ssl);
    send(ssl, "HTTP/1.1 200 OK\r\n\r\nwhole?");
    if (goodbye) SSL_shutdown(ssl);
  });
  pico::run([&] {
    Client client(ClientOptions{.ca_file = identity.path});
    EXPECT_EQ(client.fetch(request_to(server)).error, FetchError::kNone);
    goodbye = false;
    const Answer cut = client.fetch(request_to(server));
    EXPECT_EQ(cut.error, FetchError::kReset);
    EXPECT_EQ(cut.status, 200);
    EXPECT_EQ(cut.body, "whole?");
    EXPECT_TRUE(cut.broke_off);
  });
}

TEST(Tls, ALargeBodyComesThrough) {
  const Identity identity("DNS:localhost");
  std::string body(3'000'000, '\0');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * i >> 8);
  TlsServer server(identity, [&](SSL* ssl) {
    read_head(ssl);
    send(ssl, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  });
  pico::run([&] {
    Client client(ClientOptions{.ca_file = identity.path});
    EXPECT_TRUE(client.fetch(request_to(server)).body == body);
  });
}

TEST(Tls, AServerWithoutTlsIsATlsErrorAndASilentOneATimeout) {
  testing::with_server(
      [](pico::Socket& peer) { peer.write("HTTP/1.1 400 Bad Request\r\n\r\n"), pico::sleep_for(20ms); },
      [](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = testing::request_to(port);
        request.scheme = "https";
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.error, FetchError::kTls);
        EXPECT_EQ(answer.status, 0);
      });
  testing::with_server([](pico::Socket& peer) { pico::sleep_for(10s), peer.close(); },
                       [](std::uint16_t port) {
                         Client client(ClientOptions{});
                         Request request = testing::request_to(port);
                         request.scheme = "https";
                         request.limits.connect_timeout = 50ms;
                         EXPECT_EQ(client.fetch(request).error, FetchError::kTimeout);
                       });
  testing::with_server([](pico::Socket& peer) { peer.close(); },
                       [](std::uint16_t port) {
                         Client client(ClientOptions{});
                         Request request = testing::request_to(port);
                         request.scheme = "https";
                         EXPECT_EQ(client.fetch(request).error, FetchError::kTls);
                       });
}

TEST(Tls, GoesThroughATunnelOfAProxy) {
  const Identity identity("DNS:secret.invalid");
  TlsServer server(identity, serve_once);
  std::string sent;
  testing::with_server(
      [&](pico::Socket& peer) {
        sent = testing::read_request(peer);
        peer.write("HTTP/1.1 200 Connection established\r\n\r\n");
        pico::Socket there = pico::connect(pico::Endpoint::of_ip("127.0.0.1", server.port));
        const auto pump = [](pico::Socket& from, pico::Socket& to) {
          try {
            char bytes[4096];
            while (const std::size_t count = from.read(bytes)) to.write({bytes, count});
            to.shutdown_write();
          } catch (const std::system_error&) {
            // One of them has left.
          }
        };
        pico::Scope both;
        both.spawn([&] { pump(peer, there); });
        pump(there, peer);
      },
      [&](std::uint16_t port) {
        Client client(
            ClientOptions{.proxy = ClientOptions::Proxy{"127.0.0.1", port, "user:password"}, .ca_file = identity.path});
        const Answer answer = client.fetch(request_to(server, "secret.invalid"));
        EXPECT_EQ(answer.error, FetchError::kNone) << answer.detail;
        EXPECT_EQ(answer.body, "ok");
        EXPECT_EQ(sent.substr(0, sent.find('\r')),
                  "CONNECT secret.invalid:" + std::to_string(server.port) + " HTTP/1.1");
        EXPECT_NE(sent.find("\r\nProxy-Authorization: Basic dXNlcjpwYXNzd29yZA==\r\n"), std::string::npos);
        EXPECT_EQ(answer.raw_request.substr(0, 16), "GET / HTTP/1.1\r\n");
      });
}

TEST(Tls, NoSuchFileOfCertificatesIsAnError) {
  EXPECT_THROW(Client(ClientOptions{.ca_file = "/no/such/file"}), std::runtime_error);
}

}  // namespace
}  // namespace heddle::crawler

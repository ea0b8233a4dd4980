// Fetches one URL after the other over HTTP/1.1, as plain blocking code for pico threads.
//
//   Client client(ClientOptions{.policy = std::make_shared<PublicAddresses>()});
//   const Answer answer = client.fetch({.host = "example.org"});
//   if (answer.error == FetchError::kNone) std::cout << answer.status << '\n' << answer.body;
//
// One client serves all threads of a program, of all workers: they share connections that are open and idle (each
// carries one request at a time), names that were resolved, and TLS sessions. No redirect is followed, no cookie kept
// unless that is asked for, and nothing tried again, except where an open connection turns out to have been closed by
// the server before it answered.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "crawler/fetch/address_policy.hpp"
#include "crawler/fetch/answer.hpp"

namespace heddle::crawler {

struct ClientOptions {
  std::string user_agent = "heddle";
  // Null: any address. With a proxy it is not asked.
  std::shared_ptr<const AddressPolicy> policy = nullptr;
  struct Proxy {
    std::string host = {};
    std::uint16_t port = 3128;
    // "USER:PASSWORD", which only the proxy is told (RFC 7617); Answer::raw_request lacks it. Empty: none are asked
    // for.
    std::string credentials = {};
  };
  std::optional<Proxy> proxy = {};

  bool cookies = false;      // kept, and sent to the host that set them, in requests that have no Cookie of their own
  bool insecure = false;     // certificates are not looked at
  std::string ca_file = {};  // PEM; empty: what the system trusts

  // Open connections that wait for a request.
  std::size_t most_idle = 1024;
  std::size_t most_idle_per_origin = 6;
  std::chrono::milliseconds idle_time{15'000};

  // How long names are remembered: as their records say, but within these bounds; that there is none, `negative`.
  std::chrono::milliseconds dns_least{5'000};
  std::chrono::milliseconds dns_most{3'600'000};
  std::chrono::milliseconds dns_negative{10'000};
  std::string dns_servers = {};       // "127.0.0.1:5353,..."; empty: those of the system
  std::size_t most_lookups = 65'536;  // at once; each has a descriptor or two
};

struct ClientStatistics {
  std::uint64_t requests = 0;
  std::uint64_t connections = 0;  // opened
  std::uint64_t reused = 0;       // requests that went over an open one
  std::uint64_t lookups = 0;      // names asked of the resolver; others were remembered, or somebody was asking already
  std::uint64_t handshakes = 0;   // of TLS
  std::uint64_t resumed = 0;      // of these, with an earlier session
};

class Client {
 public:
  // std::runtime_error if the options can't be met: no such file of certificates, no such DNS servers.
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Never throws for what a server does or the network does not. Throws pico::Cancelled; std::invalid_argument if the
  // request has control characters or blanks where they would end a line of it, which URLs in normal form don't.
  Answer fetch(const Request& request);
  // The same; what `answer` had is gone. So a thread that waits need not have it on its stack.
  void fetch(const Request& request, Answer& answer);

  ClientStatistics statistics() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::crawler

#include "crawler/fetch/client.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "crawler/fetch/connection_pool.hpp"
#include "crawler/fetch/cookies.hpp"
#include "crawler/fetch/failure.hpp"
#include "crawler/fetch/request_text.hpp"
#include "crawler/fetch/resolver.hpp"
#include "crawler/fetch/response_reader.hpp"
#include "crawler/fetch/stream.hpp"
#include "crawler/fetch/tls.hpp"
#include "pico/core/cancelled.hpp"
#include "pico/core/helpers.hpp"
#include "pico/core/thread.hpp"

namespace heddle::crawler {
namespace {

// What is read goes to its reader before anybody else of the worker runs, so all its threads share a buffer, which is
// in the caches therefore. The kernel writes into it only when there is something.
std::span<char> shared_buffer() {
  constexpr std::size_t kSize = 128 << 10;
  thread_local const auto buffer = std::make_unique<char[]>(kSize);
  return {buffer.get(), kSize};
}

// A thread whose bytes come faster than it reads never waits; it lets others run every so often.
constexpr unsigned kReadsInARow = 8;

Failure failure_of(const std::system_error& error, FetchError otherwise) {
  return {error.code().value() == ETIMEDOUT ? FetchError::kTimeout : otherwise, error.what()};
}

std::chrono::sys_seconds now_by_date() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::chrono::nanoseconds at_least_zero(std::chrono::nanoseconds time) {
  return std::max(time, std::chrono::nanoseconds(0));
}

}  // namespace

class Client::State {
 public:
  explicit State(ClientOptions options)
      : options_(std::move(options)),
        resolver_({.least = options_.dns_least,
                   .most = options_.dns_most,
                   .negative = options_.dns_negative,
                   .servers = options_.dns_servers,
                   .most_lookups = options_.most_lookups}),
        tls_(options_.insecure, options_.ca_file),
        pool_(options_.most_idle, options_.most_idle_per_origin, options_.idle_time) {
    if (options_.proxy && !options_.proxy->credentials.empty())
      for_proxy_ = proxy_authorization(options_.proxy->credentials);
  }

  void fetch(const Request& request, Answer& answer);
  ClientStatistics statistics() const;

 private:
  // What a fetch is bound by.
  struct Times {
    pico::Time connect;
    pico::Time all;
  };

  std::string pool_key(const Request& request) const;
  void add_cookies(const Request& request, std::string& text);
  std::unique_ptr<Stream> take_idle(const std::string& key);
  std::unique_ptr<Stream> open(const Request& request, const std::string& origin, const Times& times);
  std::vector<pico::Endpoint> addresses_for(const Request& request, pico::Time deadline);
  pico::Socket connect(const std::vector<pico::Endpoint>& endpoints, pico::Time deadline, std::string& remote);
  pico::Socket connect_once(const pico::Endpoint& endpoint, pico::Time deadline);
  void open_tunnel(Stream& through, const Request& request);
  bool exchange(Stream& stream, const Request& request, bool reused, const Times& times, Answer& answer,
                bool& reusable);

  const ClientOptions options_;
  std::string for_proxy_;  // a line of headers; empty: it asks for no credentials
  Resolver resolver_;
  TlsContext tls_;  // which the pool's streams use
  ConnectionPool pool_;
  CookieJar cookies_;
  std::atomic<std::uint64_t> requests_{0};
  std::atomic<std::uint64_t> connections_{0};
  std::atomic<std::uint64_t> reused_{0};
};

// http goes through a proxy on connections that serve any host; https has a tunnel for each.
std::string Client::State::pool_key(const Request& request) const {
  if (options_.proxy && request.scheme == "http") return "proxy";
  return request.scheme + "://" + request.host + ":" + std::to_string(request.port);
}

void Client::State::add_cookies(const Request& request, std::string& text) {
  if (has_header(request, "cookie")) return;
  const std::string value = cookies_.value_for(request, now_by_date());
  if (!value.empty()) text = with_line(std::move(text), "Cookie: " + value + "\r\n");
}

std::unique_ptr<Stream> Client::State::take_idle(const std::string& key) {
  while (std::unique_ptr<Stream> stream = pool_.take(key))
    if (stream->quiet()) return stream;
  return nullptr;
}

std::vector<pico::Endpoint> Client::State::addresses_for(const Request& request, pico::Time deadline) {
  if (options_.proxy) return resolver_.resolve(options_.proxy->host, options_.proxy->port, deadline);
  std::vector<pico::Endpoint> endpoints = resolver_.resolve(request.host, request.port, deadline);
  if (options_.policy == nullptr) return endpoints;
  const Origin origin{request.scheme, request.host, request.port};
  std::erase_if(endpoints, [&](const pico::Endpoint& endpoint) { return !options_.policy->allows(origin, endpoint); });
  if (endpoints.empty()) throw Failure(FetchError::kRefusedAddress, request.host + ": its address is not allowed");
  return endpoints;
}

// Descriptors may run short because of connections that nobody uses.
pico::Socket Client::State::connect_once(const pico::Endpoint& endpoint, pico::Time deadline) {
  try {
    return pico::connect(endpoint, deadline);
  } catch (const std::system_error& error) {
    if ((error.code().value() != EMFILE && error.code().value() != ENFILE) || pool_.size() == 0) throw;
  }
  pool_.clear();
  return pico::connect(endpoint, deadline);
}

// To the first address that answers. Each one has an equal share of the time that is left, so that one that swallows
// everything does not keep the next from its turn.
pico::Socket Client::State::connect(const std::vector<pico::Endpoint>& endpoints, pico::Time deadline,
                                    std::string& remote) {
  for (std::size_t i = 0;; ++i) {
    const pico::Time now = pico::Clock::now();
    const auto share = at_least_zero(deadline - now) / static_cast<int>(endpoints.size() - i);
    try {
      pico::Socket socket = connect_once(endpoints[i], std::min<pico::Time>(deadline, now + share));
      connections_.fetch_add(1, std::memory_order_relaxed);
      const int on = 1;
      static_cast<void>(setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
      remote = pico::on_big_stack([&] { return endpoints[i].to_string(); });  // inet_ntop() prints with 1.4 KB
      return socket;
    } catch (const std::system_error& error) {
      if (i + 1 == endpoints.size() || pico::Clock::now() >= deadline)
        throw failure_of({error.code(), endpoints[i].to_string()}, FetchError::kConnect);
    }
  }
}

std::unique_ptr<Stream> Client::State::open(const Request& request, const std::string& origin, const Times& times) {
  std::string remote;
  pico::Socket socket = connect(addresses_for(request, times.connect), times.connect, remote);
  socket.set_deadline(times.connect);
  std::unique_ptr<Stream> stream;
  if (request.scheme == "https") {
    if (options_.proxy) {
      PlainStream through(std::move(socket));
      open_tunnel(through, request);
      socket = through.take();
    }
    try {
      stream = tls_.connect(std::move(socket), request.host, origin);
    } catch (const std::system_error& error) {
      throw failure_of(error, FetchError::kTls);
    }
  } else {
    stream = std::make_unique<PlainStream>(std::move(socket));
  }
  stream->remote = std::move(remote);
  return stream;
}

void Client::State::open_tunnel(Stream& through, const Request& request) {
  Answer answer;
  ResponseReader reader(request.limits, false, false, answer);
  try {
    through.write(with_line(connect_text(request, options_.user_agent), for_proxy_));
    const std::span<char> buffer = shared_buffer();
    for (;;) {
      const std::size_t count = through.read(buffer);
      if (count == 0) reader.end();
      if (count == 0 || pico::on_big_stack([&] { return reader.feed({buffer.data(), count}); })) break;
    }
  } catch (const std::system_error& error) {
    throw failure_of(error, FetchError::kConnect);
  }
  if (answer.error != FetchError::kNone) throw Failure(FetchError::kConnect, "the proxy: " + answer.detail);
  if (answer.status < 200 || answer.status > 299)
    throw Failure(FetchError::kConnect, "the proxy answers " + std::to_string(answer.status));
}

// False: the connection was closed before any byte of the answer, which is no news of one that was idle. Some servers
// say that they close it, by 408 (RFC 9110, section 15.5.9), and do so perhaps before they see the request.
bool Client::State::exchange(Stream& stream, const Request& request, bool reused, const Times& times, Answer& answer,
                             bool& reusable) {
  ResponseReader reader(request.limits, request.method != Method::kHead, request.keep_raw, answer);
  try {
    stream.set_deadline(times.all);
    if (!for_proxy_.empty() && request.scheme == "http")
      stream.write(with_line(answer.raw_request, for_proxy_));
    else
      stream.write(answer.raw_request);
    stream.await_answer();
    const std::span<char> buffer = shared_buffer();
    for (unsigned reads = 1;; ++reads) {
      const std::size_t count = stream.read(buffer);
      if (count == 0) {
        if (reused && !reader.started()) return false;
        reader.end();
        break;
      }
      if (pico::on_big_stack([&] { return reader.feed({buffer.data(), count}); })) break;
      if (reads % kReadsInARow != 0) continue;
      pico::check_cancelled();
      pico::yield();
      if (pico::Clock::now() >= times.all) throw std::system_error(ETIMEDOUT, std::generic_category(), "too slow");
    }
  } catch (const std::system_error& error) {
    const bool late = error.code().value() == ETIMEDOUT;
    if (reused && !late && !reader.started()) return false;
    reader.fail(late ? FetchError::kTimeout : FetchError::kReset, error.what());
  } catch (const Failure& failure) {
    reader.fail(failure.error(), failure.what());
  }
  reusable = reader.reusable();
  return !reused || reusable || answer.status != 408 || answer.error != FetchError::kNone;
}

void Client::State::fetch(const Request& request, Answer& answer) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  if (request.scheme != "http" && request.scheme != "https")
    throw Failure(FetchError::kScheme, request.scheme + " is neither http nor https");
  const pico::Time now = pico::Clock::now();
  const Times times{
      std::min<pico::Time>(request.deadline, now + std::min(request.limits.connect_timeout, request.limits.timeout)),
      std::min<pico::Time>(request.deadline, now + request.limits.timeout)};
  answer.raw_request = request_text(request, options_.user_agent, options_.proxy && request.scheme == "http");
  if (options_.cookies) add_cookies(request, answer.raw_request);
  const std::string key = pool_key(request);
  for (;;) {
    std::unique_ptr<Stream> stream = take_idle(key);
    answer.reused_connection = stream != nullptr;
    if (stream == nullptr) stream = open(request, key, times);
    answer.remote = stream->remote;
    bool reusable = false;
    if (!exchange(*stream, request, answer.reused_connection, times, answer, reusable)) {
      std::string text = std::move(answer.raw_request);
      answer = Answer();
      answer.raw_request = std::move(text);
      if (request.before_again) request.before_again();
      continue;
    }
    if (options_.cookies) cookies_.keep(request, answer.headers, now_by_date());
    if (answer.reused_connection) reused_.fetch_add(1, std::memory_order_relaxed);
    if (reusable) pool_.put(key, std::move(stream));
    return;
  }
}

ClientStatistics Client::State::statistics() const {
  ClientStatistics now;
  now.requests = requests_.load(std::memory_order_relaxed);
  now.connections = connections_.load(std::memory_order_relaxed);
  now.reused = reused_.load(std::memory_order_relaxed);
  now.lookups = resolver_.lookups();
  now.handshakes = tls_.handshakes();
  now.resumed = tls_.resumed();
  return now;
}

Client::Client(ClientOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Client::~Client() = default;

Answer Client::fetch(const Request& request) {
  Answer answer;
  fetch(request, answer);
  return answer;
}

void Client::fetch(const Request& request, Answer& answer) {
  std::destroy_at(&answer);
  std::construct_at(&answer);
  try {
    state_->fetch(request, answer);
  } catch (const Failure& failure) {
    answer.error = failure.error();
    answer.detail = failure.what();
  } catch (const std::system_error& error) {
    // The kernel gives no socket, or does not watch it.
    answer.error = FetchError::kConnect;
    answer.detail = error.what();
  }
}

ClientStatistics Client::statistics() const { return state_->statistics(); }

}  // namespace heddle::crawler

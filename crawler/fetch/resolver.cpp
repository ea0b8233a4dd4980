#include "crawler/fetch/resolver.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/on_exit.hpp"
#include "crawler/fetch/dns_query.hpp"
#include "crawler/fetch/failure.hpp"

namespace heddle::crawler {
namespace {

using pico::Endpoint;

std::optional<Endpoint> as_number(std::string host, std::uint16_t port) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  try {
    return Endpoint::of_ip(host, port);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// With or without the dot of the root, as is_loopback() of politeness/ has it.
bool is_localhost(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return name == "localhost" || name.ends_with(".localhost");
}

Endpoint with_port(const Endpoint& address, std::uint16_t port) {
  if (address.family() == AF_INET) {
    sockaddr_in four = *reinterpret_cast<const sockaddr_in*>(address.address());
    four.sin_port = htons(port);
    return {reinterpret_cast<const sockaddr*>(&four), sizeof four};
  }
  sockaddr_in6 six = *reinterpret_cast<const sockaddr_in6*>(address.address());
  six.sin6_port = htons(port);
  return {reinterpret_cast<const sockaddr*>(&six), sizeof six};
}

}  // namespace

Resolver::Resolver(ResolverOptions options) : options_(std::move(options)) { check_dns_servers(options_.servers); }

std::vector<Endpoint> Resolver::resolve(const std::string& host, std::uint16_t port, pico::Time deadline) {
  if (const auto number = as_number(host, port)) return {*number};
  if (is_localhost(host)) return {Endpoint::of_ip("127.0.0.1", port), Endpoint::of_ip("::1", port)};

  pico::Condition::Lock lock(mutex_);
  const std::shared_ptr<Name> name = find(host);
  while (!name->known || name->until < pico::Clock::now()) {
    if (!name->asked)
      ask(host, *name, lock, deadline);
    else if (!name->changed.wait_until(lock, deadline))
      throw Failure(FetchError::kTimeout, host + ": no DNS server has answered in time");
    else
      continue;
    break;  // what was just learnt counts even if it may not be remembered
  }
  if (name->addresses.empty()) throw Failure(FetchError::kDns, host + ": " + name->error);
  std::vector<Endpoint> endpoints;
  endpoints.reserve(name->addresses.size());
  for (const Endpoint& address : name->addresses) endpoints.push_back(with_port(address, port));
  return endpoints;
}

// With the mutex.
std::shared_ptr<Resolver::Name> Resolver::find(const std::string& host) {
  if (const auto found = names_.find(host); found != names_.end()) return found->second;
  if (names_.size() >= options_.most_names) make_room(pico::Clock::now());
  return names_.emplace(host, std::make_shared<Name>()).first->second;
}

// With the mutex. What is too old goes, and if that is little, half of the rest.
void Resolver::make_room(pico::Time now) {
  const std::size_t aim = options_.most_names / 2;
  std::erase_if(names_, [now](const auto& entry) { return !entry.second->asked && entry.second->until < now; });
  for (auto entry = names_.begin(); entry != names_.end() && names_.size() > aim;)
    entry = entry->second->asked ? std::next(entry) : names_.erase(entry);
}

// Gives the mutex up meanwhile.
void Resolver::ask(const std::string& host, Name& name, pico::Condition::Lock& lock, pico::Time deadline) {
  name.asked = true;
  const base::OnExit done([&] {
    name.asked = false;
    name.changed.notify_all();
  });
  if (!fewer_.wait_until(lock, deadline, [this] { return asking_ < options_.most_lookups; }))
    throw Failure(FetchError::kTimeout, host + ": too many names are looked up at once");
  ++asking_;
  lookups_.fetch_add(1, std::memory_order_relaxed);
  DnsAnswer answer;
  {
    lock.unlock();
    const base::OnExit over([&] {
      lock.lock();
      --asking_;
      fewer_.notify_one();
    });
    answer = ask_dns(host, options_.servers, deadline);
  }
  const bool none = answer.addresses.empty();
  const auto remembered =
      none ? options_.negative
           : std::clamp<std::chrono::milliseconds>(answer.time_to_live, options_.least, options_.most);
  name.known = true;
  name.addresses = std::move(answer.addresses);
  name.error = std::move(answer.error);
  name.until = pico::Clock::now() + remembered;
}

}  // namespace heddle::crawler

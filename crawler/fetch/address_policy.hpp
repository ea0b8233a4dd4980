// Which addresses a request may connect to.
//
// A page of a stranger may link to http://192.168.0.1/ or to a name that resolves to it, and a crawler inside the
// network would fetch what the stranger cannot. So each address is looked at between the resolution of a name and the
// connection, with no second resolution in between that could give another one (DNS rebinding).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "pico/io/socket.hpp"

namespace heddle::crawler {

// Scheme, name and port: who answers, as far as URLs can tell.
struct Origin {
  std::string scheme;
  std::string host;  // as in Request
  std::uint16_t port = 0;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

class AddressPolicy {
 public:
  virtual ~AddressPolicy() = default;
  // By any worker at any time. Must not wait.
  virtual bool allows(const Origin& origin, const pico::Endpoint& address) const = 0;
};

// Addresses that are not of the public Internet: loopback, private (RFC 1918), shared (RFC 6598), link-local, unique
// local (RFC 4193), multicast, reserved and unspecified ones, 0.0.0.0/8, and IPv6 forms of all of these (mapped,
// compatible, NAT64, 6to4, Teredo).
bool is_private(const pico::Endpoint& address);

// Everything but private addresses, except for given origins.
class PublicAddresses final : public AddressPolicy {
 public:
  explicit PublicAddresses(std::set<Origin> exempt = {}) : exempt_(std::move(exempt)) {}
  bool allows(const Origin& origin, const pico::Endpoint& address) const override {
    return !is_private(address) || exempt_.contains(origin);
  }

 private:
  const std::set<Origin> exempt_;
};

}  // namespace heddle::crawler

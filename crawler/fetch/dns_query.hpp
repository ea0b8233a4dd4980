// One question to the DNS: c-ares' state machine, whose sockets the calling pico thread waits for.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pico/io/socket.hpp"
#include "pico/time.hpp"

namespace heddle::crawler {

struct DnsAnswer {
  std::vector<pico::Endpoint> addresses;  // with port 0, in the order of RFC 6724
  std::chrono::seconds time_to_live{0};   // the least of all
  std::string error;                      // if there are no addresses
};

// `servers` as in ResolverOptions. Failure (kTimeout) behind the deadline, pico::Cancelled.
DnsAnswer ask_dns(const std::string& host, const std::string& servers, pico::Time deadline);

// std::runtime_error if c-ares makes nothing of them.
void check_dns_servers(const std::string& servers);

}  // namespace heddle::crawler

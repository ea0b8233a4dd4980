// What a load measured, and how it is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::testing::load {

// The smallest of the values that at least `share` of them do not exceed (nearest rank); 0 of none. Sorted input.
double percentile(const std::vector<std::uint32_t>& sorted, double share);

// Requests of one route, or of the probe. Every latency is kept, so percentiles are exact: 4 bytes a request.
struct Route {
  std::string name;
  std::uint64_t bytes = 0;  // of bodies
  std::map<int, std::uint64_t> statuses;
  std::vector<std::uint32_t> latencies_us;
};

struct Errors {
  std::uint64_t connect = 0;   // the server refused a connection
  std::uint64_t cut = 0;       // the connection ended before the answer did
  std::uint64_t protocol = 0;  // not an HTTP answer that a client can rely on, or bytes after its end
  std::uint64_t status = 0;    // an answer other than 200
  std::uint64_t body = 0;      // not the body that this URL had before, or has in the file of hashes
  std::uint64_t timeout = 0;

  std::uint64_t total() const { return connect + cut + protocol + status + body + timeout; }
};

struct Figures {
  std::size_t connections = 0;
  double seconds = 0;
  double client_cpu_s = 0;
  std::optional<double> server_cpu_s;
  std::vector<Route> routes;
  std::optional<Route> probe;
  Errors errors;
  std::vector<std::string> examples;  // of errors, the first few
  std::uint64_t reconnects = 0;       // the server closed a connection between two requests
  std::size_t checked_urls = 0;       // URLs whose bodies were compared with something
  bool gave_up = false;               // too many errors
};

std::string to_json(Figures& figures);
std::string to_text(Figures& figures);

}  // namespace heddle::testing::load

// A closed-loop HTTP load on one thread: every connection asks, waits for the answer, checks it and asks again.
//
// Closed, because a server is compared with itself under another runtime: both get exactly the work that they can take.
// One thread over epoll with little to do per answer, because the load shares the machine with the server. The probe is
// a connection of its own that asks for one URL at intervals, so that its latency is measured under load without adding
// to it. An answer that takes longer than the interval delays the next question; the latency counts from when a
// question was really sent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testing/load/body_check.hpp"
#include "testing/load/figures.hpp"
#include "testing/load/mix.hpp"

namespace heddle::testing::load {

struct Settings {
  std::uint16_t port = 0;
  std::size_t connections = 8;
  std::vector<WeightedPath> paths;
  std::uint64_t seed = 1;
  double warmup_s = 0;                    // answers in this time are checked, not counted
  double duration_s = 5;                  // of what is counted; not used if requests is set
  std::optional<std::uint64_t> requests;  // so many, and then the answers to all of them
  std::optional<std::string> probe_path;
  double probe_interval_ms = 5;
  double timeout_s = 10;
  bool any_status = false;  // answers other than 200 are no errors
  std::vector<std::string> varying = {"/stats"};
  Fingerprints expected;
  std::optional<pid_t> server_pid;  // whose CPU time is wanted
};

struct Outcome {
  Figures figures;
  Fingerprints fingerprints;
};

// Throws BadInput if the server cannot be reached at the start.
Outcome run_load(const Settings& settings);

}  // namespace heddle::testing::load

// Where and how this process runs, as the run file records it: figures mean nothing without the machine.
#pragma once

#include <string>
#include <vector>

namespace heddle::telemetry {

struct Machine {
  std::string system;
  std::string release;
  std::string architecture;
  std::string model;   // of the processor; empty if the system does not say
  unsigned cores = 1;  // that this process may use
};

Machine describe_machine();

// How many cores this process may use: the affinity mask, cut down by the quota of its control groups (cgroup v2,
// `cpu.max`). At least 1. The folders are the system's, but for tests.
unsigned usable_cores(const std::string& groups = "/sys/fs/cgroup",
                      const std::string& membership = "/proc/self/cgroup");

// User and system time of the process so far.
double process_cpu_seconds();

// The arguments the program was started with, without its name.
std::vector<std::string> program_arguments();

}  // namespace heddle::telemetry

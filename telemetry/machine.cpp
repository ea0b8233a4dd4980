#include "telemetry/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace heddle::telemetry {
namespace {

std::string processor_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

unsigned cores_of_affinity_mask() {
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof usable, &usable) == 0 ? static_cast<unsigned>(CPU_COUNT(&usable)) : 1;
}

// Processors granted by the tightest `cpu.max` from the group of `membership` up; nothing if there is no limit.
std::optional<double> quota(const std::filesystem::path& groups, const std::string& membership) {
  std::ifstream member_of(membership);
  std::string group;
  bool found = false;
  while (!found && std::getline(member_of, group)) found = group.starts_with("0::/");
  if (!found) return std::nullopt;
  std::optional<double> tightest;
  const std::filesystem::path leaf = (groups / group.substr(std::string_view("0::/").size())).lexically_normal();
  for (std::filesystem::path folder = leaf;; folder = folder.parent_path()) {
    std::ifstream file(folder / "cpu.max");  // "max 100000", or "granted period" in microseconds
    double granted = 0;
    double period = 0;
    if (file >> granted >> period && period > 0)
      tightest = std::min(tightest.value_or(granted / period), granted / period);
    if (folder == groups || folder == folder.parent_path()) return tightest;
  }
}

}  // namespace

unsigned usable_cores(const std::string& groups, const std::string& membership) {
  const unsigned cores = std::max(1U, cores_of_affinity_mask());
  const std::optional<double> granted = quota(std::filesystem::path(groups).lexically_normal(), membership);
  // Half a core granted still runs one handler at a time; one and a half keep two busy in turns, but not for long.
  return granted ? std::clamp(static_cast<unsigned>(*granted), 1U, cores) : cores;
}

Machine describe_machine() {
  Machine machine;
  if (utsname name{}; uname(&name) == 0) {
    machine.system = name.sysname;
    machine.release = name.release;
    machine.architecture = name.machine;
  }
  machine.model = processor_model();
  machine.cores = usable_cores();
  return machine;
}

double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

std::vector<std::string> program_arguments() {
  std::ifstream cmdline("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(cmdline, argument, '\0');) arguments.push_back(argument);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

}  // namespace heddle::telemetry

#include "multivent/stats/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <fstream>
#include <string_view>

namespace heddle::multivent::stats {
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

}  // namespace

Machine describe_machine() {
  Machine machine;
  if (utsname name{}; uname(&name) == 0) {
    machine.system = name.sysname;
    machine.release = name.release;
    machine.architecture = name.machine;
  }
  machine.model = processor_model();
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) machine.cores = static_cast<unsigned>(CPU_COUNT(&usable));
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

}  // namespace heddle::multivent::stats

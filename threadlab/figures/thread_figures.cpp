#include "threadlab/figures/thread_figures.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <sstream>

namespace heddle::threadlab {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

struct Known {
  std::uint64_t registry = 0;
  unsigned index = 0;
};
thread_local Known known;

// The number behind `key` in a file of /proc with a line for each; 0 if there is none.
std::uint64_t number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
  return 0;
}

}  // namespace

FiguresOfThreads::FiguresOfThreads() : number_(next_number()) {}

ThreadFigures FiguresOfThreads::read(const Entry& entry) {
  ThreadFigures now;
  now.cpu = base::clock_now_ns(entry.clock);
  const std::string folder = "/proc/self/task/" + std::to_string(entry.tid) + "/";
  std::uint64_t ran = 0;
  std::uint64_t waited = 0;
  std::ifstream(folder + "schedstat") >> ran >> waited;
  now.run_queue = static_cast<base::Nanoseconds>(waited);
  now.switches_voluntary = number_in(folder + "status", "voluntary_ctxt_switches:");
  now.switches_involuntary = number_in(folder + "status", "nonvoluntary_ctxt_switches:");
  now.migrations = number_in(folder + "sched", "se.nr_migrations");
  // proc(5): the name, which may have blanks and brackets in it, ends with the last bracket; then come a letter, six
  // numbers, minflt, cminflt, majflt.
  std::ifstream stat(folder + "stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t bracket = line.rfind(')');
  if (bracket != std::string::npos) {
    std::istringstream fields(line.substr(bracket + 1));
    std::string state;
    std::array<std::int64_t, 10> numbers{};
    fields >> state;
    for (std::int64_t& number : numbers) fields >> number;
    now.faults = static_cast<std::uint64_t>(numbers[6] + numbers[8]);
  }
  return now;
}

unsigned FiguresOfThreads::this_thread() {
  if (known.registry == number_) return known.index;
  Entry entry;
  entry.tid = gettid();
  pthread_getcpuclockid(pthread_self(), &entry.clock);
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  entry.start = read(entry);
  entry.start.name = name.data();
  const std::lock_guard lock(mutex_);
  entry.start.id = static_cast<unsigned>(entries_.size());
  entries_.push_back(std::move(entry));
  known = {number_, static_cast<unsigned>(entries_.size() - 1)};
  return known.index;
}

void FiguresOfThreads::settle(Entry& entry) {
  if (entry.left) return;
  const ThreadFigures now = read(entry);
  ThreadFigures& figures = entry.start;
  figures.cpu = now.cpu - figures.cpu;
  figures.run_queue = now.run_queue - figures.run_queue;
  figures.switches_voluntary = now.switches_voluntary - figures.switches_voluntary;
  figures.switches_involuntary = now.switches_involuntary - figures.switches_involuntary;
  figures.migrations = now.migrations - figures.migrations;
  figures.faults = now.faults - figures.faults;
  entry.left = true;
}

void FiguresOfThreads::leave() {
  if (known.registry != number_) return;
  const std::lock_guard lock(mutex_);
  settle(entries_[known.index]);
}

std::vector<ThreadFigures> FiguresOfThreads::finish() {
  const std::lock_guard lock(mutex_);
  std::vector<ThreadFigures> all;
  for (Entry& entry : entries_) {
    settle(entry);
    all.push_back(entry.start);
  }
  return all;
}

ProcessorTimes processor_times() {
  std::ifstream file("/proc/stat");
  std::string name;
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
  file >> name;
  for (double& each : ticks) file >> each;
  ProcessorTimes times;
  for (const double each : ticks) times.all += each;
  times.busy = times.all - ticks[3] - ticks[4];
  const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  times.busy /= per_second;
  times.all /= per_second;
  return times;
}

}  // namespace heddle::threadlab

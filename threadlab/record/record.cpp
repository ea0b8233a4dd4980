#include "threadlab/record/record.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace heddle::threadlab {
namespace {

using Json = nlohmann::ordered_json;

double seconds_of(base::Nanoseconds time) { return static_cast<double>(std::max<base::Nanoseconds>(time, 0)) / 1e9; }

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Json word_for(Step::Then then) {
  switch (then) {
    case Step::Then::kReady:
      return "ready";
    case Step::Then::kWait:
      return "wait";
    case Step::Then::kDone:
      break;
  }
  return "done";
}

Json word_for(Step::For waits_for) {
  switch (waits_for) {
    case Step::For::kSocket:
      return "socket";
    case Step::For::kTimer:
      return "timer";
    case Step::For::kDisk:
      return "disk";
    case Step::For::kNothing:
    case Step::For::kOther:
      break;
  }
  return nullptr;
}

Json names_of(const Command::DataList& list) {
  Json names = Json::array();
  for (const auto& data : list) names.push_back(data->name());
  return names;
}

Json as_json(const Task& task, base::Nanoseconds origin) {
  Json parts = Json::array();
  for (const Part& part : task.parts)
    parts.push_back({{"start", seconds_of(part.start - origin)},
                     {"end", seconds_of(part.end - origin)},
                     {"cpu", seconds_of(part.cpu)},
                     {"thread", part.thread},
                     {"then", word_for(part.then)},
                     {"waits_for", word_for(part.waits_for)}});
  return {{"id", task.id},
          {"name", task.command->name()},
          {"kind", task.command->kind()},
          {"thread", task.parts.empty() ? 0 : task.parts.back().thread},
          {"spawned_by", task.parent != nullptr ? Json(task.parent->id) : Json(nullptr)},
          {"after", task.after},
          {"reads", names_of(task.command->reads())},
          {"writes", names_of(task.command->writes())},
          {"start", task.parts.empty() ? 0.0 : seconds_of(task.parts.front().start - origin)},
          {"end", seconds_of(task.end_ns - origin)},
          {"parts", std::move(parts)},
          {"error", task.error.empty() ? Json(nullptr) : Json(task.error)}};
}

Json as_json(const ThreadFigures& thread) {
  return {{"id", thread.id},
          {"name", thread.name},
          {"cpu_seconds", seconds_of(thread.cpu)},
          {"run_queue_seconds", seconds_of(thread.run_queue)},
          {"switches_voluntary", thread.switches_voluntary},
          {"switches_involuntary", thread.switches_involuntary},
          {"migrations", thread.migrations},
          {"faults", thread.faults}};
}

}  // namespace

CostMeter::CostMeter() : machine_(processor_times()), cpu_(own_cpu_seconds()), start_ns_(base::monotonic_ns()) {}

Cost CostMeter::end() const {
  Cost cost;
  cost.seconds = seconds_of(base::monotonic_ns() - start_ns_);
  cost.cpu_seconds = std::max(0.0, own_cpu_seconds() - cpu_);
  const ProcessorTimes now = processor_times();
  const double all = now.all - machine_.all;
  // The kernel counts ticks, of 10 ms mostly: the share of a shorter run is rough.
  if (all > 0) cost.foreign_cpu = std::clamp((now.busy - machine_.busy - cost.cpu_seconds) / all, 0.0, 1.0);
  return cost;
}

std::string record_as_json(const Board& board, const Cost& cost, const std::vector<std::shared_ptr<Data>>& data,
                           const std::vector<ThreadFigures>& threads, const Canvas* canvas) {
  Json results = Json::object();
  const auto add = [&results](const std::string& name, const std::string& result) {
    if (!result.empty()) results[name] = Json::parse(result);
  };
  for (const auto& each : data) add(each->name(), each->result());
  Json commands = Json::array();
  for (const auto& task : board.tasks()) {
    commands.push_back(as_json(*task, board.started_ns()));
    if (task->error.empty()) add(task->command->name(), task->command->result());
  }
  Json all_threads = Json::array();
  for (const ThreadFigures& thread : threads) all_threads.push_back(as_json(thread));
  const Json record = {
      {"seconds", cost.seconds},         {"cpu_seconds", cost.cpu_seconds},
      {"foreign_cpu", cost.foreign_cpu}, {"canvas", canvas != nullptr ? Json(canvas->digest()) : Json(nullptr)},
      {"results", std::move(results)},   {"threads", std::move(all_threads)},
      {"commands", std::move(commands)}};
  return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heddle::threadlab

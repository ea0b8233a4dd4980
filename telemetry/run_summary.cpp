#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "schemas/reasons.hpp"
#include "telemetry/run_report.hpp"

namespace heddle::telemetry {
namespace {

constexpr std::size_t kMostHandlers = 12;
constexpr std::size_t kMostContentions = 5;
constexpr std::size_t kMostObjects = 3;

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

// Three digits and a unit.
std::string duration(double nanoseconds) {
  struct Unit {
    const char* name;
    double nanoseconds;
  };
  constexpr std::array<Unit, 4> kUnits = {{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}};
  const Unit* unit = &kUnits.back();
  for (const Unit& candidate : kUnits) {
    if (nanoseconds >= candidate.nanoseconds * 0.9995) {
      unit = &candidate;
      break;
    }
  }
  const double value = nanoseconds / unit->nanoseconds;
  const int decimals = value < 9.995 && unit != &kUnits.back() ? 2 : value < 99.95 && unit != &kUnits.back() ? 1 : 0;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit->name);
  return text.data();
}

std::string left(std::string_view text, std::size_t width) {
  std::string padded(text);
  if (padded.size() > width) padded = padded.substr(0, width - 2) + "..";
  padded.resize(width, ' ');
  return padded;
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 1, ' ') + std::string(text);
}

// A function of C++ as the source calls it, without its parameters; any other name as it is.
std::string as_in_the_source(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  const std::unique_ptr<char, decltype(&std::free)> whole(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr),
                                                          &std::free);
  if (whole == nullptr) return name;
  std::string text = whole.get();
  if (text.ends_with(" const")) text.resize(text.size() - 6);
  if (!text.ends_with(')')) return text;
  std::size_t at = text.size();
  for (int depth = 0; at > 0;) {
    --at;
    depth += text[at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  return at == 0 ? text : text.substr(0, at);
}

struct Row {
  const HandlerName* handler;
  const HandlerFigures* figures;

  double total_ns() const { return figures->run.mean_ns() * static_cast<double>(figures->invocations); }
};

std::string first_line(const RunFacts& facts) {
  if (!facts.why_serial.empty()) return "heddle: " + schemas::reasons::serial_because(facts.why_serial) + "\n";
  std::string text = "heddle: parallel, " + std::to_string(facts.places()) + " threads, " +
                     with_commas(facts.statistics.invocations()) + " invocations, at most " +
                     std::to_string(facts.statistics.peak_parallel()) + " at once\n";
  if (facts.found_by_watching())
    text += "  " + std::to_string(facts.places()) + " threads, because " + why_so_many(facts) + "\n";
  if (facts.took_turns()) text += "  " + who_ran(facts.statistics.turns()) + "\n";
  return text;
}

std::string handler_table(const RunFacts& facts) {
  std::vector<Row> rows;
  for (std::uint32_t handler = 0; handler < facts.handlers.size(); ++handler) {
    const HandlerFigures* const figures = facts.statistics.figures(handler);
    if (figures != nullptr && figures->invocations > 0) rows.push_back({&facts.handlers[handler], figures});
  }
  if (rows.empty()) return {};
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.total_ns() != b.total_ns() ? a.total_ns() > b.total_ns() : a.handler < b.handler;
  });

  const bool parallel = facts.why_serial.empty();
  bool marked = false;
  std::string text = "  " + left("handler", 28) + right("calls", 11) + right("run mean", 10) + right("p99", 9) +
                     right("wait mean", 11) + right("p99", 9) + right("pending", 9) + "\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMostHandlers); ++i) {
    const auto& [handler, figures] = rows[i];
    const bool mark = parallel && !handler->known;
    marked |= mark;
    text += "  " + left(as_in_the_source(handler->name) + (mark ? " *" : ""), 28) +
            right(with_commas(figures->invocations), 11) + right(duration(figures->run.mean_ns()), 10) +
            right(duration(static_cast<double>(figures->run.percentile_ns(0.99))), 9) +
            right(duration(figures->wait.mean_ns()), 11) +
            right(duration(static_cast<double>(figures->wait.percentile_ns(0.99))), 9) +
            right(with_commas(figures->most_pending), 9) + "\n";
  }
  if (rows.size() > kMostHandlers) {
    text += "  and " + std::to_string(rows.size() - kMostHandlers) + " more handlers, all in the run file\n";
  }
  if (marked) text += "  * not in the constraints, so it ran alone\n";
  return text;
}

std::string contention_list(const RunFacts& facts) {
  const std::vector<HeldBack>& all = facts.held_back;
  if (!facts.why_serial.empty() || all.empty()) return {};
  std::string text = "  held back most:\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostContentions); ++i) {
    text += "    " + as_in_the_source(facts.handlers.at(all[i].waiter).name) + " waited " +
            duration(static_cast<double>(all[i].total_ns)) + " for " +
            as_in_the_source(facts.handlers.at(all[i].holder).name) + ", " + with_commas(all[i].count) +
            (all[i].count == 1 ? " time" : " times");
    const std::vector<std::string>& objects = all[i].objects;
    for (std::size_t o = 0; o < std::min(objects.size(), kMostObjects); ++o)
      text += (o == 0 ? ": " : ", ") + objects[o];
    if (objects.size() > kMostObjects) text += " and " + std::to_string(objects.size() - kMostObjects) + " more";
    const auto known = [&](std::uint32_t handler) { return facts.handlers.at(handler).known; };
    if (objects.empty() && known(all[i].waiter) && known(all[i].holder))
      text += ": until it was known which handlers these calls of libevent go on to";
    text += "\n";
  }
  return text;
}

// Handlers of the constraints that the program lacks. Where one exists under another name, it ran alone as an unknown
// one, so the user should see it.
std::string missing_handlers(const RunFacts& facts) {
  if (facts.missing.empty()) return {};
  std::string text = "  in the constraints but not in the program:";
  for (const std::string& name : facts.missing) text += " " + as_in_the_source(name);
  return text + "\n";
}

}  // namespace

std::string why_so_many(const RunFacts& facts) {
  const std::string cores = std::to_string(facts.threads) + " cores";
  if (facts.statistics.places().grown == 0) return "there are " + cores + ", and no work waited while handlers blocked";
  const bool at_bound = facts.places() == facts.most_threads;
  return "work waited while handlers blocked and left some of " + cores + " idle" +
         (at_bound ? "; more are not tried without --threads N" : "");
}

std::string who_ran(const LoopStatistics::Turns& turns) {
  const double all = static_cast<double>(turns.alone_ns + turns.crew_ns);
  const auto percent = static_cast<int>(100 * static_cast<double>(turns.alone_ns) / all);
  if (turns.crew_ns == 0) return "one thread ran the loop, because its handlers were too light to share";
  const std::string of_time = std::to_string(percent) + " % of the time";
  const std::string trials = std::to_string(turns.trials) + (turns.trials == 1 ? " trial" : " trials");
  if (turns.trials == 0) return "one thread ran the loop " + of_time + ", while no handler took long";
  return "one thread ran the loop " + of_time + "; several were faster in " + std::to_string(turns.gained) + " of " +
         trials;
}

std::string run_summary(const RunFacts& facts) {
  return first_line(facts) + handler_table(facts) + missing_handlers(facts) + contention_list(facts);
}

}  // namespace heddle::telemetry

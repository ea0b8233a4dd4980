#include "multivent/process/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/user_error.hpp"
#include "multivent/loop/library.hpp"
#include "schemas/environment.hpp"
#include "telemetry/machine.hpp"

namespace heddle::multivent {

namespace {

namespace variables = schemas::environment;

constexpr std::string_view kInTurn = "in-turn";

// The value of a HEDDLE_ variable, empty if it is not set; removed from the environment. Variables of a user that
// started a set-user-id program, which may be linked with us, count for nothing: some name files to write.
std::string taken(const char* name) {
  // NOLINTBEGIN(concurrency-mt-unsafe): before main runs there are no other threads
  const char* value = library::environment(name);
  std::string text = value != nullptr ? value : "";
  unsetenv(name);
  // NOLINTEND(concurrency-mt-unsafe)
  return text;
}

// A daemon changes its working directory before it writes anything.
std::string from_anywhere(const std::string& path) {
  if (path.empty()) return path;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.string();
}

std::optional<bool> switched(const char* name) {
  const std::string text = taken(name);
  if (text.empty()) return std::nullopt;
  if (text == "0" || text == "1") return text == "1";
  throw base::UserError(std::string(name) + " is \"" + text + "\": give 0 or 1");
}

std::optional<Threads> thread_count(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "auto") return Threads::automatic();
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > kMostThreads)
    throw base::UserError(std::string(variables::kThreads) + " is \"" + text + "\": give a number from 1 to " +
                          std::to_string(kMostThreads) + ", or auto");
  return Threads::exactly(count);
}

scheduler::Promotion promotion_of(const std::string& text) {
  if (text.empty() || text == "adaptive" || text == kInTurn) return scheduler::Promotion::kAdaptive;
  if (text == "shared") return scheduler::Promotion::kShared;
  if (text == "always") return scheduler::Promotion::kAlways;
  if (text == "never") return scheduler::Promotion::kNever;
  throw base::UserError(std::string(variables::kPromote) + " is \"" + text +
                        "\": give adaptive, shared, always, never or in-turn");
}

}  // namespace

Threads Threads::automatic() {
  const unsigned cores = telemetry::usable_cores();
  // On one core a parallel run only costs, unless handlers block: that is for the user to say.
  return cores == 1 ? Threads{1, 1, true} : Threads{cores, std::clamp(4 * cores, 64U, kMostThreads), true};
}

Environment Environment::taken() {
  Environment given;
  Settings& settings = given.settings;
  settings.constraints_path = multivent::taken(variables::kConstraints);
  settings.run_file_path = from_anywhere(multivent::taken(variables::kRunFile));
  settings.trace_file_path = from_anywhere(multivent::taken(variables::kTrace));
  settings.live_folder = from_anywhere(multivent::taken(variables::kLive));
  const std::optional<bool> summary = switched(variables::kSummary);
  settings.summary = summary.value_or(false);
  given.quiet = !summary.value_or(true);
  given.statistics = switched(variables::kStats);
  settings.statistics = given.statistics.value_or(settings.reports());
  settings.oracle = switched(variables::kOracle).value_or(kOracleByDefault);
  const std::string promotion = multivent::taken(variables::kPromote);
  settings.promotion = promotion_of(promotion);
  settings.in_turn = promotion == kInTurn;
  given.threads = thread_count(multivent::taken(variables::kThreads));
  given.serial = switched(variables::kSerial).value_or(false);
  given.program = multivent::taken(variables::kProgram);
  given.no_constraints = multivent::taken(variables::kNoConstraints);
  settings.metrics = switched(variables::kMetrics).value_or(false);
  return given;
}

}  // namespace heddle::multivent

#include "multivent/process/mode.hpp"

#include <algorithm>
#include <string_view>

#include "schemas/reasons.hpp"

namespace heddle::multivent {

namespace {

namespace reasons = schemas::reasons;

Threads threads_for(const Wishes& wishes) {
  if (wishes.of_environment) return *wishes.of_environment;
  if (wishes.preloaded) return Threads();
  return wishes.of_program.value_or(wishes.automatic);
}

std::string_view why_one_thread(const Wishes& wishes, const Threads& threads) {
  if (threads.of_cores) return wishes.commanded ? reasons::kOneCoreOverrides : reasons::kOneCore;
  return wishes.commanded ? reasons::kOneThreadGiven : reasons::kOneThreadAsked;
}

std::string why_serial(const Wishes& wishes, const Threads& threads) {
  if (!wishes.obstacle.empty()) return wishes.obstacle;
  if (wishes.serial) return std::string(wishes.commanded ? reasons::kSerialGiven : reasons::kSerialVariable);
  // Preloaded by hand, nobody may have said anything of threads: then a missing document is the better reason.
  const bool unasked = wishes.preloaded && !wishes.of_environment;
  if (threads.most == 1 && (!unasked || wishes.no_document.empty()))
    return std::string(why_one_thread(wishes, threads));
  return wishes.no_document;
}

}  // namespace

std::string Mode::how() const {
  if (!parallel()) return reasons::serial_because(why_serial);
  const std::string count = std::to_string(threads.least);
  return (threads.of_cores ? reasons::with_threads_that_suit(count) : reasons::with_threads(count)) +
         (pinned.empty() ? "" : "; " + pinned);
}

Mode decide(const Wishes& wishes, const ConstraintsFile* document) {
  Mode mode{.threads = threads_for(wishes)};
  mode.why_serial = heddle::multivent::why_serial(wishes, mode.threads);
  if (!mode.parallel() || document == nullptr) return mode;
  const auto& handlers = document->handlers;
  const auto is_pinned = [](const ConstraintsFile::Handler& handler) { return !handler.pinned_by.empty(); };
  const auto first = std::find_if(handlers.begin(), handlers.end(), is_pinned);
  if (first != handlers.end()) {
    const auto count = std::count_if(handlers.begin(), handlers.end(), is_pinned);
    mode.pinned = reasons::some_pinned(std::to_string(count) + " of " + std::to_string(handlers.size()), first->name,
                                       first->pinned_by);
  }
  if (!wishes.threads_in_any_case && !document->allow_anything()) {
    mode.nothing_may_overlap = true;
    mode.why_serial = document->verdicts_allow_anything() ? reasons::all_pinned(first->name, first->pinned_by)
                                                          : std::string(reasons::kNothingMayOverlap);
  }
  return mode;
}

}  // namespace heddle::multivent

#include "pico/sync/select.hpp"

#include <algorithm>
#include <random>

#include "base/on_exit.hpp"

namespace heddle::pico {

bool Select::attempt_any() {
  return std::any_of(cases_.begin(), cases_.end(), [](const auto& one) { return one->attempt(); });
}

void Select::wait() {
  thread_local std::minstd_rand random{std::random_device{}()};
  std::shuffle(cases_.begin(), cases_.end(), random);
  for (;;) {
    check_cancelled();
    if (attempt_any()) return;
    if (deadline_ != kNever && Clock::now() >= deadline_) {
      if (too_late_) too_late_();
      return;
    }
    std::size_t armed = 0;
    {
      const base::OnExit disarm([&] {
        for (std::size_t i = 0; i < armed; ++i) cases_[i]->disarm();
      });
      bool now = false;
      for (; armed < cases_.size() && !now; ++armed) now = cases_[armed]->arm();
      if (!now) park_until(deadline_);
    }
  }
}

}  // namespace heddle::pico

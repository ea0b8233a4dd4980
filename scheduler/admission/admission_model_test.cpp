// Random programs of enqueue, take, complete and cancel against a model that applies the rule of admission literally:
// in order of priority and arrival, the first invocation that conflicts with nothing that runs and with nothing queued
// before it, by the verdict for the one that starts later. Now and then a running invocation reaches a late point.
//
// The model is quadratic and has no state but the two lists, so it cannot get wrong what Admission could get wrong. To
// show that the comparison notices mistakes, each part of the rule is switched off once in Admission.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "scheduler/admission/admission.hpp"
#include "scheduler/admission/admission_impl.hpp"

namespace heddle::scheduler {
namespace {

class ReferenceModel {
 public:
  explicit ReferenceModel(const Constraints& constraints) : constraints_(constraints) {}

  void enqueue(Invocation& x) {
    const auto behind = [&x](const Invocation* other) {
      return other->priority > x.priority || (other->priority == x.priority && other->round > x.round);
    };
    queued_.insert(std::find_if(queued_.begin(), queued_.end(), behind), &x);
  }

  Invocation* take(bool allow_heavy, std::uint16_t max_priority, bool allow_pinned) {
    for (std::size_t i = 0; i < queued_.size(); ++i) {
      Invocation* const x = queued_[i];
      if (x->priority > max_priority) return nullptr;
      if ((x->heavy && !allow_heavy) || (x->pinned && !allow_pinned)) continue;
      const auto keeps = [&](const Invocation* other) { return blocked(*x, *other); };
      const auto would_be_kept = [&](const Invocation* other) { return blocked(*other, *x); };
      if (std::any_of(running_.begin(), running_.end(), keeps)) continue;
      if (std::any_of(queued_.begin(), queued_.begin() + static_cast<std::ptrdiff_t>(i), would_be_kept)) continue;
      queued_.erase(queued_.begin() + static_cast<std::ptrdiff_t>(i));
      running_.push_back(x);
      return x;
    }
    return nullptr;
  }

  void complete(Invocation& x) { std::erase(running_, &x); }
  bool cancel(Invocation& x) { return std::erase(queued_, &x) == 1; }

  // The first that started before `x` and conflicts with it.
  Invocation* late_blocker(const Invocation& x) const {
    for (Invocation* other : running_) {
      if (other == &x) return nullptr;
      if (conflict(x, *other, constraints_.verdict(x.klass, other->klass))) return other;
    }
    return nullptr;
  }

  const std::vector<Invocation*>& queued() const { return queued_; }
  const std::vector<Invocation*>& running() const { return running_; }

 private:
  bool blocked(const Invocation& starting, const Invocation& other) const {
    return conflict(starting, other, constraints_.starts(starting.klass, other.klass));
  }

  static bool conflict(const Invocation& a, const Invocation& b, Verdict verdict) {
    if (a.strand != 0 && a.strand == b.strand) return true;
    return verdict == Verdict::kAlways || (verdict == Verdict::kSession && a.session != 0 && a.session == b.session);
  }

  const Constraints& constraints_;
  std::vector<Invocation*> queued_;   // in order
  std::vector<Invocation*> running_;  // in the order of their starts
};

// One program. All that is random about it follows from the seed.
template <class AdmissionType>
class Program {
 public:
  explicit Program(std::uint64_t seed)
      : random_(seed), constraints_(random_constraints()), admission_(constraints_), model_(constraints_) {
    invocations_.resize(2 + below(30));
    priorities_ = 1 + below(3);
    sessions_ = 1 + below(5);
    strand_percent_ = below(3) * 25;
    heavy_percent_ = below(3) * 25;
    pinned_percent_ = below(3) * 25;
  }

  // Empty if Admission and the model agreed all the way.
  std::string run() {
    const std::uint64_t steps = 20 + below(200);
    for (std::uint64_t i = 0; i < steps && failure_.empty(); ++i) {
      step();
      compare_counts();
    }
    while (failure_.empty() && drain_one()) compare_counts();
    return failure_;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }

  Constraints random_constraints() {
    Constraints constraints;
    const auto classes = static_cast<ClassId>(below(8));
    for (ClassId i = 0; i < classes; ++i) constraints.add_class("c");
    const std::uint64_t never_percent = below(101);
    const std::uint64_t late_percent = below(3) * 40;
    for (ClassId a = 1; a <= classes; ++a) {
      for (ClassId b = a; b <= classes; ++b) {
        if (chance(never_percent)) {
          constraints.set(a, b, Verdict::kNever);
        } else if (chance(50)) {
          constraints.set(a, b, Verdict::kSession);
        }
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
          const auto most = static_cast<std::uint64_t>(constraints.verdict(a, b));
          if (chance(late_percent)) constraints.set_starts(from, to, static_cast<Verdict>(below(most + 1)));
        }
      }
    }
    return constraints;
  }

  void step() {
    Invocation& x = invocations_[below(invocations_.size())];
    switch (below(9)) {
      case 8:
        if (!model_.running().empty()) reach_late_point(*model_.running()[below(model_.running().size())]);
        break;
      case 0:
        if (x.state != Invocation::State::kIdle) cancel(x);
        break;
      case 1:
      case 2:
        if (!model_.running().empty()) complete(*model_.running()[below(model_.running().size())]);
        break;
      case 3:
      case 4:
      case 5:
        take(chance(70), chance(70) ? 0xffff : static_cast<std::uint16_t>(below(priorities_)), chance(60));
        break;
      default:
        if (x.state == Invocation::State::kIdle) {
          enqueue(x);
        } else if (x.state != Invocation::State::kRunning && chance(heavy_percent_)) {
          admission_.expect_long(x);  // the model looks at `heavy` when it takes
        }
    }
  }

  void enqueue(Invocation& x) {
    // The unknown class would serialise everything, so it is rare.
    const bool unknown = constraints_.size() == 1 || chance(5);
    x.klass = unknown ? kUnknownClass : static_cast<ClassId>(1 + below(constraints_.size() - 1));
    if (constraints_.size() > 1 && chance(2)) add_class();
    x.session = below(sessions_ + 1);
    x.strand = chance(strand_percent_) ? 1 + below(4) : 0;
    x.priority = static_cast<std::uint16_t>(below(priorities_));
    x.round = round_ += below(2);
    if (chance(30)) x.round -= below(x.round + 1);
    x.heavy = chance(heavy_percent_);
    x.pinned = chance(pinned_percent_);
    admission_.enqueue(x, ++now_);
    model_.enqueue(x);
  }

  // A class may be added in the middle of a run, with the verdicts of one that is there: programs do so for callbacks
  // that stand for several handlers.
  void add_class() {
    const auto like = static_cast<ClassId>(1 + below(constraints_.size() - 1));
    const ClassId added = constraints_.add_class("u");
    for (ClassId other = 1; other <= added; ++other) {
      const ClassId as = other == added ? like : other;
      constraints_.set(added, other, constraints_.verdict(like, as));
      constraints_.set_starts(added, other, constraints_.starts(like, as));
      constraints_.set_starts(other, added, constraints_.starts(as, like));
    }
  }

  void take(bool allow_heavy, std::uint16_t max_priority, bool allow_pinned) {
    const bool announced = admission_.has_ready(allow_heavy, allow_pinned);
    Invocation* const ours = admission_.take(allow_heavy, ++now_, max_priority, allow_pinned);
    Invocation* const expected = model_.take(allow_heavy, max_priority, allow_pinned);
    if (ours != expected) {
      failure_ = "take() returned " + name(ours) + " instead of " + name(expected);
    } else if (expected != nullptr && !announced) {
      failure_ = "has_ready() did not announce " + name(expected);
    } else if (ours == nullptr && !allow_pinned && max_priority == 0xffff && pinned_could_start(allow_heavy) &&
               !admission_.has_pinned_ready(allow_heavy)) {
      failure_ = "has_pinned_ready() does not announce what only the thread of the loop may take";
    }
  }

  // Whoever was refused a pinned invocation must be told of it.
  bool pinned_could_start(bool allow_heavy) const {
    ReferenceModel after = model_;
    return after.take(allow_heavy, 0xffff, true) != nullptr;
  }

  void reach_late_point(const Invocation& x) {
    const Invocation* const ours = admission_.late_blocker(x, [](const Invocation&) { return true; });
    const Invocation* const expected = model_.late_blocker(x);
    if (ours != expected) failure_ = "late_blocker() returned " + name(ours) + " instead of " + name(expected);
  }

  void complete(Invocation& x) {
    admission_.complete(x, ++now_);
    model_.complete(x);
  }

  void cancel(Invocation& x) {
    const bool cancelled = admission_.cancel(x);
    if (cancelled != model_.cancel(x)) failure_ = "cancel() of " + name(&x) + " returned the wrong result";
  }

  // False when nothing is left. Whatever is still queued must be taken sooner or later.
  bool drain_one() {
    take(true, 0xffff, true);
    if (!failure_.empty()) return false;
    if (!model_.running().empty()) {
      complete(*model_.running()[below(model_.running().size())]);
      return true;
    }
    if (!model_.queued().empty()) failure_ = "nothing runs and nothing may start, but invocations are queued";
    return false;
  }

  void compare_counts() {
    if (!failure_.empty()) return;
    if (admission_.running() != model_.running().size()) failure_ = "running() is wrong";
    if (admission_.queued() != model_.queued().size()) failure_ = "queued() is wrong";
  }

  std::string name(const Invocation* x) const {
    if (x == nullptr) return "nothing";
    return "#" + std::to_string(x->sequence) + " (class " + std::to_string(x->klass) + ", session " +
           std::to_string(x->session) + ", priority " + std::to_string(x->priority) + ")";
  }

  std::mt19937_64 random_;
  Constraints constraints_;
  AdmissionType admission_;
  ReferenceModel model_;
  std::vector<Invocation> invocations_;
  std::uint64_t priorities_ = 1;
  std::uint64_t sessions_ = 1;
  std::uint64_t heavy_percent_ = 0;
  std::uint64_t pinned_percent_ = 0;
  std::uint64_t strand_percent_ = 0;
  base::Nanoseconds now_ = 0;
  std::string failure_;
  std::uint64_t round_ = 0;
};

TEST(AdmissionModel, TakesWhatTheRuleSaysInEveryRandomProgram) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    ASSERT_EQ(Program<Admission>(seed).run(), "") << "seed " << seed;
  }
}

template <class Rules>
class AdmissionModelMutation : public testing::Test {};

struct IgnoresRunning : AllRules {
  static constexpr bool kRunningBlocks = false;
};
struct IgnoresRunningSession : AllRules {
  static constexpr bool kRunningSessionBlocks = false;
};
struct OvertakesAlways : AllRules {
  static constexpr bool kPredecessorBlocks = false;
};
struct OvertakesInSession : AllRules {
  static constexpr bool kSessionPredecessorBlocks = false;
};
struct OvertakesExclusive : AllRules {
  static constexpr bool kExclusivePredecessorBlocks = false;
};
struct IgnoresRunningStrand : AllRules {
  static constexpr bool kRunningStrandBlocks = false;
};
struct OvertakesOnStrand : AllRules {
  static constexpr bool kStrandPredecessorBlocks = false;
};
struct ForgetsWaitersOnStart : AllRules {
  static constexpr bool kStartRetries = false;
};
struct ForgetsWaitersOnCompletion : AllRules {
  static constexpr bool kCompletionRetries = false;
};
struct ForgetsWaitersOnCancel : AllRules {
  static constexpr bool kCancelRetries = false;
};

using Mutations = testing::Types<IgnoresRunning, IgnoresRunningSession, OvertakesAlways, OvertakesInSession,
                                 OvertakesExclusive, IgnoresRunningStrand, OvertakesOnStrand, ForgetsWaitersOnStart,
                                 ForgetsWaitersOnCompletion, ForgetsWaitersOnCancel>;
TYPED_TEST_SUITE(AdmissionModelMutation, Mutations);

TYPED_TEST(AdmissionModelMutation, IsNoticed) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    if (!Program<BasicAdmission<TypeParam>>(seed).run().empty()) return;
  }
  FAIL() << "1000 programs ran as if nothing were missing";
}

}  // namespace
}  // namespace heddle::scheduler

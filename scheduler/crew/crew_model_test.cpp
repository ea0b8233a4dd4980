// The crew under every schedule that the explorer finds: random programs of invocations, over a fake host whose poll
// really blocks until the "kernel" has something or it is kicked.
//
// What must hold under each schedule:
//   - no two conflicting handlers overlap, but for what the later one does before its late point;
//   - every invocation is made exactly once, and the session ends;
//   - no more handlers run that are predicted to be long than there are places;
//   - only one member polls;
//   - a handler that blocks until another one has run does not stop the loop;
//   - what is pinned is run by the thread that called run(), wherever that is when it comes up;
//   - no thread of the program starts one of the crew's;
//   - where no more threads can be made, those that there are do all;
//   - all threads can be joined.
// A lost wake-up shows as a deadlock, and so does a watchdog that stops ticking while a handler runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "scheduler/admission/admission.hpp"
#include "scheduler/crew/crew.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::scheduler {
namespace {

using schedule::choose;
using schedule::ModelSync;

struct Record : Invocation {
  unsigned calls = 0;
  bool from_outside = false;          // queued by another thread of the program, not by the kernel
  Record* activates = nullptr;        // queued by this one's handler
  const Record* blocks_on = nullptr;  // whose completion the handler waits for
  bool completed = false;
  bool reaches_late_point = false;
};

enum class Fault : std::uint8_t {
  kNone,
  kKickIsLost,
  kWorkFromOutsideIsNotAnnounced,
  kNobodyWaitsAtLatePoints,
  kPinnedWorkIsNotAnnounced,
  kThreadsCannotBeMade  // not the program's: the crew makes up for it
};

class Host {
 public:
  using Lock = ModelSync::Lock;

  Host(Promotion promotion, Fault fault, bool automatic)
      : fault_(fault),
        least_at_once_(1 + static_cast<unsigned>(choose(automatic ? 2 : 3))),
        handlers_at_once_(least_at_once_ + (automatic ? 1 + static_cast<unsigned>(choose(2)) : 0)),
        pins_(choose(2) == 0),
        waits_for_ever_(choose(2) == 0),
        admission_(random_constraints()),
        crew_(mutex_, *this,
              {.handlers_at_once = least_at_once_,
               .most_handlers_at_once = handlers_at_once_,
               .promotion = promotion,
               .patience_ticks = 2}) {
    make_records(promotion != Promotion::kNever && fault != Fault::kThreadsCannotBeMade);
  }

  // One or two sessions, with the kernel and another thread of the program beside them.
  void run() {
    ModelSync::Thread kernel([this] { deliver(); });
    ModelSync::Thread other([this] { queue_from_outside(); });
    // A break while a handler waits for one that has not started would be the program's own deadlock.
    const bool breaks = records_.front().blocks_on == nullptr && choose(4) == 0;
    break_after_ = breaks ? 1 + choose(records_.size()) : records_.size();
    for (;;) {
      Lock lock(mutex_);
      crew_.run(lock);
      if (polls_ != 0 || admission_.running() != 0) schedule::fail("the session ended while a member was busy");
      if (completed_ == records_.size()) break;
      if (completed_ < break_after_) schedule::fail("the session ended too early");
      break_after_ = records_.size();
      if (choose(2) == 0) crew_.let_go(lock);
    }
    kernel.join();
    other.join();
    for (const Record& record : records_) {
      if (record.calls != 1) schedule::fail("an invocation was made " + std::to_string(record.calls) + " times");
    }
  }

  // --- What the crew asks of its host ---

  Invocation* take(bool allow_heavy, bool allow_pinned) {
    Invocation* const x = admission_.take(allow_heavy, 0, 0xffff, allow_pinned);
    if (x != nullptr && x->heavy && ++heavy_ > handlers_at_once_) schedule::fail("too many heavy handlers run");
    return x;
  }

  void run(Lock& lock, Invocation& invocation) {
    Record& record = static_cast<Record&>(invocation);
    check_overlap(record);
    if (record.pinned && crew_.this_member() != 0) schedule::fail("a worker runs what is pinned");
    active_.push_back(&record);
    lock.unlock();
    make_call(record);
    lock.lock();
    std::erase(active_, &record);
    handler_ended_.notify_all();
    if (record.heavy) --heavy_;
    admission_.complete(record, 0);
    ++completed_;
  }

  void poll(Lock& lock) {
    if (++polls_ != 1) schedule::fail("two members poll");
    lock.unlock();
    std::vector<Record*> due;
    {
      Lock kernel(kernel_mutex_);
      kernel_changed_.wait(kernel, [this] { return kicked_ || !kernel_due_.empty(); });
      kicked_ = false;
      due.assign(kernel_due_.begin(), kernel_due_.end());
      kernel_due_.clear();
    }
    lock.lock();
    --polls_;
    gathered_ += due.size();
    for (Record* record : due) admission_.enqueue(*record, 0);
  }

  void kick() {
    if (fault_ == Fault::kKickIsLost) return;
    const Lock kernel(kernel_mutex_);
    kicked_ = true;
    kernel_changed_.notify_one();
  }

  // Some programs have nothing to wait for once the kernel has delivered all: work comes from threads only.
  bool may_poll() const { return !finished() && (waits_for_ever_ || gathered_ < from_kernel_); }
  bool poll_outdated() const { return false; }
  bool has_work(bool allow_heavy) const { return admission_.has_ready(allow_heavy); }
  bool has_pinned_work(bool allow_heavy) const {
    return fault_ != Fault::kPinnedWorkIsNotAnnounced && admission_.has_pinned_ready(allow_heavy);
  }
  bool exclusive(const Invocation& x) const { return constraints_.exclusive(x.klass); }
  bool finished() const { return completed_ >= break_after_; }
  void goes_idle() const {}
  void resized(unsigned) const {}

  template <class Thread, class Function>
  Thread start_thread(unsigned, Function function) {
    if (called_from_outside_) schedule::fail("a thread of the program hires");
    if (fault_ == Fault::kThreadsCannotBeMade && choose(2) == 0)
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    return Thread(std::move(function));
  }

 private:
  const Constraints& random_constraints() {
    const auto classes = static_cast<ClassId>(1 + choose(3));
    for (ClassId i = 0; i < classes; ++i) constraints_.add_class("c");
    for (ClassId a = 1; a <= classes; ++a) {
      for (ClassId b = a; b <= classes; ++b) constraints_.set(a, b, static_cast<Verdict>(choose(3)));
    }
    for (ClassId a = 1; a <= classes; ++a) {
      for (ClassId b = 1; b <= classes; ++b) {
        const Verdict verdict = constraints_.verdict(a, b);
        if (choose(2) == 0) constraints_.set_starts(a, b, static_cast<Verdict>(choose(static_cast<int>(verdict) + 1)));
      }
    }
    free_class_ = constraints_.add_class("free");
    for (ClassId c = 1; c <= free_class_; ++c) constraints_.set(c, free_class_, Verdict::kNever);
    return constraints_;
  }

  void make_records(bool may_block) {
    records_.resize(2 + choose(5));
    for (Record& record : records_) {
      record.klass = static_cast<ClassId>(choose(12) == 0 ? kUnknownClass : 1 + choose(free_class_));
      record.session = choose(3);
      record.heavy = choose(3) == 0;
      record.pinned = pins_ && choose(2) == 0;
      record.from_outside = choose(4) == 0;
      record.reaches_late_point = constraints_.waits_late(record.klass) && choose(3) != 0;
    }
    Record& last = records_.back();
    last.from_outside = choose(3) == 0;
    // A chain that ends only if there is both a free member and a poller: as many handlers as may run at once,
    // predicted to be long or not, wait for the last one to run.
    if (may_block && choose(2) == 0) {
      const std::size_t blocking = std::min<std::size_t>(1 + choose(handlers_at_once_), records_.size() - 1);
      last.klass = free_class_;
      last.heavy = false;
      last.pinned = false;  // the owner may be among those that wait for it
      for (Record& record : records_) {
        if (record.klass == kUnknownClass) record.klass = free_class_;
      }
      for (std::size_t i = 0; i < blocking; ++i) {
        records_[i].klass = free_class_;
        records_[i].blocks_on = &last;
      }
    }
    if (records_.size() > 2 && choose(3) == 0) {
      records_[0].activates = &records_[1];
      records_[1].from_outside = false;
    }
    for (const Record& record : records_) from_kernel_ += comes_from_kernel(record) ? 1 : 0;
  }

  bool comes_from_kernel(const Record& record) const {
    return !record.from_outside && records_[0].activates != &record;
  }

  void deliver() {
    for (Record& record : records_) {
      if (!comes_from_kernel(record)) continue;
      const Lock kernel(kernel_mutex_);
      kernel_due_.push_back(&record);
      kernel_changed_.notify_one();
    }
  }

  void queue_from_outside() {
    for (Record& record : records_) {
      if (!record.from_outside) continue;
      const Lock lock(mutex_);
      admission_.enqueue(record, 0);
      if (fault_ == Fault::kWorkFromOutsideIsNotAnnounced) continue;
      called_from_outside_ = true;
      crew_.work_came_up();
      called_from_outside_ = false;
    }
  }

  void make_call(Record& record) {
    ++record.calls;
    if (record.activates != nullptr) {
      const Lock lock(mutex_);
      admission_.enqueue(*record.activates, 0);
      crew_.work_came_up();
    }
    if (record.reaches_late_point) reach_late_point(record);
    if (record.blocks_on != nullptr) {
      Lock lock(calls_mutex_);
      calls_changed_.wait(lock, [&record] { return record.blocks_on->completed; });
    }
    const Lock lock(calls_mutex_);
    record.completed = true;
    calls_changed_.notify_all();
  }

  void reach_late_point(Record& record) {
    const auto any = [](const Invocation&) { return true; };
    Lock lock(mutex_);
    while (fault_ != Fault::kNobodyWaitsAtLatePoints && admission_.late_blocker(record, any) != nullptr) {
      crew_.handler_waits();
      handler_ended_.wait(lock);
    }
    for (const Record* other : active_) {
      if (other == &record) break;  // the others started later
      if (conflict(record, *other, constraints_.verdict(record.klass, other->klass)))
        schedule::fail("a conflicting handler that started earlier runs behind a late point");
    }
  }

  static bool conflict(const Record& a, const Record& b, Verdict verdict) {
    return verdict == Verdict::kAlways || (verdict == Verdict::kSession && a.session != 0 && a.session == b.session);
  }

  void check_overlap(const Record& starting) const {
    for (const Record* other : active_) {
      if (conflict(starting, *other, constraints_.starts(starting.klass, other->klass)))
        schedule::fail("two conflicting handlers overlap");
    }
  }

  const Fault fault_;
  const unsigned least_at_once_;
  const unsigned handlers_at_once_;  // at most
  const bool pins_;                  // some of the records are pinned
  const bool waits_for_ever_;
  ClassId free_class_ = 0;
  Constraints constraints_;

  ModelSync::Mutex mutex_;  // guards the next group
  Admission admission_;
  std::deque<Record> records_;
  std::vector<const Record*> active_;  // in the order in which they started
  ModelSync::Condition handler_ended_;
  std::size_t completed_ = 0;
  std::size_t break_after_ = 0;
  unsigned heavy_ = 0;
  unsigned polls_ = 0;
  std::size_t from_kernel_ = 0;  // so many records come from there
  std::size_t gathered_ = 0;     // of them
  bool called_from_outside_ = false;

  ModelSync::Mutex kernel_mutex_;  // guards the next group
  ModelSync::Condition kernel_changed_;
  std::deque<Record*> kernel_due_;
  bool kicked_ = false;

  ModelSync::Mutex calls_mutex_;  // guards Record::completed
  ModelSync::Condition calls_changed_;

  Crew<ModelSync, Host> crew_;
};

std::string explore_crew(Promotion promotion, Fault fault, std::uint64_t schedules, bool automatic = false) {
  return schedule::explore(schedules, [=] { Host(promotion, fault, automatic).run(); });
}

TEST(CrewModel, AdaptivePromotionLosesNothingAndEnds) {
  EXPECT_EQ(explore_crew(Promotion::kAdaptive, Fault::kNone, HEDDLE_SCHEDULES), "");
}

// As many handlers block as there can be places at most, so it ends only if the number of places grows.
TEST(CrewModel, ANumberOfPlacesThatIsFoundByWatchingLosesNothingAndEnds) {
  EXPECT_EQ(explore_crew(Promotion::kAdaptive, Fault::kNone, HEDDLE_SCHEDULES, /*automatic=*/true), "");
}

TEST(CrewModel, MembersThatShareShortHandlersLoseNothingAndEnd) {
  EXPECT_EQ(explore_crew(Promotion::kShared, Fault::kNone, HEDDLE_SCHEDULES), "");
}

TEST(CrewModel, PromotionBeforeEveryHandlerLosesNothingAndEnds) {
  EXPECT_EQ(explore_crew(Promotion::kAlways, Fault::kNone, HEDDLE_SCHEDULES), "");
}

TEST(CrewModel, OneThreadAloneLosesNothingAndEnds) {
  EXPECT_EQ(explore_crew(Promotion::kNever, Fault::kNone, HEDDLE_SCHEDULES), "");
}

TEST(CrewModel, WhereThreadsCannotBeMadeNothingIsLost) {
  EXPECT_EQ(explore_crew(Promotion::kAdaptive, Fault::kThreadsCannotBeMade, HEDDLE_SCHEDULES), "");
  EXPECT_EQ(explore_crew(Promotion::kAlways, Fault::kThreadsCannotBeMade, HEDDLE_SCHEDULES), "");
}

TEST(CrewModel, AHostThatLosesKicksIsNoticed) {
  EXPECT_THAT(explore_crew(Promotion::kAdaptive, Fault::kKickIsLost, 2000), testing::HasSubstr("deadlock"));
}

TEST(CrewModel, AHostThatDoesNotAnnounceWorkFromOutsideIsNoticed) {
  EXPECT_THAT(explore_crew(Promotion::kAdaptive, Fault::kWorkFromOutsideIsNotAnnounced, 2000),
              testing::HasSubstr("deadlock"));
}

TEST(CrewModel, AHostThatDoesNotAnnouncePinnedWorkIsNoticed) {
  EXPECT_THAT(explore_crew(Promotion::kAdaptive, Fault::kPinnedWorkIsNotAnnounced, 2000),
              testing::HasSubstr("deadlock"));
}

TEST(CrewModel, AHostThatDoesNotWaitAtLatePointsIsNoticed) {
  EXPECT_THAT(explore_crew(Promotion::kAdaptive, Fault::kNobodyWaitsAtLatePoints, 2000),
              testing::HasSubstr("behind a late point"));
}

}  // namespace
}  // namespace heddle::scheduler

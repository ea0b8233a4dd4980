#include "scheduler/admission/admission.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace heddle::scheduler {
namespace {

class AdmissionTest : public testing::Test {
 protected:
  ClassId add(const std::string& name) { return constraints_.add_class(name); }

  Admission& admission() {
    if (!admission_) admission_.emplace(constraints_);
    return *admission_;
  }

  Invocation& queue(ClassId klass, std::uintptr_t session = 0, std::uint16_t priority = 0, bool heavy = false) {
    Invocation& x = invocations_.emplace_back();
    x.klass = klass;
    x.session = session;
    x.priority = priority;
    x.heavy = heavy;
    x.handler = static_cast<std::uint32_t>(invocations_.size());
    admission().enqueue(x, now_++);
    return x;
  }

  Invocation* take(bool allow_heavy = true, std::uint16_t max_priority = 0xffff) {
    return admission().take(allow_heavy, now_++, max_priority);
  }

  void complete(Invocation& x) { admission().complete(x, now_++); }

  Constraints constraints_;
  std::optional<Admission> admission_;
  std::deque<Invocation> invocations_;
  base::Nanoseconds now_ = 1;
};

TEST_F(AdmissionTest, UnknownHandlersRunOneAtATimeInOrder) {
  Invocation& first = queue(kUnknownClass);
  Invocation& second = queue(kUnknownClass);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), nullptr);
  EXPECT_FALSE(admission().has_ready(true));
  complete(first);
  EXPECT_EQ(take(), &second);
}

// Two handlers touch a counter: one at once, `parse` only where it found an error.
class AdmissionLateTest : public AdmissionTest {
 protected:
  AdmissionLateTest() {
    constraints_.set_starts(parse_, parse_, Verdict::kNever);
    constraints_.set_starts(parse_, print_, Verdict::kNever);
  }
  Invocation* blocker(const Invocation& x) {
    return admission().late_blocker(x, [](const Invocation&) { return true; });
  }

  ClassId parse_ = add("parse");
  ClassId print_ = add("print");
};

TEST_F(AdmissionLateTest, WhatConflictsOnlyBehindLatePointsStartsTogether) {
  EXPECT_FALSE(constraints_.exclusive(parse_));
  Invocation& first = queue(parse_);
  Invocation& second = queue(parse_);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &second);
}

TEST_F(AdmissionLateTest, AtALatePointTheLaterOneWaitsForTheEarlierOneAndNotTheOtherWayRound) {
  Invocation& first = queue(parse_);
  Invocation& second = queue(parse_);
  Invocation& third = queue(parse_);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &second);
  EXPECT_EQ(take(), &third);
  EXPECT_EQ(blocker(first), nullptr);
  EXPECT_EQ(blocker(third), &first);
  complete(first);
  EXPECT_EQ(blocker(second), nullptr);
  EXPECT_EQ(blocker(third), &second);
}

TEST_F(AdmissionLateTest, WhoTouchesTheObjectAtOnceStartsOnlyWhenNobodyElseRunsAndKeepsNobodyFromStarting) {
  Invocation& parse = queue(parse_);
  EXPECT_EQ(take(), &parse);
  Invocation& print = queue(print_);
  EXPECT_EQ(take(), nullptr);
  complete(parse);
  EXPECT_EQ(take(), &print);
  Invocation& another = queue(parse_);
  EXPECT_EQ(take(), &another);
  EXPECT_EQ(blocker(another), &print);
}

// Otherwise those who touch the object at once would never get their turn.
TEST_F(AdmissionLateTest, WhoIsQueuedFirstAndTouchesTheObjectAtOnceIsNotOvertaken) {
  Invocation& running = queue(parse_);
  EXPECT_EQ(take(), &running);
  Invocation& print = queue(print_);
  Invocation& behind = queue(parse_);
  EXPECT_EQ(take(), nullptr);
  complete(running);
  EXPECT_EQ(take(), &print);
  EXPECT_EQ(take(), &behind);  // beside it: it was held back only while that one had not started
}

TEST_F(AdmissionLateTest, AtALatePointSessionsCount) {
  const ClassId reply = add("reply");
  constraints_.set(reply, reply, Verdict::kSession);
  constraints_.set_starts(reply, reply, Verdict::kNever);
  Invocation& first = queue(reply, 7);
  Invocation& same = queue(reply, 7);
  Invocation& other = queue(reply, 8);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &same);
  EXPECT_EQ(take(), &other);
  EXPECT_EQ(blocker(same), &first);
  EXPECT_EQ(blocker(other), nullptr);
}

TEST_F(AdmissionTest, AnEarlierRoundGoesBeforeALaterOneThatCameFirst) {
  Invocation& running = queue(kUnknownClass);
  EXPECT_EQ(take(), &running);
  Invocation& polled = queue(kUnknownClass);
  admission().cancel(polled);
  polled.round = 2;
  admission().enqueue(polled, now_++);
  EXPECT_EQ(take(), nullptr);
  Invocation& chained = queue(kUnknownClass);
  complete(running);
  EXPECT_EQ(take(), &chained);
  complete(chained);
  EXPECT_EQ(take(), &polled);
}

TEST_F(AdmissionTest, HandlersThatNeverConflictRunAtOnce) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& first = queue(a);
  Invocation& second = queue(a);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &second);
  EXPECT_EQ(admission().running(), 2U);
}

TEST_F(AdmissionTest, ASessionVerdictSeparatesEqualSessionsOnly) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kSession);
  Invocation& first = queue(a, 100);
  Invocation& same = queue(a, 100);
  Invocation& other = queue(a, 200);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &other);
  EXPECT_EQ(take(), nullptr);
  EXPECT_EQ(same.state, Invocation::State::kParked);
  complete(first);
  EXPECT_EQ(take(), &same);
}

TEST_F(AdmissionTest, NoSessionIsNotTheSameSession) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kSession);
  Invocation& first = queue(a);
  Invocation& second = queue(a);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &second);
}

TEST_F(AdmissionTest, ReadersDoNotOvertakeAQueuedWriter) {
  const ClassId reader = add("reader");
  const ClassId writer = add("writer");
  const ClassId other = add("other");
  constraints_.set(reader, reader, Verdict::kNever);
  for (const ClassId c : {reader, writer, other}) constraints_.set(other, c, Verdict::kNever);
  Invocation& early = queue(reader);
  Invocation& write = queue(writer);
  Invocation& late = queue(reader);
  EXPECT_EQ(take(), &early);
  EXPECT_EQ(take(), nullptr);
  complete(early);
  EXPECT_EQ(take(), &write);
  EXPECT_EQ(take(), nullptr);
  complete(write);
  EXPECT_EQ(take(), &late);
}

TEST_F(AdmissionTest, WhatConflictsWithNothingAheadOvertakes) {
  const ClassId a = add("a");
  const ClassId free = add("free");
  constraints_.set(free, free, Verdict::kNever);
  constraints_.set(free, a, Verdict::kNever);
  Invocation& first = queue(a);
  queue(a);
  Invocation& passes = queue(free);
  EXPECT_EQ(take(), &first);
  EXPECT_EQ(take(), &passes);
}

TEST_F(AdmissionTest, ALowerPriorityNumberGoesFirst) {
  Invocation& late = queue(kUnknownClass, 0, 3);
  Invocation& urgent = queue(kUnknownClass, 0, 1);
  EXPECT_EQ(take(), &urgent);
  complete(urgent);
  EXPECT_EQ(take(), &late);
  complete(late);
}

TEST_F(AdmissionTest, PrioritiesAboveTheLimitStayQueued) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& urgent = queue(a, 0, 1);
  Invocation& late = queue(a, 0, 2);
  EXPECT_EQ(take(true, 1), &urgent);
  EXPECT_EQ(take(true, 1), nullptr);
  EXPECT_EQ(take(true, 2), &late);
}

TEST_F(AdmissionTest, AnUrgentArrivalOvertakesAParkedOneItConflictsWith) {
  const ClassId a = add("a");
  const ClassId free = add("free");
  constraints_.set(a, free, Verdict::kNever);
  Invocation& running = queue(a, 0, 2);
  Invocation& parked = queue(a, 0, 2);
  EXPECT_EQ(take(), &running);
  EXPECT_EQ(take(), nullptr);
  Invocation& urgent = queue(a, 0, 1);
  complete(running);
  EXPECT_EQ(take(), &urgent);
  EXPECT_EQ(take(), nullptr);
  complete(urgent);
  EXPECT_EQ(take(), &parked);
}

TEST_F(AdmissionTest, HeavyInvocationsWaitUntilTheyAreAllowedAndStillBlockThoseBehind) {
  const ClassId a = add("a");
  const ClassId b = add("b");
  constraints_.set(b, b, Verdict::kNever);
  constraints_.set(a, b, Verdict::kNever);
  Invocation& heavy = queue(a, 0, 0, true);
  Invocation& behind = queue(a);
  Invocation& passes = queue(b);
  EXPECT_EQ(take(false), &passes);
  EXPECT_EQ(take(false), nullptr);
  EXPECT_FALSE(admission().has_ready(false));
  EXPECT_TRUE(admission().has_ready(true));
  EXPECT_EQ(take(true), &heavy);
  complete(heavy);
  EXPECT_EQ(take(false), &behind);
}

TEST_F(AdmissionTest, CancellingABlockerLetsTheNextGo) {
  const ClassId a = add("a");
  const ClassId b = add("b");
  constraints_.set(a, b, Verdict::kNever);
  constraints_.set(b, b, Verdict::kNever);
  Invocation& running = queue(a);
  Invocation& parked = queue(a);
  Invocation& last = queue(a);
  EXPECT_EQ(take(), &running);
  EXPECT_EQ(take(), nullptr);
  EXPECT_TRUE(admission().cancel(parked));
  EXPECT_EQ(parked.state, Invocation::State::kIdle);
  complete(running);
  EXPECT_EQ(take(), &last);
}

TEST_F(AdmissionTest, CancellingTheRunningIsRefused) {
  Invocation& x = queue(kUnknownClass);
  EXPECT_EQ(take(), &x);
  EXPECT_FALSE(admission().cancel(x));
  EXPECT_EQ(admission().running(), 1U);
}

TEST_F(AdmissionTest, AnInvocationCanBeQueuedAgainAfterItCompleted) {
  Invocation& x = queue(kUnknownClass);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(take(), &x);
    complete(x);
    admission().enqueue(x, now_++);
  }
  EXPECT_EQ(admission().queued(), 1U);
}

TEST_F(AdmissionTest, NamesWhoHeldAnInvocationBackAndForHowLong) {
  const ClassId a = add("a");
  const ClassId b = add("b");
  constraints_.set(a, b, Verdict::kNever);
  Invocation& holder = queue(a);
  Invocation& held = queue(a);
  EXPECT_EQ(take(), &holder);
  now_ = 1000;
  EXPECT_EQ(take(), nullptr);
  now_ = 1500;
  complete(holder);
  EXPECT_EQ(take(), &held);
  EXPECT_EQ(held.held_by, holder.handler);
  EXPECT_EQ(held.held_ns, 500);
  EXPECT_EQ(holder.held_by, Invocation::kNone);
}

TEST_F(AdmissionTest, NamesTheExclusiveHandlerThatOthersStoodBehind) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& unknown = queue(kUnknownClass);
  now_ = 100;
  EXPECT_EQ(take(), &unknown);
  now_ = 150;
  Invocation& held = queue(a);
  now_ = 400;
  complete(unknown);
  EXPECT_EQ(take(), &held);
  EXPECT_EQ(held.held_by, unknown.handler);
  EXPECT_EQ(held.held_ns, 250);
}

TEST_F(AdmissionTest, TimeBehindAStretchOfExclusiveHandlersCountsInFull) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& first = queue(kUnknownClass);
  Invocation& second = queue(kUnknownClass);
  now_ = 100;
  Invocation& held = queue(a);
  EXPECT_EQ(take(), &first);
  now_ = 300;
  complete(first);
  EXPECT_EQ(take(), &second);
  now_ = 600;
  complete(second);
  EXPECT_EQ(take(), &held);
  EXPECT_EQ(held.held_by, second.handler);
  EXPECT_EQ(held.held_ns, 499);  // from the start of the first, at 101
}

TEST_F(AdmissionTest, TimeBehindAQueuedExclusiveHandlerCountsFromWhenItBeganToWait) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& running = queue(a);
  EXPECT_EQ(take(), &running);
  Invocation& unknown = queue(kUnknownClass);
  now_ = 50;
  EXPECT_EQ(take(), nullptr);
  EXPECT_EQ(unknown.state, Invocation::State::kParked);
  now_ = 100;
  Invocation& held = queue(a);
  EXPECT_FALSE(admission().has_ready(true));
  now_ = 200;
  complete(running);
  EXPECT_EQ(take(), &unknown);
  now_ = 300;
  complete(unknown);
  EXPECT_EQ(take(), &held);
  EXPECT_EQ(held.held_by, unknown.handler);
  EXPECT_EQ(held.held_ns, 200);
}

TEST_F(AdmissionTest, AnInvocationQueuedAfterTheExclusiveOneEndedWasNotHeldBack) {
  const ClassId a = add("a");
  constraints_.set(a, a, Verdict::kNever);
  Invocation& unknown = queue(kUnknownClass);
  EXPECT_EQ(take(), &unknown);
  complete(unknown);
  Invocation& later = queue(a);
  EXPECT_EQ(take(), &later);
  EXPECT_EQ(later.held_by, Invocation::kNone);
}

}  // namespace
}  // namespace heddle::scheduler

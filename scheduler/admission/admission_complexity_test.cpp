// The price of admission when much is queued, counted in elementary steps rather than in time.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "scheduler/admission/admission.hpp"

namespace heddle::scheduler {
namespace {

constexpr std::size_t kQueued = 1000;

// Queues an invocation for each entry of `classes`, all in `session`, then takes and completes them, `threads` running
// at once, until nothing is left. Returns the steps per invocation.
double steps_per_invocation(const Constraints& constraints, const std::vector<ClassId>& classes, std::size_t threads,
                            std::uintptr_t session) {
  Admission admission(constraints);
  std::vector<Invocation> invocations(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    invocations[i].klass = classes[i];
    invocations[i].session = session;
    admission.enqueue(invocations[i], 0);
  }
  std::deque<Invocation*> running;
  std::size_t completed = 0;
  while (completed < classes.size()) {
    while (running.size() < threads) {
      Invocation* const x = admission.take(true, 0);
      if (x == nullptr) break;
      running.push_back(x);
    }
    if (running.empty()) return -1;
    admission.complete(*running.front(), 0);
    running.pop_front();
    ++completed;
  }
  return static_cast<double>(admission.steps()) / static_cast<double>(classes.size());
}

TEST(AdmissionComplexity, AThousandUnknownHandlersCostAFewStepsEach) {
  const Constraints constraints;
  const std::vector<ClassId> classes(kQueued, kUnknownClass);
  EXPECT_LE(steps_per_invocation(constraints, classes, 4, 0), 4);
}

TEST(AdmissionComplexity, AThousandThatAllConflictCostAFewStepsEach) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  const ClassId b = constraints.add_class("b");
  const ClassId harmless = constraints.add_class("harmless");
  for (const ClassId other : {a, b, harmless}) constraints.set(harmless, other, Verdict::kNever);
  ASSERT_FALSE(constraints.exclusive(a));
  std::vector<ClassId> classes(kQueued);
  for (std::size_t i = 0; i < kQueued; ++i) classes[i] = i % 2 == 0 ? a : b;
  EXPECT_LE(steps_per_invocation(constraints, classes, 4, 0), 12);
}

TEST(AdmissionComplexity, AThousandInOneSessionCostAFewStepsEach) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  const ClassId b = constraints.add_class("b");
  for (const ClassId c : {a, b}) {
    for (const ClassId d : {a, b}) constraints.set(c, d, Verdict::kSession);
  }
  std::vector<ClassId> classes(kQueued);
  for (std::size_t i = 0; i < kQueued; ++i) classes[i] = i % 2 == 0 ? a : b;
  EXPECT_LE(steps_per_invocation(constraints, classes, 4, 0x1000), 12);
}

TEST(AdmissionComplexity, AThousandReadersBehindAWriterCostAFewStepsEach) {
  Constraints constraints;
  const ClassId reader = constraints.add_class("reader");
  const ClassId writer = constraints.add_class("writer");
  const ClassId harmless = constraints.add_class("harmless");
  constraints.set(reader, reader, Verdict::kNever);
  for (const ClassId other : {reader, writer, harmless}) constraints.set(harmless, other, Verdict::kNever);
  std::vector<ClassId> classes(kQueued, reader);
  for (std::size_t i = 0; i < kQueued; i += 100) classes[i] = writer;
  EXPECT_LE(steps_per_invocation(constraints, classes, 4, 0), 12);
}

TEST(AdmissionComplexity, WhatOvertakesAThousandParkedOnesCostsAFewSteps) {
  Constraints constraints;
  const ClassId slow = constraints.add_class("slow");
  const ClassId harmless = constraints.add_class("harmless");
  for (const ClassId other : {slow, harmless}) constraints.set(harmless, other, Verdict::kNever);
  Admission admission(constraints);
  std::vector<Invocation> parked(kQueued);
  for (Invocation& x : parked) {
    x.klass = slow;
    admission.enqueue(x, 0);
  }
  ASSERT_EQ(admission.take(true, 0), &parked[0]);
  ASSERT_EQ(admission.take(true, 0), nullptr);
  Invocation passes;
  passes.klass = harmless;
  const std::uint64_t before_steps = admission.steps();
  for (std::size_t i = 0; i < kQueued; ++i) {
    admission.enqueue(passes, 0);
    ASSERT_EQ(admission.take(true, 0), &passes);
    admission.complete(passes, 0);
  }
  EXPECT_LE(admission.steps() - before_steps, 4 * kQueued);
}

}  // namespace
}  // namespace heddle::scheduler

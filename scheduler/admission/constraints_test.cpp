#include "scheduler/admission/constraints.hpp"

#include <gtest/gtest.h>

namespace heddle::scheduler {
namespace {

TEST(AdmissionConstraints, WhatNobodySaidIsAlways) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  const ClassId b = constraints.add_class("b");
  EXPECT_EQ(constraints.verdict(a, b), Verdict::kAlways);
  EXPECT_EQ(constraints.verdict(a, a), Verdict::kAlways);
  EXPECT_EQ(constraints.verdict(a, kUnknownClass), Verdict::kAlways);
  EXPECT_EQ(constraints.verdict(kUnknownClass, kUnknownClass), Verdict::kAlways);
}

TEST(AdmissionConstraints, AVerdictHoldsInBothDirections) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  const ClassId b = constraints.add_class("b");
  constraints.set(a, b, Verdict::kSession);
  EXPECT_EQ(constraints.verdict(b, a), Verdict::kSession);
  constraints.set(b, a, Verdict::kNever);
  EXPECT_EQ(constraints.verdict(a, b), Verdict::kNever);
}

TEST(AdmissionConstraints, AWeakerVerdictForStartingHoldsInOneDirection) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  const ClassId b = constraints.add_class("b");
  constraints.set_starts(a, b, Verdict::kSession);
  EXPECT_EQ(constraints.starts(a, b), Verdict::kSession);
  EXPECT_EQ(constraints.starts(b, a), Verdict::kAlways);
  EXPECT_EQ(constraints.verdict(a, b), Verdict::kAlways);
  EXPECT_TRUE(constraints.waits_late(a));
  EXPECT_FALSE(constraints.waits_late(b));
  EXPECT_FALSE(constraints.exclusive(a));
  EXPECT_FALSE(constraints.exclusive(b));
  constraints.set(a, b, Verdict::kAlways);
  EXPECT_FALSE(constraints.waits_late(a));
  EXPECT_TRUE(constraints.exclusive(a));
}

TEST(AdmissionConstraints, AClassIsExclusiveWhileItConflictsWithEveryClass) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  EXPECT_TRUE(constraints.exclusive(a));
  constraints.set(a, a, Verdict::kSession);
  EXPECT_FALSE(constraints.exclusive(a));
  EXPECT_TRUE(constraints.exclusive(kUnknownClass));
}

TEST(AdmissionConstraintsDeathTest, TheUnknownClassCannotBeDeclaredHarmless) {
  Constraints constraints;
  const ClassId a = constraints.add_class("a");
  EXPECT_DEATH(constraints.set(a, kUnknownClass, Verdict::kNever), "internal error");
}

TEST(AdmissionConstraints, RowsHoldMoreClassesThanAWordHasBits) {
  Constraints constraints;
  for (int i = 0; i < 200; ++i) constraints.add_class("c" + std::to_string(i));
  constraints.set(3, 150, Verdict::kSession);
  constraints.set(199, 199, Verdict::kNever);
  EXPECT_EQ(constraints.verdict(150, 3), Verdict::kSession);
  EXPECT_EQ(constraints.verdict(199, 199), Verdict::kNever);
  EXPECT_EQ(constraints.verdict(198, 199), Verdict::kAlways);
  EXPECT_EQ(constraints.name(150), "c149");
}

}  // namespace
}  // namespace heddle::scheduler

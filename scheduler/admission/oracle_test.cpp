#include "scheduler/admission/oracle.hpp"

#include <gtest/gtest.h>

namespace heddle::scheduler {
namespace {

class AdmissionOracleTest : public testing::Test {
 protected:
  AdmissionOracleTest() {
    store_ = constraints_.add_class("on_store");
    lookup_ = constraints_.add_class("on_lookup");
    render_ = constraints_.add_class("on_render");
    constraints_.set(render_, render_, Verdict::kSession);
    constraints_.set(render_, store_, Verdict::kNever);
  }

  Constraints constraints_;
  ClassId store_, lookup_, render_;
  int a_ = 0, b_ = 0;
};

using AdmissionOracleDeathTest = AdmissionOracleTest;

TEST_F(AdmissionOracleDeathTest, AbortsWithBothNamesWhenConflictingHandlersOverlap) {
  Oracle oracle(constraints_);
  oracle.started(&a_, store_, 1);
  EXPECT_DEATH(oracle.started(&b_, lookup_, 2), "conflict oracle: on_store and on_lookup run at once \\(always\\)");
}

TEST_F(AdmissionOracleDeathTest, AbortsWhenOneSessionRunsTwice) {
  Oracle oracle(constraints_);
  oracle.started(&a_, render_, 7);
  EXPECT_DEATH(oracle.started(&b_, render_, 7), "on_render and on_render run at once \\(session\\)");
}

TEST_F(AdmissionOracleDeathTest, AbortsWhenAnythingRunsBesideAnUnknownHandler) {
  Oracle oracle(constraints_);
  oracle.started(&a_, kUnknownClass, 0);
  EXPECT_DEATH(oracle.started(&b_, render_, 7), "unknown handler and on_render run at once");
}

TEST_F(AdmissionOracleDeathTest, AbortsWhenOneStrandRunsTwice) {
  Oracle oracle(constraints_);
  oracle.started(&a_, render_, 7, 3);
  EXPECT_DEATH(oracle.started(&b_, store_, 8, 3), "on_render and on_store run at once \\(strand\\)");
}

TEST_F(AdmissionOracleDeathTest, AbortsWhenOneGoesOnBehindALatePointBesideAnEarlierOne) {
  constraints_.set_starts(store_, store_, Verdict::kNever);
  Oracle oracle(constraints_);
  const auto all = [](const void*) { return true; };
  oracle.started(&a_, store_, 1);
  oracle.started(&b_, store_, 2);
  oracle.passed_late_point(&a_, all);
  oracle.passed_late_point(&b_, [](const void*) { return false; });
  EXPECT_DEATH(oracle.passed_late_point(&b_, all), "on_store and on_store run at once \\(behind a late point\\)");
}

TEST_F(AdmissionOracleTest, AcceptsWhatTheVerdictsAllow) {
  Oracle oracle(constraints_);
  oracle.started(&a_, render_, 7);
  oracle.started(&b_, render_, 8);
  oracle.finished(&a_);
  oracle.finished(&b_);
  oracle.started(&a_, store_, 7, 1);
  oracle.started(&b_, render_, 7, 2);
}

TEST_F(AdmissionOracleTest, AFinishedInvocationNoLongerCounts) {
  Oracle oracle(constraints_);
  oracle.started(&a_, store_, 0);
  oracle.finished(&a_);
  oracle.started(&b_, lookup_, 0);
}

}  // namespace
}  // namespace heddle::scheduler

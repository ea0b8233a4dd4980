#include "testing/load/body_check.hpp"

#include <gtest/gtest.h>

#include "testing/load/mix.hpp"

namespace heddle::testing::load {
namespace {

const std::vector<std::string> kPaths = {"/a", "/stats"};

TEST(BodyCheck, TheFirstAnswerIsTheMeasureOfTheOthers) {
  BodyCheck check(kPaths, {}, {});
  EXPECT_TRUE(check.accept(0, {1, 10, 200}));
  EXPECT_TRUE(check.accept(0, {1, 10, 200}));
  EXPECT_FALSE(check.accept(0, {2, 10, 200}));
  EXPECT_FALSE(check.accept(0, {1, 11, 200}));
  EXPECT_FALSE(check.accept(0, {1, 10, 404}));
}

TEST(BodyCheck, ARecordedAnswerIsTheMeasureFromTheStart) {
  BodyCheck check(kPaths, {{"/a", {7, 70, 200}}}, {});
  EXPECT_FALSE(check.accept(0, {8, 70, 200}));
  EXPECT_TRUE(check.accept(0, {7, 70, 200}));
  EXPECT_EQ(check.checked(), 1u);
}

TEST(BodyCheck, VaryingRoutesAreNeitherComparedNorRecorded) {
  BodyCheck check(kPaths, {}, {"/stats"});
  EXPECT_TRUE(check.accept(1, {1, 10, 200}));
  EXPECT_TRUE(check.accept(1, {2, 20, 200}));
  EXPECT_EQ(check.checked(), 0u);
  EXPECT_TRUE(check.known().empty());
}

TEST(Fingerprints, SurviveAFile) {
  const Fingerprints before = {{"/a?w=1", {0xfedcba9876543210u, 5, 200}}, {"/b", {1, 0, 422}}};
  EXPECT_EQ(parse_fingerprints(format_fingerprints(before), "hashes"), before);
}

TEST(Fingerprints, RefuseAnotherFile) {
  EXPECT_THROW(parse_fingerprints("not a hash\n", "hashes"), BadInput);
  EXPECT_THROW(parse_fingerprints("ab 5 200\n", "hashes"), BadInput);
}

}  // namespace
}  // namespace heddle::testing::load

#include "testing/load/mix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace heddle::testing::load {
namespace {

TEST(Mix, AsksForEachPathAsOftenAsItsWeightInEveryRound) {
  Mix mix({{"/a", 3}, {"/b", 1}, {"/c", 2}}, 7);
  ASSERT_EQ(mix.round_size(), 6u);
  for (int round = 0; round < 3; ++round) {
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < mix.round_size(); ++i) ++seen[mix.paths()[mix.next()].path];
    EXPECT_EQ(seen, (std::map<std::string, int>{{"/a", 3}, {"/b", 1}, {"/c", 2}}));
  }
}

TEST(Mix, ReducesWeightsWithACommonDivisor) { EXPECT_EQ(Mix({{"/a", 300}, {"/b", 100}}, 1).round_size(), 4u); }

TEST(Mix, TheSameSeedGivesTheSameOrder) {
  std::vector<WeightedPath> paths;
  paths.reserve(50);
  for (int i = 0; i < 50; ++i) paths.push_back({"/" + std::to_string(i), 1});
  Mix first(paths, 3);
  Mix second(paths, 3);
  Mix other(paths, 4);
  std::vector<std::size_t> a, b, c;
  for (int i = 0; i < 50; ++i) {
    a.push_back(first.next());
    b.push_back(second.next());
    c.push_back(other.next());
  }
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

TEST(WeightedPath, TakesAWeightAfterThePath) {
  EXPECT_EQ(parse_weighted_path("/hello=5").weight, 5u);
  EXPECT_EQ(parse_weighted_path("/hello=5").path, "/hello");
  EXPECT_EQ(parse_weighted_path("/hello").weight, 1u);
}

TEST(WeightedPath, LeavesTheQueryAlone) {
  EXPECT_EQ(parse_weighted_path("/thumb/a.jpg?w=160").path, "/thumb/a.jpg?w=160");
  EXPECT_EQ(parse_weighted_path("/thumb/a.jpg?w=160").weight, 1u);
}

TEST(WeightedPath, TakesAWeightAfterAQuery) {
  EXPECT_EQ(parse_weighted_path("/thumb/a.jpg?x=1&w=160=3").path, "/thumb/a.jpg?x=1&w=160");
  EXPECT_EQ(parse_weighted_path("/thumb/a.jpg?x=1&w=160=3").weight, 3u);
}

TEST(WeightedPath, RefusesWhatIsNoPathOrNoWeight) {
  EXPECT_THROW(parse_weighted_path("hello"), BadInput);
  EXPECT_THROW(parse_weighted_path("/hello=0"), BadInput);
  EXPECT_THROW(parse_weighted_path("/hello=many"), BadInput);
  EXPECT_THROW(parse_weighted_path("/he llo"), BadInput);
}

TEST(ParseMix, ReadsWeightsPathsAndComments) {
  const auto paths = parse_mix("# thumbnails\n3 /thumb/a.jpg?w=160\n\n1 /hello", "mix.txt");
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].weight, 3u);
  EXPECT_EQ(paths[0].path, "/thumb/a.jpg?w=160");
  EXPECT_EQ(paths[1].path, "/hello");
}

TEST(ParseMix, NamesTheLineThatIsWrong) {
  try {
    parse_mix("1 /a\n/b\n", "mix.txt");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("mix.txt:2"));
  }
  EXPECT_THROW(parse_mix("# nothing\n", "mix.txt"), BadInput);
}

TEST(Route, IsTheFirstSegment) {
  EXPECT_EQ(route_of("/thumb/a.jpg?w=1"), "/thumb");
  EXPECT_EQ(route_of("/stats?x"), "/stats");
  EXPECT_EQ(route_of("/"), "/");
}

}  // namespace
}  // namespace heddle::testing::load

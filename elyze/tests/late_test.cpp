// Late points: the annotated programs that have lines like
//   // STARTS never: A B      A may start while B runs, by what A does before its late points
// are compiled as `heddle build --late` does, unoptimised and optimised, and analysed as they are and with every
// function in a pool. To say less than the truth is a soundness failure. Late points must change no verdict of a pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "elyze/tests/built.hpp"

namespace heddle::elyze {
namespace {

using Document = nlohmann::ordered_json;

struct Expectation {
  std::string verdict, starting, running;
};

std::vector<Expectation> expectations_of(const std::filesystem::path& program) {
  std::vector<Expectation> found;
  std::ifstream stream(program);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string slashes, kind;
    Expectation expected;
    if (!(words >> slashes >> kind >> expected.verdict >> expected.starting >> expected.running)) continue;
    if (slashes != "//" || kind != "STARTS") continue;
    expected.verdict.pop_back();
    found.push_back(expected);
  }
  return found;
}

Document analyse(const std::filesystem::path& program, const std::string& level, bool late, bool pooled) {
  return analyse_built(program, level, late ? "HEDDLE_LATE=1" : "", pooled);
}

std::string starts(const Document& document, const Expectation& expected) {
  const std::size_t starting = handler_named(document, expected.starting);
  const Document& pair = pair_with(document, starting, handler_named(document, expected.running));
  if (!pair.contains("starts")) return pair["verdict"];
  return pair["starts"][pair["a"] == starting ? "a" : "b"];
}

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> found = annotated_programs();
  std::erase_if(found, [](const auto& program) { return expectations_of(program).empty(); });
  return found;
}

class LatePoints : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(LatePoints, let_start_what_the_truth_allows_and_no_more) {
  for (const std::string level : {"-O0", "-O2"}) {
    const Document precise = analyse(GetParam(), level, true, false);
    const Document pooled = analyse(GetParam(), level, true, true);
    for (const Expectation& expected : expectations_of(GetParam())) {
      EXPECT_EQ(starts(precise, expected), expected.verdict) << expected.starting << ' ' << expected.running << level;
      EXPECT_GE(strength_of(starts(pooled, expected)), strength_of(expected.verdict)) << "UNSOUND in a pool";
    }
  }
}

TEST_P(LatePoints, change_no_verdict) {
  const Document plain = analyse(GetParam(), "-O0", false, false);
  const Document late = analyse(GetParam(), "-O0", true, false);
  ASSERT_EQ(plain["pairs"].size(), late["pairs"].size());
  for (std::size_t i = 0; i < plain["pairs"].size(); ++i) {
    EXPECT_EQ(plain["pairs"][i]["verdict"], late["pairs"][i]["verdict"]);
    EXPECT_FALSE(plain["pairs"][i].contains("starts"));
  }
}

INSTANTIATE_TEST_SUITE_P(programs, LatePoints, testing::ValuesIn(programs()),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

// Each point that stands between a handler and the counter is named, with its line.
TEST(LatePoint, IsNamedWithItsPlace) {
  const Document document =
      analyse(std::filesystem::path(ELYZE_PROGRAMS) / "error_count_in_a_helper_of_the_rare_path.c", "-O0", true, false);
  ASSERT_EQ(document["late_points"].size(), 2U);
  EXPECT_EQ(document["late_points"][0]["function"], "on_read");
  EXPECT_EQ(document["late_points"][0]["line"].get<int>() + 1, document["late_points"][1]["line"].get<int>());
  EXPECT_EQ(document["late_points"][0]["objects"].size(), 1U);
}

}  // namespace
}  // namespace heddle::elyze

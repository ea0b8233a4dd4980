// Atomic sums and scratch objects: the annotated programs that have lines like
//   // COUNTED never: A B      the verdict on the pair in a build with --sums
//   // APART never: A B        the verdict where each thread has its own scratch objects, in a build with --scratch
// are compiled as `heddle build` does with that option, unoptimised and optimised, and analysed as they are and with
// every function in a pool. To say less than the truth is a soundness failure.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "elyze/tests/built.hpp"

namespace heddle::elyze {
namespace {

using BuiltPair = std::array<std::string, 3>;  // the verdict and two handlers

std::vector<BuiltPair> pairs_of(const std::filesystem::path& program, const std::string& said) {
  std::vector<BuiltPair> found;
  std::ifstream stream(program);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string slashes, kind;
    BuiltPair pair;
    if (!(words >> slashes >> kind >> pair[0] >> pair[1] >> pair[2]) || slashes != "//" || kind != said) continue;
    pair[0].pop_back();
    found.push_back(pair);
  }
  return found;
}

std::vector<std::filesystem::path> programs_that_say(const std::string& said) {
  std::vector<std::filesystem::path> found = annotated_programs();
  std::erase_if(found, [&](const auto& program) { return pairs_of(program, said).empty(); });
  return found;
}

const nlohmann::ordered_json& pair_in(const nlohmann::ordered_json& document, const BuiltPair& pair) {
  return pair_with(document, handler_named(document, pair[1]), handler_named(document, pair[2]));
}

void check(const std::filesystem::path& program, const std::string& said, const std::string& asked) {
  const auto verdict = [&](const auto& document, const BuiltPair& pair) -> std::string {
    const auto& found = pair_in(document, pair);
    return said == "APART" && found.contains("apart") ? found["apart"] : found["verdict"];
  };
  for (const std::string level : {"-O0", "-O2"}) {
    const auto precise = analyse_built(program, level, asked, false);
    const auto pooled = analyse_built(program, level, asked, true);
    for (const BuiltPair& pair : pairs_of(program, said)) {
      EXPECT_EQ(verdict(precise, pair), pair[0]) << pair[1] << ' ' << pair[2] << ' ' << level;
      EXPECT_GE(strength_of(verdict(pooled, pair)), strength_of(pair[0])) << "UNSOUND in a pool: " << pair[1];
    }
  }
}

class Sums : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Sums, keep_nobody_apart_that_only_counts) { check(GetParam(), "COUNTED", "HEDDLE_SUMS=1"); }

INSTANTIATE_TEST_SUITE_P(programs, Sums, testing::ValuesIn(programs_that_say("COUNTED")),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

class Scratch : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Scratch, is_what_each_invocation_writes_first) { check(GetParam(), "APART", "HEDDLE_SCRATCH=1"); }

TEST_P(Scratch, changes_no_plain_verdict) {
  const auto plain = analyse_built(GetParam(), "-O0", "", false);
  const auto marked = analyse_built(GetParam(), "-O0", "HEDDLE_SCRATCH=1", false);
  EXPECT_FALSE(plain.contains("scratch"));
  ASSERT_EQ(plain["pairs"].size(), marked["pairs"].size());
  for (std::size_t i = 0; i < plain["pairs"].size(); ++i) {
    EXPECT_EQ(plain["pairs"][i]["verdict"], marked["pairs"][i]["verdict"]);
    EXPECT_FALSE(plain["pairs"][i].contains("apart"));
  }
}

INSTANTIATE_TEST_SUITE_P(programs, Scratch, testing::ValuesIn(programs_that_say("APART")),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

}  // namespace
}  // namespace heddle::elyze

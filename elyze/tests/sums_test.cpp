// Atomic sums: the annotated programs that have lines like
//   // COUNTED never: A B      the verdict on the pair in a build with --sums
// are compiled as `heddle build --sums` does, unoptimised and optimised, and analysed as they are and with every
// function in a pool. To say less than the truth is a soundness failure.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "elyze/tests/built.hpp"

namespace heddle::elyze {
namespace {

using CountedPair = std::array<std::string, 3>;  // the verdict and two handlers

std::vector<CountedPair> counted_pairs_of(const std::filesystem::path& program) {
  std::vector<CountedPair> found;
  std::ifstream stream(program);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string slashes, kind;
    CountedPair pair;
    if (!(words >> slashes >> kind >> pair[0] >> pair[1] >> pair[2]) || slashes != "//" || kind != "COUNTED") continue;
    pair[0].pop_back();
    found.push_back(pair);
  }
  return found;
}

std::vector<std::filesystem::path> counting_programs() {
  std::vector<std::filesystem::path> found = annotated_programs();
  std::erase_if(found, [](const auto& program) { return counted_pairs_of(program).empty(); });
  return found;
}

class Sums : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Sums, keep_nobody_apart_that_only_counts) {
  for (const std::string level : {"-O0", "-O2"}) {
    const auto precise = analyse_built(GetParam(), level, "HEDDLE_SUMS=1", false);
    const auto pooled = analyse_built(GetParam(), level, "HEDDLE_SUMS=1", true);
    for (const auto& [verdict, a, b] : counted_pairs_of(GetParam())) {
      const auto said = [&, &a = a, &b = b](const auto& document) -> std::string {
        return pair_with(document, handler_named(document, a), handler_named(document, b))["verdict"];
      };
      EXPECT_EQ(said(precise), verdict) << a << ' ' << b << ' ' << level;
      EXPECT_GE(strength_of(said(pooled)), strength_of(verdict)) << "UNSOUND in a pool: " << a << ' ' << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(programs, Sums, testing::ValuesIn(counting_programs()),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

}  // namespace
}  // namespace heddle::elyze

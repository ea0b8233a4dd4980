// Late points: the annotated programs that have lines like
//   // STARTS never: A B      A may start while B runs, by what A does before its late points
// are compiled as `heddle build --late` does, unoptimised and optimised, and analysed as they are and with every
// function in a pool. To say less than the truth is a soundness failure. Late points must change no verdict of a pair.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "elyze/driver.hpp"
#include "elyze/tests/programs.hpp"

namespace heddle::elyze {
namespace {

using Document = nlohmann::ordered_json;

struct Expectation {
  std::string verdict, starting, running;
};

int strength(const std::string& verdict) { return verdict == "always" ? 2 : verdict == "session" ? 1 : 0; }

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
  const std::filesystem::path scratch = std::filesystem::temp_directory_path() /
                                        ("elyze-late-" + std::to_string(getpid()) + "-" + program.stem().string());
  const std::string made = scratch.string() + ".bc";
  std::string command = std::string(ELYZE_CLANG) + " -g " + level + " -Xclang -disable-O0-optnone -w -c ";
  command += program.string() + (late ? std::string(" -fpass-plugin=") + ELYZE_PLUGIN : " -emit-llvm");
  command +=
      late ? " -Xclang -fexperimental-assignment-tracking=disabled -o " + scratch.string() + ".o" : " -o " + made;
  if (late) command = "HEDDLE_LATE=1 HEDDLE_BITCODE=" + made + " " + command;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  Job job{{made}, {program.stem().string(), "none"}};
  if (pooled) job.limits.members = 0;
  Document document = analyse_program(shipped_specs(), job);
  std::filesystem::remove(made);
  std::filesystem::remove(scratch.string() + ".o");
  return document;
}

std::size_t handler(const Document& document, const std::string& name) {
  const auto& handlers = document["handlers"];
  const auto found =
      std::find_if(handlers.begin(), handlers.end(), [&](const auto& one) { return one["name"] == name; });
  EXPECT_NE(found, handlers.end()) << name;
  return static_cast<std::size_t>(found - handlers.begin());
}

const Document& pair_of(const Document& document, std::size_t a, std::size_t b) {
  for (const auto& pair : document["pairs"])
    if (pair["a"] == std::min(a, b) && pair["b"] == std::max(a, b)) return pair;
  throw std::runtime_error("no such pair");
}

std::string starts(const Document& document, const Expectation& expected) {
  const std::size_t starting = handler(document, expected.starting);
  const Document& pair = pair_of(document, starting, handler(document, expected.running));
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
      EXPECT_GE(strength(starts(pooled, expected)), strength(expected.verdict)) << "UNSOUND in a pool";
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

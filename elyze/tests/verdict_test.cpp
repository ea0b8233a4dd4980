// Small programs whose expected verdicts stand in comments:
//   // CONFLICT always|session: A B[: object]   the verdict on the pair, and an object that is named in it
//   // SAFE: A B                                they never conflict
//   // IMPRECISE: A B: VERDICT                  what is true, where the analysis says more
//   // PINNED: A by NAME                         only the thread of the loop may run it, among others because of that
//   // ANY THREAD: A                             every thread may
//   // ASSUMES: NAME                             the document lists it among what is taken for granted
//   // STRICT always|session|never: A B          the verdict with --strict
// Saying less than the truth is a soundness failure and fails. Saying more is counted, over all programs, and must not
// get more often. IMPRECISE marks what is known to be more; it fails when that has become better.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "elyze/driver.hpp"
#include "elyze/tests/compile.hpp"
#include "elyze/tests/programs.hpp"

namespace heddle::elyze {
namespace {

// What else a program says of its analysis.
struct Assumptions {
  std::vector<std::string> names;
  std::vector<std::array<std::string, 3>> strict;  // verdict, and two handlers
};

struct Expectation {
  std::string a, b, verdict, object;
  bool imprecise = false;
};

// What is said of one handler's thread: what pins it, nothing if any thread may run it.
using Threads = std::map<std::string, std::string>;

Threads read_threads(const std::filesystem::path& file) {
  Threads found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::string name;
    std::string rest;
    if (line.starts_with("// PINNED: ")) {
      std::istringstream words(line.substr(11));
      words >> name >> rest;
      EXPECT_EQ(rest, "by") << line;
      std::getline(words >> std::ws, rest);
      found[name] = rest;
    } else if (line.starts_with("// ANY THREAD: ")) {
      found[line.substr(15)] = "";
    }
  }
  return found;
}

Assumptions read_assumptions(const std::filesystem::path& file) {
  Assumptions found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string slashes, kind, verdict, a, b;
    words >> slashes >> kind >> verdict >> a >> b;
    if (kind == "ASSUMES:") found.names.push_back(verdict);
    if (kind == "STRICT") found.strict.push_back({verdict.substr(0, verdict.find(':')), a, b});
  }
  return found;
}

int strength(const std::string& verdict) { return verdict == "always" ? 2 : verdict == "session" ? 1 : 0; }

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::vector<Expectation> read_expectations(const std::filesystem::path& file) {
  std::vector<Expectation> found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string slashes, kind;
    words >> slashes >> kind;
    if (slashes != "//") continue;
    Expectation expectation;
    if (kind == "CONFLICT") {
      words >> expectation.verdict;
      expectation.verdict = expectation.verdict.substr(0, expectation.verdict.find(':'));
    } else if (kind == "SAFE:") {
      expectation.verdict = "never";
    } else if (kind == "IMPRECISE:") {
      expectation.imprecise = true;
    } else {
      continue;
    }
    words >> expectation.a >> expectation.b;
    std::string rest;
    std::getline(words, rest);
    if (expectation.b.ends_with(":")) {
      expectation.b.pop_back();
      (expectation.imprecise ? expectation.verdict : expectation.object) = trimmed(rest);
    }
    found.push_back(expectation);
  }
  return found;
}

// The documents of the analysis as it is, and with every function in a pool (effects/pool.hpp): less precise, as sound;
// and with --strict, where it is asked for.
struct Documents {
  nlohmann::ordered_json precise;
  nlohmann::ordered_json pooled;
  nlohmann::ordered_json strict;
};

Documents analyse(const std::filesystem::path& program, bool strict) {
  const std::filesystem::path bitcode = std::filesystem::temp_directory_path() /
                                        ("elyze-" + std::to_string(getpid()) + "-" + program.stem().string() + ".bc");
  EXPECT_EQ(compile_to_bitcode(program.string(), bitcode.string()), "");
  const std::shared_ptr<const Specs> specs = specs_of(program);
  Job job{{bitcode.string()}, {program.stem().string(), "none"}};
  Documents documents;
  documents.precise = analyse_program(*specs, job);
  job.limits.members = 0;
  documents.pooled = analyse_program(*specs, job);
  if (strict) {
    job.limits = {};
    job.assumed.strict = true;
    documents.strict = analyse_program(*specs, job);
  }
  std::filesystem::remove(bitcode);
  return documents;
}

// The pair of two handlers in the document; null when one of them was not found.
nlohmann::ordered_json pair_of(const nlohmann::ordered_json& document, const std::string& a, const std::string& b) {
  std::map<std::string, int> ids;
  for (const auto& handler : document["handlers"]) ids[handler["name"].get<std::string>()] = handler["id"].get<int>();
  if (!ids.count(a) || !ids.count(b)) return nullptr;
  const int low = std::min(ids[a], ids[b]);
  const int high = std::max(ids[a], ids[b]);
  for (const auto& pair : document["pairs"]) {
    if (pair["a"] == low && pair["b"] == high) return pair;
  }
  return nullptr;
}

std::set<std::string> object_names(const nlohmann::ordered_json& document, const nlohmann::ordered_json& pair,
                                   const std::string& verdict) {
  std::set<std::string> names;
  for (const auto& conflict : pair["conflicts"]) {
    if (conflict["verdict"] == verdict)
      names.insert(document["objects"][conflict["object"].get<std::size_t>()]["name"].get<std::string>());
  }
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

// `client->buffer` is also meant where the report says `*client->buffer`, `file of client->buffer`, one of its fields
// or the whole block.
bool names(const std::string& reported, std::string expected) {
  std::string name = reported;
  if (expected.starts_with("*")) expected = expected.substr(1);
  if (expected.starts_with("file of ")) expected = expected.substr(8);
  for (const std::string_view prefix : {"file of ", "*"}) {
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
  }
  const auto within = [](const std::string& part, const std::string& whole) {
    return part == whole ||
           (part.starts_with(whole) && std::string(".-[").find(part[whole.size()]) != std::string::npos);
  };
  return within(name, expected) || within(expected, name);
}

void check_thread(const nlohmann::ordered_json& document, const std::string& name, const std::string& by) {
  std::set<std::string> reasons;
  bool found = false;
  for (const auto& handler : document["handlers"]) {
    if (handler["name"] != name) continue;
    found = true;
    if (!handler.contains("pinned")) continue;
    for (const auto& pin : handler["pinned"]) {
      reasons.insert(pin["by"]);
      EXPECT_EQ(pin["path"][0]["function"], name);
    }
  }
  EXPECT_TRUE(found) << "no such handler: " << name;
  if (by.empty()) {
    EXPECT_EQ(joined(reasons), "") << name << " is pinned";
  } else {
    EXPECT_TRUE(reasons.contains(by)) << "UNSOUND: " << name << " is not pinned by " << by << " but by '"
                                      << joined(reasons) << "'";
  }
}

// What all programs together gave, for the precision figures.
struct Tally {
  std::size_t verdicts = 0;
  std::size_t exact = 0;
  std::size_t in_pool = 0;  // exact even with every function in a pool
  std::size_t objects = 0;
  std::size_t named = 0;
};
Tally tally;

class Verdicts : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Verdicts, are_never_less_than_the_truth) {
  const std::vector<Expectation> expectations = read_expectations(GetParam());
  const Threads threads = read_threads(GetParam());
  ASSERT_FALSE(expectations.empty()) << "no expected verdict in " << GetParam();
  const Assumptions assumptions = read_assumptions(GetParam());
  const auto [document, pooled, strict] = analyse(GetParam(), !assumptions.strict.empty());
  for (const std::string& name : assumptions.names) {
    const auto& list = document["assumed"];
    EXPECT_NE(std::find(list.begin(), list.end(), name), list.end()) << "not among what is assumed: " << name;
  }
  for (const auto& [verdict, a, b] : assumptions.strict) {
    const nlohmann::ordered_json pair = pair_of(strict, a, b);
    ASSERT_FALSE(pair.is_null()) << "no such handlers: " << a << ' ' << b;
    EXPECT_EQ(pair["verdict"], verdict) << "with --strict: " << a << ' ' << b;
  }
  for (const auto& assumption : document["assumptions"]) {
    for (const std::size_t handler : assumption.value("handlers", std::vector<std::size_t>()))
      EXPECT_LT(handler, document["handlers"].size()) << "not listed, and named by " << assumption["name"];
  }
  std::set<std::string> expected_handlers;
  for (const Expectation& expected : expectations) expected_handlers.insert({expected.a, expected.b});
  for (const auto& [name, by] : threads) {
    expected_handlers.insert(name);
    check_thread(document, name, by);
    check_thread(pooled, name, by);
  }
  for (const auto& handler : document["handlers"])
    EXPECT_TRUE(handler["kind"] == "log" || expected_handlers.count(handler["name"]))
        << "no handler of the program: " << handler["name"];
  for (const Expectation& expected : expectations) {
    const nlohmann::ordered_json pair = pair_of(document, expected.a, expected.b);
    ASSERT_FALSE(pair.is_null()) << "no such handlers: " << expected.a << ' ' << expected.b;
    const std::string verdict = pair["verdict"];
    EXPECT_GE(strength(verdict), strength(expected.verdict)) << "UNSOUND: " << expected.a << ' ' << expected.b;
    const nlohmann::ordered_json in_pool = pair_of(pooled, expected.a, expected.b);
    ASSERT_FALSE(in_pool.is_null()) << "no such handlers in a pool: " << expected.a << ' ' << expected.b;
    EXPECT_GE(strength(in_pool["verdict"]), strength(expected.verdict))
        << "UNSOUND in a pool: " << expected.a << ' ' << expected.b;
    tally.in_pool += in_pool["verdict"] == expected.verdict ? 1 : 0;
    if (expected.imprecise) {
      EXPECT_GT(strength(verdict), strength(expected.verdict))
          << "precise now: say CONFLICT or SAFE: " << expected.a << ' ' << expected.b;
    }
    const std::set<std::string> objects = object_names(document, pair, verdict);
    ++tally.verdicts;
    if (verdict == expected.verdict) {
      ++tally.exact;
    } else {
      std::printf("more than the truth (%s): %s %s: %s on %s\n", expected.verdict.c_str(), expected.a.c_str(),
                  expected.b.c_str(), verdict.c_str(), joined(objects).c_str());
    }
    if (expected.object.empty() || verdict != expected.verdict) continue;
    ++tally.objects;
    const bool named = std::any_of(objects.begin(), objects.end(),
                                   [&](const std::string& name) { return names(name, expected.object); });
    tally.named += named ? 1 : 0;
    if (!named) std::printf("not named: %s among %s\n", expected.object.c_str(), joined(objects).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(programs, Verdicts, testing::ValuesIn(annotated_programs()),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

// Runs after the programs, in one process with them. Raise the floors with the analysis, never lower them.
class Precision : public testing::Environment {
 public:
  void TearDown() override {
    if (tally.verdicts < annotated_programs().size()) return;  // only some of the programs were run
    std::printf("precision: %zu of %zu verdicts are exactly the truth (%zu in a pool); %zu of %zu objects are named\n",
                tally.exact, tally.verdicts, tally.in_pool, tally.named, tally.objects);
    EXPECT_GE(static_cast<double>(tally.exact), kVerdictFloor * static_cast<double>(tally.verdicts));
    EXPECT_GE(static_cast<double>(tally.named), kNameFloor * static_cast<double>(tally.objects));
  }

 private:
  static constexpr double kVerdictFloor = 0.95;
  static constexpr double kNameFloor = 0.93;
};

const testing::Environment* const precision = testing::AddGlobalTestEnvironment(new Precision);

}  // namespace
}  // namespace heddle::elyze

#include "multivent/program/constraints_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "base/user_error.hpp"
#include "multivent/program/test_constraints.hpp"
#include "telemetry/schema_check.hpp"
#include "testing/golden/golden.hpp"

namespace heddle::multivent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    ConstraintsFile::parse(text, "p.constraints.json");
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConstraintsFile, TheSampleIsADocumentOfTheSchema) {
  EXPECT_EQ(telemetry::schema_violation(sample_constraints("abc1"), "constraints.schema.json"), "");
}

TEST(ConstraintsFile, ReadsHandlersSessionsVerdictsAndObjects) {
  const ConstraintsFile file = ConstraintsFile::parse(sample_constraints("abc1"), "p.constraints.json");
  EXPECT_EQ(file.build_id, "abc1");
  EXPECT_EQ(file.program_name, "server");
  ASSERT_EQ(file.handlers.size(), 4U);
  EXPECT_EQ(file.handlers[2].name, "on_render");
  EXPECT_EQ(file.handlers[2].session_kind, ConstraintsFile::SessionKind::kObject);
  EXPECT_EQ(file.handlers[2].session_offset, 16);
  EXPECT_EQ(file.handlers[3].session_kind, ConstraintsFile::SessionKind::kNull);
  ASSERT_EQ(file.pairs.size(), 9U);
  EXPECT_EQ(file.pairs[1].verdict, scheduler::Verdict::kAlways);
  EXPECT_THAT(file.pairs[1].objects, ElementsAre("cache.lru"));
}

TEST(ConstraintsFile, SaysWhoIsPinnedAndWhoseSignalsAreTied) {
  const auto read = [](const std::string& pinned, const std::string& ties) {
    const std::string handler = R"("id": 1, "name": "on_store", )";
    std::string text = replaced(sample_constraints("abc1"), handler, handler + pinned);
    return replaced(text, R"("assumptions": [])", ties + R"("assumptions": [])");
  };
  const std::string place =
      R"("by": "sigprocmask", "state": "system", "path": [{"function": "f", "file": "server.c", "line": 12}])";
  const std::string pinned = R"("pinned": [{)" + place + R"(, "tie": 0}], )";
  const std::string text = read(pinned, R"("ties": [{)" + place + R"(, "handler": 1}], )");
  EXPECT_EQ(telemetry::schema_violation(text, "constraints.schema.json"), "");
  const ConstraintsFile file = ConstraintsFile::parse(text, "p.constraints.json");
  EXPECT_EQ(file.handlers[0].pinned_by, "");
  EXPECT_EQ(file.handlers[1].pinned_by, "sigprocmask");
  EXPECT_TRUE(file.signals_are_tied);
  EXPECT_FALSE(ConstraintsFile::parse(sample_constraints("abc1"), "p").signals_are_tied);
  const std::string mode = R"("by": "fesetround", "state": "mode", "path": [])";
  EXPECT_FALSE(ConstraintsFile::parse(read("", R"("ties": [{)" + mode + "}], "), "p").signals_are_tied);
  EXPECT_THAT(error_of(read(R"("pinned": [], )", "")), HasSubstr("'pinned' without a reason"));
}

// on_lookup and on_store, which meet on cache.lru.
std::string with_late_points(const std::string& starts, const std::string& late, const std::string& points) {
  const std::string on_lru = R"({"object": 0, "verdict": "always", "a_access": 0, "b_access": 1)";
  std::string text = replaced(sample_constraints("abc1"), on_lru, on_lru + R"(, "late": ")" + late + '"');
  const std::string pair = R"({"a": 0, "b": 1, "verdict": "always")";
  text = replaced(text, pair, pair + R"(, "starts": )" + starts);
  return replaced(text, R"("assumptions")", R"("late_points": [)" + points + R"(], "assumptions")");
}
constexpr const char* kPoint = R"({"id": "00ff00000000000a", "function": "f", "file": "server.c", "line": 17,
"handlers": [0], "objects": [0]})";

TEST(ConstraintsFile, ReadsByWhatAHandlerMayStart) {
  const std::string text = with_late_points(R"({"a": "never", "b": "always"})", "a", kPoint);
  EXPECT_EQ(telemetry::schema_violation(text, "constraints.schema.json"), "");
  const ConstraintsFile file = ConstraintsFile::parse(text, "p.constraints.json");
  EXPECT_EQ(file.pairs[1].verdict, scheduler::Verdict::kAlways);
  EXPECT_EQ(file.pairs[1].a_starts, scheduler::Verdict::kNever);
  EXPECT_EQ(file.pairs[1].b_starts, scheduler::Verdict::kAlways);
  EXPECT_FALSE(file.pairs[0].a_starts);
  ASSERT_EQ(file.late_points.size(), 1U);
  EXPECT_EQ(file.late_points[0].number, 0x00ff00000000000aU);
  EXPECT_EQ(file.late_points[0].place, "server.c:17");
}

std::string with_scratch(const std::string& apart, const std::string& buffers) {
  const std::string pair = R"({"a": 0, "b": 1, "verdict": "always")";
  const std::string text = replaced(sample_constraints("abc1"), pair, pair + R"(, "apart": ")" + apart + '"');
  return replaced(text, R"("assumptions")", R"("scratch": [)" + buffers + R"(], "assumptions")");
}
constexpr const char* kBuffer = R"({"id": "00ff00000000000b", "name": "f.text", "file": "server.c", "line": 3})";

TEST(ConstraintsFile, ReadsTheVerdictWithBuffersOfEachThread) {
  const std::string text = with_scratch("session", kBuffer);
  EXPECT_EQ(telemetry::schema_violation(text, "constraints.schema.json"), "");
  const ConstraintsFile file = ConstraintsFile::parse(text, "p.constraints.json");
  EXPECT_EQ(file.pairs[1].verdict, scheduler::Verdict::kSession);
  ASSERT_EQ(file.scratch.size(), 1U);
  EXPECT_EQ(file.scratch[0].number, 0x00ff00000000000bU);
  EXPECT_EQ(file.scratch[0].name, "f.text");
  EXPECT_THAT(error_of(with_scratch("session", "")), HasSubstr("'apart' without 'scratch'"));
}

TEST(ConstraintsFile, AConflictMayBeLateInPart) {
  const ConstraintsFile file =
      ConstraintsFile::parse(with_late_points(R"({"a": "never", "b": "session"})", "a", kPoint), "p.constraints.json");
  EXPECT_EQ(file.pairs[1].b_starts, scheduler::Verdict::kSession);
}

TEST(ConstraintsFile, AllowsSomethingIfOnePairMayOverlapOrStart) {
  using scheduler::Verdict;
  ConstraintsFile file;
  EXPECT_FALSE(file.allow_anything());
  file.handlers.resize(2);
  file.pairs = {{0, 0, Verdict::kAlways, {}}, {0, 1, Verdict::kAlways, {}}};
  EXPECT_FALSE(file.allow_anything());
  file.pairs[1].b_starts = Verdict::kSession;
  EXPECT_TRUE(file.allow_anything());
  file.pairs = {{0, 0, Verdict::kAlways, {}}, {1, 1, Verdict::kNever, {}}};
  EXPECT_TRUE(file.allow_anything());
  file.handlers[1].pinned_by = "gettid";
  EXPECT_FALSE(file.allow_anything()) << "two calls on one thread take turns";
  EXPECT_TRUE(file.verdicts_allow_anything());
}

TEST(ConstraintsFile, WhatIsSaidOfStartsMustFitTheRest) {
  EXPECT_THAT(error_of(with_late_points(R"({"a": "never", "b": "never"})", "a", kPoint)), HasSubstr("is not late"));
  EXPECT_THAT(error_of(with_late_points(R"({"a": "never", "b": "never"})", "b", kPoint)), HasSubstr("is not late"));
  EXPECT_THAT(error_of(with_late_points(R"({"a": "never", "b": "never"})", "both", "")),
              HasSubstr("without 'late_points'"));
  EXPECT_THAT(error_of(with_late_points(R"({"a": "never"})", "a", kPoint)), HasSubstr("'b' is missing"));
  EXPECT_THAT(error_of(with_late_points(R"({"a": "never", "b": "often"})", "a", kPoint)), HasSubstr("often"));
  const std::string render = R"({"a": 2, "b": 2, "verdict": "session")";
  EXPECT_THAT(
      error_of(replaced(sample_constraints("abc1"), render, render + R"(, "starts": {"a": "always", "b": "always"})")),
      HasSubstr("stronger than the verdict"));
  EXPECT_THAT(error_of(replaced(with_late_points(R"({"a": "never", "b": "never"})", "both", kPoint), "00ff", "00xx")),
              HasSubstr("no number"));
}

TEST(ConstraintsFile, ReadsTheLibrariesThatWereAnalysedWithTheProgram) {
  const std::string sample = sample_constraints("abc1");
  EXPECT_TRUE(ConstraintsFile::parse(sample, "p.constraints.json").libraries.empty());
  const std::string libraries = R"("abc1", "libraries": [{"name": "libparts.so.1", "build_id": "0f"}])";
  const std::string text = replaced(sample, R"("abc1")", libraries);
  EXPECT_EQ(telemetry::schema_violation(text, "constraints.schema.json"), "");
  const ConstraintsFile file = ConstraintsFile::parse(text, "p.constraints.json");
  ASSERT_EQ(file.libraries.size(), 1U);
  EXPECT_EQ(file.libraries[0].name, "libparts.so.1");
  EXPECT_EQ(file.libraries[0].build_id, "0f");
  EXPECT_THAT(error_of(replaced(text, R"("build_id": "0f")", R"("build_id": 1)")), HasSubstr("is not a string"));
}

TEST(ConstraintsFile, ReadsWhatTheAnalyserWrites) {
  const golden::Files files(HEDDLE_GOLDEN);
  const ConstraintsFile file = ConstraintsFile::read(files.path("server.constraints.json"));
  EXPECT_EQ(file.program_name, "server");
  EXPECT_EQ(file.build_id, "00ff");
  ASSERT_EQ(file.handlers.size(), 3U);
  EXPECT_EQ(file.handlers[0].name, "on_accept");
  EXPECT_EQ(file.handlers[0].session_kind, ConstraintsFile::SessionKind::kNull);
  EXPECT_EQ(file.handlers[1].name, "on_tick");
  EXPECT_EQ(file.handlers[2].name, "on_read");
  EXPECT_EQ(file.handlers[2].session_kind, ConstraintsFile::SessionKind::kObject);
  std::map<std::pair<std::size_t, std::size_t>, scheduler::Verdict> verdicts;
  for (const ConstraintsFile::Pair& pair : file.pairs) verdicts[{pair.a, pair.b}] = pair.verdict;
  using scheduler::Verdict;
  using Expected = std::map<std::pair<std::size_t, std::size_t>, Verdict>;
  EXPECT_EQ(verdicts, (Expected{{{0, 0}, Verdict::kAlways},
                                {{0, 1}, Verdict::kAlways},
                                {{0, 2}, Verdict::kNever},
                                {{1, 1}, Verdict::kAlways},
                                {{1, 2}, Verdict::kNever},
                                {{2, 2}, Verdict::kSession}}));
  EXPECT_THAT(file.pairs[0].objects, ElementsAre("served"));
}

TEST(ConstraintsFile, ErrorsNameTheFileAndTheRemedyInOneLine) {
  const std::string good = sample_constraints("abc1");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "not valid JSON"},
      {"[]", "not a heddle/constraints document"},
      {replaced(good, "heddle/constraints", "heddle/run"), "not a heddle/constraints document"},
      {replaced(good, R"("version": 3)", R"("version": 1)"), "version 1, but this heddle reads version 3"},
      {replaced(good, R"("version": 3)", R"("version": "one")"), "'version' is not an integer"},
      {replaced(good, R"("build_id")", R"("id_of_build")"), "'build_id' is missing"},
      {replaced(good, R"("verdict": "never")", R"("verdict": "perhaps")"), "unknown verdict 'perhaps'"},
      {replaced(good, R"("a": 0)", R"("a": 4)"), "'a' is out of range"},
      {replaced(good, R"("a": 0)", R"("a": -1)"), "'a' is out of range"},
      {replaced(good, R"("object": 0, "verdict")", R"("object": 99, "verdict")"), "'object' is out of range"},
      {replaced(good, R"("id": 1, "name": "on_store")", R"("id": 7, "name": "on_store")"), "not in order of 'id'"},
      {replaced(good, R"("session": {"kind": "object")", R"("session": {"kind": "thing")"),
       "unknown kind of session 'thing'"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string error = error_of(text);
    EXPECT_THAT(error, StartsWith("p.constraints.json: "));
    EXPECT_THAT(error, HasSubstr(expected));
    EXPECT_THAT(error, HasSubstr("run heddle analyze again"));
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(ConstraintsFile, AConflictStrongerThanItsPairIsNotBelieved) {
  const std::string text =
      replaced(sample_constraints("abc1"), R"("b": 1, "verdict": "always")", R"("b": 1, "verdict": "never")");
  EXPECT_THAT(error_of(text), HasSubstr("weaker than that of its conflict"));
}

TEST(ConstraintsFile, AMissingFileSaysHowToMakeOne) {
  try {
    ConstraintsFile::read("/nonexistent/p.constraints.json");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("No such file"));
    EXPECT_THAT(error.what(), HasSubstr("run heddle analyze"));
  }
}

TEST(ConstraintsFile, DamagedDocumentsAreReadOrRefusedButNeverCrash) {
  const std::string good = sample_constraints("abc1");
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(error_of(good.substr(0, length)), "no error") << length;
  }
  std::mt19937_64 random(20);
  const std::string bytes = "{}[]\",:0129-eE.ntf\\x\x01\xff ";
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = bytes[random() % bytes.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
      }
    }
    const std::string error = error_of(text);
    EXPECT_THAT(error, testing::AnyOf("no error", StartsWith("p.constraints.json: ")));
  }
}

}  // namespace
}  // namespace heddle::multivent

#include "multivent/program/handler_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/user_error.hpp"
#include "multivent/program/test_constraints.hpp"

// Stand-ins for a program's handlers: the registry finds them in this program's symbol table by these names. Each does
// something else, so that no linker folds them.
#define HANDLER(name)                                 \
  static void name(int, short, void*) __asm__(#name); \
  [[gnu::noinline, gnu::used]] static void name(int, short, void*)

extern "C" {
static volatile int called = 0;
HANDLER(on_lookup) { called = 1; }
HANDLER(on_store) { called = 2; }
HANDLER(on_render) { called = 3; }
HANDLER(on_stats) { called = 4; }
HANDLER(on_surprise) { called = 5; }
[[gnu::noinline, gnu::used]] void folded_original(int, short, void*) { called = 6; }
void folded_copy(int, short, void*) __attribute__((nothrow, alias("folded_original")));
}

namespace heddle::multivent {
namespace {

using scheduler::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Function>
std::uintptr_t address(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

class HandlerRegistryTest : public testing::Test {
 protected:
  ConstraintsFile sample() const {
    return ConstraintsFile::parse(sample_constraints(symbols_.build_id()), "p.constraints.json");
  }

  // Two handlers with all three verdicts between them.
  ConstraintsFile two(const std::string& a, const std::string& b, Verdict aa, Verdict ab, Verdict bb) const {
    ConstraintsFile file;
    file.path = "p.constraints.json";
    file.build_id = symbols_.build_id();
    file.handlers = {{a, ConstraintsFile::SessionKind::kObject, 0}, {b, ConstraintsFile::SessionKind::kObject, 0}};
    file.pairs = {{0, 0, aa, {}}, {0, 1, ab, {}}, {1, 1, bb, {}}};
    return file;
  }

  std::string error_of(const ConstraintsFile& file) const {
    try {
      HandlerRegistry registry(symbols_, file);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "no error";
  }

  const Symbols symbols_ = Symbols::of_this_process();
};

TEST_F(HandlerRegistryTest, AHandlerOfTheConstraintsHasItsClassNameAndSession) {
  HandlerRegistry registry(symbols_, sample());
  const Handler& render = registry.find(address(&on_render));
  EXPECT_TRUE(render.known);
  EXPECT_EQ(render.index, 2U);
  EXPECT_EQ(render.name, "on_render");
  EXPECT_EQ(registry.constraints().name(render.klass), "on_render");
  char object[32];
  EXPECT_EQ(render.session_of(object + 16), reinterpret_cast<std::uintptr_t>(object));
  EXPECT_EQ(render.session_of(nullptr), 0U);
  EXPECT_EQ(registry.find(address(&on_stats)).session_of(object), 0U);
}

TEST_F(HandlerRegistryTest, VerdictsAreThoseOfTheDocumentAndAlwaysWhereItIsSilent) {
  HandlerRegistry registry(symbols_, sample());
  const auto klass = [&](auto* function) { return registry.find(address(function)).klass; };
  const scheduler::Constraints& constraints = registry.constraints();
  EXPECT_EQ(constraints.verdict(klass(&on_lookup), klass(&on_lookup)), Verdict::kNever);
  EXPECT_EQ(constraints.verdict(klass(&on_store), klass(&on_lookup)), Verdict::kAlways);
  EXPECT_EQ(constraints.verdict(klass(&on_render), klass(&on_render)), Verdict::kSession);
  EXPECT_EQ(constraints.verdict(klass(&on_store), klass(&on_store)), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, WhatSufficesToStartHoldsInOneDirection) {
  ConstraintsFile file = two("on_lookup", "on_store", Verdict::kNever, Verdict::kAlways, Verdict::kNever);
  file.pairs[1].a_starts = Verdict::kSession;
  file.pairs[1].b_starts = Verdict::kAlways;
  HandlerRegistry registry(symbols_, file);
  const scheduler::ClassId lookup = registry.find(address(&on_lookup)).klass;
  const scheduler::ClassId store = registry.find(address(&on_store)).klass;
  EXPECT_EQ(registry.constraints().starts(lookup, store), Verdict::kSession);
  EXPECT_EQ(registry.constraints().starts(store, lookup), Verdict::kAlways);
  EXPECT_EQ(registry.constraints().verdict(lookup, store), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, HandlersOfOneNameStartByTheStrongestOfWhatSuffices) {
  ConstraintsFile file = two("on_lookup", "on_lookup", Verdict::kAlways, Verdict::kAlways, Verdict::kAlways);
  for (ConstraintsFile::Pair& pair : file.pairs) pair.a_starts = pair.b_starts = Verdict::kNever;
  file.pairs[1].b_starts = Verdict::kSession;
  HandlerRegistry registry(symbols_, file);
  const scheduler::ClassId lookup = registry.find(address(&on_lookup)).klass;
  EXPECT_EQ(registry.constraints().starts(lookup, lookup), Verdict::kSession);
}

TEST_F(HandlerRegistryTest, ConstraintsThatRestOnALatePointTheProgramDoesNotHaveAreRefused) {
  ConstraintsFile file = two("on_lookup", "on_store", Verdict::kAlways, Verdict::kAlways, Verdict::kAlways);
  file.late_points = {{17, "server.c:17"}};
  EXPECT_THAT(error_of(file), HasSubstr("late point at server.c:17 that multivent_program_test does not have"));
  EXPECT_THAT(error_of(file), HasSubstr("heddle build --late"));
}

TEST_F(HandlerRegistryTest, WhoIsPinnedOrUnknownOrCannotBeToldFromSuchAHandlerIsPinned) {
  ConstraintsFile file = sample();
  file.handlers[1].pinned_by = "gettid";
  HandlerRegistry registry(symbols_, file);
  EXPECT_FALSE(registry.find(address(&on_lookup)).pinned);
  EXPECT_TRUE(registry.find(address(&on_store)).pinned);
  EXPECT_TRUE(registry.find(address(&on_surprise)).pinned);
  file = two("on_lookup", "on_lookup", Verdict::kNever, Verdict::kNever, Verdict::kNever);
  file.handlers[1].pinned_by = "gettid";
  HandlerRegistry grouped(symbols_, file);
  EXPECT_TRUE(grouped.find(address(&on_lookup)).pinned);
}

TEST_F(HandlerRegistryTest, AFunctionTheConstraintsDoNotNameIsUnknownAndKeepsItsName) {
  HandlerRegistry registry(symbols_, sample());
  const Handler& surprise = registry.find(address(&on_surprise));
  EXPECT_FALSE(surprise.known);
  EXPECT_EQ(surprise.klass, scheduler::kUnknownClass);
  EXPECT_EQ(surprise.name, "on_surprise");
  EXPECT_EQ(surprise.index, 4U);
  EXPECT_EQ(&registry.find(address(&on_surprise)), &surprise);
  EXPECT_EQ(registry.handlers().size(), 5U);
}

TEST_F(HandlerRegistryTest, AFunctionWithoutASymbolIsNamedByModuleAndOffset) {
  HandlerRegistry registry(symbols_);
  EXPECT_THAT(registry.find(address(&on_lookup) + 1).name,
              testing::MatchesRegex("multivent_program_test\\+0x[0-9a-f]+"));
  EXPECT_THAT(registry.find(address(&free)).name, HasSubstr("free"));
  EXPECT_EQ(registry.find(0x10).name, "+0x10");
}

TEST_F(HandlerRegistryTest, WithoutConstraintsEveryHandlerIsUnknown) {
  HandlerRegistry registry(symbols_);
  EXPECT_FALSE(registry.find(address(&on_lookup)).known);
  EXPECT_EQ(registry.constraints().size(), 1U);
}

TEST_F(HandlerRegistryTest, NamesTheObjectsTwoHandlersConflictOn) {
  HandlerRegistry registry(symbols_, sample());
  const Handler& lookup = registry.find(address(&on_lookup));
  const Handler& store = registry.find(address(&on_store));
  EXPECT_THAT(registry.objects(store, lookup), ElementsAre("cache.lru"));
  EXPECT_TRUE(registry.objects(store, registry.find(address(&on_surprise))).empty());
}

TEST_F(HandlerRegistryTest, HandlersOfOneNameShareAClassWithTheStrongestVerdict) {
  HandlerRegistry registry(symbols_,
                           two("on_lookup", "on_lookup", Verdict::kNever, Verdict::kNever, Verdict::kSession));
  const Handler& lookup = registry.find(address(&on_lookup));
  EXPECT_EQ(registry.constraints().size(), 2U);
  EXPECT_EQ(registry.constraints().verdict(lookup.klass, lookup.klass), Verdict::kSession);
}

TEST_F(HandlerRegistryTest, APairMissingInAGroupMakesTheGroupConflictAlways) {
  ConstraintsFile file = two("on_lookup", "on_lookup", Verdict::kNever, Verdict::kNever, Verdict::kNever);
  file.pairs.pop_back();
  HandlerRegistry registry(symbols_, file);
  const Handler& lookup = registry.find(address(&on_lookup));
  EXPECT_EQ(registry.constraints().verdict(lookup.klass, lookup.klass), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, FunctionsFoldedIntoOneAddressShareAClass) {
  HandlerRegistry registry(symbols_,
                           two("folded_original", "folded_copy", Verdict::kNever, Verdict::kAlways, Verdict::kNever));
  const Handler& folded = registry.find(address(&folded_original));
  EXPECT_TRUE(folded.known);
  EXPECT_EQ(registry.constraints().verdict(folded.klass, folded.klass), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, AnUnknownKindOfSessionTurnsSessionIntoAlways) {
  ConstraintsFile file = two("on_lookup", "on_store", Verdict::kSession, Verdict::kSession, Verdict::kSession);
  file.handlers[1].session_kind = ConstraintsFile::SessionKind::kUnknown;
  HandlerRegistry registry(symbols_, file);
  const scheduler::ClassId lookup = registry.find(address(&on_lookup)).klass;
  const scheduler::ClassId store = registry.find(address(&on_store)).klass;
  EXPECT_EQ(registry.constraints().verdict(lookup, lookup), Verdict::kSession);
  EXPECT_EQ(registry.constraints().verdict(lookup, store), Verdict::kAlways);
  EXPECT_EQ(registry.constraints().verdict(store, store), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, AGroupThatDisagreesOnItsSessionOffsetHasAnUnknownSession) {
  ConstraintsFile file = two("on_lookup", "on_lookup", Verdict::kSession, Verdict::kSession, Verdict::kSession);
  file.handlers[1].session_offset = 8;
  HandlerRegistry registry(symbols_, file);
  const Handler& lookup = registry.find(address(&on_lookup));
  EXPECT_FALSE(lookup.has_session);
  EXPECT_EQ(registry.constraints().verdict(lookup.klass, lookup.klass), Verdict::kAlways);
}

TEST_F(HandlerRegistryTest, AHandlerThatTheProgramLacksIsListedAsMissing) {
  HandlerRegistry registry(symbols_, two("on_lookup", "on_nothing", Verdict::kNever, Verdict::kNever, Verdict::kNever));
  EXPECT_THAT(registry.missing(), ElementsAre("on_nothing"));
}

TEST_F(HandlerRegistryTest, ConstraintsThatDoNotFitTheProgramAreRefused) {
  ConstraintsFile other_build = sample();
  other_build.build_id = "0123";
  EXPECT_THAT(error_of(other_build), HasSubstr("made for another build of multivent_program_test"));
  ConstraintsFile other_library = sample();
  other_library.libraries.push_back({.name = "libparts.so", .build_id = "0123"});
  EXPECT_THAT(error_of(other_library), HasSubstr("made for another build of libparts.so"));
  const ConstraintsFile strangers = two("on_this", "on_that", Verdict::kNever, Verdict::kNever, Verdict::kNever);
  EXPECT_THAT(error_of(strangers), HasSubstr("has none of the handlers"));
}

TEST_F(HandlerRegistryTest, ThreadsThatMeetTheSameCallbacksAgreeOnThem) {
  HandlerRegistry registry(symbols_, sample());
  constexpr std::uintptr_t kCallbacks = 3000;
  std::vector<std::vector<const Handler*>> seen(3);
  std::vector<std::thread> threads;
  threads.reserve(seen.size());
  for (auto& mine : seen) {
    threads.emplace_back([&registry, &mine] {
      mine.reserve(kCallbacks);
      for (std::uintptr_t i = 0; i < kCallbacks; ++i) mine.push_back(&registry.find(0x1000 + i * 16));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_EQ(registry.handlers().size(), 4 + kCallbacks);
}

}  // namespace
}  // namespace heddle::multivent

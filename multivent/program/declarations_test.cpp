#include "multivent/program/declarations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/user_error.hpp"
#include "multivent/program/handler_registry.hpp"

// Stand-ins for a program's handlers, each with another body so that no linker folds them.
extern "C" {
static volatile int declared_called = 0;
[[gnu::noinline, gnu::used]] void declared_read(int, short, void*) { declared_called = 1; }
[[gnu::noinline, gnu::used]] void declared_write(int, short, void*) { declared_called = 2; }
[[gnu::noinline, gnu::used]] void declared_other(int, short, void*) { declared_called = 3; }
}

namespace heddle::multivent {
namespace {

using scheduler::Verdict;
using SessionKind = ConstraintsFile::SessionKind;
using testing::HasSubstr;

std::uintptr_t address(void (*function)(int, short, void*)) { return reinterpret_cast<std::uintptr_t>(function); }

class DeclarationsTest : public testing::Test {
 protected:
  // Knows the first two: `session` with themselves, `never` with each other.
  ConstraintsFile document() const {
    ConstraintsFile file;
    file.path = "p.constraints.json";
    file.build_id = symbols_.build_id();
    file.handlers = {{"declared_read", SessionKind::kObject, 8}, {"declared_write", SessionKind::kObject, 8}};
    file.pairs = {{0, 0, Verdict::kSession, {}}, {0, 1, Verdict::kNever, {}}, {1, 1, Verdict::kSession, {}}};
    return file;
  }

  Verdict verdict(std::uintptr_t a, std::uintptr_t b, ConstraintsFile file) const {
    declarations_.apply_to(file, symbols_);
    HandlerRegistry registry(symbols_, file);
    return registry.constraints().verdict(registry.find(a).klass, registry.find(b).klass);
  }

  std::string error_with(ConstraintsFile file) const {
    try {
      declarations_.apply_to(file, symbols_);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "no error";
  }

  const Symbols symbols_ = Symbols::of_this_process();
  const std::uintptr_t read_ = address(&declared_read);
  const std::uintptr_t write_ = address(&declared_write);
  const std::uintptr_t other_ = address(&declared_other);
  Declarations declarations_;
};

TEST_F(DeclarationsTest, ARequirementKeepsHandlersFurtherApartThanTheDocument) {
  declarations_.require(write_, read_, Verdict::kSession);
  EXPECT_EQ(verdict(read_, write_, document()), Verdict::kSession);
  declarations_.require(read_, read_, Verdict::kAlways);
  EXPECT_EQ(verdict(read_, read_, document()), Verdict::kAlways);
  EXPECT_EQ(verdict(write_, write_, document()), Verdict::kSession);
}

TEST_F(DeclarationsTest, ARequirementNeverAllowsMore) {
  declarations_.require(read_, read_, Verdict::kNever);
  declarations_.require(read_, other_, Verdict::kNever);
  EXPECT_EQ(verdict(read_, read_, document()), Verdict::kSession);
  EXPECT_EQ(verdict(read_, other_, document()), Verdict::kAlways);
  EXPECT_TRUE(declarations_.only_requirements());
}

TEST_F(DeclarationsTest, APromiseTakesTheDocumentsPlace) {
  declarations_.promise(read_, read_, Verdict::kNever);
  EXPECT_FALSE(declarations_.only_requirements());
  EXPECT_EQ(verdict(read_, read_, document()), Verdict::kNever);
  declarations_.promise(read_, write_, Verdict::kAlways);
  EXPECT_EQ(verdict(read_, write_, document()), Verdict::kAlways);
}

TEST_F(DeclarationsTest, APromiseNeedsNoDocumentAndWhatNobodyPromisedIsAlways) {
  ConstraintsFile none;
  none.build_id = symbols_.build_id();
  declarations_.promise(read_, other_, Verdict::kNever);
  EXPECT_EQ(verdict(read_, other_, none), Verdict::kNever);
  EXPECT_EQ(verdict(read_, read_, none), Verdict::kAlways);
  EXPECT_EQ(verdict(read_, write_, none), Verdict::kAlways);
}

TEST_F(DeclarationsTest, WhatIsRequiredHoldsWhateverIsPromised) {
  declarations_.require(read_, write_, Verdict::kAlways);
  declarations_.promise(read_, write_, Verdict::kNever);
  EXPECT_EQ(verdict(read_, write_, document()), Verdict::kAlways);
}

TEST_F(DeclarationsTest, APromisedSessionMakesSessionVerdictsCount) {
  declarations_.promise(other_, other_, Verdict::kSession);
  EXPECT_EQ(verdict(other_, other_, document()), Verdict::kAlways);  // of which session?
  declarations_.promise_session(other_, 16);
  EXPECT_EQ(verdict(other_, other_, document()), Verdict::kSession);
  ConstraintsFile file = document();
  declarations_.apply_to(file, symbols_);
  HandlerRegistry registry(symbols_, file);
  char object[32];
  EXPECT_EQ(registry.find(other_).session_of(object + 16), reinterpret_cast<std::uintptr_t>(object));
}

TEST_F(DeclarationsTest, ASessionThatTheDocumentKnowsOtherwiseIsAnError) {
  declarations_.promise_session(read_, 8);
  EXPECT_EQ(error_with(document()), "no error");
  declarations_.promise_session(write_, 24);
  EXPECT_EQ(error_with(document()),
            "declared_write: its argument lies 8 bytes from the start of its session, says p.constraints.json, and the "
            "program promised 24: take the promise out");
}

TEST_F(DeclarationsTest, AFunctionWithoutASymbolIsAnError) {
  declarations_.require(read_, write_ + 1, Verdict::kAlways);
  EXPECT_THAT(error_with(document()), HasSubstr("no function that multivent_program_test names begins there"));
}

}  // namespace
}  // namespace heddle::multivent

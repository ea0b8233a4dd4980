#include "multivent/process/run_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::multivent {
namespace {

using testing::ElementsAre;

class RunFactsTest : public testing::Test {
 protected:
  // The constraints name `main`, whose calls conflict in one session, and a function that this program lacks.
  ConstraintsFile constraints() const {
    ConstraintsFile file;
    file.build_id = symbols_.build_id();
    file.handlers = {{"main", ConstraintsFile::SessionKind::kObject, 0},
                     {"on_nothing", ConstraintsFile::SessionKind::kObject, 0}};
    file.pairs = {{0, 0, scheduler::Verdict::kSession, {"job->pixels", "job->size"}}};
    return file;
  }

  void held_back(std::uint32_t waiter, std::uint32_t holder, base::Nanoseconds duration_ns) {
    facts_.statistics.waited(waiter, holder, duration_ns);
  }

  const Symbols symbols_ = Symbols::of_this_process();
  HandlerRegistry registry_{symbols_, constraints()};
  telemetry::RunFacts facts_;
};

TEST_F(RunFactsTest, HandlersAreNamedByTheirIndex) {
  const std::uint32_t unknown = registry_.find(0x10).index;
  add_names(facts_, registry_, symbols_);
  EXPECT_EQ(facts_.handlers.at(0).name, "main");
  EXPECT_TRUE(facts_.handlers.at(0).known);
  EXPECT_EQ(facts_.handlers.at(unknown).name, "+0x10");
  EXPECT_FALSE(facts_.handlers.at(unknown).known);
  EXPECT_THAT(facts_.missing, ElementsAre("on_nothing"));
  EXPECT_EQ(facts_.program.build_id, symbols_.build_id());
}

TEST_F(RunFactsTest, WhoHeldBackWhomComesWithTheVerdictAndItsObjectsWorstFirst) {
  const std::uint32_t unknown = registry_.find(0x10).index;
  held_back(0, 0, 1000);
  held_back(0, unknown, 5000);
  add_names(facts_, registry_, symbols_);
  ASSERT_EQ(facts_.held_back.size(), 2U);
  EXPECT_EQ(facts_.held_back[0].holder, unknown);
  EXPECT_FALSE(facts_.held_back[0].within_session);
  EXPECT_TRUE(facts_.held_back[0].objects.empty());
  EXPECT_EQ(facts_.held_back[1].total_ns, 1000);
  EXPECT_TRUE(facts_.held_back[1].within_session);
  EXPECT_THAT(facts_.held_back[1].objects, ElementsAre("job->pixels", "job->size"));
}

}  // namespace
}  // namespace heddle::multivent

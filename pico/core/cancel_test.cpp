// Cancelling, and what it leaves alone.
#include <gtest/gtest.h>

#include <chrono>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(PicoCancel, EndsASleepAndCleansUp) {
  pico::run([] {
    auto thread = spawn([] { sleep_for(hours(1)); });
    yield();
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
  });
}

TEST(PicoCancel, BeforeTheStartNothingRuns) {
  pico::run([] {
    bool ran = false;
    auto thread = spawn([&] { ran = true; });
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
    EXPECT_FALSE(ran);
  });
}

TEST(PicoCancel, AShieldLetsAThreadWaitAllTheSame) {
  pico::run([] {
    bool said_goodbye = false;
    auto thread = spawn([&] {
      try {
        sleep_for(hours(1));
      } catch (const Cancelled&) {
        const Shield shield;
        sleep_for(milliseconds(1));
        said_goodbye = true;
      }
      return 5;
    });
    yield();
    thread.cancel();
    EXPECT_EQ(thread.join(), 5);
    EXPECT_TRUE(said_goodbye);
  });
}

TEST(PicoCancel, EndsAJoinAndLeavesTheHandle) {
  pico::run([] {
    auto worker = spawn([] {
      sleep_for(milliseconds(5));
      return 1;
    });
    auto joiner = spawn([&] { worker.join(); });
    yield();
    joiner.cancel();
    EXPECT_THROW(joiner.join(), Cancelled);
    EXPECT_EQ(worker.join(), 1);
  });
}

}  // namespace
}  // namespace heddle::pico

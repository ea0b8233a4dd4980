#include "objectbase/transport/waiting.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "objectbase/transport/channel.hpp"

namespace heddle::objectbase {
namespace {

class WaitingTest : public ::testing::Test {
 protected:
  WaitingTest() {
    epoll_event wanted{.events = EPOLLIN, .data = {.u32 = 7}};
    EXPECT_EQ(epoll_ctl(epoll.number(), EPOLL_CTL_ADD, event.number(), &wanted), 0);
  }

  int wait(int timeout_ms) { return waiting.wait(epoll.number(), events, timeout_ms); }
  void ring() const { EXPECT_EQ(eventfd_write(event.number(), 1), 0); }
  void take() const {
    eventfd_t count = 0;
    EXPECT_EQ(eventfd_read(event.number(), &count), 0);
  }

  Descriptor epoll = new_epoll();
  Descriptor event{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  std::array<epoll_event, 4> events{};
  Waiting waiting;
};

TEST_F(WaitingTest, WhatIsThereIsFoundWithoutSleep) {
  for (std::uint64_t i = 1; i <= 100; ++i) {
    ring();
    ASSERT_EQ(wait(-1), 1);
    EXPECT_EQ(events[0].data.u32, 7U);
    EXPECT_EQ(waiting.spins(), i);
    take();
  }
  EXPECT_EQ(wait(0), 0);
  EXPECT_EQ(waiting.spins(), 100U);  // who does not wait does not spin
}

TEST_F(WaitingTest, SpinsInVainBecomeRare) {
  for (int i = 0; i < 630; ++i) ASSERT_EQ(wait(1), 0);
  EXPECT_GE(waiting.spins(), 630U / 64);
  EXPECT_LE(waiting.spins(), 6 + 630U / 64 + 1);
  // One that was not in vain makes the next ones as usual again.
  ring();
  for (const std::uint64_t before = waiting.spins(); waiting.spins() == before;) ASSERT_EQ(wait(-1), 1);
  const std::uint64_t before = waiting.spins();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(wait(-1), 1);
  EXPECT_EQ(waiting.spins(), before + 10);
}

TEST_F(WaitingTest, ASleeperIsWokenUp) {
  for (int i = 0; i < 200; ++i) {
    std::thread other([&] {
      usleep(static_cast<unsigned>(i % 7) * 20);
      ring();
    });
    ASSERT_EQ(wait(-1), 1);
    take();
    other.join();
  }
}

}  // namespace
}  // namespace heddle::objectbase

// For tests of the frontier in Redis.
#pragma once

#include <gtest/gtest.h>

#include "crawler/frontier/redis_server.hpp"

namespace heddle::crawler {

// One server for the tests of a program, emptied for each.
class RedisTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static RedisServer server;
    if (!server.runs()) GTEST_SKIP() << "redis-server is not installed";
    server.ask("FLUSHALL");
    redis_ = &server;
  }

  RedisServer* redis_ = nullptr;
};

}  // namespace heddle::crawler

// A small HTTP server on loopback, for tests: a thread for each connection.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/thread.hpp"

namespace heddle::threadlab {

class TestServer {
 public:
  // Path -> body; a path that is not there is 404, one that begins with "/stall" is never answered.
  explicit TestServer(std::map<std::string, std::string> bodies);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::string url(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }

 private:
  void accept_all();
  void serve(int peer);

  const std::map<std::string, std::string> bodies_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<bool> ends_{false};
  std::mutex mutex_;  // guards what follows
  std::vector<int> peers_;
  std::vector<base::Thread> threads_;
  base::Thread accepting_;
};

}  // namespace heddle::threadlab

// A folder in memory for a test's stores, removed at its end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/assert.hpp"

namespace heddle::objectbase {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::exists("/dev/shm") ? "/dev/shm/objectbase-XXXXXX" : "/tmp/objectbase-XXXXXX";
    HEDDLE_ASSERT(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::objectbase

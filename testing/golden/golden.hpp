// Golden files (schemas/golden/): what every writer writes from known input, and every reader reads. A writer's test
// compares what it writes with the file, or writes the file anew where HEDDLE_WRITE_GOLDEN is set.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace heddle::golden {

class Files {
 public:
  explicit Files(std::string folder) : folder_(std::move(folder)) {}

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string content(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    EXPECT_TRUE(stream) << path(name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // The values of the fields in a binary file.
  nlohmann::json values(const std::string& name) const {
    return nlohmann::json::parse(content("values.json")).at(name);
  }

  void expect_same(const std::string& name, const std::string& written) const {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): tests have one thread here
    if (std::getenv("HEDDLE_WRITE_GOLDEN") != nullptr) std::ofstream(path(name), std::ios::binary) << written;
    EXPECT_TRUE(written == content(name)) << name << " is not what schemas/golden/ has; schemas/golden/README.md says "
                                          << "what to do. It would be:\n"
                                          << written;
  }

 private:
  const std::string folder_;
};

}  // namespace heddle::golden

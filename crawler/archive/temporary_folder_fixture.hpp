// A folder that a test has to itself, and that is gone when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace heddle::crawler {

class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() { std::filesystem::create_directories(folder_); }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void put_file(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("archive." + std::to_string(::getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace heddle::crawler

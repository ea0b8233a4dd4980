// A file that a command writes.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "threadlab/data/data.hpp"
#include "threadlab/data/digest.hpp"

namespace heddle::threadlab {

class File : public Data {
 public:
  explicit File(std::string path) : Data(std::move(path)) {}

  const std::string& path() const { return name(); }
  std::string result() const override {
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path().c_str(), "rbe"), &std::fclose);
    if (!file) return "";
    Digest digest;
    std::array<char, 65536> bytes{};
    while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get()))
      digest.add(bytes.data(), count);
    return quoted(digest.hex());
  }
};

}  // namespace heddle::threadlab

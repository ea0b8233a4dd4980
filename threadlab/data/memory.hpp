// Bytes that arrive bit by bit, and that several commands may read meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "threadlab/data/data.hpp"
#include "threadlab/data/digest.hpp"

namespace heddle::threadlab {

class Memory : public Data {
 public:
  using Data::Data;
  // Complete from the beginning.
  Memory(std::string name, std::string_view bytes) : Data(std::move(name)) {
    append(bytes, false);
    close();
  }

  void append(std::string_view bytes, bool locks) {
    if (bytes.empty()) return;
    {
      const Guard guard(*this, locks);
      bytes_.append(bytes);
    }
    changed();
  }

  // Copies bytes from `from` on, and returns how many there were. They are copied because `bytes_` may move.
  std::size_t read(std::size_t from, char* into, std::size_t most, bool locks) {
    const Guard guard(*this, locks);
    const std::size_t count = from < bytes_.size() ? std::min(most, bytes_.size() - from) : 0;
    if (count > 0) std::memcpy(into, bytes_.data() + from, count);
    return count;
  }

  // When no command runs.
  const std::string& bytes() const { return bytes_; }
  std::string result() const override {
    Digest digest;
    digest.add(bytes_.data(), bytes_.size());
    return quoted(digest.hex());
  }

 private:
  std::string bytes_;
};

}  // namespace heddle::threadlab

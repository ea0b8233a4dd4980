// Thrown for bad input. The message is one line that says what is wrong and what to do about it; main() prints the line
// and exits with kBadInput.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::elyze {

inline constexpr int kBadInput = 2;

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace heddle::elyze

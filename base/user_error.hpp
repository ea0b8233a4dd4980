// What is wrong with something the user gave us, in one line that also says what to do about it.
//
// Start-up code catches it, prints "heddle: " and the line, and leaves with exit code 2 before the program's main runs.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace heddle::base {

class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& line) : std::runtime_error(line) {}
};

// The words for errno's value; unlike strerror(), from any thread.
inline std::string errno_text() { return std::generic_category().message(errno); }

}  // namespace heddle::base

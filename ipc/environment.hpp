// The environment that a program must be started with to be recorded: the library is preloaded, and knows its folder.
#pragma once

#include <cstddef>

namespace heddle::ipc {

// Before the program starts: where the library lies, and the folder. False if they are too long.
bool remember_environment(const char* library, const char* folder);

// What is missing in an environment that is about to be handed on. May be made in a child of vfork().
class Environment {
 public:
  explicit Environment(char* const* given);

  bool is_whole() const { return has_library_ && has_folder_; }

  // With what is missing: how many entries, the null at the end included; and bytes for one of them.
  std::size_t entries() const { return count_ + 3; }
  std::size_t list_bytes() const;
  void write(char** whole, char* list) const;

 private:
  char* const* given_;
  std::size_t count_ = 0;
  std::size_t list_at_ = 0;  // which one LD_PRELOAD is, from 1; 0 if it is not there
  bool has_library_ = false;
  bool has_folder_ = false;
};

}  // namespace heddle::ipc

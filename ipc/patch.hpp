// Puts functions of ours in the place of functions of the C library, for all their callers.
//
// A preloaded library that defines write() is called by the program, but not by the C library itself: printf() and
// fgets() call their own write and read, and most programs talk through pipes by them. So the function's first
// instructions are replaced by a jump to ours. The ones that stood there are moved to a page nearby, from where a jump
// leads back behind them: to call that is to call the function as it was. Frames look as they did before, so
// cancellation and exceptions find their way.
//
// Only instructions are moved that are known to do the same elsewhere; a function that begins otherwise, or that may
// jump into what was moved, stays as it is, and the caller is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::ipc {

struct Instruction {
  std::size_t length = 0;
  std::size_t displacement = 0;  // where its distance from the next instruction begins, 0 if it has none
};

// The instruction at `code` if it can be moved; `most` bytes may be looked at. x86-64 only.
std::optional<Instruction> movable(const std::uint8_t* code, std::size_t most);

// Whether a jump within the `bytes` bytes at `function` may lead to one of its first `moved`, other than the first.
bool may_jump_into(const std::uint8_t* function, std::size_t bytes, std::size_t moved);

class Patcher {
 public:
  // Makes the C library's code writable, until the end; the process must have one thread. What fails, ready() tells.
  Patcher();
  ~Patcher();
  Patcher(const Patcher&) = delete;
  Patcher& operator=(const Patcher&) = delete;

  bool ready() const { return room_ != nullptr; }

  // The function is called by way of `ours` from now on, and `*next` is the function as it was. False, with all as it
  // was, if it cannot be.
  bool replace(const char* name, void* ours, void** next);

 private:
  bool find_library();
  std::uint8_t* near_page() const;

  void* library_ = nullptr;
  std::uint8_t* text_ = nullptr;  // the pages with code
  std::size_t text_bytes_ = 0;
  std::uint8_t* room_ = nullptr;  // for moved instructions
  std::size_t used_ = 0;
};

}  // namespace heddle::ipc

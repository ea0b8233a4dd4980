#include "multivent/libev/memory.hpp"

#include <cstdio>
#include <cstdlib>

namespace heddle::multivent::libev {

namespace {

// Written by the program before it uses libev, as ev(3) asks.
Allocator allocator_of_program = nullptr;
ErrorFunction error_function = nullptr;

}  // namespace

void set_allocator(Allocator allocator) { allocator_of_program = allocator; }
void set_error_function(ErrorFunction function) { error_function = function; }

void* take(std::size_t size) {
  void* const memory =
      allocator_of_program != nullptr ? allocator_of_program(nullptr, static_cast<long>(size)) : std::malloc(size);
  if (memory != nullptr) return memory;
  std::fprintf(stderr, "(libev) cannot allocate %zu bytes, aborting.", size);
  std::abort();
}

void give_back(void* memory) {
  if (allocator_of_program != nullptr) {
    allocator_of_program(memory, 0);
  } else {
    std::free(memory);
  }
}

void system_error(const char* message) {
  if (error_function != nullptr) {
    error_function(message);
    return;
  }
  std::perror(message);
  std::abort();
}

}  // namespace heddle::multivent::libev

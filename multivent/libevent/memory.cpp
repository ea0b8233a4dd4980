// Allocation as event_set_mem_functions() has it, for us and for the rest of libevent.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "multivent/libevent/abi.hpp"

namespace {

void* (*malloc_function)(std::size_t) = nullptr;
void* (*realloc_function)(void*, std::size_t) = nullptr;
void (*free_function)(void*) = nullptr;

}  // namespace

void event_set_mem_functions(void* (*malloc_fn)(std::size_t), void* (*realloc_fn)(void*, std::size_t),
                             void (*free_fn)(void*)) {
  malloc_function = malloc_fn;
  realloc_function = realloc_fn;
  free_function = free_fn;
}

bool heddle::multivent::program_allocates() { return malloc_function != nullptr; }

void* event_mm_malloc_(std::size_t size) {
  if (size == 0) return nullptr;
  return malloc_function != nullptr ? malloc_function(size) : std::malloc(size);
}

void* event_mm_calloc_(std::size_t count, std::size_t size) {
  if (count == 0 || size == 0) return nullptr;
  if (malloc_function == nullptr) return std::calloc(count, size);
  std::size_t bytes = 0;
  void* memory = __builtin_mul_overflow(count, size, &bytes) ? nullptr : malloc_function(bytes);
  if (memory == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  return std::memset(memory, 0, bytes);
}

char* event_mm_strdup_(const char* text) {
  if (text == nullptr) {
    errno = EINVAL;
    return nullptr;
  }
  if (malloc_function == nullptr) return strdup(text);
  const std::size_t bytes = std::strlen(text) + 1;
  void* memory = malloc_function(bytes);
  if (memory == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  return static_cast<char*>(std::memcpy(memory, text, bytes));
}

void* event_mm_realloc_(void* memory, std::size_t size) {
  return realloc_function != nullptr ? realloc_function(memory, size) : std::realloc(memory, size);
}

void event_mm_free_(void* memory) {
  if (free_function != nullptr) {
    free_function(memory);
  } else {
    std::free(memory);
  }
}

#include "ipc/environment.hpp"

#include <cstring>
#include <string_view>

#include "schemas/environment.hpp"

namespace heddle::ipc {

namespace {

constexpr char kPreload[] = "LD_PRELOAD=";
constexpr std::size_t kLongestEntry = 4096;

// NAME=VALUE, both.
constinit char preload[kLongestEntry] = {};
constinit char folder_entry[kLongestEntry] = {};

// Writes a text with its end, and returns where that is.
char* append(char* to, const char* text) {
  const std::size_t bytes = std::strlen(text);
  std::memcpy(to, text, bytes + 1);
  return to + bytes;
}

bool put(char (&to)[kLongestEntry], const char* first, const char* second, const char* third) {
  if (std::strlen(first) + std::strlen(second) + std::strlen(third) >= kLongestEntry) return false;
  append(append(append(to, first), second), third);
  return true;
}

}  // namespace

bool remember_environment(const char* library, const char* folder) {
  return put(preload, kPreload, library, "") && put(folder_entry, schemas::environment::kIpcFolder, "=", folder);
}

Environment::Environment(char* const* given) : given_(given) {
  for (; given_ != nullptr && given_[count_] != nullptr; ++count_) {
    const std::string_view entry = given_[count_];
    if (entry == folder_entry) has_folder_ = true;
    if (!entry.starts_with(kPreload)) continue;
    list_at_ = count_ + 1;
    has_library_ = std::strstr(given_[count_], preload + sizeof kPreload - 1) != nullptr;
  }
}

std::size_t Environment::list_bytes() const {
  return std::strlen(preload) + (list_at_ == 0 ? 0 : std::strlen(given_[list_at_ - 1])) + 2;
}

void Environment::write(char** whole, char* list) const {
  std::size_t used = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (has_library_ || i + 1 != list_at_) whole[used++] = given_[i];
  if (!has_library_) {
    char* const end = append(list, preload);
    const char* const earlier = list_at_ != 0 ? given_[list_at_ - 1] + sizeof kPreload - 1 : "";
    if (*earlier != 0) append(append(end, ":"), earlier);
    whole[used++] = list;
  }
  if (!has_folder_) whole[used++] = folder_entry;
  whole[used] = nullptr;
}

}  // namespace heddle::ipc

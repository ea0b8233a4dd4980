// What the programs of this folder have in common: each keeps objects of 20 slots in another store, and measures
//
//   read COUNT     nanoseconds to read one slot of 8 bytes, of an object that changes from read to read
//   commit COUNT   nanoseconds to give all 20 slots of an object new values of 200 bytes, in a transaction of its own
//
// Times are processor time. Nothing is forced to the disk: files lie in memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>

namespace figures {

inline constexpr unsigned kSlots = 20;
inline constexpr unsigned kObjects = 1'000;
inline constexpr std::size_t kBytes = 200;

inline double seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Of objects, in an order that no cache foresees.
inline unsigned next(unsigned object) { return (object * 617 + 331) % kObjects; }

// A folder in memory for the store, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = "/dev/shm/stores-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::exit(1);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path path;
};

// `call(object)` so often, each with another object.
template <class Call>
void print_each(std::size_t count, Call call) {
  unsigned object = 0;
  const double start = seconds();
  for (std::size_t i = 0; i < count; ++i) call(object = next(object));
  std::printf("%.3f\n", (seconds() - start) / static_cast<double>(count) * 1e9);
}

// STORE has commit(object) and read(object), which returns the number in the slot.
template <class Store>
int measure(int words, char** word) {
  if (words != 3) return 2;
  const std::string what = word[1];
  const auto count = static_cast<std::size_t>(std::strtoull(word[2], nullptr, 10));
  Store store;
  std::int64_t sum = 0;
  if (what == "read") print_each(count, [&](unsigned object) { sum += store.read(object); });
  if (what == "commit") print_each(count, [&](unsigned object) { store.commit(object); });
  return sum == 0x5eed ? 1 : 0;
}

}  // namespace figures

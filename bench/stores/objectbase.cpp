#include "objectbase/objectbase.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/stores/figures.hpp"

namespace {

using namespace heddle::objectbase;

class Objects {
 public:
  Objects() {
    Transaction change = store_.begin();
    for (unsigned i = 0; i < figures::kObjects; ++i) {
      ids_.push_back(change.create(type_));
      change.set(ids_.back(), 0, Value(std::int64_t{i}));
    }
    change.commit();
  }

  std::int64_t read(unsigned object) { return *store_.integer(ids_[object], 0); }

  void commit(unsigned object) {
    text_[0] = static_cast<char>('a' + object % 26);
    Transaction change = store_.begin();
    for (unsigned slot = 0; slot < figures::kSlots; ++slot) change.set(ids_[object], slot, text_);
    change.commit();
  }

 private:
  figures::Folder folder_;
  Store store_ = Store::create(folder_.path / "store");
  Class type_ = store_.define("Object", {});
  std::vector<ObjectId> ids_;
  std::string text_ = std::string(figures::kBytes, 'x');
};

// Of a store with so many objects of 4 slots with integers: microseconds to open it to read, and to read an object;
// bytes of the file for each object.
int open_with(std::size_t count) {
  constexpr unsigned kSlots = 4;
  constexpr std::size_t kTogether = 10'000;
  constexpr int kTimes = 51;
  const figures::Folder folder;
  const std::filesystem::path path = folder.path / "store";
  ObjectId last;
  std::uint64_t bytes = 0;
  {
    Store store = Store::create(path);
    const Class type = store.define("Object", {"a", "b", "c", "d"});
    for (std::size_t made = 0; made < count;) {
      Transaction change = store.begin();
      for (std::size_t i = 0; i < kTogether && made < count; ++i, ++made) {
        last = change.create(type);
        for (unsigned slot = 0; slot < kSlots; ++slot) change.set(last, slot, static_cast<std::int64_t>(made));
      }
      change.commit();
    }
    bytes = store.figures().blocks;
  }
  std::vector<double> times;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Store store = Store::open(path, Access::kRead);
    if (store.integer(last, 0) != static_cast<std::int64_t>(count) - 1) return 1;
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%.3f %.3f\n", times[times.size() / 2], static_cast<double>(bytes) / static_cast<double>(count));
  return 0;
}

}  // namespace

int main(int words, char** word) {
  if (words == 3 && std::string_view(word[1]) == "open") return open_with(std::strtoull(word[2], nullptr, 10));
  return figures::measure<Objects>(words, word);
}

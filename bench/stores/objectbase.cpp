#include "objectbase/objectbase.hpp"

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

}  // namespace

int main(int words, char** word) { return figures::measure<Objects>(words, word); }

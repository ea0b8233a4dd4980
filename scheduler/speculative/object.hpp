// What events share: an object that transactions read and write as a whole.
//
// Writes are lazy: a transaction keeps what it will write in a Write of its own, and the object changes when it
// commits. Types of objects are in cell.hpp and containers.hpp; to add one, derive from both classes here.
//
// An object changes only while a commit, or an event that runs alone, excludes all readers (transaction.hpp). So its
// fields, and those of the types derived from it, need no lock of their own.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle::speculative {

template <class Sync>
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 protected:
  Object() = default;
  ~Object() = default;

 private:
  template <class S>
  friend class BasicTransaction;
  template <class S>
  friend class BasicLoop;

  // How often reading it early was in vain. One that every event reads and writes, a counter say, is hot after the
  // first time: whoever reads it waits for its turn instead, which makes its read final. One for which events waited
  // and that did not change meanwhile cools down.
  struct Past {
    unsigned heat = 0;
    std::uint64_t changed = 0;  // number of the commit that wrote it last
  };
  static constexpr unsigned kHot = 2;
  static constexpr unsigned kHeats = 2;
  static constexpr unsigned kHottest = 8;

  bool hot() const { return past_.read().heat >= kHot; }
  std::uint64_t changed() const { return past_.read().changed; }
  void heat() { past_.write().heat = std::min(past_.read().heat + kHeats, kHottest); }
  void cool() {
    if (past_.read().heat > 0) --past_.write().heat;
  }
  void note_changed(std::uint64_t commit) { past_.write().changed = commit; }

  typename Sync::template Plain<Past> past_;
};

// What a transaction will do to one object.
template <class Sync>
class Write {
 public:
  explicit Write(Object<Sync>& object) : object_(object) {}
  virtual ~Write() = default;
  Write(const Write&) = delete;
  Write& operator=(const Write&) = delete;

  Object<Sync>& object() const { return object_; }

  // All that can fail of apply(), at a time when nobody else can change the object. May be called again, and does then
  // what has been added since.
  virtual void prepare() = 0;
  // Changes the object, with all readers excluded.
  virtual void apply() noexcept = 0;

 private:
  Object<Sync>& object_;
};

}  // namespace heddle::speculative

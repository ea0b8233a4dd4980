// Small containers that events share. Each is made of objects that conflict on their own, so two events that use
// different parts of one do not disturb each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/speculative/cell.hpp"

namespace heddle::speculative {

// A fixed number of cells.
template <class Sync, class T>
class BasicArray {
 public:
  explicit BasicArray(std::size_t count, const T& value = {}) {
    for (std::size_t i = 0; i < count; ++i) cells_.emplace_back(value);
  }

  std::size_t size() const { return cells_.size(); }
  BasicCell<Sync, T>& operator[](std::size_t index) { return cells_[index]; }
  const BasicCell<Sync, T>& operator[](std::size_t index) const { return cells_[index]; }

 private:
  std::deque<BasicCell<Sync, T>> cells_;
};

// Keys and values, in a fixed number of buckets. Events conflict on a bucket if one of them changes it; the size is
// only read by those that ask for it.
template <class Sync, class Key, class Value, class Hash = std::hash<Key>>
class BasicMap {
 public:
  explicit BasicMap(std::size_t buckets = 64) : buckets_(buckets) {}

  std::optional<Value> find(BasicTransaction<Sync>& transaction, const Key& key) const {
    return bucket(key).look(transaction, [&](const Bucket& entries) -> std::optional<Value> {
      const auto at = place(entries, key);
      if (at == entries.end()) return std::nullopt;
      return at->second;
    });
  }

  // True if the key is new.
  bool put(BasicTransaction<Sync>& transaction, const Key& key, Value value) {
    Bucket entries = bucket(key).get(transaction);
    const auto at = place(entries, key);
    const bool added = at == entries.end();
    if (added) {
      entries.emplace_back(key, std::move(value));
    } else {
      at->second = std::move(value);
    }
    bucket(key).set(transaction, std::move(entries));
    if (added) size_.update(transaction, [](std::size_t& size) { ++size; });
    return added;
  }

  // True if it was there.
  bool erase(BasicTransaction<Sync>& transaction, const Key& key) {
    Bucket entries = bucket(key).get(transaction);
    const auto at = place(entries, key);
    if (at == entries.end()) return false;
    entries.erase(at);
    bucket(key).set(transaction, std::move(entries));
    size_.update(transaction, [](std::size_t& size) { --size; });
    return true;
  }

  std::size_t size(BasicTransaction<Sync>& transaction) const { return size_.get(transaction); }

 private:
  using Bucket = std::vector<std::pair<Key, Value>>;

  template <class Entries>
  static auto place(Entries& entries, const Key& key) {
    return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
  }
  BasicCell<Sync, Bucket>& bucket(const Key& key) { return buckets_[Hash{}(key) % buckets_.size()]; }
  const BasicCell<Sync, Bucket>& bucket(const Key& key) const { return buckets_[Hash{}(key) % buckets_.size()]; }

  BasicArray<Sync, Bucket> buckets_;
  BasicCell<Sync, std::size_t> size_{0};
};

// What events leave behind, in event order. Events that only append do not conflict. A list, so that a commit takes
// over what an event has added without a copy, and cannot fail.
template <class Sync, class T>
class BasicLog : public Object<Sync> {
 public:
  void append(BasicTransaction<Sync>& transaction, T entry) {
    if (transaction.direct()) {
      entries_.write().push_back(std::move(entry));
    } else {
      transaction.template own_or_new<Added>(*this).entries.push_back(std::move(entry));
    }
  }

  std::size_t size(BasicTransaction<Sync>& transaction) const {
    return transaction.look(*this, [this] { return entries_.read().size(); }) + added(transaction).size();
  }

  // Takes as many steps as there are entries before it.
  T at(BasicTransaction<Sync>& transaction, std::size_t index) const {
    return transaction.look(*this, [&] {
      const std::list<T>& committed = entries_.read();
      const bool own = index >= committed.size();
      const auto first = own ? added(transaction).begin() : committed.begin();
      return *std::next(first, static_cast<std::ptrdiff_t>(own ? index - committed.size() : index));
    });
  }

  // While no loop runs.
  std::list<T>& outside() { return entries_.write(); }

 private:
  struct Added final : Write<Sync> {
    explicit Added(BasicLog& to) : Write<Sync>(to), log(to) {}
    void prepare() override {}
    void apply() noexcept override {
      std::list<T>& all = log.entries_.write();
      all.splice(all.end(), entries);
    }

    BasicLog& log;
    std::list<T> entries;
  };

  const std::list<T>& added(BasicTransaction<Sync>& transaction) const {
    static const std::list<T> kNone;
    const Added* const own = transaction.direct() ? nullptr : transaction.template own<Added>(*this);
    return own == nullptr ? kNone : own->entries;
  }

  typename Sync::template Plain<std::list<T>> entries_;
};

}  // namespace heddle::speculative

// A variable that events share.
//
//   Cell<int> visits;                                       a value of any type that can be copied
//   visits.get(transaction)                                 a copy
//   visits.set(transaction, 3)
//   visits.update(transaction, [](int& n) { ++n; })         changes it without a look: events that only do so, as
//                                                           counters and totals are used, do not conflict, for updates
//                                                           are made at commit, in event order
//   visits.look(transaction, [](const int& n) { ... })      reads in place; the function must be short, and touch no
//                                                           other cell
//   visits.outside()                                        the value itself, while no loop runs
//
// The function of an update may be called later than it is given, more than once on different copies, and on another
// thread: it touches nothing but the value and what it has copied.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler/speculative/transaction.hpp"

namespace heddle::speculative {

template <class Sync, class T>
class BasicCell : public Object<Sync> {
  static_assert(std::is_copy_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                "a commit moves the value into the cell, and cannot fail there");

 public:
  BasicCell() = default;
  explicit BasicCell(T value) : value_(std::move(value)) {}

  T get(BasicTransaction<Sync>& transaction) const {
    return look(transaction, [](const T& value) { return value; });
  }

  template <class Read>
  auto look(BasicTransaction<Sync>& transaction, Read read) const {
    if (!transaction.direct()) {
      if (Change* const change = transaction.template own<Change>(*this)) return read(change->value(transaction));
    }
    return transaction.look(*this, [&] { return read(value_.read()); });
  }

  void set(BasicTransaction<Sync>& transaction, T value) {
    if (transaction.direct()) {
      value_.write() = std::move(value);
    } else {
      transaction.template own_or_new<Change>(*this).set(std::move(value));
    }
  }

  template <class Update>
  void update(BasicTransaction<Sync>& transaction, Update update) {
    if (transaction.direct()) {
      update(value_.write());
    } else {
      transaction.template own_or_new<Change>(*this).update(transaction, std::move(update));
    }
  }

  T& outside() { return value_.write(); }

 private:
  class Change final : public Write<Sync> {
   public:
    explicit Change(BasicCell& cell) : Write<Sync>(cell), cell_(cell) {}

    const T& value(BasicTransaction<Sync>& transaction) {
      transaction.catch_up([&] {
        if (!value_) transaction.look(cell_, [this] { value_ = cell_.value_.read(); });
        prepare();
      });
      return *value_;
    }

    void set(T value) {
      updates_.clear();
      value_ = std::move(value);
    }

    template <class Update>
    void update(BasicTransaction<Sync>& transaction, Update update) {
      if (!value_ && transaction.has_turn()) this->value(transaction);
      if (value_) {
        update(*value_);
      } else {
        updates_.emplace_back(std::move(update));
      }
    }

    void prepare() override {
      if (!value_) value_ = cell_.value_.read();
      for (const auto& update : updates_) update(*value_);
      updates_.clear();
    }
    void apply() noexcept override {
      if (value_) cell_.value_.write() = std::move(*value_);
    }

   private:
    BasicCell& cell_;
    std::optional<T> value_;
    std::vector<std::function<void(T&)>> updates_;  // of what the cell will hold when it is this one's turn
  };

  typename Sync::template Plain<T> value_;
};

}  // namespace heddle::speculative

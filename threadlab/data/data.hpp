// What commands read and write: a memory area, an image, a tree, a part of a canvas, cells.
//
// One command fills a piece of data, bit by bit, while others already work on what has come; so each piece says how far
// it has got. Its version rises whenever there is more, and it is open until its writer closes it: complete, or failed,
// with why. Cells and regions of a canvas, which several commands may write, are never closed.
//
// Under most models several threads use a piece of data at once, and a Guard locks it. Under some they cannot: one
// thread runs everything, or the scheduler keeps conflicting parts apart. There the guard does nothing (strategised
// locking: Schmidt et al., Pattern-Oriented Software Architecture 2, 2000), and the model, not the data, says which it
// is.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace heddle::threadlab {

class Data {
 public:
  explicit Data(std::string name) : name_(std::move(name)) {}
  virtual ~Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  const std::string& name() const { return name_; }

  // It may share bytes with another piece, as regions of one canvas do.
  virtual bool is_area() const { return false; }
  // Two areas that share bytes.
  virtual bool overlaps(const Data&) const { return false; }
  // Several commands may write it, in any order.
  virtual bool commutes() const { return false; }
  // SHA-256 or a number, as JSON; empty if there is nothing to compare. Called when no command runs.
  virtual std::string result() const { return ""; }

  // Acquire, with changed() and close(): who sees the version sees what was written before.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  bool closed() const { return state_.load(std::memory_order_acquire) != kOpen; }
  bool failed() const { return state_.load(std::memory_order_acquire) == kFailed; }
  // Why it failed. Needs failed().
  const std::string& failure() const { return failure_; }

  // By the writer: there is more.
  void changed() { version_.fetch_add(1, std::memory_order_release); }
  // By the writer, or on its behalf: there will be no more. Empty: it is complete. The first call counts.
  void close(std::string failure = "") {
    if (closed()) return;
    failure_ = std::move(failure);
    state_.store(failure_.empty() ? kComplete : kFailed, std::memory_order_release);
    changed();
  }

 private:
  friend class Guard;
  enum State : std::uint8_t { kOpen, kComplete, kFailed };

  const std::string name_;
  std::mutex mutex_;  // guards what subclasses hold, where the model locks
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint8_t> state_{kOpen};
  std::string failure_;  // written before state_ becomes kFailed, constant from then on
};

// Excludes others from a piece of data while it lives, if the model wants that.
class Guard {
 public:
  Guard(Data& data, bool locks) : data_(locks ? &data : nullptr) {
    if (data_ != nullptr) data_->mutex_.lock();
  }
  ~Guard() {
    if (data_ != nullptr) data_->mutex_.unlock();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Data* const data_;
};

}  // namespace heddle::threadlab

// Pico: each command is a lightweight thread (pico/pico.hpp), which waits where its command does.
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <system_error>

#include "pico/pico.hpp"
#include "threadlab/models/model.hpp"

namespace heddle::threadlab {
namespace {

// What a command's thread waits by.
struct Turn {
  pico::Mutex mutex;  // guards due
  pico::Condition changed;
  bool due = true;
};

// A descriptor of a command, as pico watches it. A copy: pico closes what it watches.
class WatchedCopy {
 public:
  WatchedCopy() = default;
  ~WatchedCopy() { forget(); }
  WatchedCopy(const WatchedCopy&) = delete;
  WatchedCopy& operator=(const WatchedCopy&) = delete;

  void wait(int descriptor, base::Nanoseconds until) {
    if (descriptor != original_) {
      forget();
      copy_ = fcntl_copy(descriptor);
      watched_ = pico::Watched::take(copy_);
      original_ = descriptor;
    }
    // An edge may be behind us though there is more to read: the command stops reading where it has enough.
    pollfd now{descriptor, POLLIN, 0};
    if (poll(&now, 1, 0) == 0) watched_->wait(pico::Direction::kRead, until);
  }

 private:
  static int fcntl_copy(int descriptor) {
    const int copy = dup(descriptor);
    if (copy < 0) throw std::system_error(errno, std::generic_category(), "dup");
    return copy;
  }

  void forget() {
    if (watched_ == nullptr) return;
    watched_->give_back();
    close(copy_);
    watched_ = nullptr;
    original_ = -1;
  }

  int original_ = -1;
  int copy_ = -1;
  pico::Watched* watched_ = nullptr;
};

class PicoModel : public Model {
 public:
  explicit PicoModel(const ModelOptions& options) : workers_(options.workers) {}

  void run(Board& board, const Board::Tasks& due) override {
    pico::Options options;
    options.workers = workers_;
    pico::run(options, [&] {
      pico::Scope scope({.spread = workers_ > 1});
      post(board, scope, due);
      scope.join();
      board.figures().finish();  // while the workers live
    });
  }

  void wake_all() override {}  // no thread waits for longer than kLook

 private:
  // How often a thread that waits looks whether the run was given up.
  static constexpr std::chrono::milliseconds kLook{100};

  void post(Board& board, pico::Scope& scope, const Board::Tasks& due) {
    for (Task* const task : due) {
      Turn* const turn = turn_of(*task);
      if (turn == nullptr) {
        scope.spawn([this, &board, &scope, task] { serve(board, scope, *task); });
        continue;
      }
      const std::unique_lock lock(turn->mutex);
      turn->due = true;
      turn->changed.notify_one();
    }
  }

  // Null until the task is due for the first time.
  Turn* turn_of(Task& task) {
    const std::lock_guard lock(mutex_);
    if (task.waiter != nullptr) return static_cast<Turn*>(task.waiter);
    turns_.push_back(std::make_unique<Turn>());
    task.waiter = turns_.back().get();
    return nullptr;
  }

  void wait_for_turn(Board& board, pico::Scope& scope, Turn& turn) {
    std::unique_lock lock(turn.mutex);
    while (!turn.due) {
      turn.changed.wait_until(lock, pico::time_in(kLook));
      if (turn.due || base::monotonic_ns() < board.deadline()) continue;
      lock.unlock();
      post(board, scope, board.expire());
      lock.lock();
    }
    turn.due = false;
  }

  void serve(Board& board, pico::Scope& scope, Task& task) {
    Turn& turn = *static_cast<Turn*>(task.waiter);
    turn.due = false;
    WatchedCopy watched;
    for (;;) {
      // Parsers and decoders need more stack than a lightweight thread has.
      Board::Performed performed = pico::on_big_stack([&] { return board.perform(task); });
      const Step step = performed.step;
      Board::Tasks due = board.settle(task, performed);
      const bool goes_on = std::erase(due, &task) > 0;
      post(board, scope, due);
      if (step.then == Step::Then::kDone) return;
      if (goes_on) {
        pico::yield();
      } else if (step.waits_for == Step::For::kOther) {
        wait_for_turn(board, scope, turn);
      } else {
        const base::Nanoseconds look = base::monotonic_ns() + std::chrono::nanoseconds(kLook).count();
        const base::Nanoseconds until = std::min({step.until, board.deadline(), look});
        if (step.descriptor >= 0) {
          watched.wait(step.descriptor, until);
        } else {
          pico::sleep_until(pico::Time(std::chrono::nanoseconds(until)));
        }
      }
    }
  }

  const std::size_t workers_;
  std::mutex mutex_;  // guards turns_, and `waiter` of tasks
  std::vector<std::unique_ptr<Turn>> turns_;
};

}  // namespace

std::unique_ptr<Model> make_pico_model(const ModelOptions& options) { return std::make_unique<PicoModel>(options); }

}  // namespace heddle::threadlab

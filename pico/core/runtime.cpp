#include "pico/core/runtime.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "base/on_exit.hpp"
#include "pico/core/backtraces.hpp"
#include "pico/core/overflow.hpp"
#include "pico/core/scope.hpp"
#include "pico/core/watch.hpp"
#include "pico/record/record.hpp"

namespace heddle::pico {
namespace {

// How figures name the thread that waits for all others, and the first one.
struct AllOfARun {
  static constexpr const char* kPicoSite = "pico::run()";
};
struct MainFunction {
  static constexpr const char* kPicoSite = "the function of pico::run()";
  void operator()() const { function(); }
  const std::function<void()>& function;
};

}  // namespace

std::atomic<std::uint64_t> Runtime::backtraces{0};
std::atomic<unsigned> Runtime::looking{0};
std::array<std::atomic<Runtime*>, Runtime::kMostListed> Runtime::listed{};

Runtime::Runtime(const Options& options) : options_(options), pool_(mutex_, std::max<std::size_t>(options.workers, 1)) {
  if (Record* const record = Record::of_the_process()) record->begin(std::max<std::size_t>(options.workers, 1));
  for (std::size_t i = 0; i < std::max<std::size_t>(options.workers, 1); ++i)
    workers_.push_back(std::make_unique<Worker>(*this, i));
  for (auto& place : listed) {
    Runtime* nobody = nullptr;
    if (place.compare_exchange_strong(nobody, this, std::memory_order_seq_cst)) break;
  }
}

Runtime::~Runtime() {
  for (auto& place : listed) {
    Runtime* me = this;
    if (place.compare_exchange_strong(me, nullptr, std::memory_order_seq_cst)) break;
  }
  while (looking.load(std::memory_order_seq_cst) > 0) std::this_thread::yield();
}

void Runtime::run(const std::function<void()>& main) {
  if (Worker::of_this_thread() != nullptr)
    throw std::logic_error("pico::run() was called by a pico thread: spawn a thread, or make a Scope");
  debug::catch_overflows();
  // The first thread waits for all others, and is in a scope of its own.
  struct First final : Task {
    First(Runtime& runtime, const std::function<void()>& function) : runtime_of_all(runtime), main_function(function) {}
    const Site& site() const override { return SiteOf<AllOfARun>::site(); }
    void body() override {
      const base::OnExit end([this] { runtime_of_all.end(); });
      try {
        Scope root;
        runtime_of_all.set_root(&root);
        const base::OnExit leave([this] { runtime_of_all.set_root(nullptr); });
        root.spawn(MainFunction{main_function});
        root.join();
      } catch (...) {
        runtime_of_all.fail(std::current_exception());
      }
    }
    Runtime& runtime_of_all;
    const std::function<void()>& main_function;
  };
  const debug::Watch watch(*this, options_.report_blocking);
  debug::print_backtraces_on(options_.backtrace_signal);
  Scope outermost;
  workers_.front()->make_room();
  Task& first = *new First(*this, main);
  outermost.enlist(first);
  workers_.front()->hand_over(first);
  base::StdSync::Lock lock(mutex_);
  Kernel lent;
  const auto entered = pool_.enter(lent);
  if (workers_.size() > 1) hire();
  lock.unlock();
  workers_.front()->run();
  lock.lock();
  pool_.let_go(lock);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// A worker that has come up hires the next one, for only one may be on its way.
void Runtime::hire() {
  const auto start = [](unsigned number, auto live) {
    base::Thread thread(std::move(live));
    pthread_setname_np(thread.native_handle(), ("pico-" + std::to_string(number)).c_str());
    return thread;
  };
  const auto serve = [this](base::StdSync::Lock& lock, Kernel& me) {
    if (ended()) return;
    if (pool_.hired() + 1 < workers_.size()) hire();
    lock.unlock();
    workers_[me.number()]->run();
    lock.lock();
  };
  if (!pool_.hire(start, serve))
    std::fprintf(stderr, "pico: no kernel thread can be started for worker %zu of %zu; the others do its work\n",
                 pool_.hired() + 2, workers_.size());
}

void Runtime::end() {
  ended_.store(true, std::memory_order_seq_cst);
  for (const auto& worker : workers_) worker->wake();
}

void Runtime::fail(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  if (root_ != nullptr)
    root_->fail(error);
  else if (!error_)
    error_ = std::move(error);
}

void Runtime::adopt(Task& failed) {
  const std::scoped_lock lock(mutex_);
  if (root_ != nullptr)
    root_->adopt(failed);
  else if (!error_)
    error_ = failed.error;
}

void Runtime::set_root(Scope* root) {
  const std::scoped_lock lock(mutex_);
  root_ = root;
}

void Runtime::wake_one() {
  for (const auto& worker : workers_)
    if (worker->wake()) return;
}

Statistics Runtime::statistics() const {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

void Runtime::count(const TaskStatistics& task) {
  const std::scoped_lock lock(mutex_);
  ++statistics_.threads;
  statistics_.switches += task.switches;
  statistics_.ran += task.ran;
  statistics_.waited += task.waited;
  statistics_.queued += task.queued;
}

void Runtime::count_stolen(std::uint64_t tasks) {
  const std::scoped_lock lock(mutex_);
  statistics_.stolen += tasks;
}

// A runtime is taken off the list before it ends; a signal handler that has found it just before may run on another
// kernel thread, so whoever ends it waits for those that look (looking).
void Runtime::request_backtraces_of_all() {
  backtraces.fetch_add(1, std::memory_order_seq_cst);
  looking.fetch_add(1, std::memory_order_seq_cst);
  for (auto& place : listed)
    if (const Runtime* const runtime = place.load(std::memory_order_seq_cst))
      for (const auto& worker : runtime->workers_) worker->wake();
  looking.fetch_sub(1, std::memory_order_release);
}

}  // namespace heddle::pico

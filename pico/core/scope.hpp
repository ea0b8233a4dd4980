// Threads that end before the block in which they were started does (structured concurrency: Sústrik, libdill, 2016;
// Smith, Trio's nurseries, 2018).
//
//   pico::Scope scope;
//   for (const Url& url : urls) scope.spawn([&scope, url] { fetch(url); });
//   scope.join();
//
// Threads that a thread of a scope spawns belong to the same scope. If one ends by an exception that nobody asks its
// handle for, all others are cancelled, and join() throws it. A scope that is left without join(), by an exception say,
// cancels its threads and waits for them.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>

#include "pico/core/task.hpp"
#include "pico/core/thread.hpp"

namespace heddle::pico {

class Scope {
 public:
  struct Options {
    // Any worker may start the threads; otherwise they run on that of the thread that spawns them, never two at once.
    bool spread = false;
  };

  Scope() : Scope(Options()) {}
  explicit Scope(Options options) : options_(options) {}
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // A thread of this scope that calls `function` and goes on until that returns.
  template <class Function>
  auto spawn(Function function) {
    return detail::spawn_in(this, std::move(function));
  }

  // Waits until all threads have ended, those too that they spawn meanwhile. Throws the first exception that one left;
  // Cancelled, when all have ended, if the calling thread was cancelled.
  void join();

  // By anybody: cancels all threads that there are.
  void cancel();

  // How many threads have not ended.
  std::size_t alive() const;

  // For the runtime: a new task is of this scope, and is handed to a worker (add); the body of a task is called, and
  // all that wait for it are told (run).
  void enlist(Task& task);
  void add(Task& task);
  static void run(Task& task);
  // The scope that the calling thread belongs to.
  static Scope& current();

 private:
  void remove(Task& task, std::exception_ptr error);
  void wait_for_all();

  const Options options_;
  mutable std::mutex mutex_;  // guards what follows
  Task* youngest_ = nullptr;  // the list of those that have not ended
  std::size_t alive_ = 0;
  Task* waiter_ = nullptr;
  bool cancelled_ = false;
  std::exception_ptr error_;
};

}  // namespace heddle::pico

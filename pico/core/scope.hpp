// Threads that end before the block in which they were started does (structured concurrency: Sústrik, libdill, 2016;
// Smith, Trio's nurseries, 2018).
//
//   pico::Scope scope;
//   for (const Url& url : urls) scope.spawn([&scope, url] { fetch(url); });
//   scope.join();
//
// Threads that a thread of a scope spawns belong to the same scope. If one ends by an exception that nobody asks its
// handle for, all others are cancelled, and join() throws it; if its handle goes only then, it is so from then on. A
// scope that is left without join() cancels its threads and waits for them; what one of them has thrown comes out of
// run(), which ends all others, unless the scope is left by another exception.
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
  explicit Scope(Options options) : options_(options), uncaught_(std::uncaught_exceptions()) {}
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // A thread of this scope that calls `function` and goes on until that returns.
  template <class Function>
  auto spawn(Function function) {
    return detail::spawn_in(this, std::move(function));
  }

  // Waits until all threads have ended, those too that they spawn meanwhile. Throws the first exception that one left;
  // Cancelled, when all have ended, if the calling thread was cancelled; std::logic_error if another thread waits here;
  // std::system_error, EDEADLK, in a thread of this scope.
  void join();

  // By anybody: cancels all threads that there are, and those that are spawned before join() has returned.
  void cancel();

  // How many threads have not ended.
  std::size_t alive() const;

  // For the runtime: a new task is of this scope, and is handed to a worker (add; std::bad_alloc, and it is neither);
  // the body of a task is called, and all that wait for it are told (run).
  void enlist(Task& task);
  void add(Task& task);
  static void run(Task& task);
  // By the handle of a task that has left it an exception: it throws that (settle), or goes without (abandon).
  static void settle(Task& task);
  static void abandon(Task& task);
  // An exception that nobody will ask a handle for.
  void fail(std::exception_ptr error);
  // A task that has left an exception to its handle, whose own scope is no more.
  void adopt(Task& failed);
  // The scope that the calling thread belongs to.
  static Scope& current();

 private:
  void remove(Task& task, std::exception_ptr error, bool asked_for);
  void take_out(Task*& list, Task& task);
  void put_in(Task*& list, Task& task);
  void cancel_all();
  void fail_with(std::exception_ptr& error);
  void leave_failures();
  void wait_for_all();

  const Options options_;
  const int uncaught_;        // exceptions that were on their way when it was made
  Task* failed_ = nullptr;    // those that have left an exception to a handle that exists; see scope.cpp
  mutable std::mutex mutex_;  // guards what follows
  Task* youngest_ = nullptr;  // the list of those that have not ended
  std::size_t alive_ = 0;
  Task* waiter_ = nullptr;
  bool cancelled_ = false;
  bool has_failed_ = false;  // somebody was in failed_
  std::exception_ptr error_;
};

}  // namespace heddle::pico

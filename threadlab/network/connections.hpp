// The connections of one run, and how many transfers there may be at once.
//
// How many connections a model has decides more about its speed than the model does, so it is a parameter of its own.
// A transfer takes one of the slots and gives it back at its end; whoever finds none is put in line, and is handed the
// next one. A slot is a multi handle of libcurl, which keeps its connections open between transfers, with an epoll
// instance of its own, in which libcurl's descriptors are (epoll(7): an epoll instance can be polled itself). So a
// transfer waits for one descriptor only, under whatever model. The slot that was given back last is taken first: its
// connections are the youngest.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.hpp"

namespace heddle::threadlab {

class Task;

class Slot {
 public:
  // std::system_error, std::bad_alloc.
  Slot();
  ~Slot();
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  CURLM* multi() const { return multi_; }
  // Can be read when libcurl has something to do, other than because time has passed.
  int descriptor() const { return epoll_; }
  // When libcurl wants to be called at the latest; INT64_MAX: it does not.
  base::Nanoseconds until() const { return until_; }
  // Lets libcurl do what it can without blocking.
  void work();

 private:
  static int on_socket(CURL*, curl_socket_t socket, int what, void* slot, void* known);
  static int on_timer(CURLM*, long timeout_ms, void* slot);

  CURLM* multi_ = nullptr;
  int epoll_ = -1;
  base::Nanoseconds until_;
};

class Connections {
 public:
  explicit Connections(std::size_t most) : most_(most) {}

  // A slot, or null: then `task` is in line.
  Slot* take(Task& task);
  // The slot is free. The task that it was handed to, and that has to be woken; null if nobody is in line.
  Task* give_back(Slot& slot);
  // The slot that `task`, which was woken, has been handed; null if it was woken for another reason.
  Slot* handed_to(const Task& task);
  // `task` does not wait any more. A slot that it was handed meanwhile goes to the next in line, which is returned.
  Task* leave(const Task& task);

 private:
  struct Handed {
    const Task* task;
    Slot* slot;
  };

  Task* hand_on(Slot& slot);

  const std::size_t most_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> free_;  // a stack
  std::deque<Task*> line_;
  std::vector<Handed> handed_;
};

}  // namespace heddle::threadlab

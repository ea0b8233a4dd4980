// pico.h: each function calls its counterpart in C++, and makes errno of what that throws.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include "pico/c/pico.h"
#include "pico/core/worker.hpp"
#include "pico/pico.hpp"

struct pico_thread {
  heddle::pico::Thread<void*> thread;
};

struct pico_mutex {
  heddle::pico::Mutex mutex;
};

// A thread may be in a call while another one closes: whoever leaves last frees it. A socket may be used by threads of
// several workers.
struct pico_socket {
  explicit pico_socket(heddle::pico::Socket opened) : socket(std::move(opened)) {}
  heddle::pico::Socket socket;
  std::atomic<int> users{1};
};

namespace {

using namespace heddle::pico;

int number_of(const std::system_error& error) {
  return error.code().category() == std::generic_category() || error.code().category() == std::system_category()
             ? error.code().value()
             : EIO;
}

// The errno for the exception that is being handled. What is none of ours is a fault in this file, or was thrown by a
// C++ function that C has called, and goes on.
int error_of_caught() {
  try {
    throw;
  } catch (const Cancelled&) {
    return ECANCELED;
  } catch (const std::system_error& error) {
    return number_of(error);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::invalid_argument&) {
    return EINVAL;
  } catch (const std::logic_error&) {
    return EBUSY;  // two threads wait for one direction of a socket, or for one thread
  } catch (const std::runtime_error&) {
    return ENOENT;  // resolve()
  }
}

// call(), or -1 as its type has it, and errno.
template <class Call>
auto guarded(Call call) -> decltype(call()) {
  using Result = decltype(call());
  int error = EPERM;
  if (Worker::of_this_thread() != nullptr) {
    try {
      return call();
    } catch (...) {
      error = error_of_caught();
    }
  }
  errno = error;
  if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else
    return static_cast<Result>(-1);
}

template <class Call>
int done(Call call) {
  return guarded([&] {
    call();
    return 0;
  });
}

void release(pico_socket* socket) {
  // Acquire and release: whoever frees it sees what all others did with it.
  if (socket->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete socket;
}

// A call on a socket, which is there until it returns.
template <class Call>
auto using_socket(pico_socket* socket, Call call) {
  socket->users.fetch_add(1, std::memory_order_relaxed);
  const std::unique_ptr<pico_socket, decltype(&release)> user(socket, release);
  return guarded([&] { return call(socket->socket); });
}

Time time_of(std::int64_t nanoseconds) {
  return nanoseconds == PICO_NEVER ? kNever : Time(std::chrono::nanoseconds(nanoseconds));
}

// Figures tell the threads of C functions apart as little as C does types.
struct Spawned {
  static constexpr const char* kPicoSite = "pico_spawn()";
  void* operator()() const { return function(argument); }
  pico_function_t function;
  void* argument;
};

void put(void** result, void* value) {
  if (result != nullptr) *result = value;
}

}  // namespace

int pico_run(size_t workers, pico_function_t main_function, void* argument, void** result) {
  if (workers == 0 || Worker::of_this_thread() != nullptr) {
    errno = workers == 0 ? EINVAL : EDEADLK;
    return -1;
  }
  try {
    Options options;
    options.workers = workers;
    void* value = nullptr;
    run(options, [&] {
      Scope all({.spread = workers > 1});
      all.spawn([&] { value = main_function(argument); });
      all.join();
    });
    put(result, value);
    return 0;
  } catch (...) {
    errno = error_of_caught();
    return -1;
  }
}

pico_thread_t* pico_spawn(pico_function_t function, void* argument) {
  return guarded([&] {
    auto handle = std::make_unique<pico_thread>();
    handle->thread = spawn(Spawned{function, argument});
    return handle.release();
  });
}

int pico_join(pico_thread_t* thread, void** result) {
  return done([&] {
    void* value = nullptr;
    try {
      value = thread->thread.join();
    } catch (const Cancelled&) {
      if (thread->thread.joinable()) throw;  // it was the caller
    }
    put(result, value);
    delete thread;
  });
}

void pico_detach(pico_thread_t* thread) { delete thread; }

void pico_cancel(pico_thread_t* thread) { thread->thread.cancel(); }

int pico_yield() {
  return done([] { yield(); });
}

int pico_sleep(int64_t nanoseconds) {
  return done([=] { sleep_for(std::chrono::nanoseconds(nanoseconds)); });
}

int pico_sleep_until(int64_t time) {
  return done([=] { sleep_until(time_of(time)); });
}

int64_t pico_now() { return Clock::now().time_since_epoch().count(); }

pico_mutex_t* pico_mutex_new() {
  auto* const mutex = new (std::nothrow) pico_mutex;
  if (mutex == nullptr) errno = ENOMEM;
  return mutex;
}

void pico_mutex_free(pico_mutex_t* mutex) { delete mutex; }

int pico_mutex_lock(pico_mutex_t* mutex) {
  return done([=] { mutex->mutex.lock(); });
}

int pico_mutex_trylock(pico_mutex_t* mutex) {
  return done([=] {
    if (!mutex->mutex.try_lock()) throw std::system_error(EBUSY, std::generic_category());
  });
}

int pico_mutex_unlock(pico_mutex_t* mutex) {
  return done([=] { mutex->mutex.unlock(); });
}

pico_socket_t* pico_connect(const char* host, uint16_t port, int64_t deadline) {
  return guarded([=] { return new pico_socket(connect(host, port, time_of(deadline))); });
}

pico_socket_t* pico_listen(const char* address, uint16_t port) {
  return guarded([=] { return new pico_socket(listen(Endpoint::of_ip(address, port))); });
}

pico_socket_t* pico_accept(pico_socket_t* listening) {
  return using_socket(listening, [](Socket& socket) { return new pico_socket(socket.accept()); });
}

pico_socket_t* pico_socket_of(int descriptor) {
  return guarded([=] {
    Socket socket(descriptor);  // first, for it closes the descriptor where there is no memory
    return new pico_socket(std::move(socket));
  });
}

void pico_set_deadline(pico_socket_t* socket, int64_t deadline) { socket->socket.set_deadline(time_of(deadline)); }

ssize_t pico_read(pico_socket_t* socket, void* into, size_t size) {
  return using_socket(
      socket, [=](Socket& opened) { return static_cast<ssize_t>(opened.read({static_cast<char*>(into), size})); });
}

int pico_write(pico_socket_t* socket, const void* bytes, size_t size) {
  return using_socket(socket, [=](Socket& opened) {
    opened.write({static_cast<const char*>(bytes), size});
    return 0;
  });
}

int pico_shutdown_write(pico_socket_t* socket) {
  return using_socket(socket, [](Socket& opened) {
    opened.shutdown_write();
    return 0;
  });
}

uint16_t pico_local_port(pico_socket_t* socket) {
  const int port = using_socket(socket, [](Socket& opened) { return static_cast<int>(opened.local().port()); });
  return static_cast<uint16_t>(port < 0 ? 0 : port);
}

int pico_descriptor(const pico_socket_t* socket) { return socket->socket.descriptor(); }

void pico_close(pico_socket_t* socket) {
  if (socket == nullptr) return;
  socket->socket.close();
  release(socket);
}

int pico_on_helper(pico_function_t function, void* argument, void** result) {
  return done([=] { put(result, on_helper([=] { return function(argument); })); });
}

int pico_on_big_stack(pico_function_t function, void* argument, void** result) {
  return done([=] { put(result, on_big_stack([=] { return function(argument); })); });
}

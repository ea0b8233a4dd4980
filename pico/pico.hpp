// pico: threads so cheap that a program can have one for each thing that it does, in plain blocking code.
//
//   #include <pico/pico.hpp>
//
//   int main() {
//     pico::run([] {
//       pico::Socket listening = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 8080));
//       for (;;)
//         pico::spawn([peer = listening.accept()]() mutable {
//           char bytes[1024];
//           while (const std::size_t count = peer.read(bytes)) peer.write({bytes, count});
//         });
//     });
//   }
//
// What there is:
//   run, Options                   the runtime: kernel threads that run pico threads, until all of these have ended
//   spawn, Thread, Scope, yield    threads, their results, and blocks that wait for the threads they started
//   Cancelled, Shield              the end of a thread from outside
//   sleep_for, sleep_until         time
//   Mutex, Condition, Channel      threads that share data, or hand it on
//   Select                         the first of several
//   Socket, connect, listen, File  the network, files
//   on_helper, on_big_stack        calls that would stop a worker, or need more than 64 KB of stack
//
// A thread is switched away from only where it would wait. With one worker, which is the default, threads never run at
// once; so what is not interrupted by a call that may wait needs no lock.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "pico/core/cancelled.hpp"
#include "pico/core/helpers.hpp"
#include "pico/core/runtime.hpp"
#include "pico/core/scope.hpp"
#include "pico/core/thread.hpp"
#include "pico/io/file.hpp"
#include "pico/io/socket.hpp"
#include "pico/sync/channel.hpp"
#include "pico/sync/mutex.hpp"
#include "pico/sync/select.hpp"
#include "pico/time.hpp"

namespace heddle::pico {

// Calls `main` as the first pico thread and returns what it returns, when all threads have ended. Throws what `main`,
// or a thread that nobody has joined, has thrown; all others are cancelled then.
template <class Main>
auto run(const Options& options, Main main) {
  using Result = std::invoke_result_t<Main&>;
  Runtime runtime(options);
  if constexpr (std::is_void_v<Result>) {
    runtime.run([&] { main(); });
  } else {
    std::optional<Result> result;
    runtime.run([&] { result.emplace(main()); });
    if (!result) throw Cancelled();
    return std::move(*result);
  }
}

template <class Main>
auto run(Main main) {
  return run(Options(), std::move(main));
}

}  // namespace heddle::pico

namespace pico = heddle::pico;

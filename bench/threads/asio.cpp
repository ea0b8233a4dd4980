// Coroutines of C++20 on asio: they have no stack, so only coroutines can wait.
#include <asio.hpp>
#include <chrono>

#include "bench/threads/figures.hpp"

namespace {

struct Coroutines {
  static void take_turns(std::size_t live);
  static void create_and_join(std::size_t count);
  static void block(std::size_t count);
};

using Coroutine = asio::awaitable<void>;

auto yield() { return asio::post(asio::use_awaitable); }

Coroutine take_a_turn(std::size_t live, figures::Laps& laps) {
  laps.started();
  do co_await yield();
  while (!laps.all_started());
  for (std::size_t turn = figures::turns(live); turn > 0; --turn) co_await yield();
  laps.ended();
}

void Coroutines::take_turns(std::size_t live) {
  asio::io_context loop(1);
  figures::Laps laps(live);
  for (std::size_t i = 0; i < live; ++i) asio::co_spawn(loop, take_a_turn(live, laps), asio::detached);
  loop.run();
}

Coroutine nothing() { co_return; }

Coroutine create(std::size_t count) {
  const auto executor = co_await asio::this_coro::executor;
  const double start = figures::seconds();
  for (std::size_t i = 0; i < count; ++i) co_await asio::co_spawn(executor, nothing(), asio::use_awaitable);
  figures::print_created(count, start);
}

void Coroutines::create_and_join(std::size_t count) {
  asio::io_context loop(1);
  asio::co_spawn(loop, create(count), asio::detached);
  loop.run();
}

Coroutine wait_for_long(std::size_t& waiting) {
  asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::hours(1));
  ++waiting;
  co_await timer.async_wait(asio::use_awaitable);
}

void Coroutines::block(std::size_t count) {
  asio::io_context loop(1);
  std::size_t waiting = 0;
  const figures::Blocked all(count);
  for (std::size_t i = 0; i < count; ++i) asio::co_spawn(loop, wait_for_long(waiting), asio::detached);
  while (waiting < count) loop.poll();
  all.print();
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace

int main(int count, char** words) { return figures::main_of<Coroutines>(count, words); }

// The program that debug_test.cpp has gdb stop: threads that wait in functions of known names.
#include <chrono>
#include <cstdio>

#include "pico/pico.hpp"

// gdb stops here.
extern "C" [[gnu::noinline]] void all_wait() { std::puts("all wait"); }

namespace {

[[gnu::noinline]] void waits_for_a_value(pico::Channel<int>& channel) {
  channel.receive();
  std::puts("got it");
}

[[gnu::noinline]] void calls_what_waits(int depth, pico::Channel<int>& channel) {
  if (depth > 0)
    calls_what_waits(depth - 1, channel);
  else
    waits_for_a_value(channel);
  std::puts("returned");
}

[[gnu::noinline]] void waits_for_its_time() {
  pico::sleep_for(std::chrono::hours(1));
  std::puts("slept");
}

}  // namespace

int main() {
  pico::run([] {
    pico::Channel<int> channel(1);
    pico::Scope scope;
    scope.spawn([&] { calls_what_waits(2, channel); });
    scope.spawn([] { waits_for_its_time(); });
    pico::yield();
    all_wait();
    scope.cancel();
  });
}

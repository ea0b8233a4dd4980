#include "pico/pico.hpp"

#include <string_view>

#include "bench/threads/figures.hpp"

namespace {

struct PicoThreads {
  static void take_turns(std::size_t live);
  static void create_and_join(std::size_t count);
  static void block(std::size_t count);
};

void PicoThreads::take_turns(std::size_t live) {
  pico::run([live] {
    pico::Scope scope;
    figures::Laps laps(live);
    for (std::size_t i = 0; i < live; ++i)
      scope.spawn([live, &laps] {
        laps.started();
        do pico::yield();
        while (!laps.all_started());
        for (std::size_t turn = figures::turns(live); turn > 0; --turn) pico::yield();
        laps.ended();
      });
    scope.join();
  });
}

void PicoThreads::create_and_join(std::size_t count) {
  pico::run([count] {
    const double start = figures::seconds();
    for (std::size_t i = 0; i < count; ++i) pico::spawn([] {}).join();
    figures::print_created(count, start);
  });
}

void PicoThreads::block(std::size_t count) {
  pico::run([count] {
    pico::Scope scope;
    pico::Channel<int> never(1);
    std::size_t waiting = 0;
    const figures::Blocked all(count);
    for (std::size_t i = 0; i < count; ++i)
      scope.spawn([&] {
        ++waiting;
        never.receive();
      });
    while (waiting < count) pico::yield();
    all.print();
    std::fflush(stdout);
    std::_Exit(0);  // to end them all is not what is measured
  });
}

// Resident bytes of each of `count` threads that have not started.
void leave_unstarted(std::size_t count) {
  pico::run([count] {
    const double before = figures::resident_bytes();
    for (std::size_t i = 0; i < count; ++i) pico::spawn([] {});
    std::printf("%.0f\n", (figures::resident_bytes() - before) / static_cast<double>(count));
    std::fflush(stdout);
    std::_Exit(0);
  });
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string_view(words[1]) == "unstarted") leave_unstarted(std::strtoull(words[2], nullptr, 10));
  return figures::main_of<PicoThreads>(count, words);
}

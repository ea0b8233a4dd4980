// Boost.Fiber, with stacks as large as pico's.
#include <boost/fiber/all.hpp>
#include <vector>

#include "bench/threads/figures.hpp"

namespace {

struct Fibers {
  static void take_turns(std::size_t live);
  static void create_and_join(std::size_t count);
  static void block(std::size_t count);
};

namespace fibers = boost::fibers;

fibers::fixedsize_stack stacks() { return fibers::fixedsize_stack(figures::kStackBytes); }

void Fibers::take_turns(std::size_t live) {
  std::vector<fibers::fiber> all;
  figures::Laps laps(live);
  for (std::size_t i = 0; i < live; ++i)
    all.emplace_back(std::allocator_arg, stacks(), [live, &laps] {
      laps.started();
      do boost::this_fiber::yield();
      while (!laps.all_started());
      for (std::size_t turn = figures::turns(live); turn > 0; --turn) boost::this_fiber::yield();
      laps.ended();
    });
  for (fibers::fiber& one : all) one.join();
}

void Fibers::create_and_join(std::size_t count) {
  const double start = figures::seconds();
  for (std::size_t i = 0; i < count; ++i) fibers::fiber(std::allocator_arg, stacks(), [] {}).join();
  figures::print_created(count, start);
}

void Fibers::block(std::size_t count) {
  fibers::buffered_channel<int> never(2);
  std::vector<fibers::fiber> all;
  std::size_t waiting = 0;
  const figures::Blocked figure(count);
  for (std::size_t i = 0; i < count; ++i)
    all.emplace_back(std::allocator_arg, stacks(), [&] {
      ++waiting;
      int value = 0;
      never.pop(value);
    });
  while (waiting < count) boost::this_fiber::yield();
  figure.print();
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace

int main(int count, char** words) { return figures::main_of<Fibers>(count, words); }

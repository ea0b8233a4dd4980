// Boost.Context alone: each fiber switches to the next in a ring, by the public interface. There is no queue, nobody
// waits, and a fiber cannot be joined.
#include <sys/mman.h>

#include <boost/context/fiber.hpp>
#include <vector>

#include "bench/threads/figures.hpp"

namespace {

struct Contexts {
  static void take_turns(std::size_t live);
};

namespace context = boost::context;

// Stacks side by side in one mapping, as pico has them.
class Stacks {
 public:
  explicit Stacks(std::size_t count)
      : memory_(static_cast<char*>(mmap(nullptr, count * figures::kStackBytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    if (memory_ == MAP_FAILED) std::abort();
    madvise(memory_, count * figures::kStackBytes, MADV_NOHUGEPAGE);
  }
  context::stack_context allocate() {
    context::stack_context stack;
    stack.size = figures::kStackBytes;
    stack.sp = memory_ += figures::kStackBytes;
    return stack;
  }
  static void deallocate(context::stack_context&) {}

 private:
  char* memory_;
};

struct Borrowed {
  Stacks* stacks;
  context::stack_context allocate() const { return stacks->allocate(); }
  static void deallocate(context::stack_context&) {}
};

void Contexts::take_turns(std::size_t live) {
  Stacks stacks(live);
  std::vector<context::fiber> fibers(live);
  context::fiber main;
  for (std::size_t i = 0; i < live; ++i) {
    fibers[i] = context::fiber(std::allocator_arg, Borrowed{&stacks}, [&, i](context::fiber&& from) {
      const std::size_t next = i + 1 < live ? i + 1 : 0;
      const std::size_t before = i > 0 ? i - 1 : live - 1;
      // Back to the loop below, which has all others begin. The first one is switched to by main again, the others by
      // the one before them.
      main = std::move(from);
      context::fiber back = std::move(main).resume();
      (i == 0 ? main : fibers[before]) = std::move(back);
      const double start = figures::seconds();
      if (live > 1)
        for (std::size_t turn = figures::turns(live); turn > 0; --turn)
          fibers[before] = std::move(fibers[next]).resume();
      else
        for (std::size_t turn = figures::turns(live) / 2; turn > 0; --turn) main = std::move(main).resume();
      if (i == 0) figures::print_switched(live, start);
      return std::move(main);
    });
  }
  for (std::size_t i = 0; i < live; ++i) fibers[i] = std::move(fibers[i]).resume();
  main = std::move(fibers[0]).resume();
  if (live == 1)
    while (main) main = std::move(main).resume();
  std::fflush(stdout);
  std::_Exit(0);  // fibers that do not run cannot be ended but by exceptions
}

}  // namespace

int main(int count, char** words) { return figures::main_of<Contexts>(count, words); }

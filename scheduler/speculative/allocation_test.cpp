// Where speculation finds no memory an event runs as in a serial program, which needs none. A test program of its own,
// because it refuses a `new` of the process.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "scheduler/speculative/speculative.hpp"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();
std::atomic<long> until_refused = kNever;

}  // namespace

// Not inlined: GCC would see free() meet a pointer from `new` and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (until_refused.fetch_sub(1, std::memory_order_relaxed) == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace heddle::speculative {
namespace {

// With the allocation refused that is `refused`-th from now on; true if it came to that.
bool run_with_refused(long refused, Figures& figures) {
  constexpr std::size_t kCells = 20;
  Array<long> cells(kCells, 1);
  Cell<long> sum(0);
  Loop loop({.workers = 2, .way = Way::kParallel, .events_at_once = 2, .window = 4});
  for (std::size_t i = 0; i < 12; ++i) {
    loop.post([&, i](Transaction& transaction) {
      long seen = 0;
      for (std::size_t k = 0; k < 12; ++k) seen += cells[(5 * i + k) % kCells].get(transaction);
      for (std::size_t k = 0; k < 6; ++k)
        cells[(3 * i + k) % kCells].set(transaction, seen % 1009 + static_cast<long>(k));
      sum.update(transaction, [i, seen](long& value) { value = 31 * value + seen + static_cast<long>(i); });
    });
  }
  until_refused = refused;
  loop.run();
  const bool came = until_refused.exchange(kNever) < 0;
  figures = loop.figures();

  std::vector<long> expected(kCells, 1);
  long expected_sum = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    long seen = 0;
    for (std::size_t k = 0; k < 12; ++k) seen += expected[(5 * i + k) % kCells];
    for (std::size_t k = 0; k < 6; ++k) expected[(3 * i + k) % kCells] = seen % 1009 + static_cast<long>(k);
    expected_sum = 31 * expected_sum + seen + static_cast<long>(i);
  }
  for (std::size_t i = 0; i < kCells; ++i) EXPECT_EQ(cells[i].outside(), expected[i]) << "cell " << i;
  EXPECT_EQ(sum.outside(), expected_sum);
  EXPECT_EQ(figures.events, 12U);
  return came;
}

TEST(SpeculativeAllocation, TheOutcomeIsTheSameWhicheverIsRefused) {
  long refused = 0;
  std::uint64_t alone = 0;
  bool came = true;
  for (; came; ++refused) {
    Figures figures;
    came = run_with_refused(refused, figures);
    alone += figures.alone;
    ASSERT_FALSE(HasFailure()) << "allocation " << refused;
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(alone, 0U);
}

}  // namespace
}  // namespace heddle::speculative

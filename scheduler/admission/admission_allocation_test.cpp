// Admission allocates nothing once it has seen the program's load. A test program of its own, because it counts every
// `new` of the process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "scheduler/admission/admission.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

// Not inlined: GCC would see free() meet a pointer from `new` and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace heddle::scheduler {
namespace {

// Everything that can happen to an invocation: it starts at once, parks on a running or a queued one, is held because
// it is heavy, is cancelled.
void make_load(Admission& admission, std::vector<Invocation>& invocations) {
  for (Invocation& x : invocations) admission.enqueue(x, 0);
  for (std::size_t i = 0; i < invocations.size(); i += 7) admission.cancel(invocations[i]);
  std::size_t running = 0;
  std::size_t next = 0;
  static std::vector<Invocation*> started(invocations.size());
  while (admission.queued() > 0 || next < running) {
    while (Invocation* x = admission.take(running % 2 == 0, 0)) started[running++] = x;
    if (next < running) admission.complete(*started[next++], 0);
    while (Invocation* x = admission.take(true, 0)) started[running++] = x;
  }
}

TEST(AdmissionAllocation, NothingIsAllocatedOnceTheLoadHasBeenSeen) {
  Constraints constraints;
  const ClassId reader = constraints.add_class("reader");
  const ClassId writer = constraints.add_class("writer");
  const ClassId client = constraints.add_class("client");
  constraints.set(reader, reader, Verdict::kNever);
  constraints.set(client, client, Verdict::kSession);
  constraints.set(client, reader, Verdict::kSession);
  constraints.set(client, writer, Verdict::kNever);
  Admission admission(constraints);
  std::vector<Invocation> invocations(600);
  for (std::size_t i = 0; i < invocations.size(); ++i) {
    invocations[i].klass = static_cast<ClassId>(i % 50 == 0 ? kUnknownClass : 1 + i % 3);
    invocations[i].session = 64 * (i % 90);
    invocations[i].priority = static_cast<std::uint16_t>(i % 4);
    invocations[i].heavy = i % 5 == 0;
  }
  make_load(admission, invocations);
  const std::size_t allocations_before = allocations;
  for (int round = 0; round < 10; ++round) make_load(admission, invocations);
  EXPECT_EQ(allocations, allocations_before);
  EXPECT_GT(allocations_before, 0U);
}

}  // namespace
}  // namespace heddle::scheduler

// Who catches an exception by a base that is not its first gets a pointer into it (Itanium C++ ABI, exception handling
// 2.5.3).
// CONFLICT always: _ZL4on_aisPv _ZL4on_aisPv
// CONFLICT always: _ZL4on_aisPv _ZL4on_bisPv
// CONFLICT always: _ZL4on_bisPv _ZL4on_bisPv
#include "server.h"

struct Counter {
  int uses;
};
struct Code {
  virtual ~Code() = default;
  long code = 0;
};
struct Blame {
  virtual ~Blame() = default;
  Counter* counter = nullptr;
};
struct Failure : Code, Blame {};
static Counter* counter;

HANDLER(on_a) {
  UNUSED;
  try {
    Failure failure;
    failure.counter = counter;
    throw failure;
  } catch (Blame& blame) {
    blame.counter->uses++;
  }
}

HANDLER(on_b) {
  UNUSED;
  counter->uses++;
}

int main(void) {
  base = event_base_new();
  counter = new Counter();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

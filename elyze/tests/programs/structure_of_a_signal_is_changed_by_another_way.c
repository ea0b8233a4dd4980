// The structure for a signal is filled by a function, through a pointer that was kept, and in the round before.
// CONFLICT always: on_a on_a: first
// CONFLICT always: on_b on_b: second
// CONFLICT always: on_c on_c: third
// CONFLICT always: on_write on_a: first
// CONFLICT always: on_write on_b: second
// CONFLICT always: on_write on_c: third
// CONFLICT always: on_write on_write
#include <signal.h>
#include "server.h"
static long first, second, third;
static void by_function(int number) {
  (void)number;
  first++;
}
static void by_pointer(int number) {
  (void)number;
  second++;
}
static void of_the_round_before(int number) {
  (void)number;
  third++;
}
HANDLER(on_a) {
  UNUSED;
  first++;
}
HANDLER(on_b) {
  UNUSED;
  second++;
}
HANDLER(on_c) {
  UNUSED;
  third++;
}
HANDLER(on_write) {
  UNUSED;
  if (write(7, "x", 1) != 1) abort();
}
static void fill(struct sigaction* how) { how->sa_handler = by_function; }

int main(int argc, char** argv) {
  base = event_base_new();
  (void)argv;
  struct sigaction one = {0};
  one.sa_handler = SIG_IGN;
  fill(&one);
  sigaction(SIGPIPE, &one, NULL);
  struct sigaction two = {0}, *kept = argc > 1 ? &two : &one;
  two.sa_handler = SIG_IGN;
  kept->sa_handler = by_pointer;
  sigaction(SIGPIPE, &two, NULL);
  struct sigaction three = {0};
  for (int i = 0; i < argc; i++) {
    sigaction(SIGPIPE, &three, NULL);
    three.sa_handler = of_the_round_before;
  }
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_write, NULL);
  return event_base_dispatch(base);
}

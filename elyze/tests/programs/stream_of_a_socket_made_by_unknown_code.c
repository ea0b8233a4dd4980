// Unknown code opened the stream for a number that it was given: what is written out may go to any socket.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: open file of unknown origin
// CONFLICT always: on_a on_c: open file of unknown origin
// CONFLICT always: on_b on_b
// SAFE: on_b on_c
// SAFE: on_c on_c
#include "server.h"

extern FILE* stream_for(int);

static FILE *answers, *notes;
static int number;

HANDLER(on_a) {
  UNUSED;
  fputs("a\n", answers);
  fflush(answers);
  fputs("b\n", answers);
  fflush(answers);
}

HANDLER(on_b) {
  UNUSED;
  shutdown(number, SHUT_WR);
}

HANDLER(on_c) {
  UNUSED;
  fputs("c\n", notes);
  fflush(notes);
}

int main(void) {
  base = event_base_new();
  number = socket(AF_INET, SOCK_STREAM, 0);
  answers = stream_for(number);
  notes = fopen("/dev/null", "a");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}

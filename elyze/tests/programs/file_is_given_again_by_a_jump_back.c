// The jump leads behind the opening, in whose block setjmp stands: both sessions keep the one file.
#include "server.h"

#include <setjmp.h>

struct session {
  int file;
  long position;
};
static jmp_buf back;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->position = lseek(s->file, 1, SEEK_CUR);
}
// CONFLICT always: on_client on_client: session->file

int main(void) {
  base = event_base_new();
  volatile int made = 0;
  int file = open("data", O_RDONLY);
  setjmp(back);
  struct session *s = calloc(1, sizeof *s);
  s->file = file;
  when_readable(3 + made, on_client, s);
  if (made++ < 1) longjmp(back, 1);
  return event_base_dispatch(base);
}

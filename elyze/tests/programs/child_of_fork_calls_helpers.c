// The result of fork() comes through a wrapper, and the child works in functions that others call as well. One of them only
// writes, to the child's copy; the other one is called by the parent too.
// CONFLICT always: on_spawn on_spawn: children
// SAFE: on_spawn on_count
// CONFLICT always: on_spawn on_note: notes
// CONFLICT always: on_count on_count: counter
// SAFE: on_count on_note
// CONFLICT always: on_note on_note: notes
#include "server.h"

static int counter, notes;

static pid_t start(void) {
  pid_t pid = fork();
  return pid;
}

static void note(void) { notes++; }

static void set(int n) {
  if (n > 0) set(n - 1);
  counter = n;
}

HANDLER(on_spawn) {
  pid_t pid;
  UNUSED;
  switch (pid = start()) {
    case -1:
      return;
    case 0:
      set(3);
      note();
      _exit(0);
    default:
      note();
  }
}

HANDLER(on_count) {
  UNUSED;
  set(2);
}

HANDLER(on_note) {
  UNUSED;
  note();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_spawn, NULL);
  when_readable(4, on_count, NULL);
  when_readable(5, on_note, NULL);
  return event_base_dispatch(base);
}

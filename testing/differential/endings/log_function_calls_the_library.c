/* event_add() warns of a closed descriptor; the program's log function activates an event. */
#include "small.h"

static struct event* note;

static void on_log(int severity, const char* text) {
  (void)severity, (void)text;
  say("logged\n");
  event_active(note, EV_READ, 1);
}

HANDLER(on_spare) { UNUSED; }
HANDLER(on_note) {
  UNUSED;
  say("active\n");
}
HANDLER(on_wrong) {
  UNUSED;
  int closed = dup(0);
  close(closed);
  event_add(event_new(base, closed, EV_READ, on_spare, NULL), NULL);
}

int main(void) {
  event_set_log_callback(on_log);
  base = event_base_new();
  note = event_new(base, -1, 0, on_note, NULL);
  due(base, on_spare, NULL);
  due(base, on_wrong, NULL);
  event_base_dispatch(base);
  return 0;
}

// possible: logged\nactive\n=0
// event_add() of a closed descriptor warns; the program's log function activates an event, which libevent allows.
#include "p.h"
static struct event* note;
static void on_log(int severity, const char* text) {
  (void)severity, (void)text;
  fputs("logged\n", stderr);
  event_active(note, EV_READ, 1);
}
HANDLER(on_note) {
  UNUSED;
  puts("active");
}
HANDLER(on_a) {
  UNUSED;
  int f = dup(0);
  close(f);
  event_add(event_new(base, f, EV_READ, spare, NULL), NULL);
}
int main(void) {
  event_set_log_callback(on_log);
  base = event_base_new();
  note = event_new(base, -1, 0, on_note, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}

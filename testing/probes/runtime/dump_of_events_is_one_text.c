// possible: (x\n)?D\n(x\n)?=0
// event_base_dump_events() prints the events without a line of another handler between. (Equal lines count once here.)
#include "p.h"
static FILE* out;
HANDLER(on_dump) {
  UNUSED;
  event_base_dump_events(base, out);
}
HANDLER(on_x) {
  UNUSED;
  take(3);
  fputs("x\n", out);
}
int main(void) {
  out = fopen("out/dump", "w+");
  setvbuf(out, NULL, _IONBF, 0);
  base = event_base_new();
  static int session[60];
  struct timeval t = {3600, 0};
  for (int i = 0; i < 3000; i++) event_add(evtimer_new(base, spare, &session[i % 60]), &t);
  for (int i = 0; i < 60; i++) due(base, on_x, &session[i]);
  struct event* e = event_new(base, -1, 0, on_dump, NULL);
  struct timeval soon = {0, 60000}, end = {0, 600000};
  event_add(e, &soon);
  event_base_loopexit(base, &end);
  due(base, on_dump, NULL);
  for (int i = 0; i < 60; i++) due(base, on_x, &session[i]);
  event_del(e);
  event_base_dispatch(base);
  rewind(out);
  char line[300], last = 0;
  for (int changes = 0; fgets(line, sizeof line, out) && changes < 20;) {
    char kind = strcmp(line, "x\n") == 0 ? 'x' : 'D';
    if (kind != last) changes++, printf("%c\n", kind);
    last = kind;
  }
  return 0;
}

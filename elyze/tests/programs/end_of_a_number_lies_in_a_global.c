// strtol() gives the place behind the number, which lies somewhere in the text, not where it begins (C17 7.22.1.4).
// CONFLICT always: on_cut on_cut: line
// CONFLICT always: on_cut on_unit: line
// SAFE: on_unit on_unit
#include "server.h"

static struct {
  char text[16];
  int length;
} line = {"12345 kg", 8};
static char *end;

HANDLER(on_cut) {
  UNUSED;
  *end = *end == ' ' ? ',' : ' ';
}

HANDLER(on_unit) {
  UNUSED;
  if (line.text[5] == ',') abort();
}

int main(void) {
  base = event_base_new();
  strtol(line.text, &end, 10);
  when_readable(3, on_cut, NULL);
  when_readable(4, on_unit, NULL);
  return event_base_dispatch(base);
}

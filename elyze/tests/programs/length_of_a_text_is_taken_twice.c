// strlen() twice gives one length in each serial run, and two where somebody writes between them.
// CONFLICT always: on_measure on_measure: differs
// CONFLICT always: on_measure on_rename: name
// CONFLICT always: on_rename on_rename: name
#include "server.h"

static char name[16];
static int differs;

HANDLER(on_measure) {
  UNUSED;
  size_t first = strlen(name);
  size_t second = strlen(name);
  if (first != second) differs++;
}

HANDLER(on_rename) {
  UNUSED;
  strcpy(name, "longer");
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_measure, NULL);
  when_readable(4, on_rename, NULL);
  return event_base_dispatch(base);
}

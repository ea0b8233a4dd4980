// mbsrtowcs() moves the pointer to the text that it converts.
// CONFLICT always: on_a on_b: cursor
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <wchar.h>
#include "server.h"
static const char* cursor = "some text";
HANDLER(on_a) {
  UNUSED;
  wchar_t wide[4];
  mbstate_t state;
  memset(&state, 0, sizeof state);
  mbsrtowcs(wide, &cursor, 4, &state);
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", cursor);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

/* strtok(NULL, ...) writes into the text that another handler began. */
#include "server.h"

static char text[64];

HANDLER(on_first) {
  UNUSED;
  puts(strtok(text, " ") != NULL ? "some" : "none");
}

HANDLER(on_next) {
  UNUSED;
  puts(strtok(NULL, " ") != NULL ? "more" : "end");
}

HANDLER(on_show) {
  UNUSED;
  puts(text);
}

int main(void) {
  base = event_base_new();
  snprintf(text, sizeof text, "%s", "one two three");
  when_readable(3, on_first, NULL);
  when_readable(4, on_next, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_first on_first: text
// CONFLICT always: on_first on_next: hidden state of strtok
// CONFLICT always: on_next on_next: hidden state of strtok
// CONFLICT always: on_first on_show: text
// CONFLICT always: on_next on_show: text
// SAFE: on_show on_show

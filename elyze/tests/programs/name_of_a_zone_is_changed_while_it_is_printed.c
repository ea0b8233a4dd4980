// strftime() prints the text that tm_zone leads to (%Z).
// CONFLICT always: on_name on_name: zone
// CONFLICT always: on_name on_print: zone
// CONFLICT always: on_print on_print: text
#include <time.h>

#include "server.h"

static char zone[] = "AAA";
static struct tm when;
static char text[50];

HANDLER(on_name) {
  UNUSED;
  zone[0] = 'B';
  zone[1] = 'B';
}

HANDLER(on_print) {
  UNUSED;
  strftime(text, sizeof text, "%Z", &when);
}

int main(void) {
  base = event_base_new();
  when.tm_zone = zone;
  when_readable(3, on_name, NULL);
  when_readable(4, on_print, NULL);
  return event_base_dispatch(base);
}

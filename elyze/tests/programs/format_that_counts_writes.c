// %n writes how much was printed so far, also where a logging function has the format as its parameter.
// CONFLICT always: on_count on_count: printed
// CONFLICT always: on_count on_log: printed
// CONFLICT always: on_log on_log: printed
// CONFLICT session: on_own on_own: session->length
// SAFE: on_own on_count
// SAFE: on_own on_log
#include "server.h"

static int printed;
struct session {
  int length;
  char text[32];
};

HANDLER(on_count) {
  UNUSED;
  printf("%d%n\n", fd, &printed);
}

static void say(char *text, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(text, size, format, list);
  va_end(list);
}

HANDLER(on_log) {
  UNUSED;
  char text[16];
  say(text, sizeof text, "%d%n", fd, &printed);
}

HANDLER(on_own) {
  UNUSED;
  struct session *s = arg;
  snprintf(s->text, sizeof s->text, "%5.1d%hhn", fd, (signed char *)&s->length);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_count, NULL);
  when_readable(4, on_log, NULL);
  for (int i = 0; i < 2; i++) when_readable(5 + i, on_own, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}

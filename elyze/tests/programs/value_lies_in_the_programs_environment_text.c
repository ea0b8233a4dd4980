// getenv() gives the value, behind the name, of the text that putenv() was given.
// CONFLICT always: on_set on_set: setting
// CONFLICT always: on_set on_look: setting
// SAFE: on_look on_look
#include "server.h"

static struct {
  char text[16];
  int length;
} setting = {"LEVEL=4", 7};

HANDLER(on_set) {
  UNUSED;
  char *level = getenv("LEVEL");
  *level = *level == '4' ? '5' : '4';
}

HANDLER(on_look) {
  UNUSED;
  if (setting.text[6] == 'x') abort();
}

int main(void) {
  base = event_base_new();
  putenv(setting.text);
  when_readable(3, on_set, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}

// environ leads to a list of texts, among them the one that putenv() was given.
// CONFLICT always: on_set on_set: setting
// CONFLICT always: on_set on_look: setting
// SAFE: on_look on_look
#include "server.h"

extern char **environ;
static struct {
  char text[16];
  int length;
} setting = {"LEVEL=4", 7};

HANDLER(on_set) {
  UNUSED;
  if (environ != NULL && environ[0] != NULL) environ[0][6] = environ[0][6] == '4' ? '5' : '4';
}

HANDLER(on_look) {
  UNUSED;
  if (setting.text[6] == 'x') abort();
}

int main(void) {
  base = event_base_new();
  unsetenv("LEVEL");
  putenv(setting.text);
  when_readable(3, on_set, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}

// getpwuid_r() puts the texts of an entry somewhere into the buffer that it is given.
// CONFLICT always: on_edit on_edit: found
// CONFLICT always: on_edit on_look: found
// SAFE: on_look on_look
#include "server.h"
#include <pwd.h>

static struct {
  struct passwd entry;
  char texts[512];
  int length;
} found;

HANDLER(on_edit) {
  UNUSED;
  if (found.entry.pw_dir != NULL) *found.entry.pw_dir = *found.entry.pw_dir == '/' ? ':' : '/';
}

HANDLER(on_look) {
  UNUSED;
  if (found.texts[40] == 'x') abort();
}

int main(void) {
  struct passwd *result;
  base = event_base_new();
  getpwuid_r(getuid(), &found.entry, found.texts, sizeof found.texts, &result);
  when_readable(3, on_edit, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}

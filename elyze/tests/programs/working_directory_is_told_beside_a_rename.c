// getcwd() tells what the directories on the way are called now: in a serial run both texts are equal.
// CONFLICT always: on_rename on_rename: directory entry of old
// CONFLICT always: on_rename on_ask: directory entry of old
// SAFE: on_ask on_ask
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

HANDLER(on_rename) {
  UNUSED;
  rename("/tmp/old", "/tmp/new");
}

HANDLER(on_ask) {
  UNUSED;
  char one[200];
  char two[200];
  if (getcwd(one, sizeof one) && getcwd(two, sizeof two) && strcmp(one, two) != 0) abort();
}

int main(void) {
  base = event_base_new();
  chdir("/tmp/old");
  when_readable(3, on_rename, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}

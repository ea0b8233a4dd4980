// Folders are made, removed and listed; no contents change.
// SAFE: on_make on_make
// SAFE: on_make on_list
// SAFE: on_list on_list
#include <dirent.h>
#include <sys/stat.h>

#include "server.h"

HANDLER(on_make) {
  UNUSED;
  mkdir("/srv/new", 0755);
  rmdir("/srv/old");
}

HANDLER(on_list) {
  UNUSED;
  DIR *folder = opendir("/srv");
  if (folder == NULL) return;
  while (readdir(folder) != NULL) continue;
  closedir(folder);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_make, NULL);
  when_readable(4, on_list, NULL);
  return event_base_dispatch(base);
}

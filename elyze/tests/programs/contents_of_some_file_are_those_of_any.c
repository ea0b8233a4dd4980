// A path that is made at run time may name any file.
// CONFLICT always: on_upload on_upload: contents of some file
// CONFLICT always: on_upload on_page: contents of index.html
// SAFE: on_page on_page
// CONFLICT always: on_upload on_clean: contents of some file
// CONFLICT always: on_clean on_clean: contents of some file
// CONFLICT always: on_clean on_page: contents of index.html
#include "server.h"

static const char *folder = "/srv";

static FILE *opened(int number, const char *mode) {
  char path[64];
  snprintf(path, sizeof path, "%s/%d", folder, number);
  return fopen(path, mode);
}

HANDLER(on_upload) {
  UNUSED;
  FILE *file = opened(fd, "a");
  if (file == NULL) return;
  fputs("one line\n", file);
  fclose(file);
}

HANDLER(on_page) {
  UNUSED;
  char line[80];
  FILE *file = fopen("/srv/index.html", "r");
  if (file == NULL) return;
  if (fgets(line, sizeof line, file) != NULL) puts(line);
  fclose(file);
}

HANDLER(on_clean) {
  UNUSED;
  char path[64];
  snprintf(path, sizeof path, "%s/%d", folder, (int)what);
  unlink(path);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_upload, NULL);
  when_readable(4, on_page, NULL);
  when_readable(5, on_clean, NULL);
  return event_base_dispatch(base);
}

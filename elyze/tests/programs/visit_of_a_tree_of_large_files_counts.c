// nftw64() calls the program's function for each file, and scandir64() its choice.
// CONFLICT always: on_a on_a: files
// CONFLICT always: on_a on_b: files
// CONFLICT always: on_b on_b: files
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>

#include "server.h"

static long files;

static int visit(const char* path, const struct stat64* status, int kind, struct FTW* place) {
  (void)path, (void)status, (void)kind, (void)place;
  files++;
  return 0;
}

static int none(const struct dirent64* entry) {
  (void)entry;
  files++;
  return 0;
}

HANDLER(on_a) {
  UNUSED;
  nftw64("/dev/null", visit, 4, 0);
}

HANDLER(on_b) {
  UNUSED;
  struct dirent64** found;
  if (scandir64("/dev/fd", &found, none, NULL) == 0) free(found);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

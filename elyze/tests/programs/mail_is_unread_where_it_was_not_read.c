// A mailbox has unread mail where it was changed after it was read (mbox(5)). One handler reads two boxes, another counts
// those with unread mail: in a serial run both have some, or none.
// CONFLICT always: on_read on_count: times at which files were read
// SAFE: on_read on_read
// CONFLICT always: on_count on_count: unread
// SAFE: on_read on_number
// SAFE: on_count on_number
// CONFLICT always: on_number on_number: numbers
#include <sys/stat.h>

#include "server.h"

static int first;
static int second;
static int unread;
static int numbers;

HANDLER(on_read) {
  UNUSED;
  char letter;
  pread(first, &letter, 1, 0);
  pread(second, &letter, 1, 0);
}

HANDLER(on_count) {
  UNUSED;
  struct stat one, two;
  fstat(first, &one);
  fstat(second, &two);
  unread = (one.st_mtime > one.st_atime) + (two.st_mtime > two.st_atime);
}

HANDLER(on_number) {
  UNUSED;
  numbers++;
}

int main(void) {
  base = event_base_new();
  first = open("first", O_RDONLY);
  second = open("second", O_RDONLY);
  when_readable(3, on_read, NULL);
  when_readable(4, on_count, NULL);
  when_readable(5, on_number, NULL);
  return event_base_dispatch(base);
}

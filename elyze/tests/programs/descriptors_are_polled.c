// poll() looks at the state of each file in its array, and at no other.
// CONFLICT always: on_array on_write
// CONFLICT always: on_array on_read
// SAFE: on_other on_write
// CONFLICT session: on_own on_own
// SAFE: on_own on_write
// SAFE: on_sleep on_write
// SAFE: on_sleep on_select
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include "server.h"
static int first, second, third;
static long seen[2], slept, selected;
struct client {
  int descriptor;
  long ready;
};
static int wait_for(struct pollfd *files, nfds_t count) { return poll(files, count, 0); }
HANDLER(on_array) {
  UNUSED;
  struct pollfd files[2];
  files[0].fd = first;
  files[0].events = POLLIN;
  files[1].fd = second;
  files[1].events = POLLIN;
  seen[0] += wait_for(files, 2);
}
HANDLER(on_other) {
  UNUSED;
  struct pollfd file = {third, POLLIN, 0};
  seen[1] += poll(&file, 1, 0);
}
HANDLER(on_own) {
  struct client *client = arg;
  UNUSED;
  struct pollfd file = {client->descriptor, POLLIN, 0};
  client->ready += poll(&file, 1, 0);
}
HANDLER(on_write) {
  UNUSED;
  eventfd_t one = 1;
  if (write(second, &one, sizeof one) < 0) return;
}
HANDLER(on_read) {
  UNUSED;
  eventfd_t many;
  if (read(first, &many, sizeof many) < 0) return;
}
HANDLER(on_sleep) {
  UNUSED;
  struct timeval little = {0, 1};
  slept += select(0, NULL, NULL, NULL, &little) + poll(NULL, 0, 1);
}
HANDLER(on_select) {
  UNUSED;
  fd_set set;
  struct timeval none = {0, 0};
  FD_ZERO(&set);
  FD_SET(third, &set);
  selected += select(third + 1, &set, NULL, NULL, &none);
}
int main(void) {
  base = event_base_new();
  first = eventfd(0, EFD_NONBLOCK);
  second = eventfd(0, EFD_NONBLOCK);
  third = eventfd(0, EFD_NONBLOCK);
  when_readable(3, on_array, NULL);
  when_readable(4, on_other, NULL);
  when_readable(5, on_write, NULL);
  when_readable(6, on_read, NULL);
  when_readable(7, on_sleep, NULL);
  when_readable(8, on_select, NULL);
  for (int i = 9; i < 12; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    when_readable(i, on_own, client);
  }
  return event_base_dispatch(base);
}

// A select() loop that calls its handlers by their names; the helper that it calls as well is part of the loop.
// CONFLICT always: on_data on_data: received
// CONFLICT always: on_data on_tick: received
// CONFLICT always: on_tick on_tick: ticks

#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>

static long received, ticks, rounds;

struct peer {
  int fd;
  long bytes;
};

static struct peer *peers[4];

static void on_data(struct peer *peer) {
  peer->bytes++;
  received++;
}

static void on_tick(void *unused) {
  (void)unused;
  ticks++;
  printf("%ld\n", received);
}

static void note_round(void) { rounds++; }

int main(void) {
  fd_set set;
  for (int i = 0; i < 4; i++) {
    peers[i] = calloc(1, sizeof *peers[i]);
    if (peers[i] == NULL) return 1;
    peers[i]->fd = i + 3;
  }
  for (;;) {
    FD_ZERO(&set);
    for (int i = 0; i < 4; i++) FD_SET(peers[i]->fd, &set);
    if (select(8, &set, NULL, NULL, NULL) < 0) break;
    note_round();
    on_tick(NULL);
    for (int i = 0; i < 4; i++) {
      if (FD_ISSET(peers[i]->fd, &set)) on_data(peers[i]);
    }
  }
  return rounds > 9;
}

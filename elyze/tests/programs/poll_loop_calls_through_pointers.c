// A poll() loop of the program's own, declared beside this file: each call through a pointer in it starts a handler, and
// what main does before and between them is none of theirs.
// CONFLICT session: on_input on_input: client->bytes
// CONFLICT always: on_input on_stats: total
// CONFLICT always: on_stats on_stats: shown

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 8

static long total, shown, rounds;

struct client {
  void (*ready)(struct client *client, short events);
  long bytes;
};

static struct pollfd waits[MOST];
static struct client *clients[MOST];

static void on_input(struct client *client, short events) { client->bytes += events + (total != 0); }

static void on_stats(struct client *client, short events) {
  (void)client, (void)events;
  total++;
  printf("%ld\n", ++shown);
}

static void serve(void) {
  while (poll(waits, MOST, -1) > 0) {
    rounds++;
    for (int i = 0; i < MOST; i++) {
      if (waits[i].revents) clients[i]->ready(clients[i], waits[i].revents);
    }
  }
}

int main(void) {
  for (int i = 0; i < MOST; i++) {
    clients[i] = calloc(1, sizeof *clients[i]);
    if (clients[i] == NULL) return 1;
    clients[i]->ready = i == 0 ? on_stats : on_input;
    waits[i].fd = i + 3;
    waits[i].events = POLLIN;
  }
  serve();
  return rounds > 9;
}

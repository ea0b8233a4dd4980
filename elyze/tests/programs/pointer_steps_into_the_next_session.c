// The sessions lie in one array and a handler steps from its own to the next one.
// CONFLICT always: on_pass on_pass: player->turns
// CONFLICT always: on_pass on_show: player->turns
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

struct player {
  int number;
  int turns;
};

static struct player players[4];

static void on_pass(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct player* p = arg;
  p->turns--;
  if (p->number < 3) (p + 1)->turns++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct player* p = arg;
  printf("%d\n", p->turns);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 4; i++) {
    players[i].number = i;
    event_add(event_new(base, -1, EV_PERSIST, on_pass, &players[i]), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, &players[i]), &second);
  }
  return event_base_dispatch(base);
}

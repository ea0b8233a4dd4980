// Each session makes a text in the one buffer, and finds it as it was after a while.
// CONFLICT always: on_tick on_tick: name_of.text
// APART session: on_tick on_tick

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session {
  struct event* tick;
  int number;
  int wrong;
};

static const char* name_of(const struct session* session) {
  static char text[64];
  snprintf(text, sizeof text, "%d is the number of this session", session->number);
  return text;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* session = arg;
  const char* name = name_of(session);
  char expected[64];
  snprintf(expected, sizeof expected, "%d is the number of this session", session->number);
  usleep(300);
  if (strcmp(name, expected) != 0) session->wrong++;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct session* sessions[8];
  const struct timeval soon = {0, 1000};
  for (int i = 0; i < 8; ++i) {
    sessions[i] = calloc(1, sizeof *sessions[i]);
    sessions[i]->number = 1000000 + i;
    sessions[i]->tick = event_new(base, -1, EV_PERSIST, on_tick, sessions[i]);
    event_add(sessions[i]->tick, &soon);
  }
  const struct timeval end = {0, 200000};
  event_base_loopexit(base, &end);
  event_base_dispatch(base);
  int wrong = 0;
  for (int i = 0; i < 8; ++i) wrong += sessions[i]->wrong;
  printf("%d wrong\n", wrong);
  return 0;
}

// A callback is stored through a pointer to a structure that has another type at its place: it is a handler, too.
// CONFLICT always: on_plain on_plain: lines
// CONFLICT always: on_plain on_other: lines
// CONFLICT always: on_other on_other: lines
#include <event2/bufferevent.h>

#include "server.h"

static int lines;

struct task {
  bufferevent_data_cb run;
};

struct job {
  int (*run)(void);
};

static void on_plain(struct bufferevent* bev, void* arg) {
  (void)bev, (void)arg;
  lines++;
}

static int on_other(void) { return ++lines; }

int main(int argc, char** argv) {
  (void)argv;
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    struct task* task = malloc(sizeof *task);
    task->run = on_plain;
    if (argc > 1) {
      struct job* job = (struct job*)task;
      job->run = on_other;
    }
    struct bufferevent* bev = bufferevent_socket_new(base, fd, 0);
    bufferevent_setcb(bev, task->run, NULL, NULL, NULL);
    bufferevent_enable(bev, EV_READ);
  }
  return event_base_dispatch(base);
}

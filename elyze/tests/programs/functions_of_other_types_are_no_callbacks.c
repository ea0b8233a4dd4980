// One table holds functions of five types, a checksum over its bytes makes one place of it for the analyser, and the fields
// of a bufferevent are filled from it. libevent's types say which of them it can call: `audit` returns a number, `copy`
// takes another structure, `log_line` has a pointer where an event callback has a number. None of them is a handler.
// CONFLICT always: on_data on_data: lines
// SAFE: on_data on_end
// CONFLICT always: on_end on_end: ends

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static int lines, ends;

struct buffer {
  char text[16];
};

static void on_data(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  lines++;
}

static void on_end(struct bufferevent *bev, short what, void *arg) {
  (void)bev, (void)what, (void)arg;
  ends++;
}

static int audit(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  return ++lines;
}

static void copy(struct buffer *from, void *to) {
  (void)to;
  from->text[0] = (char)++lines;
}

static void log_line(struct bufferevent *bev, const char *text, void *arg) {
  (void)bev, (void)text, (void)arg;
  ends++;
}

static struct {
  bufferevent_data_cb data;
  bufferevent_event_cb event;
  int (*check)(struct bufferevent *bev, void *arg);
  void (*copy)(struct buffer *from, void *to);
  void (*log)(struct bufferevent *bev, const char *text, void *arg);
} table;

int main(void) {
  struct event_base *base = event_base_new();
  struct buffer buffer;
  unsigned sum = 0;
  table.data = on_data;
  table.event = on_end;
  table.check = audit;
  table.copy = copy;
  table.log = log_line;
  for (size_t i = 0; i < sizeof table; i++) sum += ((unsigned char *)&table)[i];
  for (int fd = 3; fd < 5; fd++) {
    struct bufferevent *bev = bufferevent_socket_new(base, fd, 0);
    bev->readcb = table.data;
    bev->errorcb = table.event;
    bufferevent_enable(bev, EV_READ);
    table.copy(&buffer, bev);
    table.log(bev, "ready", NULL);
    printf("%d %u\n", table.check(bev, NULL), sum);
  }
  return event_base_dispatch(base);
}

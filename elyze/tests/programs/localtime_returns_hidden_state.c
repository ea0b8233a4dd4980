// localtime and gmtime return one static structure; localtime_r fills the caller's.
// CONFLICT always: on_local on_local: hidden state of localtime
// CONFLICT always: on_local on_utc: hidden state of localtime
// CONFLICT always: on_utc on_utc: hidden state of localtime
// SAFE: on_local on_own
// SAFE: on_own on_utc
// SAFE: on_own on_own

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

static const struct timeval second = {1, 0};

static void on_local(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  time_t now = time(NULL);
  printf("%d\n", localtime(&now)->tm_hour);
}

static void on_utc(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  time_t now = time(NULL);
  printf("%d\n", gmtime(&now)->tm_hour);
}

static void on_own(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  time_t now = time(NULL);
  struct tm parts;
  localtime_r(&now, &parts);
  printf("%d\n", parts.tm_hour);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_local, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_utc, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_own, NULL), &second);
  return event_base_dispatch(base);
}

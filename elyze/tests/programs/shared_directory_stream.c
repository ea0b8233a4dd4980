// readdir returns an entry inside the stream: a stream that two invocations share is an object, an own one is not.
// The lines of one listing are several records: nothing else stands between them.
// CONFLICT always: on_next on_next: spool
// CONFLICT always: on_list on_next: stream stdout
// CONFLICT always: on_list on_list: stream stdout

#include <dirent.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static DIR* spool;

static void on_next(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const struct dirent* entry = readdir(spool);
  if (entry != NULL) puts(entry->d_name);
}

static void on_list(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  DIR* own = opendir("/tmp");
  if (own == NULL) return;
  for (const struct dirent* entry; (entry = readdir(own)) != NULL;) puts(entry->d_name);
  closedir(own);
}

int main(void) {
  struct event_base* base = event_base_new();
  spool = opendir("/tmp");
  event_add(event_new(base, -1, EV_PERSIST, on_next, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_list, NULL), &second);
  return event_base_dispatch(base);
}

// A union gives one function two types: what is stored by one is registered by the other, or comes out of bytes.
// CONFLICT always: on_data on_data: lines
// CONFLICT always: on_more on_more: more
// CONFLICT always: on_last on_last: last
// SAFE: on_data on_more
// SAFE: on_data on_last
// SAFE: on_more on_last

#include <event2/event.h>
#include <stddef.h>
#include <string.h>

static int lines, more, last;

static void on_data(long fd, long what, void* arg) {
  (void)fd, (void)what, (void)arg;
  lines++;
}

static void on_more(long fd, long what, char* arg) {
  (void)fd, (void)what, (void)arg;
  more++;
}

static void on_last(unsigned long fd, long what, void** arg) {
  (void)fd, (void)what, (void)arg;
  last++;
}

static union {
  struct {
    int kind;
    void (*function)(long, long, void*);
  } ours;
  struct {
    long kind;
    event_callback_fn function;
  } theirs;
} entry;

static union {
  void (*function)(long, long, char*);
  unsigned char bytes[sizeof(void*)];
} packed;

static union {
  void (*function)(unsigned long, long, void**);
  void* any;
} other;

int main(void) {
  struct event_base* base = event_base_new();
  event_callback_fn unpacked;
  entry.ours.function = on_data;
  packed.function = on_more;
  other.function = on_last;
  memcpy(&unpacked, packed.bytes, sizeof unpacked);
  for (int fd = 3; fd < 5; fd++) {
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, entry.theirs.function, NULL), NULL);
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, unpacked, NULL), NULL);
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, (event_callback_fn)other.any, NULL), NULL);
  }
  return event_base_dispatch(base);
}

// A host of plug-ins looks up libevent's functions in libevent itself, and works with them on a base of its own and on
// one that the program has made by name.
#include <dlfcn.h>

#include "small.h"

static int called;
static int by_name;

HANDLER(on_time) {
  UNUSED;
  ++called;
}

HANDLER(named) {
  UNUSED;
  take(5);
  ++by_name;
}

int main(void) {
  void* library = dlopen("libevent-2.1.so.7", RTLD_NOW);
  if (library == NULL) return 2;
#define LOOK_UP(name) __typeof__(name)* const its_##name = (__typeof__(name)*)dlsym(library, #name)
  LOOK_UP(event_base_new);
  LOOK_UP(event_new);
  LOOK_UP(event_add);
  LOOK_UP(event_free);
  LOOK_UP(event_base_dispatch);
  LOOK_UP(event_base_free);
  struct timeval soon = {0, 1000};
  struct event_base* own = its_event_base_new();
  base = event_base_new();
  due(base, named, NULL);
  due(base, named, NULL);
  for (int i = 0; i < 2; ++i) {
    struct event_base* where = i ? own : base;
    struct event* event = its_event_new(where, -1, 0, on_time, NULL);
    its_event_add(event, &soon);
    its_event_base_dispatch(where);
    its_event_free(event);
    its_event_base_free(where);
  }
  // What is not libevent's, and what nobody has.
  printf("%d %d %d %d\n", called, by_name, dlsym(library, "evbuffer_new") != NULL,
         dlsym(library, "event_nothing") == NULL);
  printf("%d\n", dlerror() != NULL);
  return 0;
}

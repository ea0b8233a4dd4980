/* A thread that a handler starts has the name of the handler's. */
#include "small.h"

static void* name(void* text) {
  pthread_getname_np(pthread_self(), text, 16);
  return NULL;
}

HANDLER(on_slow) {
  UNUSED;
  take(40);
}
HANDLER(on_work) {
  UNUSED;
  pthread_t thread;
  char text[32];
  if (pthread_create(&thread, NULL, name, text) != 0) return;
  pthread_join(thread, NULL);
  puts(text);
}

int main(void) {
  static int session[4];
  pthread_setname_np(pthread_self(), "of main");
  base = event_base_new();
  for (int i = 0; i < 4; ++i) due(base, on_slow, &session[i]), due(base, on_work, &session[i]);
  event_base_dispatch(base);
  return 0;
}

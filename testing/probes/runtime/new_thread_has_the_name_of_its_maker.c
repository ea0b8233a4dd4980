// possible: (new_thread_has_\n){4}=0
#include "p.h"
static void* name(void* x) {
  pthread_getname_np(pthread_self(), x, 32);
  return NULL;
}
HANDLER(on_slow) {
  UNUSED;
  take(40);
}
HANDLER(on_a) {
  UNUSED;
  pthread_t t;
  char text[32];
  pthread_create(&t, NULL, name, text);
  pthread_join(t, NULL);
  puts(text);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++)
    due(base, on_slow, &session[i]), due(base, on_slow, &session[i]), due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}

// The functions of a table have a type of their own; they are registered by a cast.
// CONFLICT always: on_a on_a: hits
// CONFLICT always: on_a on_b: hits
// CONFLICT always: on_b on_b: hits
#include "server.h"
typedef void action(long, long, void*);
static long hits;
static void on_a(long fd, long what, void* arg) {
  (void)fd, (void)what, (void)arg;
  hits++;
}
static void on_b(long fd, long what, void* arg) {
  (void)fd, (void)what, (void)arg;
  hits += 2;
}
static struct {
  int fd;
  action* run;
} table[] = {{3, on_a}, {4, on_b}};
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) when_readable(table[i].fd, (event_callback_fn)(void (*)(void))table[i].run, NULL);
  return event_base_dispatch(base);
}

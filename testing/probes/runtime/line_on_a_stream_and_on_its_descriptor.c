// possible: whole\n=0
// One handler prints a long line to stdout and flushes it, another writes to descriptor 1: one after the other.
#include "p.h"
static char text[400001];
HANDLER(on_a) {
  UNUSED;
  puts(text);
}
HANDLER(on_b) {
  UNUSED;
  take(30);
  if (write(1, "b\n", 2) != 2) return;
}
static void* reader(void* x) {
  static char got[500000];
  size_t n = 0;
  for (ssize_t r; (r = read(*(int*)x, got + n, 20000)) > 0; take(3)) n += (size_t)r;
  char* b = memchr(got, 'b', n);
  fputs(b == NULL ? "none\n" : b == got || b[-1] == '\n' ? "whole\n" : "in the middle\n", stderr);
  return NULL;
}
int main(void) {
  memset(text, 'a', sizeof text - 1);
  int end[2];
  if (pipe(end) != 0 || dup2(end[1], 1) < 0) return 1;
  close(end[1]);
  pthread_t t;
  pthread_create(&t, NULL, reader, &end[0]);
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  due(base, spare, NULL);
  event_base_dispatch(base);
  fclose(stdout);
  pthread_join(t, NULL);
  return 0;
}

// possible: (b\n){4}in the file: a\n=0
// A leads descriptor 1 to a file, prints, and leads it back: what others print never gets there.
#include "p.h"
#define PLACE "out/led"
HANDLER(on_a) {
  UNUSED;
  int old = dup(1), f = open(PLACE, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(f, 1);
  take(80);
  puts("a");
  dup2(old, 1);
  close(f), close(old);
}
HANDLER(on_b) {
  UNUSED;
  take(15);
  puts("b");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  due(base, on_a, NULL);
  for (int i = 0; i < 4; i++) due(base, on_b, &session[i]);
  event_base_dispatch(base);
  char text[64] = {0};
  int f = open(PLACE, O_RDONLY);
  if (read(f, text, 63) < 0) return 1;
  for (char* c = text; *c; c++)
    if (*c == '\n' && c[1]) *c = ' ';
  printf("in the file: %s", text);
  return 0;
}

// possible: (main\n){4}=0
// flags: -rdynamic
#include "p.h"
#include <execinfo.h>
HANDLER(on_a) {
  UNUSED;
  void* frame[64];
  take(40);
  int n = backtrace(frame, 64), found = 0;
  char** text = backtrace_symbols(frame, n);
  for (int i = 0; i < n; i++) found |= strstr(text[i], "(main+") != NULL;
  puts(found ? "main" : "no main");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}

// possible: Epoll ADD\(1\) on fd 77 failed\. +Old events were 0; read change was 1 \(add\); write change was 0 \(none\); close change was 0 \(none\): Bad file descriptor\n=0
#include "p.h"
static void logged(int severity, const char* text) { (void)severity; puts(text); }
HANDLER(on_a) { UNUSED; }
int main(void) {
  event_set_log_callback(logged);
  base = event_base_new();
  event_add(event_new(base, 77, EV_READ, on_a, NULL), NULL);
  return 0;
}

// possible: (bound\n){4}=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_in6 no = {0};
  (void)no;
  struct {
    sa_family_t family;
    char name[12];
  } here = {AF_UNIX, "\0heddleprobe"};
  puts(bind(s, (struct sockaddr*)&here, sizeof here) == 0 ? "bound" : "refused");
  take(60);
  close(s);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}

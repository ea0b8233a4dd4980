// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"

struct request_info;
char* eval_user(struct request_info*);
struct request_info* request_init(void*, ...);
extern int rfc931_timeout;
static char r[5000];
static char* seen;
HANDLER(on_a) {
  UNUSED;
  seen = eval_user((void*)r);
}
HANDLER(on_b) {
  UNUSED;
  rfc931_timeout = 1;
  rfc931_timeout = 20;
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

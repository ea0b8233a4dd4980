// bind() of a path gives it the modes that umask leaves (unix(7)).
// CONFLICT always: on_a on_b: umask
#include "server.h"
#include <sys/stat.h>
#include <sys/un.h>
static mode_t mask;
HANDLER(on_a) { UNUSED; mask = umask(0); umask(mask); }
HANDLER(on_b) { UNUSED; struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "ctl.sock"}; int s = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(s, (struct sockaddr *)&a, sizeof a); close(s); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }

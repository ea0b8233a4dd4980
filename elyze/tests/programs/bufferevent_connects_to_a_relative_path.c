// The path of a socket begins at the working directory.
// CONFLICT always: on_a on_b: working directory
#include "server.h"
#include <event2/bufferevent.h>
#include <sys/un.h>
static int there, home;
HANDLER(on_a) { UNUSED; fchdir(there); write(6, "a", 1); fchdir(home); }
HANDLER(on_b) { UNUSED; struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "ctl.sock"};
  struct bufferevent *b = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
  if (bufferevent_socket_connect(b, (struct sockaddr *)&a, sizeof a) != 0) bufferevent_free(b); }
int main(void){ base=event_base_new(); there = open("/tmp", O_RDONLY); home = open(".", O_RDONLY); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }

// So does a listener.
// CONFLICT always: on_a on_b: umask
// SAFE: on_accept on_a
#include "server.h"
#include <event2/listener.h>
#include <sys/stat.h>
#include <sys/un.h>
static mode_t mask;
static void on_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *a, int n, void *arg) { (void)l; (void)a; (void)n; (void)arg; close(fd); }
HANDLER(on_a) { UNUSED; mask = umask(0); umask(mask); }
HANDLER(on_b) { UNUSED; struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "ctl.sock"};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 5, (struct sockaddr *)&a, sizeof a); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }

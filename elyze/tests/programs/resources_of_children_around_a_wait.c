// What children used is added when they are waited for (getrusage(2)).
// CONFLICT always: on_a on_b: children
#include "server.h"
#include <sys/resource.h>
#include <sys/wait.h>
static long used;
HANDLER(on_a) { UNUSED; struct rusage r; getrusage(RUSAGE_CHILDREN, &r); long was = r.ru_maxrss; getrusage(RUSAGE_CHILDREN, &r); used += r.ru_maxrss - was; }
HANDLER(on_b) { UNUSED; waitpid(-1, NULL, WNOHANG); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }

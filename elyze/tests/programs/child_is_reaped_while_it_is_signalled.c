// A process that was waited for is there no more (kill(2), ESRCH).
// CONFLICT always: on_a on_b: children
#include "server.h"
#include <signal.h>
#include <sys/wait.h>
static pid_t worker; static int reaped, gone;
HANDLER(on_a) { UNUSED; int status; while (waitpid(-1, &status, WNOHANG) > 0) ++reaped; }
HANDLER(on_b) { UNUSED; if (kill(worker, 0) == 0 && kill(worker, SIGTERM) != 0) ++gone; }
int main(void){ base=event_base_new(); worker = fork(); if (worker == 0) pause(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }

// A process that was waited for has no group, session or priority any more (getpgid(2), getpriority(2)).
// CONFLICT always: on_reap on_group: children
// CONFLICT always: on_reap on_session: children
// CONFLICT always: on_reap on_priority: children
#include "server.h"
#include <sys/resource.h>
#include <sys/wait.h>
static pid_t worker;
static int gone_of_a_group, gone_of_a_session, gone_with_a_priority;
HANDLER(on_reap) {
  UNUSED;
  waitpid(-1, NULL, WNOHANG);
}
HANDLER(on_group) {
  UNUSED;
  if (getpgid(worker) >= 0 && getpgid(worker) < 0) ++gone_of_a_group;
}
HANDLER(on_session) {
  UNUSED;
  if (getsid(worker) >= 0 && getsid(worker) < 0) ++gone_of_a_session;
}
HANDLER(on_priority) {
  UNUSED;
  if (getpriority(PRIO_PROCESS, (id_t)worker) != getpriority(PRIO_PROCESS, (id_t)worker)) ++gone_with_a_priority;
}
int main(void) {
  base = event_base_new();
  worker = fork();
  if (worker == 0) _exit(0);
  when_readable(3, on_reap, NULL);
  when_readable(4, on_group, NULL);
  when_readable(5, on_session, NULL);
  when_readable(6, on_priority, NULL);
  return event_base_dispatch(base);
}

// Priorities, names, capabilities, filters and namespaces are the thread's on Linux, whatever the standards say. Children
// and new threads inherit them.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "server.h"

struct client {
  int nice;
};

int cap_set_proc(void *capabilities);
int seccomp_load(void *filter);

static int never;
static void *filter;

HANDLER(on_global) {
  UNUSED;
  if (nice(0) == -1) return;
}
// PINNED: on_global by nice

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  setpriority(PRIO_PROCESS, 0, client->nice);
}
// PINNED: on_session by setpriority

static void lock_down(int (*how)(void *)) {
  if (never) how(filter);
}

HANDLER(on_filter) {
  UNUSED;
  lock_down(seccomp_load);
}
// PINNED: on_filter by seccomp_load

HANDLER(on_capabilities) {
  UNUSED;
  lock_down(cap_set_proc);
}
// PINNED: on_capabilities by cap_set_proc

HANDLER(on_name) {
  UNUSED;
  prctl(PR_SET_NAME, "name");
}
// PINNED: on_name by prctl

HANDLER(on_namespace) {
  UNUSED;
  if (never) unshare(CLONE_FS);
}
// PINNED: on_namespace by unshare

HANDLER(on_open) {
  UNUSED;
  const int file = open("/dev/null", O_RDONLY);
  if (file >= 0) close(file);
}
// PINNED: on_open by open

static void *work(void *unused) { return unused; }

HANDLER(on_thread) {
  UNUSED;
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_join(thread, NULL);
}
// PINNED: on_thread by pthread_create

HANDLER(on_memory) {
  UNUSED;
  free(malloc(10));
}
// ANY THREAD: on_memory
// SAFE: on_memory on_memory

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_filter, NULL);
  when_readable(6, on_capabilities, NULL);
  when_readable(7, on_name, NULL);
  when_readable(8, on_namespace, NULL);
  when_readable(9, on_open, NULL);
  when_readable(10, on_thread, NULL);
  when_readable(11, on_memory, NULL);
  return event_base_dispatch(base);
}

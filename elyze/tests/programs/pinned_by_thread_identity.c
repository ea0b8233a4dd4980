// Who asks which thread it is on, by whatever way: a call, a pointer, a system call by number, a register.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "server.h"

struct client {
  pid_t (*who)(void);
  pthread_t home;
  stack_t stack;
};

static pid_t home;

HANDLER(on_global) {
  UNUSED;
  home = gettid();
}
// PINNED: on_global by gettid

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  if (client->who() != home) abort();
}
// PINNED: on_session by gettid

static int at_home(const struct client *client) { return pthread_equal(pthread_self(), client->home); }

HANDLER(on_helper) {
  (void)fd, (void)what;
  if (!at_home(arg)) abort();
}
// PINNED: on_helper by pthread_self

HANDLER(on_number) {
  UNUSED;
  if (syscall(SYS_gettid) != home) return;
}
// PINNED: on_number by syscall

HANDLER(on_register) {
  UNUSED;
  unsigned long self;
  __asm__ volatile("mov %%fs:0, %0" : "=r"(self));
  if (self == 0) abort();
}
// PINNED: on_register by memory of a segment

HANDLER(on_stack) {
  (void)fd, (void)what;
  struct client *client = arg;
  sigaltstack(NULL, &client->stack);
}
// PINNED: on_stack by sigaltstack

HANDLER(on_processor) {
  UNUSED;
  if (sched_getcpu() < 0) abort();
}
// PINNED: on_processor by sched_getcpu

HANDLER(on_swap) {
  UNUSED;
  unsigned long value = 1;
  __asm__("bswapq %0" : "+r"(value));
  static unsigned long last;
  last = value;
}
// ANY THREAD: on_swap
// CONFLICT always: on_swap on_swap: on_swap.last

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  client->who = gettid;
  client->home = pthread_self();
  home = gettid();
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, client);
  when_readable(6, on_number, NULL);
  when_readable(7, on_register, NULL);
  when_readable(8, on_stack, client);
  when_readable(9, on_processor, NULL);
  when_readable(10, on_swap, NULL);
  return event_base_dispatch(base);
}

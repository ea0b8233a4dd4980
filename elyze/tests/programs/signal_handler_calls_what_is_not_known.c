// A handler of sigaction() is none of the loop's; what it calls through a pointer that nobody set is assumed.
// SAFE: on_a on_a

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>

static const struct timeval second = {1, 0};

static void (*hook)(int);

static void note(int number) { (void)number; }
void (*exported)(int) = note;

static void interrupted(int number) {
  if (hook != NULL) hook(number);
}

static void on_a(evutil_socket_t fd, short what, void* arg) { (void)fd, (void)what, (void)arg; }

int main(void) {
  struct sigaction action = {.sa_handler = interrupted};
  struct event_base* base = event_base_new();
  sigaction(SIGUSR1, &action, NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  return event_base_dispatch(base);
}

/* Goes into the background in one of the ways that servers do, makes 3 calls there, and ends. Says its number in a file
 * as soon as its loop runs, and waits for the file to go if it is told to. */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct event_base* base;
static const char* pid_file;
static int calls;

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (calls++ == 0) {
    FILE* file = fopen(pid_file, "w");
    if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0) abort();
  }
  if (calls >= 3 && access(pid_file, F_OK) != 0) event_base_loopexit(base, NULL);
}

/* Nothing runs beside it, so the program is not serial by nature. */
static void on_other(evutil_socket_t fd, short what, void* arg) { (void)fd, (void)what, (void)arg; }

static void child_goes_on(void) {
  const pid_t child = fork();
  if (child < 0) abort();
  if (child > 0) exit(0);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* how = argv[1];
  pid_file = argv[2];
  if (strcmp(how, "base first") == 0) base = event_base_new();
  if (strcmp(how, "daemon") == 0) {
    if (daemon(0, 1) != 0) return 1;
  } else if (strcmp(how, "twice") == 0) {
    child_goes_on();
    if (setsid() < 0) return 1;
    child_goes_on();
    if (chdir("/") != 0) return 1;
  } else if (strcmp(how, "supervised") == 0) {
    const pid_t child = fork();
    if (child > 0) return waitpid(child, NULL, 0) == child ? 0 : 1;
  } else {
    child_goes_on();
  }
  if (base == NULL) base = event_base_new();
  if (event_reinit(base) != 0) return 1;
  const struct timeval often = {0, 20000};
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &often);
  event_active(event_new(base, -1, 0, on_other, NULL), EV_READ, 1);
  event_base_dispatch(base);
  return 0;
}

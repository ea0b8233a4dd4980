/* A program that is linked with multivent, in C and in C++: two handlers that wait for each other.
 *
 *   meeting SECONDS [WORD...]      waits so long at most; prints whether they met, and the figures
 *
 * Words: threads=N, constraints=FILE, promise, require, start, json=FILE (what is said to multivent before the first
 * base), late (something is said after it). */
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/thread.h>
#include <inttypes.h>
#include <multivent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
static int inside, met;
static struct timespec deadline;

static void meet(void) {
  pthread_mutex_lock(&mutex);
  if (++inside == 2) met = 1;
  pthread_cond_broadcast(&arrival);
  while (!met && pthread_cond_timedwait(&arrival, &mutex, &deadline) == 0) {
  }
  --inside;
  pthread_mutex_unlock(&mutex);
}

#ifdef __cplusplus
extern "C" {
#endif
void on_first(evutil_socket_t fd, short what, void* argument);
void on_second(evutil_socket_t fd, short what, void* argument);
#ifdef __cplusplus
}
#endif

void on_first(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  meet();
}

void on_second(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  meet(), (void)&on_first;
}

static void check(const char* what, int result) {
  if (result != 0) printf("%s: %s\n", what, multivent_error());
}

static void say(const char* word) {
  const multivent_handler first = MULTIVENT_HANDLER(on_first), second = MULTIVENT_HANDLER(on_second);
  if (strncmp(word, "threads=", 8) == 0) check("threads", multivent_set_threads((unsigned)atoi(word + 8)));
  if (strncmp(word, "constraints=", 12) == 0) check("constraints", multivent_set_constraints(word + 12));
  if (strcmp(word, "promise") == 0) check("promise", multivent_promise(first, second, MULTIVENT_NEVER));
  if (strcmp(word, "require") == 0) check("require", multivent_require(second, first, MULTIVENT_ALWAYS));
  if (strcmp(word, "start") == 0) check("start", multivent_start());
}

/* libevent's other libraries, above the core that multivent replaces. */
static void use_libevent(struct event_base* base) {
  struct evhttp* http = evhttp_new(base);
  struct bufferevent* stream = bufferevent_socket_new(base, -1, 0);
  if (http == NULL || stream == NULL || bufferevent_openssl_get_ssl(stream) != NULL) abort();
  bufferevent_free(stream);
  evhttp_free(http);
}

int main(int argc, char** argv) {
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += argc > 1 ? atoi(argv[1]) : 0;
  const char* json = NULL;
  for (int i = 2; i < argc; ++i) {
    say(argv[i]);
    if (strncmp(argv[i], "json=", 5) == 0) json = argv[i] + 5;
  }
  if (evthread_use_pthreads() != 0) abort();
  struct event_base* base = event_base_new();
  use_libevent(base);
  if (argc > 2 && strcmp(argv[2], "late") == 0) check("late", multivent_set_threads(2));
  struct event* first = event_new(base, -1, 0, on_first, NULL);
  struct event* second = event_new(base, -1, 0, on_second, NULL);
  event_active(first, EV_TIMEOUT, 0);
  event_active(second, EV_TIMEOUT, 0);
  if (event_base_dispatch(base) != 1) abort();
  printf("%s\n", met ? "met" : "alone");

  struct multivent_statistics figures;
  memset(&figures, 0xff, sizeof figures);
  if (multivent_get_statistics(&figures, sizeof figures) == 0)
    printf("parallel %d, threads %" PRIu32 ", calls %" PRIu64 ", at once %" PRIu32 "\n", figures.parallel,
           figures.threads, figures.invocations, figures.peak_parallel);
  else
    printf("figures: %s\n", multivent_error());
  if (multivent_why_serial() != NULL) printf("serial: %s\n", multivent_why_serial());
  if (json != NULL) {
    char* text = multivent_statistics_json();
    FILE* file = fopen(json, "w");
    if (text == NULL || file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
    free(text);
  }
  event_free(first);
  event_free(second);
  event_base_free(base);
  return 0;
}

/* A server that answers each byte with the same byte, a millisecond later, and counts ticks: for faults to be done to.
 *
 *     echo PORT_FILE        writes its port there, serves until SIGTERM, then prints how often its timer ran
 *
 * It does what such a program must about errors: EINTR and EAGAIN mean later, and when descriptors run out it accepts
 * nothing for a while. SIGUSR2 has a handler without SA_RESTART, so it interrupts system calls. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct client {
  struct event* read;
};

static struct event_base* base;
static struct event *listening, *pause_over;
static unsigned long ticks, pauses;

static void on_read(evutil_socket_t fd, short what, void* argument) {
  struct client* client = argument;
  char byte;
  (void)what;
  const ssize_t got = recv(fd, &byte, 1, 0);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got == 1) {
    usleep(1000);
    while (send(fd, &byte, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    return;
  }
  event_free(client->read);
  close(fd);
  free(client);
}

static void on_accept(evutil_socket_t fd, short what, void* argument) {
  (void)what, (void)argument;
  const int connection = accept(fd, NULL, NULL);
  if (connection < 0) {
    if (errno != EMFILE && errno != ENFILE) return;
    const struct timeval while_full = {0, 20000};
    ++pauses;
    event_del(listening);
    event_add(pause_over, &while_full);
    return;
  }
  evutil_make_socket_nonblocking(connection);
  struct client* client = malloc(sizeof *client);
  client->read = event_new(base, connection, EV_READ | EV_PERSIST, on_read, client);
  event_add(client->read, NULL);
}

static void on_pause_over(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  event_add(listening, NULL);
}

static void on_tick(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  ++ticks;
}

static void on_end(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  event_base_loopbreak(base);
}

static void interrupt(int number) { (void)number; }

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt;
  sigaction(SIGUSR2, &action, NULL);

  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr*)&address, length) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, (struct sockaddr*)&address, &length) != 0)
    return 2;
  evutil_make_socket_nonblocking(listener);

  base = event_base_new();
  listening = event_new(base, listener, EV_READ | EV_PERSIST, on_accept, NULL);
  pause_over = event_new(base, -1, 0, on_pause_over, NULL);
  struct event* tick = event_new(base, -1, EV_PERSIST, on_tick, NULL);
  struct event* end = evsignal_new(base, SIGTERM, on_end, NULL);
  const struct timeval each = {0, 5000};
  event_add(listening, NULL);
  event_add(tick, &each);
  event_add(end, NULL);

  FILE* file = fopen(argv[1], "w");
  if (file == NULL || fprintf(file, "%d\n", ntohs(address.sin_port)) < 0 || fclose(file) != 0) return 2;
  event_base_dispatch(base);
  printf("ticks %lu, pauses %lu\n", ticks, pauses);
  return 0;
}

/* What a C program does with pico (pico.h). Each test prints its name; the first thing that does not hold ends all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pico/c/pico.h"

#define EXPECT(holds)                                                                             \
  do {                                                                                            \
    if (!(holds)) {                                                                               \
      fprintf(stderr, "%s:%d: %s does not hold (errno %d)\n", __FILE__, __LINE__, #holds, errno); \
      exit(1);                                                                                    \
    }                                                                                             \
  } while (0)

#define MS INT64_C(1000000)

static int order[8];
static int count;

static void* note(void* argument) {
  order[count++] = *(int*)argument;
  return argument;
}

static void* join_gives_what_the_function_returned(void* argument) {
  int numbers[3] = {1, 2, 3};
  pico_thread_t* threads[3];
  (void)argument;
  for (int i = 0; i < 3; ++i) EXPECT((threads[i] = pico_spawn(note, &numbers[i])) != NULL);
  EXPECT(count == 0);
  for (int i = 0; i < 3; ++i) {
    void* result = NULL;
    EXPECT(pico_join(threads[i], &result) == 0 && result == &numbers[i]);
  }
  EXPECT(count == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
  pico_detach(pico_spawn(note, &numbers[1]));
  EXPECT(pico_yield() == 0 && count == 4);
  return &order;
}

static void* sleep_until_cancelled(void* argument) {
  const int64_t start = pico_now();
  EXPECT(pico_sleep(3600 * 1000 * MS) == -1 && errno == ECANCELED);
  EXPECT(pico_yield() == -1 && errno == ECANCELED);
  EXPECT(pico_now() - start < 60 * 1000 * MS);
  return argument;
}

static void* cancel_ends_a_wait(void* argument) {
  void* result = NULL;
  pico_thread_t* thread = pico_spawn(sleep_until_cancelled, &count);
  const int64_t start = pico_now();
  EXPECT(pico_sleep(2 * MS) == 0 && pico_now() >= start + 2 * MS);
  EXPECT(pico_sleep_until(start + 3 * MS) == 0 && pico_now() >= start + 3 * MS);
  pico_cancel(thread);
  EXPECT(pico_join(thread, &result) == 0 && result == &count);
  result = &count;
  thread = pico_spawn(sleep_until_cancelled, &count);
  pico_cancel(thread);
  EXPECT(pico_join(thread, &result) == 0 && result == NULL);
  return argument;
}

struct shared {
  pico_mutex_t* mutex;
  int value;
};

static void* add(void* argument) {
  struct shared* shared = argument;
  for (int i = 0; i < 100; ++i) {
    EXPECT(pico_mutex_lock(shared->mutex) == 0);
    const int before = shared->value;
    if (i % 10 == 0) EXPECT(pico_yield() == 0);
    shared->value = before + 1;
    EXPECT(pico_mutex_unlock(shared->mutex) == 0);
  }
  return NULL;
}

static void* a_mutex_keeps_threads_apart(void* argument) {
  struct shared shared = {pico_mutex_new(), 0};
  pico_thread_t* threads[20];
  EXPECT(pico_mutex_lock(shared.mutex) == 0);
  EXPECT(pico_mutex_trylock(shared.mutex) == -1 && errno == EBUSY);
  EXPECT(pico_mutex_unlock(shared.mutex) == 0);
  for (int i = 0; i < 20; ++i) EXPECT((threads[i] = pico_spawn(add, &shared)) != NULL);
  for (int i = 0; i < 20; ++i) EXPECT(pico_join(threads[i], NULL) == 0);
  EXPECT(shared.value == 2000);
  pico_mutex_free(shared.mutex);
  return argument;
}

static void* echo(void* argument) {
  char bytes[100];
  ssize_t size;
  pico_socket_t* peer = pico_accept(argument);
  EXPECT(peer != NULL);
  while ((size = pico_read(peer, bytes, sizeof bytes)) > 0) EXPECT(pico_write(peer, bytes, (size_t)size) == 0);
  EXPECT(size == 0);
  pico_close(peer);
  return NULL;
}

static void* an_echo_comes_back(void* argument) {
  static char sent[1 << 20], got[sizeof sent + 1];
  size_t size = 0;
  ssize_t more;
  pico_socket_t* listening = pico_listen("127.0.0.1", 0);
  EXPECT(listening != NULL && pico_local_port(listening) != 0 && pico_descriptor(listening) >= 0);
  pico_thread_t* server = pico_spawn(echo, listening);
  pico_socket_t* client = pico_connect("127.0.0.1", pico_local_port(listening), pico_now() + 60 * 1000 * MS);
  EXPECT(client != NULL);
  for (size_t i = 0; i < sizeof sent; ++i) sent[i] = (char)(i * 7 + i / 1000);
  for (size_t i = 0; i < sizeof sent; i += sizeof sent / 16) {
    EXPECT(pico_write(client, sent + i, sizeof sent / 16) == 0);
    while (size < i + sizeof sent / 16) {
      EXPECT((more = pico_read(client, got + size, sizeof got - size)) > 0);
      size += (size_t)more;
    }
  }
  EXPECT(pico_shutdown_write(client) == 0);
  EXPECT(pico_read(client, got + size, 1) == 0);
  EXPECT(size == sizeof sent && memcmp(sent, got, size) == 0);
  EXPECT(pico_join(server, NULL) == 0);
  pico_close(client);
  pico_close(listening);
  return argument;
}

static void* accept_of_a_closed_socket(void* argument) {
  EXPECT(pico_accept(argument) == NULL && errno == EBADF);
  return NULL;
}

static void* what_fails_says_why(void* argument) {
  int ends[2];
  char byte;
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pico_socket_t* socket = pico_socket_of(ends[0]);
  pico_set_deadline(socket, pico_now() + 2 * MS);
  EXPECT(pico_read(socket, &byte, 1) == -1 && errno == ETIMEDOUT);
  pico_set_deadline(socket, PICO_NEVER);
  EXPECT(close(ends[1]) == 0);
  EXPECT(pico_read(socket, &byte, 1) == 0);
  EXPECT(pico_write(socket, &byte, 1) == -1 && errno == EPIPE);
  EXPECT(pico_local_port(socket) == 0);
  pico_close(socket);
  EXPECT(pico_socket_of(-1) == NULL && errno == EBADF);
  EXPECT(pico_listen("not.a.number", 0) == NULL && errno == EINVAL);
  pico_socket_t* listening = pico_listen("127.0.0.1", 0);
  const uint16_t port = pico_local_port(listening);
  pico_thread_t* waits = pico_spawn(accept_of_a_closed_socket, listening);
  EXPECT(pico_yield() == 0);
  pico_close(listening);
  EXPECT(pico_join(waits, NULL) == 0);
  EXPECT(pico_connect("127.0.0.1", port, PICO_NEVER) == NULL && errno == ECONNREFUSED);
  EXPECT(pico_run(1, note, NULL, NULL) == -1 && errno == EDEADLK);
  return argument;
}

static void* use_a_megabyte(void* argument) {
  volatile char large[1 << 20];
  memset((char*)large, 1, sizeof large);
  *(int*)argument += large[sizeof large - 1];
  return argument;
}

static void* calls_are_made_elsewhere(void* argument) {
  int calls = 0;
  void* result = NULL;
  EXPECT(pico_on_helper(use_a_megabyte, &calls, &result) == 0 && result == &calls && calls == 1);
  EXPECT(pico_on_big_stack(use_a_megabyte, &calls, NULL) == 0 && calls == 2);
  return argument;
}

static void runs(const char* name, size_t workers, pico_function_t test) {
  void* result = NULL;
  printf("%s\n", name);
  EXPECT(pico_run(workers, test, &order, &result) == 0);
  EXPECT(result == &order);
}
#define RUN(workers, test) runs(#test, workers, test)

int main(void) {
  RUN(1, join_gives_what_the_function_returned);
  RUN(1, cancel_ends_a_wait);
  RUN(1, a_mutex_keeps_threads_apart);
  RUN(3, a_mutex_keeps_threads_apart);
  RUN(1, an_echo_comes_back);
  RUN(3, an_echo_comes_back);
  RUN(1, what_fails_says_why);
  RUN(1, calls_are_made_elsewhere);
  printf("a_call_outside_a_run_fails\n");
  EXPECT(pico_yield() == -1 && errno == EPERM);
  EXPECT(pico_spawn(note, NULL) == NULL && errno == EPERM);
  EXPECT(pico_run(0, note, NULL, NULL) == -1 && errno == EINVAL);
  return 0;
}

// A message holds a function beside a structure's address and a number: none of these is a callback of another type,
// and what nobody calls casts nothing. A checksum over all messages makes one place of them and of the callback.
// CONFLICT always: on_data on_data: lines

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static int lines, steps;

struct packet {
  char text[16];
};

struct message {
  int kind;
  union {
    struct packet* packet;
    unsigned delay;
    struct {
      void (*function)(void*);
      void* context;
    } call;
    struct {
      unsigned delay;
      void (*function)(void*);
    } later;
  } of;
};

static void on_data(int fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  lines++;
}

static void step(void* arg) {
  (void)arg;
  steps++;
}

static struct {
  event_callback_fn reader;
  struct message message;
} table;

static void set(struct message* message, void (*function)(void*)) {
  message->kind = 1;
  message->of.call.function = function;
}

void never_called(struct message* message, void (*function)(void*)) {
  message->of.later.delay = 1;
  message->of.later.function = function;
}

int main(void) {
  struct event_base* base = event_base_new();
  unsigned sum = 0;
  table.reader = on_data;
  set(&table.message, step);
  for (size_t i = 0; i < sizeof table; i++) sum += ((unsigned char*)&table)[i];
  for (int fd = 3; fd < 5; fd++) event_add(event_new(base, fd, EV_READ | EV_PERSIST, table.reader, NULL), NULL);
  table.message.of.call.function(NULL);
  printf("%u\n", sum);
  return event_base_dispatch(base);
}

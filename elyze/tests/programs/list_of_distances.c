// Each node keeps the distance to the next one.
#include "server.h"

#include <stdint.h>

struct node {
  uintptr_t to_next;
  long count;
};
static struct node *head, *last;
static long sum(void) {
  long all = 0;
  struct node *at = head;
  for (int i = 0; i < 5; i++) {
    all += at->count;
    at = (struct node *)((uintptr_t)at + at->to_next);
  }
  return all;
}
static void push(void) {
  struct node *made = calloc(1, sizeof *made);
  if (last != NULL) last->to_next = (uintptr_t)made - (uintptr_t)last;
  if (head == NULL) head = made;
  last = made;
}
static long reads;
HANDLER(on_write) {
  UNUSED;
  last->count++;
}
HANDLER(on_read) {
  UNUSED;
  reads += sum();
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 5; i++) push();
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}

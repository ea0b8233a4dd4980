// Each node keeps the exclusive or of its neighbours' addresses.
#include "server.h"

#include <stdint.h>

struct node {
  uintptr_t both;
  long count;
};
static struct node *head, *tail;
static long sum(void) {
  long all = 0;
  uintptr_t before = 0;
  for (struct node *at = tail; at != NULL;) {
    all += at->count;
    uintptr_t next = at->both ^ before;
    before = (uintptr_t)at;
    at = (struct node *)next;
  }
  return all;
}
static void push(void) {
  struct node *made = calloc(1, sizeof *made);
  made->both = (uintptr_t)head;
  if (head != NULL) head->both ^= (uintptr_t)made;
  if (head == NULL) tail = made;
  head = made;
}
static long reads;
HANDLER(on_write) {
  UNUSED;
  head->count++;
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

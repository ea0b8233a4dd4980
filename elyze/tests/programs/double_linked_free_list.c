// Blocks go back to a double-linked free list: giving back and taking out both write the list's neighbours.
// CONFLICT always: on_return on_return: free_blocks
// CONFLICT always: on_return on_take: free_blocks
// CONFLICT always: on_take on_take: free_blocks

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct block {
  struct block *next, *previous;
  char bytes[64];
};

static struct block free_blocks = {&free_blocks, &free_blocks, ""};

static void give_back(struct block* b) {
  b->next = free_blocks.next;
  b->previous = &free_blocks;
  b->next->previous = b;
  free_blocks.next = b;
}

static struct block* take(void) {
  struct block* b = free_blocks.next;
  if (b == &free_blocks) return calloc(1, sizeof *b);
  b->previous->next = b->next;
  b->next->previous = b->previous;
  return b;
}

static void on_return(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  give_back(calloc(1, sizeof(struct block)));
}

static void on_take(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  free(take());
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_return, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_take, NULL), &second);
  return event_base_dispatch(base);
}

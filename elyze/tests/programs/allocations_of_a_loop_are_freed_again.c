// Blocks that a loop allocates, links on the stack and frees before the handler returns are nobody else's.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct node {
  struct node* next;
  int number;
};

static int sum_of(int count) {
  struct node* head = NULL;
  int sum = 0;
  for (int i = 0; i < count; i++) {
    struct node* n = malloc(sizeof *n);
    n->number = i;
    n->next = head;
    head = n;
  }
  while (head != NULL) {
    struct node* next = head->next;
    sum += head->number;
    free(head);
    head = next;
  }
  return sum;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", sum_of(4));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", sum_of(8));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}

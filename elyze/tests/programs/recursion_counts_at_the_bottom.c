// The write stands at the end of a recursion over a constant tree.
// CONFLICT always: on_walk on_walk: visited
// CONFLICT always: on_show on_walk: visited
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct node {
  struct node *left, *right;
};

static struct node* root;
static long visited;

static void walk(const struct node* n) {
  if (n == NULL) {
    visited++;
    return;
  }
  walk(n->left);
  walk(n->right);
}

static void on_walk(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  walk(root);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", visited);
}

int main(void) {
  struct event_base* base = event_base_new();
  root = calloc(1, sizeof *root);
  root->left = calloc(1, sizeof *root);
  event_add(event_new(base, -1, EV_PERSIST, on_walk, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}

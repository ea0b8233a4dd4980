// A look-up in a splay tree moves what it finds to the root.
// CONFLICT always: on_a on_a: tree
// CONFLICT always: on_a on_b: tree
// CONFLICT always: on_b on_b: tree
#include "server.h"
struct node {
  struct node *left, *right;
  int key;
};
static struct node* tree;
static struct node* find(struct node** root, int key) {
  struct node* at = *root;
  if (at == NULL || at->key == key) return at;
  struct node** side = key < at->key ? &at->left : &at->right;
  struct node* up = *side;
  if (up == NULL) return NULL;
  struct node** under = side == &at->left ? &up->right : &up->left;
  *side = *under;
  *under = at;
  *root = up;
  return find(root, key);
}
HANDLER(on_a) {
  (void)what, (void)arg;
  find(&tree, fd);
}
HANDLER(on_b) {
  (void)what, (void)arg;
  if (find(&tree, fd + 1)) printf("found\n");
}

int main(void) {
  base = event_base_new();
  tree = calloc(1, sizeof *tree);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

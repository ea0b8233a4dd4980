// The function that a session calls is replaced by the function itself, through a table of names.
// CONFLICT always: on_a on_a: total
// CONFLICT always: on_a on_b: total
// CONFLICT session: on_b on_b
#include "server.h"
struct session {
  void (*step)(struct session*);
  long own;
};
static long total;
static void first(struct session* s);
static void second(struct session* s);
static const struct {
  const char* name;
  void (*step)(struct session*);
} steps[] = {{"first", first}, {"second", second}};
static void (*named(const char* name))(struct session*) {
  for (size_t i = 0; i < 2; i++)
    if (strcmp(steps[i].name, name) == 0) return steps[i].step;
  return NULL;
}
static void first(struct session* s) { s->step = named("second"); }
static void second(struct session* s) {
  total++;
  s->step = named("first");
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  s->step(s);
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  s->own = total;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->step = first;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}

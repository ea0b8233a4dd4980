// Two functions call each other and pass the session along: the effects of the pair are those of one unit.
// CONFLICT session: on_parse on_parse: parser->depth
// CONFLICT session: on_parse on_show: parser->depth
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct parser {
  int depth;
  const char* text;
};

static void parse_list(struct parser* p, const char* at);

static void parse_item(struct parser* p, const char* at) {
  if (*at == '(') parse_list(p, at + 1);
}

static void parse_list(struct parser* p, const char* at) {
  p->depth++;
  parse_item(p, at);
}

static void on_parse(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct parser* p = arg;
  parse_item(p, p->text);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct parser* p = arg;
  printf("%d\n", p->depth);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct parser* p = calloc(1, sizeof *p);
    p->text = "((()))";
    event_add(event_new(base, -1, EV_PERSIST, on_parse, p), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, p), &second);
  }
  return event_base_dispatch(base);
}

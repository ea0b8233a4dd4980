// Read and event callback of a bufferevent count in their own context; the last one frees both.
// CONFLICT session: on_data on_data: context->lines
// CONFLICT session: on_data on_end: context->lines
// CONFLICT session: on_end on_end: context
// SAFE: on_accept on_accept
// SAFE: on_accept on_data
// SAFE: on_accept on_end

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>

struct context {
  struct bufferevent* bev;
  long lines;
};

static void on_data(struct bufferevent* bev, void* arg) {
  struct context* c = arg;
  struct evbuffer* input = bufferevent_get_input(bev);
  evbuffer_drain(input, evbuffer_get_length(input));
  c->lines++;
}

static void on_end(struct bufferevent* bev, short events, void* arg) {
  struct context* c = arg;
  if (!(events & (BEV_EVENT_EOF | BEV_EVENT_ERROR))) return;
  bufferevent_free(bev);
  free(c);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct context* c = calloc(1, sizeof *c);
  if (c == NULL) return;
  c->bev = bufferevent_socket_new(evconnlistener_get_base(listener), fd, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(c->bev, on_data, NULL, on_end, c);
  bufferevent_enable(c->bev, EV_READ);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}

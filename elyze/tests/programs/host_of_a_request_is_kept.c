// Host of a request is kept.
// CONFLICT always: on_a on_b: evhttp_request
// ANY THREAD: done
#include "server.h"
#include <event2/http.h>
static struct evhttp_request *request;
static void done(struct evhttp_request *r, void *arg) {
  (void)r, (void)arg;
}
HANDLER(on_a) {
  UNUSED;
  printf("%s\n", evhttp_request_get_host(request));
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", evhttp_request_get_host(request));
}
int main(void) {
  base = event_base_new();
  request = evhttp_request_new(done, NULL);
  evhttp_add_header(evhttp_request_get_input_headers(request), "Host", "a:80");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}

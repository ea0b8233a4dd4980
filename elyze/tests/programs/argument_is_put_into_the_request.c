// evhttp passes the argument that stands in the request when it calls.
// CONFLICT session: on_answer on_answer: shared.hits
// CONFLICT always: on_answer on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include <event2/http.h>
#include <event2/http_struct.h>
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static void on_answer(struct evhttp_request* request, void* arg) {
  (void)request;
  ((struct item*)arg)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct evhttp_connection* to = evhttp_connection_base_new(base, NULL, "127.0.0.1", 8080);
    struct evhttp_request* request = evhttp_request_new(on_answer, calloc(1, sizeof(struct item)));
    request->cb_arg = &shared;
    evhttp_make_request(to, request, EVHTTP_REQ_GET, "/");
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}

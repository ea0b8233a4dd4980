// The answer may have been sent, and its callback called, while the handler that has sent it still works on what the
// callback is given.
// SAFE: on_get on_get
// CONFLICT always: on_get on_complete: answer->uses
// CONFLICT session: on_complete on_complete: answer->uses
#include <event2/http.h>
#include "server.h"

struct answer {
  int uses;
};

static void on_complete(struct evhttp_request* request, void* arg) {
  (void)request;
  struct answer* answer = arg;
  answer->uses++;
}
static void on_get(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct answer* answer = calloc(1, sizeof *answer);
  evhttp_request_set_on_complete_cb(request, on_complete, answer);
  evhttp_send_reply(request, 200, "OK", NULL);
  answer->uses++;
}
int main(void) {
  base = event_base_new();
  struct evhttp* server = evhttp_new(base);
  evhttp_bind_socket(server, "127.0.0.1", 8080);
  evhttp_set_gencb(server, on_get, NULL);
  return event_base_dispatch(base);
}

// A server opens a file for each answer and gives it to libevent, which reads and closes it.
// The answers have nothing in common.
// SAFE: on_http on_http
#include <event2/buffer.h>
#include <event2/http.h>
#include <sys/stat.h>

#include "server.h"

static void on_http(struct evhttp_request *request, void *arg) {
  (void)arg;
  struct evbuffer *body = evbuffer_new();
  struct stat status;
  const int file = open("/srv/index.html", O_RDONLY);
  if (file >= 0 && fstat(file, &status) == 0) evbuffer_add_file(body, file, 0, status.st_size);
  evhttp_send_reply(request, 200, "OK", body);
  evbuffer_free(body);
}

int main(void) {
  base = event_base_new();
  struct evhttp *http = evhttp_new(base);
  evhttp_set_gencb(http, on_http, NULL);
  evhttp_bind_socket(http, "127.0.0.1", 0);
  return event_base_dispatch(base);
}

// To find a peer by its address in the internet, no path is looked up.
// SAFE: on_connect on_make
// CONFLICT always: on_path on_make: directory entry of some file
#include "server.h"
#include <arpa/inet.h>
#include <sys/un.h>
static int kept;
HANDLER(on_connect) {
  UNUSED;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(80)};
  int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
  if (connect(s, (struct sockaddr*)&to, sizeof to)) close(s);
}
HANDLER(on_path) {
  UNUSED;
  struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "log.sock"};
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (connect(s, (struct sockaddr*)&to, sizeof to)) close(s);
}
HANDLER(on_make) {
  UNUSED;
  unlink(arg);
  if (open(arg, O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) ++kept;
}
int main(void) {
  char path[32];
  snprintf(path, sizeof path, "file-%d", (int)getpid());
  base = event_base_new();
  when_readable(3, on_connect, NULL);
  when_readable(4, on_path, NULL);
  when_readable(5, on_make, path);
  event_base_dispatch(base);
}

/* fileserver: the files of a directory over HTTP. */
#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "conn.h"
#include "log.h"
#include "map_cache.h"
#include "path.h"
#include "server.h"
#include "throttle.h"

/* What is named relative to where it was started is opened before the root becomes the working directory. */
static bool open_all(void) {
  if (!throttle_load(config.throttle_file)) return false;
  if (!log_open(config.log_file)) {
    fprintf(stderr, "fileserver: cannot write the log '%s' (%s): name another file with -l\n", config.log_file,
            strerror(errno));
    return false;
  }
  if (!path_root(config.root)) {
    fprintf(stderr, "fileserver: cannot read the files in '%s' (%s): name another directory with -d\n", config.root,
            strerror(errno));
    return false;
  }
  return server_listen(config.port);
}

int main(int argc, char **argv) {
  config_parse(argc, argv);
  if (!open_all()) return 2;

  struct event_base *base = event_base_new();
  if (base == NULL || !conn_table_init(config.connections)) {
    fputs("fileserver: no memory, or no event loop on this system\n", stderr);
    return 1;
  }
  map_init((size_t)config.map_mb << 20);
  if (!server_start(base)) return 1;
  event_base_dispatch(base);

  server_stop();
  event_base_free(base);
  conn_table_free();
  map_clear();
  throttle_unload();
  log_close();
  return 0;
}

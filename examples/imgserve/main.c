/* imgserve: thumbnails of JPEG pictures over HTTP. */
#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <string.h>

#include "cache.h"
#include "config.h"
#include "log.h"
#include "server.h"

static bool pictures_readable(void) {
  DIR *directory = opendir(config.pictures);
  if (directory == NULL) {
    fprintf(stderr, "imgserve: cannot read the pictures in '%s' (%s): name another directory with -d\n",
            config.pictures, strerror(errno));
    return false;
  }
  closedir(directory);
  return true;
}

int main(int argc, char **argv) {
  config_parse(argc, argv);
  if (!pictures_readable()) return 2;
  if (!log_open(config.log_file)) {
    fprintf(stderr, "imgserve: cannot write the log '%s' (%s): name another file with -l\n", config.log_file,
            strerror(errno));
    return 2;
  }
  if (!server_listen(config.port)) return 2;
  cache_init(config.cache_bytes);

  struct event_base *base = event_base_new();
  if (base == NULL) {
    fputs("imgserve: no event loop on this system\n", stderr);
    return 1;
  }
  if (!server_start(base)) return 1;
  event_base_dispatch(base);

  server_stop();
  event_base_free(base);
  cache_clear();
  log_close();
  return 0;
}

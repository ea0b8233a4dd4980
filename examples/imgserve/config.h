/* What the command line says. Filled by main() before the first event; read only from then on. */
#ifndef IMGSERVE_CONFIG_H
#define IMGSERVE_CONFIG_H

#include <stddef.h>

struct config {
  int port;             /* 0: any free one */
  const char *pictures; /* directory */
  size_t cache_bytes;   /* 0: results are not kept */
  int idle_s;           /* a connection that is silent for longer is closed */
  const char *log_file; /* NULL: no access log; "-": standard output */
  int default_width;    /* of a thumbnail whose URL names none */
};

extern struct config config;

/* Exits with status 2 after a one-line message if the arguments make no sense, and with 0 after -h. */
void config_parse(int argc, char **argv);

#endif

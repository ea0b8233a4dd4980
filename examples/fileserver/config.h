/* What the command line says. Filled by main() before the first event; read only from then on. */
#ifndef FILESERVER_CONFIG_H
#define FILESERVER_CONFIG_H

struct config {
  int port;                  /* 0: any free one */
  const char *root;          /* directory whose files are served */
  const char *log_file;      /* NULL: no access log; "-": standard output */
  const char *throttle_file; /* NULL: nothing is throttled */
  int map_mb;                /* beyond this, files that nobody is being sent are unmapped early */
  int connections;           /* at most so many at once; others wait in the system's queue */
  int idle_s;                /* a connection on which nothing moves for longer is closed */
  int stats_s;               /* between two lines of statistics */
};

extern struct config config;

/* Exits with status 2 after a one-line message if the arguments make no sense, and with 0 after -h. */
void config_parse(int argc, char **argv);

#endif

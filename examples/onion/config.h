/* What the command line says. */
#ifndef ONION_CONFIG_H
#define ONION_CONFIG_H

struct config {
  int port, stats_s;
  const char *key_file; /* NULL: none */
};

extern struct config config; /* does not change after config_parse() */

void config_parse(int argc, char **argv); /* ends the program if there is something wrong */

#endif

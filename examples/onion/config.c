#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct config config = {.port = 9001, .stats_s = 3600};

static const char usage[] =
    "usage: onion [-p PORT] [-k KEYFILE] [-s STATS_S]\n"
    "A relay through which circuits of encrypted hops can lead.\n"
    "  -p PORT      listen on 127.0.0.1:PORT; 0 takes any free port (default 9001)\n"
    "  -k KEYFILE   the RSA key that clients know the relay by, in PEM; made if the file is not there (default: a new\n"
    "               key at each start)\n"
    "  -s STATS_S   write statistics to standard error at this interval (default 3600)\n"
    "SIGTERM and SIGINT stop it.\n"
    "Example: onion -p 9001 -k relay.pem\n";

static int number(int option, const char *text, int least, int most) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || value < least || value > most) {
    fprintf(stderr, "onion: -%c takes a number from %d to %d, not '%s'\n", option, least, most, text);
    exit(2);
  }
  return (int)value;
}

void config_parse(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "p:k:s:h")) != -1) {
    switch (option) {
      case 'p':
        config.port = number(option, optarg, 0, 65535);
        break;
      case 'k':
        config.key_file = optarg;
        break;
      case 's':
        config.stats_s = number(option, optarg, 1, 86400);
        break;
      case 'h':
        fputs(usage, stdout);
        exit(0);
      default:
        fputs("onion: see onion -h\n", stderr);
        exit(2);
    }
  }
  if (optind < argc) {
    fprintf(stderr, "onion: unexpected argument '%s': see onion -h\n", argv[optind]);
    exit(2);
  }
}

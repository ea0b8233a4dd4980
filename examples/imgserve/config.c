#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "route.h"

struct config config = {
    .port = 8080,
    .pictures = ".",
    .cache_bytes = (size_t)64 << 20,
    .idle_s = 30,
    .log_file = NULL,
    .default_width = 160,
};

static const char usage[] =
    "usage: imgserve [-p PORT] [-d DIR] [-c CACHE_MB] [-i IDLE_S] [-l LOGFILE|-] [-w WIDTH]\n"
    "Serves thumbnails of the JPEG pictures in a directory.\n"
    "  -p PORT      listen on 127.0.0.1:PORT; 0 takes any free port (default 8080)\n"
    "  -d DIR       the pictures (default: the working directory)\n"
    "  -c CACHE_MB  memory for finished thumbnails; 0 keeps none (default 64)\n"
    "  -i IDLE_S    close a connection that is silent for so many seconds (default 30)\n"
    "  -l LOGFILE   write an access log; - is standard output (default: none)\n"
    "  -w WIDTH     width of a thumbnail whose URL names none (default 160)\n"
    "URLs: /thumb/NAME?w=WIDTH  /stats  /hello\n"
    "Example: imgserve -p 8080 -d ~/Pictures && curl http://127.0.0.1:8080/thumb/cat.jpg?w=200\n";

static int number(char option, const char *text, int low, int high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < low || value > high) {
    fprintf(stderr, "imgserve: -%c takes a number from %d to %d, not '%s'\n", option, low, high, text);
    exit(2);
  }
  return (int)value;
}

void config_parse(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "p:d:c:i:l:w:h")) != -1) {
    switch (option) {
      case 'p':
        config.port = number('p', optarg, 0, 65535);
        break;
      case 'd':
        config.pictures = optarg;
        break;
      case 'c':
        config.cache_bytes = (size_t)number('c', optarg, 0, 65536) << 20;
        break;
      case 'i':
        config.idle_s = number('i', optarg, 1, 86400);
        break;
      case 'l':
        config.log_file = optarg;
        break;
      case 'w':
        config.default_width = number('w', optarg, WIDTH_MIN, WIDTH_MAX);
        break;
      case 'h':
        fputs(usage, stdout);
        exit(0);
      default:
        fputs("imgserve: see imgserve -h\n", stderr);
        exit(2);
    }
  }
  if (optind < argc) {
    fprintf(stderr, "imgserve: unexpected argument '%s': see imgserve -h\n", argv[optind]);
    exit(2);
  }
}

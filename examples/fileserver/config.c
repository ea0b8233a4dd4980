#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct config config = {
    .port = 8080,
    .root = ".",
    .map_mb = 1024,
    .connections = 1000,
    .idle_s = 60,
    .stats_s = 3600,
};

static const char usage[] =
    "usage: fileserver [-p PORT] [-d DIR] [-l LOGFILE|-] [-t THROTTLES] [-c MAP_MB] [-m CONNECTIONS] [-i IDLE_S]\n"
    "                  [-s STATS_S]\n"
    "Serves the files of a directory over HTTP.\n"
    "  -p PORT         listen on 127.0.0.1:PORT; 0 takes any free port (default 8080)\n"
    "  -d DIR          the files (default: the working directory)\n"
    "  -l LOGFILE      write an access log in Common Log Format; - is standard output (default: none)\n"
    "  -t THROTTLES    a file with a line 'PATTERN BYTES_PER_SECOND' for what is to be slowed down\n"
    "  -c MAP_MB       keep at most so much mapped of files that nobody is being sent (default 1024)\n"
    "  -m CONNECTIONS  serve at most so many at once (default 1000)\n"
    "  -i IDLE_S       close a connection on which nothing moves for so many seconds (default 60)\n"
    "  -s STATS_S      write statistics to standard error at this interval (default 3600)\n"
    "SIGTERM and SIGINT stop it, SIGUSR1 lets it finish what is in hand first, SIGHUP opens the log file anew.\n"
    "Example: fileserver -p 8080 -d ~/public_html -l access.log\n";

static const struct number {
  char option;
  int least, most;
  int *value;
} numbers[] = {
    {'p', 0, 65535, &config.port},   {'c', 0, 1 << 20, &config.map_mb}, {'m', 1, 100000, &config.connections},
    {'i', 1, 86400, &config.idle_s}, {'s', 1, 86400, &config.stats_s},
};

static const struct {
  char option;
  const char **value;
} words[] = {{'d', &config.root}, {'l', &config.log_file}, {'t', &config.throttle_file}};

static void take_number(const struct number *number, const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || value < number->least || value > number->most) {
    fprintf(stderr, "fileserver: -%c takes a number from %d to %d, not '%s'\n", number->option, number->least,
            number->most, text);
    exit(2);
  }
  *number->value = (int)value;
}

static void take(int option, const char *text) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (numbers[i].option == option) take_number(&numbers[i], text);
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (words[i].option == option) *words[i].value = text;
  }
}

void config_parse(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "p:d:l:t:c:m:i:s:h")) != -1) {
    if (option == 'h') {
      fputs(usage, stdout);
      exit(0);
    }
    if (option == '?') {
      fputs("fileserver: see fileserver -h\n", stderr);
      exit(2);
    }
    take(option, optarg);
  }
  if (optind < argc) {
    fprintf(stderr, "fileserver: unexpected argument '%s': see fileserver -h\n", argv[optind]);
    exit(2);
  }
}

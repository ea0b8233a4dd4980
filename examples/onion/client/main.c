/* onion-client: builds circuits of three hops, as many as it can, and says how many and how fast. */
#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "path.h"
#include "traveller.h"

enum { MOST_TRAVELLERS = 1000, MOST_FIGURES = 1 << 20 };

static const char usage[] =
    "usage: onion-client -p PORT[,PORT,PORT] [-c CONNECTIONS] [-t SECONDS] [-w SECONDS] [-n CIRCUITS]\n"
    "Builds circuits of three hops through relays on 127.0.0.1, sends a word to the last hop and back through each, "
    "and\n"
    "prints a line of JSON: circuits, seconds, per_s, p50_ms, p99_ms. Ends with status 1 if a circuit fails.\n"
    "  -p PORTS         the relays; with one port all three hops are the same relay\n"
    "  -c CONNECTIONS   circuits that are built at the same time (default 8)\n"
    "  -t SECONDS       for so long (default 5)\n"
    "  -w SECONDS       before that, for so long without counting (default 0)\n"
    "  -n CIRCUITS      stop after so many (default: none)\n"
    "Example: onion-client -p 9001 -c 16 -t 10\n";

static struct {
  struct hop path[HOPS];
  int connections;
  double seconds, warmup_s;
  long circuits; /* 0: no limit */
} config = {.connections = 8, .seconds = 5};

static struct {
  struct event_base *base;
  double from_s, until_s;
  double *ms;
  long counted, all;
  const char *why; /* it failed; NULL: it did not */
} found;

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool on_built(double ms) {
  double now = now_s();
  if (now >= found.from_s && now < found.until_s && found.counted < MOST_FIGURES) found.ms[found.counted++] = ms;
  found.all++;
  if (now < found.until_s && (config.circuits == 0 || found.all < config.circuits)) return true;
  event_base_loopbreak(found.base);
  return false;
}

static void on_failed(const char *why) {
  found.why = why;
  event_base_loopbreak(found.base);
}

static double number(int option, const char *text, double least, double most) {
  char *end;
  double value = strtod(text, &end);
  if (*text == '\0' || *end != '\0' || !(value >= least && value <= most)) {
    fprintf(stderr, "onion-client: -%c takes a number from %g to %g, not '%s'\n", option, least, most, text);
    exit(2);
  }
  return value;
}

static void take_ports(const char *text) {
  int count = 0;
  for (const char *at = text; count < HOPS; at++) {
    char *end;
    long port = strtol(at, &end, 10);
    if (end == at || port < 1 || port > 65535) break;
    config.path[count++].port = (uint16_t)port;
    if (*end == '\0' && (count == 1 || count == HOPS)) {
      while (count < HOPS) config.path[count++].port = (uint16_t)port;
      return;
    }
    if (*end != ',') break;
    at = end;
  }
  fprintf(stderr, "onion-client: -p takes one port or three, such as 9001,9002,9003, not '%s'\n", text);
  exit(2);
}

static void config_parse(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "p:c:t:w:n:h")) != -1) {
    if (option == 'h') {
      fputs(usage, stdout);
      exit(0);
    } else if (option == 'p') {
      take_ports(optarg);
    } else if (option == 'c') {
      config.connections = (int)number(option, optarg, 1, MOST_TRAVELLERS);
    } else if (option == 't') {
      config.seconds = number(option, optarg, 0.01, 86400);
    } else if (option == 'w') {
      config.warmup_s = number(option, optarg, 0, 86400);
    } else if (option == 'n') {
      config.circuits = (long)number(option, optarg, 1, MOST_FIGURES);
    } else {
      fputs("onion-client: see onion-client -h\n", stderr);
      exit(2);
    }
  }
  if (optind < argc || config.path[0].port == 0) {
    fputs("onion-client: say with -p where the relays are, and nothing else: see onion-client -h\n", stderr);
    exit(2);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(double share) {
  return found.counted == 0 ? 0 : found.ms[(long)(share * (double)(found.counted - 1))];
}

static int report(double seconds) {
  if (found.why != NULL) {
    fprintf(stderr, "onion-client: %s\n", found.why);
    return 1;
  }
  qsort(found.ms, (size_t)found.counted, sizeof *found.ms, compare);
  printf("{\"circuits\": %ld, \"seconds\": %.3f, \"per_s\": %.2f, \"p50_ms\": %.2f, \"p99_ms\": %.2f}\n", found.counted,
         seconds, (double)found.counted / seconds, quantile(0.5), quantile(0.99));
  return 0;
}

static int travel(void) {
  struct traveller *all[MOST_TRAVELLERS];
  int count = 0;

  found.from_s = now_s() + config.warmup_s;
  found.until_s = found.from_s + config.seconds;
  while (count < config.connections && found.why == NULL) {
    all[count] = traveller_new(found.base, config.path, on_built, on_failed);
    if (all[count] == NULL) {
      found.why = "the first relay takes no more connections";
      break;
    }
    count++;
  }
  if (found.why == NULL) event_base_dispatch(found.base);
  double end = now_s();
  while (count > 0) traveller_free(all[--count]);
  return report(end - found.from_s);
}

int main(int argc, char **argv) {
  config_parse(argc, argv);
  signal(SIGPIPE, SIG_IGN);
  found.base = event_base_new();
  found.ms = calloc(MOST_FIGURES, sizeof *found.ms);
  if (found.base == NULL || found.ms == NULL) {
    fputs("onion-client: no memory\n", stderr);
    return 2;
  }
  int status = 0;
  for (int i = 0; i < HOPS && status == 0; i++) status = hop_learn_key(&config.path[i]) ? 0 : 2;
  if (status == 0) status = travel();
  for (int i = 0; i < HOPS; i++) hop_forget_key(&config.path[i]);
  event_base_free(found.base);
  free(found.ms);
  return status;
}

#include "throttle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "date.h"
#include "match.h"

struct throttle {
  char *pattern;
  int64_t bound;     /* bytes per second */
  int64_t collected; /* bytes sent since the rate was worked out */
  int64_t rate;      /* bytes per second, smoothed */
  int sending;       /* connections */
};

static struct {
  struct throttle *list;
  int count;
} throttles;

static bool add(const char *pattern, int64_t bound) {
  struct throttle *list = realloc(throttles.list, (size_t)(throttles.count + 1) * sizeof *list);
  if (list == NULL) return false;
  throttles.list = list;
  list[throttles.count] = (struct throttle){.pattern = strdup(pattern), .bound = bound};
  return list[throttles.count++].pattern != NULL;
}

/* An empty line, a comment, or 'PATTERN BYTES_PER_SECOND'. */
static bool take_line(const char *line) {
  char pattern[512], more[2];
  int64_t bound;
  line += strspn(line, " \t\r\n");
  if (*line == '\0' || *line == '#') return true;
  if (sscanf(line, "%511s %18" SCNd64 " %1s", pattern, &bound, more) != 2 || bound <= 0) return false;
  return add(pattern, bound);
}

bool throttle_load(const char *file) {
  if (file == NULL) return true;
  FILE *stream = fopen(file, "r");
  if (stream == NULL) {
    fprintf(stderr, "fileserver: cannot read the throttles '%s' (%s): name another file with -t\n", file,
            strerror(errno));
    return false;
  }
  char line[1024];
  bool good = true;
  for (int number = 1; good && fgets(line, sizeof line, stream) != NULL; number++) {
    good = take_line(line);
    if (!good) fprintf(stderr, "fileserver: %s:%d: not 'PATTERN BYTES_PER_SECOND'\n", file, number);
  }
  fclose(stream);
  return good;
}

void throttle_unload(void) {
  for (int i = 0; i < throttles.count; i++) free(throttles.list[i].pattern);
  free(throttles.list);
}

static void restart(struct pace *pace, int64_t limit) {
  pace->limit = limit;
  pace->since_ms = now_ms();
  pace->sent = 0;
}

/* The connection's share of the tightest bound. */
static int64_t share(const struct pace *pace) {
  int64_t limit = 0;
  for (int i = 0; i < pace->count; i++) {
    const struct throttle *throttle = &throttles.list[pace->of[i]];
    int64_t part = throttle->bound / throttle->sending;
    if (part < 1) part = 1;
    if (limit == 0 || part < limit) limit = part;
  }
  return limit;
}

bool throttle_enter(struct pace *pace, const char *path) {
  memset(pace, 0, sizeof *pace);
  for (int i = 0; i < throttles.count && pace->count < THROTTLES_AT_ONCE; i++) {
    struct throttle *throttle = &throttles.list[i];
    if (!match(throttle->pattern, path)) continue;
    if (throttle->rate > throttle->bound * 2) {
      throttle_leave(pace);
      return false;
    }
    throttle->sending++;
    pace->of[pace->count++] = i;
  }
  restart(pace, share(pace));
  return true;
}

void throttle_leave(struct pace *pace) {
  throttle_collect(pace);
  for (int i = 0; i < pace->count; i++) throttles.list[pace->of[i]].sending--;
  pace->count = 0;
  pace->limit = 0;
}

void throttle_collect(struct pace *pace) {
  for (int i = 0; i < pace->count; i++) throttles.list[pace->of[i]].collected += pace->uncollected;
  pace->uncollected = 0;
}

void throttle_rate(int period_s) {
  for (int i = 0; i < throttles.count; i++) {
    struct throttle *throttle = &throttles.list[i];
    throttle->rate = (2 * throttle->rate + throttle->collected / period_s) / 3;
    throttle->collected = 0;
  }
}

void throttle_assign(struct pace *pace) {
  int64_t limit = share(pace);
  if (limit != pace->limit) restart(pace, limit);
}

size_t pace_portion(const struct pace *pace) {
  if (pace->limit == 0) return SIZE_MAX;
  return pace->limit >= 4 ? (size_t)pace->limit / 4 : 1; /* a quarter of a second's worth */
}

int64_t pace_delay_ms(const struct pace *pace, int64_t now) {
  if (pace->limit == 0) return 0;
  int64_t due = pace->since_ms + pace->sent * 1000 / pace->limit;
  return due > now ? due - now : 0;
}

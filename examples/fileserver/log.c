#include "log.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conn.h"

static FILE *stream;
static char path[PATH_MAX]; /* absolute, as the working directory changes; empty: there is no file */

bool log_open(const char *file) {
  if (file == NULL) return true;
  bool standard = strcmp(file, "-") == 0;
  stream = standard ? stdout : fopen(file, "ae");
  return stream != NULL && (standard || realpath(file, path) != NULL);
}

void log_reopen(void) {
  FILE *next = *path != '\0' ? fopen(path, "ae") : NULL;
  if (next == NULL) return;
  fclose(stream);
  stream = next;
}

void log_request(const struct conn *c, size_t bytes) {
  const struct request *request = &c->request;
  char when[40];
  struct tm parts;
  time_t now = time(NULL);
  if (stream == NULL) return;
  localtime_r(&now, &parts);
  strftime(when, sizeof when, "%d/%b/%Y:%H:%M:%S %z", &parts);
  if (request->version == 0)
    fprintf(stream, "%s - - [%s] \"-\" %d %zu\n", c->peer, when, c->status, bytes);
  else
    fprintf(stream, "%s - - [%s] \"%s %s %s\" %d %zu\n", c->peer, when, c->in + request->method,
            c->in + request->target, c->in + request->version, c->status, bytes);
}

void log_flush(void) {
  if (stream != NULL) fflush(stream);
}

void log_close(void) {
  if (stream != NULL && stream != stdout) fclose(stream);
  stream = NULL;
}

#include "log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_SIZE = 65536, LINE_MAX_LENGTH = 2048 };

static struct {
  int fd;
  size_t used;
  time_t second; /* which `stamp` names: a busy server logs many lines in one */
  char stamp[32];
  char buffer[BUFFER_SIZE];
} log_state = {.fd = -1};

bool log_open(const char *file) {
  if (file == NULL) return true;
  log_state.fd = strcmp(file, "-") == 0 ? STDOUT_FILENO : open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  return log_state.fd >= 0;
}

void log_flush(void) {
  size_t done = 0;
  while (done < log_state.used) {
    ssize_t n = write(log_state.fd, log_state.buffer + done, log_state.used - done);
    if (n <= 0) break; /* a full disk costs log lines, not the service */
    done += (size_t)n;
  }
  log_state.used = 0;
}

static void refresh_stamp(void) {
  time_t now = time(NULL);
  struct tm utc;
  if (now == log_state.second) return;
  log_state.second = now;
  gmtime_r(&now, &utc);
  strftime(log_state.stamp, sizeof log_state.stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void log_line(const char *format, ...) {
  if (log_state.fd < 0) return;
  if (log_state.used + LINE_MAX_LENGTH > BUFFER_SIZE) log_flush();
  refresh_stamp();

  char *line = log_state.buffer + log_state.used;
  size_t length = (size_t)snprintf(line, LINE_MAX_LENGTH, "%s ", log_state.stamp);
  va_list arguments;
  va_start(arguments, format);
  int text = vsnprintf(line + length, LINE_MAX_LENGTH - length, format, arguments);
  va_end(arguments);
  if (text > 0) length += (size_t)text;
  if (length > LINE_MAX_LENGTH - 1) length = LINE_MAX_LENGTH - 1;
  line[length] = '\n';
  log_state.used += length + 1;
}

void log_close(void) {
  log_flush();
  if (log_state.fd > STDOUT_FILENO) close(log_state.fd);
  log_state.fd = -1;
}

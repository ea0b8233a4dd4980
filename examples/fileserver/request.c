#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "date.h"

enum { TARGET_MAX = 2048 };

void request_reset(struct request *request) {
  memset(request, 0, sizeof *request);
  request->modified_since = request->range_since = -1;
}

/* Whether the empty line at the end of the head has come. */
static bool find_end(struct request *request, const char *buffer, size_t used) {
  while (request->scanned < used) {
    char c = buffer[request->scanned++];
    if (c == '\n') {
      if (request->place == PLACE_LINE_START) return true;
      if (request->place == PLACE_IN_LINE) request->place = PLACE_LINE_START;
    } else if (c != '\r') {
      if (request->place == PLACE_BEFORE) request->start = request->scanned - 1;
      request->place = PLACE_IN_LINE;
    }
  }
  return false;
}

/* Ends the line at *cursor with a zero in place of its line end and returns it; NULL behind the last one. */
static char *next_line(char **cursor) {
  char *line = *cursor;
  char *end = strchr(line, '\n');
  if (end == NULL) return NULL;
  *cursor = end + 1;
  *end = '\0';
  if (end > line && end[-1] == '\r') end[-1] = '\0';
  return line;
}

static bool all_between(const char *text, char low, char high) {
  for (; *text != '\0'; text++) {
    if (*text < low || *text > high) return false;
  }
  return true;
}

static int take_request_line(struct request *request, const char *buffer, char *line) {
  char *target = strchr(line, ' ');
  char *version = target != NULL ? strchr(target + 1, ' ') : NULL;
  if (version == NULL || target == line) return 400;
  *target++ = '\0';
  *version++ = '\0';
  if (!all_between(line, 'A', 'Z') || strlen(line) > 16) return 400;
  if (*target != '/' || strchr(target, '"') != NULL || !all_between(target, 0x21, 0x7e)) return 400;
  if (version - target > TARGET_MAX) return 414;
  if (strlen(version) != 8 || strncmp(version, "HTTP/", 5) != 0 || !all_between(version, 0x21, 0x7e)) return 400;
  request->method = (size_t)(line - buffer);
  request->target = (size_t)(target - buffer);
  request->version = (size_t)(version - buffer);
  if (strncmp(version, "HTTP/1.", 7) != 0) return 505;
  request->keep_alive = version[7] != '0';
  request->head = strcmp(line, "HEAD") == 0;
  return request->head || strcmp(line, "GET") == 0 ? 200 : 405;
}

static int take_host(struct request *request, char *value) {
  (void)value;
  if (request->has_host) return 400;
  request->has_host = true;
  return 200;
}

static int take_connection(struct request *request, char *value) {
  char *rest;
  for (char *word = strtok_r(value, ", \t", &rest); word != NULL; word = strtok_r(NULL, ", \t", &rest)) {
    if (strcasecmp(word, "close") == 0) request->keep_alive = false;
    if (strcasecmp(word, "keep-alive") == 0) request->keep_alive = true;
  }
  return 200;
}

/* No request that is served here has a body. */
static int take_length(struct request *request, char *value) {
  (void)request;
  return strcmp(value, "0") == 0 ? 200 : 413;
}

static int take_encoding(struct request *request, char *value) {
  (void)request, (void)value;
  return 413;
}

static int take_modified_since(struct request *request, char *value) {
  request->modified_since = date_parse(value);
  return 200;
}

static int take_if_range(struct request *request, char *value) {
  request->range_since = date_parse(value);
  if (request->range_since == -1) request->range_since = -2; /* the time of no file */
  return 200;
}

/* A number of at most 18 digits, or -1 if there is none; moves *text behind it. */
static int64_t take_number(char **text) {
  char *start = *text;
  int64_t value = 0;
  for (; **text >= '0' && **text <= '9' && *text - start < 18; ++*text) value = value * 10 + (**text - '0');
  return *text == start ? -1 : value;
}

/* One range; several, or what is none, are as if not asked for (RFC 9110, 14.2). */
static int take_range(struct request *request, char *value) {
  if (strncasecmp(value, "bytes=", 6) != 0) return 200;
  value += 6;
  int64_t first = take_number(&value);
  if (*value++ != '-') return 200;
  int64_t last = take_number(&value);
  if (*value != '\0' || (first == -1 && last == -1) || (first != -1 && last != -1 && last < first)) return 200;
  request->ranged = true;
  request->first = first;
  request->last = last;
  return 200;
}

static const struct {
  const char *name;
  int (*take)(struct request *request, char *value);
} fields[] = {
    {"Host", take_host},
    {"Connection", take_connection},
    {"Content-Length", take_length},
    {"Transfer-Encoding", take_encoding},
    {"If-Modified-Since", take_modified_since},
    {"If-Range", take_if_range},
    {"Range", take_range},
};

static int take_field(struct request *request, char *line) {
  char *value = strchr(line, ':');
  if (value == NULL || value == line) return 400;
  *value++ = '\0';
  if (!all_between(line, 0x21, 0x7e)) return 400;
  value += strspn(value, " \t");
  for (char *end = value + strlen(value); end > value && (end[-1] == ' ' || end[-1] == '\t'); end--) end[-1] = '\0';
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strcasecmp(line, fields[i].name) == 0) return fields[i].take(request, value);
  }
  return 200;
}

int request_parse(struct request *request, char *buffer, size_t used) {
  if (!find_end(request, buffer, used)) {
    if (used < REQUEST_MAX) return 0;
    return memchr(buffer + request->start, '\n', used - request->start) == NULL ? 414 : 431;
  }
  request->size = request->scanned;
  char *cursor = buffer + request->start;
  if (memchr(cursor, '\0', request->size - request->start) != NULL) return 400;

  int status = take_request_line(request, buffer, next_line(&cursor));
  while (status == 200) {
    char *line = next_line(&cursor);
    if (line == NULL || *line == '\0') break;
    status = take_field(request, line);
  }
  if (status == 200 && !request->has_host && buffer[request->version + 7] != '0') status = 400;
  return status;
}

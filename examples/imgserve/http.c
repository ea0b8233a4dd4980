#include "http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *http_reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

/* Length of the line at `text` without its end, and where the next one starts; false if there is no line end yet. */
static bool next_line(const char *text, const char *end, size_t *length, const char **next) {
  const char *newline = memchr(text, '\n', (size_t)(end - text));
  if (newline == NULL) return false;
  *next = newline + 1;
  *length = (size_t)(newline - text);
  if (*length > 0 && newline[-1] == '\r') --*length;
  return true;
}

static int parse_request_line(const char *line, size_t length, struct http_request *request, bool *http_1_0) {
  const char *end = line + length;
  const char *space = memchr(line, ' ', length);
  if (space == NULL || space == line || (size_t)(space - line) >= sizeof request->method) return 400;
  for (const char *p = line; p < space; p++) {
    if (*p < 'A' || *p > 'Z') return 400;
  }
  memcpy(request->method, line, (size_t)(space - line));
  request->method[space - line] = '\0';

  const char *target = space + 1;
  space = memchr(target, ' ', (size_t)(end - target));
  if (space == NULL || *target != '/') return 400;
  if (space - target > TARGET_MAX) return 414;
  for (const char *p = target; p < space; p++) {
    if (*p <= 0x20 || *p >= 0x7f) return 400;
  }
  memcpy(request->target, target, (size_t)(space - target));
  request->target[space - target] = '\0';

  const char *version = space + 1;
  if (end - version != 8 || memcmp(version, "HTTP/", 5) != 0) return 400;
  if (memcmp(version + 5, "1.", 2) != 0) return 505;
  *http_1_0 = version[7] == '0';
  return 200;
}

static bool is_field(const char *line, size_t name_length, const char *name) {
  return name_length == strlen(name) && strncasecmp(line, name, name_length) == 0;
}

static bool has_token(const char *value, size_t length, const char *token) {
  size_t size = strlen(token);
  for (size_t i = 0; i + size <= length; i++) {
    bool starts = i == 0 || value[i - 1] == ',' || value[i - 1] == ' ';
    bool ends = i + size == length || value[i + size] == ',' || value[i + size] == ' ';
    if (starts && ends && strncasecmp(value + i, token, size) == 0) return true;
  }
  return false;
}

static int parse_field(const char *line, size_t length, struct http_request *request, bool *has_host) {
  const char *colon = memchr(line, ':', length);
  if (colon == NULL || colon == line) return 400;
  size_t name = (size_t)(colon - line);
  for (size_t i = 0; i < name; i++) {
    if (line[i] <= 0x20 || line[i] >= 0x7f) return 400;
  }
  const char *value = colon + 1;
  size_t size = length - name - 1;
  while (size > 0 && (*value == ' ' || *value == '\t')) value++, size--;
  while (size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t')) size--;

  if (is_field(line, name, "Host")) {
    if (*has_host) return 400;
    *has_host = true;
  } else if (is_field(line, name, "Connection")) {
    if (has_token(value, size, "close")) request->keep_alive = false;
    if (has_token(value, size, "keep-alive")) request->keep_alive = true;
  } else if (is_field(line, name, "Content-Length")) {
    if (size != 1 || *value != '0') return 413; /* no request that is served here has a body */
  } else if (is_field(line, name, "Transfer-Encoding")) {
    return 413;
  }
  return 200;
}

int http_parse(const char *buffer, size_t used, struct http_request *request) {
  const char *end = buffer + used;
  const char *line = buffer;
  const char *next;
  size_t length;
  bool http_1_0 = false, has_host = false;

  request->method[0] = request->target[0] = '\0';
  request->head = request->keep_alive = false;
  request->size = used;

  while (line < end && (*line == '\r' || *line == '\n')) line++; /* empty lines between requests (RFC 9112, 2.2) */
  if (!next_line(line, end, &length, &next)) {
    if ((size_t)(end - line) > TARGET_MAX + 32) return 414;
    return used == REQUEST_MAX ? 431 : 0;
  }
  int status = parse_request_line(line, length, request, &http_1_0);
  if (status != 200) return status;
  request->head = strcmp(request->method, "HEAD") == 0;
  if (!request->head && strcmp(request->method, "GET") != 0) return 405;

  request->keep_alive = !http_1_0;
  for (line = next; next_line(line, end, &length, &next); line = next) {
    if (length == 0) {
      request->size = (size_t)(next - buffer);
      return http_1_0 || has_host ? 200 : 400;
    }
    status = parse_field(line, length, request, &has_host);
    if (status != 200) return status;
  }
  return used == REQUEST_MAX ? 431 : 0;
}

size_t http_format(char header[HEADER_MAX], int status, const char *type, size_t body_size, bool keep_alive) {
  int length = snprintf(header, HEADER_MAX,
                        "HTTP/1.1 %d %s\r\nServer: imgserve\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s\r\n",
                        status, http_reason(status), type, body_size, status == 405 ? "Allow: GET, HEAD\r\n" : "",
                        keep_alive ? "" : "Connection: close\r\n");
  return (size_t)length;
}

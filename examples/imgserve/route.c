#include "route.h"

#include <stdio.h>
#include <string.h>

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Undoes %XX. A name that could leave the directory, or hide something, is refused. */
static int decode_name(const char *from, size_t length, char *name) {
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    int c = (unsigned char)from[i];
    if (c == '%') {
      if (i + 2 >= length) return 400;
      int high = hex_digit(from[i + 1]), low = hex_digit(from[i + 2]);
      if (high < 0 || low < 0) return 400;
      c = high * 16 + low;
      i += 2;
    }
    if (c < 0x20 || c == 0x7f || c == '/' || c == '\\') return 400;
    if (used == NAME_MAX_LENGTH) return 404;
    name[used++] = (char)c;
  }
  name[used] = '\0';
  return used == 0 || name[0] == '.' ? 404 : 0;
}

/* `w=N` is the only parameter; others are ignored, as caches and browsers add some. */
static int parse_query(const char *query, int *width) {
  while (*query != '\0') {
    size_t length = strcspn(query, "&");
    if (length >= 2 && query[0] == 'w' && query[1] == '=') {
      int value = 0;
      if (length == 2) return 400;
      for (size_t i = 2; i < length; i++) {
        if (query[i] < '0' || query[i] > '9') return 400;
        value = value * 10 + (query[i] - '0');
        if (value > WIDTH_MAX) return 400;
      }
      if (value < WIDTH_MIN) return 400;
      *width = value;
    }
    query += length;
    if (*query == '&') query++;
  }
  return 0;
}

int route_parse(const char *target, int default_width, struct route *route) {
  static const char thumb[] = "/thumb/";
  size_t path = strcspn(target, "?");

  if (path == strlen("/hello") && memcmp(target, "/hello", path) == 0) {
    route->kind = ROUTE_HELLO;
    return 200;
  }
  if (path == strlen("/stats") && memcmp(target, "/stats", path) == 0) {
    route->kind = ROUTE_STATS;
    return 200;
  }
  if (path < strlen(thumb) || memcmp(target, thumb, strlen(thumb)) != 0) return 404;

  route->kind = ROUTE_THUMB;
  route->width = default_width;
  int problem = decode_name(target + strlen(thumb), path - strlen(thumb), route->name);
  if (problem == 0 && target[path] == '?') problem = parse_query(target + path + 1, &route->width);
  if (problem != 0) return problem;
  snprintf(route->key, sizeof route->key, "%s?w=%d", route->name, route->width);
  return 200;
}

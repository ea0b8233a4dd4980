/* Which answer a request target asks for. */
#ifndef IMGSERVE_ROUTE_H
#define IMGSERVE_ROUTE_H

#include <stdbool.h>

enum { NAME_MAX_LENGTH = 100, KEY_SIZE = NAME_MAX_LENGTH + 16, WIDTH_MIN = 8, WIDTH_MAX = 4096 };

enum route_kind { ROUTE_HELLO, ROUTE_STATS, ROUTE_THUMB };

struct route {
  enum route_kind kind;
  char name[NAME_MAX_LENGTH + 1]; /* ROUTE_THUMB: file name without any directory */
  int width;                      /* ROUTE_THUMB */
  char key[KEY_SIZE];             /* ROUTE_THUMB: what the result is kept under */
};

/* Returns 200, or the HTTP status that says what is wrong with the target: 404 or 400. */
int route_parse(const char *target, int default_width, struct route *route);

#endif

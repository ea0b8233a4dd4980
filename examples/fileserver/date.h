/* Dates as HTTP writes them, always in GMT. */
#ifndef FILESERVER_DATE_H
#define FILESERVER_DATE_H

#include <stdint.h>
#include <time.h>

enum { DATE_SIZE = 32 };

void date_format(time_t when, char text[DATE_SIZE]);

/* In one of the three forms that a client may use (RFC 9110, 5.6.7); -1 if it is none of them. */
time_t date_parse(const char *text);

/* Time that only goes forward, for measuring how long something takes. */
static inline int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif

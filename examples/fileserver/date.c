#define _GNU_SOURCE /* strptime */
#include "date.h"

#include <string.h>

static const char *const forms[] = {
    "%a, %d %b %Y %H:%M:%S GMT", /* the one that is written */
    "%A, %d-%b-%y %H:%M:%S GMT", /* RFC 850 */
    "%a %b %e %H:%M:%S %Y",      /* asctime() */
};

void date_format(time_t when, char text[DATE_SIZE]) {
  struct tm parts;
  gmtime_r(&when, &parts);
  strftime(text, DATE_SIZE, forms[0], &parts);
}

time_t date_parse(const char *text) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    struct tm parts;
    memset(&parts, 0, sizeof parts);
    const char *end = strptime(text, forms[i], &parts);
    if (end != NULL && *end == '\0') return timegm(&parts);
  }
  return -1;
}

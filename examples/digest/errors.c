#include "errors.h"

#include <stdio.h>

static long counts[KINDS_OF_ERROR];

void errors_count(enum error kind) { counts[kind]++; }

void errors_print(void) {
  printf("bad requests %ld, lost answers %ld, failed reads %ld, failed accepts %ld\n", counts[BAD_REQUEST],
         counts[LOST_ANSWER], counts[FAILED_READ], counts[FAILED_ACCEPT]);
  fflush(stdout);
}

#include "pk_ops.h"

static unsigned long counts[PK_OPS];

void note_pk_op(enum pk_op op) { counts[op]++; }

unsigned long pk_ops_so_far(enum pk_op op) { return counts[op]; }

#include "pk_ops.h"

static struct {
  unsigned long decrypts, fresh_keys, agreements;
} pk_ops;

void note_pk_op(enum pk_op op) {
  switch (op) {
    case PK_DECRYPT:
      pk_ops.decrypts++;
      break;
    case PK_FRESH_KEY:
      pk_ops.fresh_keys++;
      break;
    case PK_AGREE:
      pk_ops.agreements++;
      break;
  }
}

unsigned long pk_ops_so_far(enum pk_op op) {
  switch (op) {
    case PK_DECRYPT:
      return pk_ops.decrypts;
    case PK_FRESH_KEY:
      return pk_ops.fresh_keys;
    case PK_AGREE:
      return pk_ops.agreements;
  }
  return 0;
}

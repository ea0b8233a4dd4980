/* How many public-key operations there were: what a relay spends its time with, for its operator. */
#ifndef ONION_PK_OPS_H
#define ONION_PK_OPS_H

enum pk_op { PK_DECRYPT, PK_FRESH_KEY, PK_AGREE };

void note_pk_op(enum pk_op op);
unsigned long pk_ops_so_far(enum pk_op op);

#endif

/* What the agitator needs so that two runs of a program can be compared, one on libevent and one on several threads.
 *
 * Runs are to differ in nothing but what an unsound verdict or a wrong order of calls makes of them. So events and
 * blocks of the heap are known by who made them (the how-many-th event of the how-many-th call of which handler), not
 * by their addresses; the clock of the program stands still; what polls report is sorted. At its end a run writes its
 * state to AGITATE_STATE: the words of the ranges in AGITATE_RANGES (address:size,... in hexadecimal, as the file of
 * the program has them), of the blocks that it has allocated and not freed, and what it sent over its connections. A
 * pointer is written as what it points to.
 *
 * With AGITATE_DELAYS, handlers sleep now and then where they begin and end and before they read and write memory. The
 * program is compiled with -finstrument-functions and -fsanitize-coverage=trace-loads,trace-stores for that.
 */
#pragma once

#include <event2/event_struct.h>
#include <stddef.h>

#ifndef REPEATABLE
#define REPEATABLE 0
#endif

/* Who does what is done now, on this thread; nobody while `frame` is null. */
struct place {
  unsigned long long identity, made[3];
  void *frame, *function;
  struct event_base* base;
  int loops;
};

#if REPEATABLE
void put_in_order(struct event** events, unsigned count);
void note_choice(const struct event* ev);
void note_answer(int connection, const char* bytes, size_t length);
struct place loop_begins(struct event_base* base);
void loop_ends(struct place around);
int next_answer(int connection, char* bytes, int most); /* of the agitator: what is left to read of one */
#else
static inline void put_in_order(struct event** events, unsigned count) { (void)events, (void)count; }
static inline void note_choice(const struct event* ev) { (void)ev; }
static inline void note_answer(int connection, const char* bytes, size_t length) {
  (void)connection, (void)bytes, (void)length;
}
static inline struct place loop_begins(struct event_base* base) {
  (void)base;
  struct place nowhere = {0, {0}, NULL, NULL, NULL, 0};
  return nowhere;
}
static inline void loop_ends(struct place around) { (void)around; }
#endif

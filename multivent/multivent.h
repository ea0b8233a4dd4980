/* What a program that is linked with multivent can say to it, beyond libevent's own functions.
 *
 * Nothing here is needed: a linked program runs in parallel by itself if the document that `heddle analyze` wrote,
 * PROGRAM.constraints.json, lies beside it. Without one, and without promises (below), it runs serially, as on
 * libevent, and says so once on standard error (not where HEDDLE_SUMMARY is 0).
 *
 * What a program says here counts until its first event base is made or multivent_start() is called, whatever comes
 * first; later calls fail. The variables that `heddle run` sets (HEDDLE_THREADS, HEDDLE_SERIAL, HEDDLE_CONSTRAINTS,
 * ...) win over it. Any thread may call any function.
 *
 * Functions that return int give 0, or -1; multivent_error() then says what is wrong and what to do.
 */
#ifndef MULTIVENT_H
#define MULTIVENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Threads and constraints --- */

#define MULTIVENT_THREADS_AUTO 0

/* How many handlers that take long may run at once. 1 is libevent's serial loop; MULTIVENT_THREADS_AUTO, the default,
 * as many as suit the cores that this process may use and what its handlers do. At most 1024. */
int multivent_set_threads(unsigned count);

/* The document to use, instead of PROGRAM.constraints.json beside the program. It is read at the start. */
int multivent_set_constraints(const char* path);

/* Settles everything now. 0 if event bases that are made from here on run in parallel; else -1, they run serially, and
 * multivent_error() has the reason. */
int multivent_start(void);

/* --- Constraints by hand --- */

/* NOLINTBEGIN(performance-enum-size,modernize-use-using): C */
enum multivent_verdict {
  MULTIVENT_NEVER,   /* the two may always run at once */
  MULTIVENT_SESSION, /* unless they have the same session */
  MULTIVENT_ALWAYS   /* they must not run at once */
};

/* Any callback, whatever its type: multivent_require(MULTIVENT_HANDLER(on_read), ...). It must be a function of the
 * program itself, or of a library that was analysed with it, with a symbol: not stripped. */
typedef void (*multivent_handler)(void);
/* NOLINTEND(performance-enum-size,modernize-use-using) */
#ifdef __cplusplus
#define MULTIVENT_HANDLER(function) (reinterpret_cast<multivent_handler>(function))
#else
#define MULTIVENT_HANDLER(function) ((multivent_handler)(function))
#endif

/* Keeps two handlers, or a handler and itself, apart at least as `verdict` says. Always safe: where the document is
 * stricter, the document holds. */
int multivent_require(multivent_handler a, multivent_handler b, enum multivent_verdict verdict);

/* Says what holds between two handlers, in place of the document: also where the document is stricter, or where there
 * is none. You vouch for it: a wrong promise is a data race. A pair of which nobody says anything is `always`. What is
 * required as well stays required. */
int multivent_promise(multivent_handler a, multivent_handler b, enum multivent_verdict verdict);

/* The session of a handler is the object in which its argument lies, `offset` bytes from the start: 0 if the argument
 * is the session, offsetof(struct client, writer) if it is a member. Also a promise. Fails at the start if the document
 * knows otherwise. */
int multivent_promise_session(multivent_handler handler, size_t offset);

/* Marks where a rarely taken path is entered; `heddle build --late` puts the calls there. A handler that calls it goes
 * on when each handler that started earlier, and that it conflicts with, has ended. Outside of handlers it does
 * nothing, and nothing if the constraints rest on no such points. */
void multivent_late_enter(uint64_t point);

/* --- Figures --- */

/* Of all event bases so far. New fields are added at the end only. */
struct multivent_statistics {
  int32_t parallel; /* 0: serial */
  uint32_t threads; /* handlers that take long at once, at most so far */
  uint64_t invocations;
  uint64_t polls;         /* calls that waited for the kernel */
  uint32_t peak_parallel; /* most handlers that ran at once */
  uint32_t cores;         /* that this process may use */
  double seconds;         /* since the first event base was made */
  double cpu_seconds;     /* user and system time of the process */
};

/* `size` is sizeof *statistics. Not from a function given to event_base_foreach_event(). */
int multivent_get_statistics(struct multivent_statistics* statistics, size_t size);

/* All there is, per handler too, and who waited for whom: the document of schemas/run.schema.json, for free(). NULL on
 * failure. Not from a function given to event_base_foreach_event(). */
char* multivent_statistics_json(void);

/* --- About it --- */

/* Why it runs serially; NULL if it runs in parallel, or is not settled yet. Stays valid. */
const char* multivent_why_serial(void);

/* Of this thread's last failed call; "" if none failed. Valid until the next one. */
const char* multivent_error(void);

/* Such as "0.1.0". */
const char* multivent_version(void);

#ifdef __cplusplus
}
#endif

#endif

/* Linked into random programs that run on several threads: now and then a thread sleeps before it reads or writes
 * memory that is not on its stack, and where the program says so (sched_yield), so that others come between.
 *
 * The programs are compiled with -fsanitize-coverage=func,trace-loads,trace-stores. AGITATE_DELAYS is the seed; without
 * it nothing is done. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kLongestUs = 150, kOneIn = 24, kStack = 1 << 16 };

static unsigned seed;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("AGITATE_DELAYS");
  seed = text == NULL ? 0 : (unsigned)atoi(text);
}

static void delay(unsigned one_in) {
  static _Thread_local uint64_t state;
  if (state == 0) state = (uint64_t)seed << 32 | (unsigned)syscall(SYS_gettid);
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  if ((state >> 33) % one_in != 0) return;
  const int error = errno;
  const struct timespec time = {0, (long)((state >> 40) % (kLongestUs * 1000))};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
  errno = error;
}

int sched_yield(void) {
  if (seed != 0) delay(2);
  return 0;
}

static void access_comes(const void* address) {
  const uintptr_t distance = (uintptr_t)address - (uintptr_t)&address;
  if (seed != 0 && distance > kStack) delay(kOneIn);
}

#define ACCESSES(bytes)                                                      \
  void __sanitizer_cov_load##bytes(void* address) { access_comes(address); } \
  void __sanitizer_cov_store##bytes(void* address) { access_comes(address); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __sanitizer_cov_trace_pc_guard_init(unsigned* first, unsigned* last) { (void)first, (void)last; }
void __sanitizer_cov_trace_pc_guard(unsigned* guard) { (void)guard; }

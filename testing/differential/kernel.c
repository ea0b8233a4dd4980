#include "kernel.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kStart_s = 1000, kNanoseconds = 1000000000, kRealPause_ms = 1 };

static _Atomic int64_t elapsed_ns;
static atomic_int callbacks;  // that run now
static _Thread_local int depth;
static void (*when_quiet)(int depth);

int64_t kernel_now_us(void) { return atomic_load(&elapsed_ns) / 1000; }
void kernel_pass_time(int64_t duration_us) { atomic_fetch_add(&elapsed_ns, duration_us * 1000); }
int kernel_callback_depth(void) { return depth; }
void kernel_when_quiet(void (*function)(int)) { when_quiet = function; }

void kernel_enter_callback(void) {
  ++depth;
  atomic_fetch_add(&callbacks, 1);
}

void kernel_leave_callback(void) {
  --depth;
  atomic_fetch_sub(&callbacks, 1);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE && clock != CLOCK_REALTIME)
    return (int)syscall(SYS_clock_gettime, clock, now);
  const int64_t elapsed = atomic_load(&elapsed_ns);
  now->tv_sec = kStart_s + elapsed / kNanoseconds;
  now->tv_nsec = elapsed % kNanoseconds;
  return 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  const int64_t elapsed = atomic_load(&elapsed_ns);
  now->tv_sec = 2 * kStart_s + elapsed / kNanoseconds;
  now->tv_usec = elapsed % kNanoseconds / 1000;
  return 0;
}

// How often thread `name` of this process has gone to sleep, if it sleeps in the kernel; else -1 (proc(5), status).
static long sleeps_of(const char* name) {
  char path[300];
  char text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%s/status", name);
  FILE* file = fopen(path, "re");
  if (file == NULL) return 0;  // it has ended
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = '\0';
  static const char kState[] = "\nState:\t";
  static const char kSwitches[] = "\nvoluntary_ctxt_switches:\t";
  const char* state = strstr(text, kState);
  const char* switches = strstr(text, kSwitches);
  if (state == NULL || switches == NULL) return length == 0 ? 0 : -1;
  return state[sizeof kState - 1] == 'S' ? atol(switches + sizeof kSwitches - 1) : -1;
}

// How often the other threads have gone to sleep, if all of them do; else -1.
static long sleeps_of_others(void) {
  DIR* threads = opendir("/proc/self/task");
  if (threads == NULL) abort();
  const long self = syscall(SYS_gettid);
  long sum = 0;
  for (struct dirent* thread; sum >= 0 && (thread = readdir(threads)) != NULL;) {
    if (thread->d_name[0] == '.' || atol(thread->d_name) == self) continue;
    const long sleeps = sleeps_of(thread->d_name);
    sum = sleeps < 0 ? -1 : sum + sleeps;
  }
  closedir(threads);
  return sum;
}

// They are looked at one after the other: one that was asleep may be woken by one that is looked at later, and falls
// asleep then. If none went to sleep between two looks that found all asleep, all were so at once.
static bool others_sleep(void) {
  const long before = sleeps_of_others();
  return before >= 0 && sleeps_of_others() == before;
}

static int wait_really(int epoll_fd, struct epoll_event* events, int most, int timeout_ms) {
  return (int)syscall(SYS_epoll_pwait, epoll_fd, events, most, timeout_ms, NULL, 0);
}

static int wait_virtually(int epoll_fd, struct epoll_event* events, int most, int64_t timeout_ns) {
  int count = wait_really(epoll_fd, events, most, 0);
  if (count != 0 || timeout_ns == 0) return count;
  while (atomic_load(&callbacks) != depth || !others_sleep())
    if ((count = wait_really(epoll_fd, events, most, kRealPause_ms)) != 0) return count;
  // Whatever the last one did before it fell asleep can be seen now.
  if ((count = wait_really(epoll_fd, events, most, 0)) != 0) return count;
  if (timeout_ns > 0) {
    atomic_fetch_add(&elapsed_ns, timeout_ns);
  } else {
    when_quiet(depth);
  }
  return 0;
}

int epoll_wait(int epoll_fd, struct epoll_event* events, int most, int timeout_ms) {
  return wait_virtually(epoll_fd, events, most, timeout_ms < 0 ? -1 : timeout_ms * INT64_C(1000000));
}

int epoll_pwait2(int epoll_fd, struct epoll_event* events, int most, const struct timespec* timeout,
                 const sigset_t* mask) {
  if (mask != NULL) abort();
  return wait_virtually(epoll_fd, events, most,
                        timeout == NULL ? -1 : timeout->tv_sec * INT64_C(1000000000) + timeout->tv_nsec);
}

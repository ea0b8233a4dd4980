#define _GNU_SOURCE
#include "repeatable.h"

#include <dlfcn.h>
#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long word;

enum {
  kSlots = 1 << 17,
  kConnections = 32,
  kMostRanges = 8,
  kMostMappings = 4096,
  kMostDelays = 4,
  kLongestDelayUs = 200,
  kFirstOfProgram = 64,
  kRegion = 1 << 26
};

static const word kMain = 1; /* the identity of what main() does */

/* What an address is that of; a block may begin with an event. Functions are those that no event calls. */
enum kind { kBlock = 1, kEvent = 2, kFunction = 3 };

struct known {
  const void* address;
  word identity;
  word calls;  /* of an event or a function */
  size_t size; /* of a block; of a function, 1 if events call it */
  enum kind kind;
  int is_freed;
};

static struct known table[kSlots];
static unsigned table_size;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static word made_by_main[kFunction];

static uintptr_t program_base, program_begin, program_end;
static pthread_t main_thread;
static pid_t process;
static int delays, has_written;
static unsigned seed;
static char state_path[4096];
static struct {
  uintptr_t begin;
  size_t size;
} ranges[kMostRanges];
static int range_count;

static struct {
  word bytes, hash;
} answers[kConnections];

enum { kMostChoices = 1 << 16 };
static struct {
  word identity;
  uintptr_t callback;
} choices[kMostChoices];
static unsigned choice_count;

#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
static struct event_base* looping;
static void write_state(void);
OF_THREAD struct place here;
OF_THREAD int inside_event_new;
OF_THREAD word random_state;
OF_THREAD int delays_left;

static word mixed(word a, word b) {
  word x = a * 0x9e3779b97f4a7c15ULL + b + 0x632be59bd9b4e019ULL;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9ULL;
  return x ^ x >> 29;
}

static int of_program(uintptr_t address) { return address >= program_begin && address < program_end; }

/* Where the file of the program has the function of an event; 0 if it is not the program's. */
static uintptr_t callback_of(const struct event* ev) {
  const uintptr_t callback = (uintptr_t)ev->ev_evcallback.evcb_cb_union.evcb_callback;
  return of_program(callback) ? callback - program_base : 0;
}

/* --- Who is who --- */

/* The entry of an address, made if need be; null if there is no room. Under the mutex. */
static struct known* known(const void* address, enum kind kind, int make) {
  for (size_t i = mixed((uintptr_t)address, kind) % kSlots;; i = (i + 1) % kSlots) {
    if (table[i].address == address && table[i].kind == kind) return &table[i];
    if (table[i].address != NULL) continue;
    if (!make || table_size > kSlots / 2) return NULL;
    table_size++;
    table[i].address = address;
    table[i].kind = kind;
    return &table[i];
  }
}

static word next_identity(enum kind kind) {
  if (here.frame == NULL)
    return mixed(mixed(kMain, kind), __atomic_add_fetch(&made_by_main[kind], 1, __ATOMIC_RELAXED));
  return mixed(mixed(here.identity, kind), ++here.made[kind]);
}

static void name(const void* address, enum kind kind, size_t size) {
  const word identity = next_identity(kind);
  pthread_mutex_lock(&mutex);
  struct known* entry = known(address, kind, 1);
  if (entry != NULL) *entry = (struct known){.address = address, .identity = identity, .size = size, .kind = kind};
  pthread_mutex_unlock(&mutex);
}

/* libevent knows which event calls this function. While it finalizes something it knows of none, and must not be asked.
 */
static void is_called_by_events(uintptr_t function) {
  if (function == 0) return;
  pthread_mutex_lock(&mutex);
  struct known* entry = known((const void*)function, kFunction, 1);
  if (entry != NULL) entry->size = 1;
  pthread_mutex_unlock(&mutex);
}

/* An event that the program did not make itself may have no name. */
static word identity_of(const struct event* ev) {
  pthread_mutex_lock(&mutex);
  const struct known* entry = known(ev, kEvent, 0);
  const word found = entry != NULL ? entry->identity : 0;
  pthread_mutex_unlock(&mutex);
  if (found != 0) return found;
  return mixed(callback_of(ev), (word)ev->ev_fd + 1000);
}

struct named {
  word identity;
  struct event* ev;
};

static int in_order(const void* left, const void* right) {
  const struct named *a = left, *b = right;
  if (a->identity != b->identity) return a->identity < b->identity ? -1 : 1;
  return a->ev->ev_fd - b->ev->ev_fd;
}

void put_in_order(struct event** events, unsigned count) {
  static struct named named[4096];
  for (unsigned i = 0; i < count; i++) named[i] = (struct named){identity_of(events[i]), events[i]};
  qsort(named, count, sizeof *named, in_order);
  for (unsigned i = 0; i < count; i++) events[i] = named[i].ev;
}

void note_choice(const struct event* ev) {
  if (choice_count == kMostChoices) return;
  choices[choice_count].identity = identity_of(ev);
  choices[choice_count++].callback = callback_of(ev);
}

void note_answer(int connection, const char* bytes, size_t length) {
  answers[connection].bytes += length;
  for (size_t i = 0; i < length; i++)
    answers[connection].hash = mixed(answers[connection].hash, (unsigned char)bytes[i]);
}

int event_assign(struct event* ev, struct event_base* base, evutil_socket_t fd, short what, event_callback_fn fn,
                 void* arg) {
  static int (*next)(struct event*, struct event_base*, evutil_socket_t, short, event_callback_fn, void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_assign");
  if (!inside_event_new) name(ev, kEvent, 0);
  is_called_by_events((uintptr_t)fn);
  return next(ev, base, fd, what, fn, arg);
}

void event_set(struct event* ev, evutil_socket_t fd, short what, event_callback_fn fn, void* arg) {
  static void (*next)(struct event*, evutil_socket_t, short, event_callback_fn, void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_set");
  inside_event_new++;
  next(ev, fd, what, fn, arg);
  inside_event_new--;
  name(ev, kEvent, 0);
  is_called_by_events((uintptr_t)fn);
}

/* Bases need more or fewer descriptors of their own; what the program opens afterwards has the same numbers anyhow. */
static void fill_descriptors(void) {
  int filler = open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (filler >= 0 && filler < kFirstOfProgram) filler = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (filler >= 0) close(filler);
}

/* The events that a base has for itself are nobody's. */
struct event_base* event_base_new_with_config(const struct event_config* config) {
  static struct event_base* (*next)(const struct event_config*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_base_new_with_config");
  inside_event_new++;
  struct event_base* base = next(config);
  if (--inside_event_new == 0) fill_descriptors();
  return base;
}

struct event_base* event_base_new(void) {
  static struct event_base* (*next)(void);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_base_new");
  inside_event_new++;
  struct event_base* base = next();
  if (--inside_event_new == 0) fill_descriptors();
  return base;
}

struct event* event_new(struct event_base* base, evutil_socket_t fd, short what, event_callback_fn fn, void* arg) {
  static struct event* (*next)(struct event_base*, evutil_socket_t, short, event_callback_fn, void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_new");
  inside_event_new++;
  struct event* ev = next(base, fd, what, fn, arg);
  inside_event_new--;
  if (ev != NULL) name(ev, kEvent, 0);
  is_called_by_events((uintptr_t)fn);
  return ev;
}

void bufferevent_setcb(struct bufferevent* bufferevent, bufferevent_data_cb reads, bufferevent_data_cb writes,
                       bufferevent_event_cb happens, void* arg) {
  static void (*next)(struct bufferevent*, bufferevent_data_cb, bufferevent_data_cb, bufferevent_event_cb, void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "bufferevent_setcb");
  is_called_by_events((uintptr_t)reads);
  is_called_by_events((uintptr_t)writes);
  is_called_by_events((uintptr_t)happens);
  next(bufferevent, reads, writes, happens, arg);
}

struct evconnlistener* evconnlistener_new(struct event_base* base, evconnlistener_cb fn, void* arg, unsigned flags,
                                          int backlog, evutil_socket_t fd) {
  static struct evconnlistener* (*next)(struct event_base*, evconnlistener_cb, void*, unsigned, int, evutil_socket_t);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "evconnlistener_new");
  is_called_by_events((uintptr_t)fn);
  return next(base, fn, arg, flags, backlog, fd);
}

void event_free(struct event* ev) {
  static void (*next)(struct event*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_free");
  pthread_mutex_lock(&mutex);
  struct known* entry = known(ev, kEvent, 0);
  if (entry != NULL) entry->is_freed = 1;
  pthread_mutex_unlock(&mutex);
  next(ev);
}

/* A call that waits for something can be chosen like any event. */
int event_base_once(struct event_base* base, evutil_socket_t fd, short what, event_callback_fn fn, void* arg,
                    const struct timeval* timeout) {
  static int (*next)(struct event_base*, evutil_socket_t, short, event_callback_fn, void*, const struct timeval*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_base_once");
  const int waits =
      (what & (EV_READ | EV_WRITE)) || (timeout != NULL && (timeout->tv_sec != 0 || timeout->tv_usec != 0));
  if (!waits || base == NULL || (what & (EV_SIGNAL | EV_PERSIST))) return next(base, fd, what, fn, arg, timeout);
  struct event* ev = event_new(base, fd, what, fn, arg);
  return ev == NULL ? -1 : event_add(ev, timeout);
}

int event_base_loopexit(struct event_base* base, const struct timeval* time) {
  static int (*next)(struct event_base*, const struct timeval*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_base_loopexit");
  return time == NULL || (time->tv_sec == 0 && time->tv_usec == 0) ? next(base, time) : 0;
}

static int by_descriptor(const void* left, const void* right) {
  const struct epoll_event *a = left, *b = right;
  const uint32_t first = (uint32_t)a->data.u64, second = (uint32_t)b->data.u64;
  return first < second ? -1 : first > second;
}

int epoll_wait(int epoll, struct epoll_event* reports, int most, int timeout) {
  const int count = (int)syscall(SYS_epoll_wait, epoll, reports, most, timeout);
  if (count > 1) qsort(reports, (size_t)count, sizeof *reports, by_descriptor);
  return count;
}

/* --- Blocks of the program. They lie elsewhere in each run, and one that is freed stays, so that its address means it
 * for ever. --- */

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void __libc_free(void*);

#define CALLED_BY_PROGRAM (program_end != 0 && of_program((uintptr_t)__builtin_return_address(0)))

static void* block_of(size_t size) {
  static uintptr_t next_block, last_block;
  pthread_mutex_lock(&mutex);
  const uintptr_t needed = (size + 31) / 16 * 16;
  if (needed > last_block - next_block) {
    word place = 0;
    (void)!syscall(SYS_getrandom, &place, sizeof place, 0);
    const size_t length = needed > kRegion ? (needed + kRegion) / kRegion * kRegion : kRegion;
    next_block = (uintptr_t)mmap((void*)(place % (1ULL << 46) / 4096 * 4096), length, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (next_block == (uintptr_t)MAP_FAILED) next_block = last_block = 0;
    if (next_block != 0) last_block = next_block + length;
    next_block += place >> 48 << 4; /* nor is the place within a page the same */
  }
  void* block = needed > last_block - next_block ? NULL : (void*)next_block;
  if (block != NULL) next_block += needed + ((next_block >> 13 ^ next_block >> 23) % 8 << 4);
  pthread_mutex_unlock(&mutex);
  if (block != NULL) name(block, kBlock, size);
  return block;
}

void* malloc(size_t size) { return CALLED_BY_PROGRAM ? block_of(size) : __libc_malloc(size); }

void* calloc(size_t count, size_t size) {
  return CALLED_BY_PROGRAM ? block_of(count * size) : __libc_calloc(count, size);
}

/* The size of a block of ours, which is freed now; -1 of all others. */
static ssize_t freed(const void* block) {
  if (block == NULL || program_end == 0) return -1;
  ssize_t size = -1;
  pthread_mutex_lock(&mutex);
  struct known* entry = known(block, kBlock, 0);
  if (entry != NULL) {
    size = (ssize_t)entry->size;
    entry->is_freed = 1;
  }
  pthread_mutex_unlock(&mutex);
  return size;
}

void free(void* block) {
  const int error = errno;
  if (freed(block) < 0) __libc_free(block);
  errno = error;
}

void* realloc(void* block, size_t size) {
  const ssize_t before = freed(block);
  if (before < 0 && !(block == NULL && CALLED_BY_PROGRAM)) return __libc_realloc(block, size);
  void* fresh = block_of(size);
  if (fresh != NULL && before > 0) memcpy(fresh, block, (size_t)before < size ? (size_t)before : size);
  return fresh;
}

/* --- Time --- */

static const time_t kNow = 1700000000;

time_t time(time_t* result) {
  struct timespec now = {kNow, 0};
  if (!CALLED_BY_PROGRAM) syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  if (!CALLED_BY_PROGRAM) return (int)syscall(SYS_clock_gettime, clock, now);
  *now = (struct timespec){kNow, 0};
  return 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  if (!CALLED_BY_PROGRAM) return (int)syscall(SYS_gettimeofday, now, zone);
  *now = (struct timeval){kNow, 0};
  return 0;
}

/* --- Calls --- */

static void delay(unsigned one_in) {
  if (!delays || delays_left == 0 || here.frame == NULL) return;
  if (random_state == 0) random_state = mixed(seed, (word)syscall(SYS_gettid));
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  if ((random_state >> 33) % one_in != 0) return;
  delays_left--;
  const int error = errno;
  const struct timespec time = {0, (long)((random_state >> 40) % (kLongestDelayUs * 1000))};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
  errno = error;
}

struct place loop_begins(struct event_base* base) {
  const struct place around = here;
  here = (struct place){.base = base, .loops = around.loops + 1};
  looping = base;
  return around;
}

void loop_ends(struct place around) {
  here = around;
  looping = around.base;
  if (here.loops == 0) write_state();
}

/* A handler begins: something of the program is called, and nothing of it is running on this thread. */
static void handler_begins(void* function, void* frame) {
  static struct event* (*running)(struct event_base*);
  if (running == NULL) *(void**)&running = dlsym(RTLD_NEXT, "event_base_get_running_event");
  struct event_base* const base = looping;
  word identity = 0, calls = 0;
  pthread_mutex_lock(&mutex);
  struct known* entry = known(function, kFunction, 1);
  const int may_ask = base != NULL && entry != NULL && entry->size == 1;
  pthread_mutex_unlock(&mutex);
  const void* const event = may_ask ? running(base) : NULL;
  pthread_mutex_lock(&mutex);
  struct known* const of_event = event != NULL ? known(event, kEvent, 0) : NULL;
  if (of_event != NULL) entry = of_event;
  if (entry != NULL) {
    identity = entry->identity;
    calls = ++entry->calls;
  }
  pthread_mutex_unlock(&mutex);
  here.identity = mixed(mixed(identity, calls), (uintptr_t)function - program_base);
  memset(here.made, 0, sizeof here.made);
  here.frame = frame;
  here.function = function;
  delays_left = kMostDelays;
  delay(2);
}

void __cyg_profile_func_enter(void* function, void* site) {
  (void)site;
  if (program_end == 0 || (here.loops == 0 && pthread_equal(pthread_self(), main_thread))) return;
  void* const frame = __builtin_frame_address(0);
  /* What lies below has been left by a jump. */
  if (here.frame == NULL || (uintptr_t)frame >= (uintptr_t)here.frame) {
    handler_begins(function, frame);
  } else {
    delay(8);
  }
}

void __cyg_profile_func_exit(void* function, void* site) {
  (void)site;
  if (here.frame == NULL) return;
  delay(8);
  if (here.function == function && __builtin_frame_address(0) == here.frame) here.frame = here.function = NULL;
}

/* A read or a write is about to be made; those of the thread's own stack are nobody else's. */
static void access_comes(const void* address) {
  if (here.frame == NULL || !delays) return;
  const uintptr_t distance = (uintptr_t)here.frame - (uintptr_t)address;
  if (distance < 1 << 16) return;
  delay(8);
}

#define ACCESSES(bytes)                                                      \
  void __sanitizer_cov_load##bytes(void* address) { access_comes(address); } \
  void __sanitizer_cov_store##bytes(void* address) { access_comes(address); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __sanitizer_cov_trace_pc_guard_init(unsigned* begin, unsigned* end) { (void)begin, (void)end; }
void __sanitizer_cov_trace_pc_guard(unsigned* guard) { (void)guard; }

/* --- The state --- */

struct mapping {
  uintptr_t begin, end;
};

static struct mapping mappings[kMostMappings];
static unsigned mapping_count;
static struct known *blocks[kSlots], *events[kSlots];
static unsigned block_count, event_count;

static void read_mappings(void) {
  FILE* file = fopen("/proc/self/maps", "re");
  char line[4300];
  while (file != NULL && mapping_count < kMostMappings && fgets(line, sizeof line, file) != NULL) {
    struct mapping* mapping = &mappings[mapping_count];
    if (sscanf(line, "%lx-%lx", &mapping->begin, &mapping->end) == 2) mapping_count++;
  }
  if (file != NULL) fclose(file);
}

static int by_address(const void* left, const void* right) {
  const struct known *a = *(struct known* const*)left, *b = *(struct known* const*)right;
  return a->address < b->address ? -1 : a->address > b->address;
}

static int by_identity(const void* left, const void* right) {
  const struct known *a = *(struct known* const*)left, *b = *(struct known* const*)right;
  return a->identity < b->identity ? -1 : a->identity > b->identity;
}

/* The last one that begins at this address or before it. */
static const struct known* last_before(struct known* const* sorted, unsigned count, uintptr_t address) {
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if ((uintptr_t)sorted[middle]->address <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? NULL : sorted[low - 1];
}

static void write_word(FILE* file, uintptr_t value) {
  const struct known* const block = last_before(blocks, block_count, value);
  if (block != NULL && value <= (uintptr_t)block->address + block->size) {
    fprintf(file, " %s:%llx+%zx", block->is_freed ? "freed" : "block", block->identity,
            value - (uintptr_t)block->address);
    return;
  }
  if (value >= program_begin && value < program_end) {
    fprintf(file, " program+%zx", value - program_base);
    return;
  }
  for (unsigned i = 0; i < mapping_count; i++) {
    if (value < mappings[i].begin || value >= mappings[i].end) continue;
    fputs(" elsewhere", file);
    return;
  }
  fprintf(file, " %zx", value);
}

static void write_words(FILE* file, uintptr_t begin, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uintptr_t)) {
    const struct known* const event = last_before(events, event_count, begin + at);
    if (event != NULL && begin + at < (uintptr_t)event->address + sizeof(struct event)) {
      fputs(" event", file); /* what is in it is the library's business */
      continue;
    }
    uintptr_t value = 0;
    memcpy(&value, (const void*)(begin + at), size - at < sizeof value ? size - at : sizeof value);
    write_word(file, value);
  }
  fputc('\n', file);
}

static void write_state(void) {
  if (has_written || state_path[0] == 0 || getpid() != process) return;
  has_written = 1;
  for (int i = 0; i < kConnections; i++) {
    char rest[4096];
    for (int length; (length = next_answer(i, rest, sizeof rest)) > 0;) note_answer(i, rest, (size_t)length);
  }
  FILE* file = fopen(state_path, "we");
  if (file == NULL) return;
  read_mappings();
  pthread_mutex_lock(&mutex);
  for (size_t i = 0; i < kSlots; i++) {
    if (table[i].kind == kBlock) blocks[block_count++] = &table[i];
    if (table[i].kind == kEvent && !table[i].is_freed) events[event_count++] = &table[i];
  }
  qsort(blocks, block_count, sizeof *blocks, by_address);
  qsort(events, event_count, sizeof *events, by_address);
  for (unsigned i = 0; i < choice_count; i++)
    fprintf(file, "choice %llx %zx\n", choices[i].identity, choices[i].callback);
  for (int i = 0; i < kConnections; i++) fprintf(file, "answer %d %llx %llx\n", i, answers[i].bytes, answers[i].hash);
  for (int i = 0; i < range_count; i++) {
    fprintf(file, "variables %zx", ranges[i].begin);
    write_words(file, ranges[i].begin + program_base, ranges[i].size);
  }
  static struct known* alive[kSlots];
  unsigned count = 0;
  for (unsigned i = 0; i < block_count; i++)
    if (!blocks[i]->is_freed) alive[count++] = blocks[i];
  qsort(alive, count, sizeof *alive, by_identity);
  for (unsigned i = 0; i < count; i++) {
    fprintf(file, "block %llx %zx", alive[i]->identity, alive[i]->size);
    write_words(file, (uintptr_t)alive[i]->address, alive[i]->size);
  }
  pthread_mutex_unlock(&mutex);
  fclose(file);
}

static int find_program(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  program_base = info->dlpi_addr;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t from = program_base + info->dlpi_phdr[i].p_vaddr, to = from + info->dlpi_phdr[i].p_memsz;
    if (from < begin) begin = from;
    if (to > end) end = to;
  }
  program_begin = begin;
  program_end = end;
  return 1; /* the program comes first */
}

__attribute__((constructor)) static void begin(void) {
  process = getpid();
  main_thread = pthread_self();
  const char* text = getenv("AGITATE_STATE");
  if (text == NULL) return;
  snprintf(state_path, sizeof state_path, "%s", text);
  text = getenv("AGITATE_SEED");
  seed = text == NULL ? 1 : (unsigned)atoi(text);
  delays = getenv("AGITATE_DELAYS") != NULL;
  text = getenv("AGITATE_RANGES");
  while (text != NULL && range_count < kMostRanges) {
    if (sscanf(text, "%lx:%zx", &ranges[range_count].begin, &ranges[range_count].size) == 2) range_count++;
    text = strchr(text, ',');
    if (text != NULL) text++;
  }
  unsetenv("AGITATE_STATE"); /* what the program executes is not compared */
  signal(SIGPIPE, SIG_IGN);  /* nobody may be at the other end */
  dl_iterate_phdr(find_program, NULL);
}

__attribute__((destructor)) static void end(void) { write_state(); }

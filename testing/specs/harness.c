#include "testing/specs/harness.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  kPage = 4096,
  kMostHeapBlocks = 1 << 18,
  kMostBlocks = 64,
  kBlockBytes = 1 << 16,
  kMostObjects = 48,
  kMostSegments = 96,
  kMostAccesses = 1 << 14,
  kMostLocks = 4,
  kMostDescriptors = 256,
  kReport = 200,  // the descriptor that the report is written to
  kTimeoutMs = 20000,
  kGivenUp = 77,  // status of a case that has to run with its variables unwatched
  kTrapFlag = 0x100,
};

#define HEAP ((char*)0x500000000000)
#define HEAP_COPY ((char*)0x510000000000)
#define BLOCKS ((char*)0x520000000000)
#define VARIABLES_COPY ((char*)0x530000000000)
#define HEAP_BYTES ((size_t)1 << 30)

// --- Calls of the kernel that use no variable of the C library ---

static long kernel(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

static void protect(const void* start, size_t bytes, int protection) {
  kernel(SYS_mprotect, (long)start, (long)bytes, protection);
}

static void* map_at(void* place, size_t bytes) {
  void* found = mmap(place, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (found != place) kernel(SYS_exit_group, 3, 0, 0);
  return found;
}

// --- The report ---

static char report_text[1 << 16];
static size_t report_used;

static void flush_report(void) {
  for (size_t done = 0; done < report_used;) {
    const long count = kernel(SYS_write, kReport, (long)(report_text + done), (long)(report_used - done));
    if (count <= 0) break;
    done += (size_t)count;
  }
  report_used = 0;
}

__attribute__((format(printf, 1, 2))) static void say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (sizeof report_text - report_used < 1024) flush_report();
  const int count = vsnprintf(report_text + report_used, 1024, format, arguments);
  va_end(arguments);
  report_used += (size_t)(count < 1023 ? count : 1023);
  report_text[report_used++] = '\n';
}

// --- The heap: blocks are never used again ---

struct heap_block {
  char* start;
  size_t size;
  bool freed;
  bool freed_now;  // while the function ran
};
static struct heap_block heap_blocks[kMostHeapBlocks];
static size_t heap_count, heap_before;  // how many there are; and were when the function was called
static char* heap_top;
static char heap_lock;
static bool running;  // the function is being called

static void lock_heap(void) {
  while (__atomic_test_and_set(&heap_lock, __ATOMIC_ACQUIRE)) kernel(SYS_sched_yield, 0, 0, 0);
}

static void unlock_heap(void) { __atomic_clear(&heap_lock, __ATOMIC_RELEASE); }

static void* allocate(size_t size, size_t alignment) {
  lock_heap();
  if (heap_top == NULL) heap_top = map_at(HEAP, HEAP_BYTES);
  char* start = (char*)(((uintptr_t)heap_top + alignment - 1) & -alignment);
  // A word between two blocks: a pointer to the end of one is not one to the next.
  if (size > HEAP_BYTES / 2 || start + size + 16 > HEAP + HEAP_BYTES || heap_count == kMostHeapBlocks) {
    unlock_heap();
    errno = ENOMEM;
    return NULL;
  }
  heap_top = start + size + 8;
  heap_blocks[heap_count++] = (struct heap_block){.start = start, .size = size};
  unlock_heap();
  return start;
}

static struct heap_block* block_of(const void* pointer) {
  const char* at = pointer;
  if (at < HEAP || at >= heap_top) return NULL;
  size_t low = 0, high = heap_count;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (heap_blocks[middle].start <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  struct heap_block* found = &heap_blocks[low];
  return heap_count > 0 && at >= found->start && at <= found->start + found->size ? found : NULL;
}

void* malloc(size_t size) { return allocate(size, 16); }
void* calloc(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? NULL : allocate(bytes, 16);  // fresh pages are zero
}
void free(void* pointer) {
  struct heap_block* found = block_of(pointer);
  if (found == NULL) return;
  found->freed_now = running && !found->freed;
  found->freed = true;
}
void* realloc(void* pointer, size_t size) {
  void* moved = allocate(size, 16);
  const struct heap_block* old = block_of(pointer);
  if (moved == NULL || old == NULL) return moved;
  __builtin_memcpy(moved, pointer, old->size < size ? old->size : size);
  free(pointer);
  return moved;
}
void* reallocarray(void* pointer, size_t count, size_t size) { return realloc(pointer, count * size); }
void* memalign(size_t alignment, size_t size) { return allocate(size, alignment < 16 ? 16 : alignment); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void* valloc(size_t size) { return memalign(kPage, size); }
void* pvalloc(size_t size) { return memalign(kPage, size); }
int posix_memalign(void** result, size_t alignment, size_t size) {
  *result = memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}
size_t malloc_usable_size(void* pointer) {
  const struct heap_block* found = block_of(pointer);
  return found == NULL ? 0 : found->size;
}

// --- Blocks of the arguments ---

struct argument_block {
  char name[24];
  char *pages, *start;
  size_t size;
  char use;
};
static struct argument_block argument_blocks[kMostBlocks];
static int argument_count;
static int round_now;

struct named_object {
  char name[24];
  const char* start;
  size_t size;
};
static struct named_object objects[kMostObjects];
static int object_count;
static int calls_noted[16];

static void find_segments(void);

int current_round(void) { return round_now; }

void start_round(int round) {
  // What the round before kept must not look like what this one keeps.
  argument_count = round * (kMostBlocks / 2);
  for (int i = 0; i < kMostBlocks; ++i) argument_blocks[i].size = 0;
  object_count = 0;
  round_now = round;
  find_segments();
  memset(calls_noted, 0, sizeof calls_noted);
}

static void give_up(const char* why) {
  say("unmade %s", why);
  flush_report();
  kernel(SYS_exit_group, 0, 0, 0);
}

static char* new_block(const char* name, size_t size, char fill) {
  if (argument_count == (round_now + 1) * (kMostBlocks / 2) || size > kBlockBytes - 2 * kPage) give_up("blocks");
  struct argument_block* made = &argument_blocks[argument_count];
  char* pages = BLOCKS + (size_t)argument_count * 3 * kBlockBytes;
  ++argument_count;
  protect(pages, kBlockBytes, PROT_READ | PROT_WRITE);
  protect(pages + kBlockBytes, kPage, PROT_NONE);
  memset(pages, fill, kBlockBytes);
  made->pages = pages;
  made->start = pages + kBlockBytes - size;
  made->size = size;
  made->use = 'w';
  snprintf(made->name, sizeof made->name, "%s", name);
  return made->start;
}

void* block(const char* name, size_t size) { return new_block(name, size, round_now == 0 ? 0x5A : 0x21); }
void* zeros(const char* name, size_t size) { return new_block(name, size, 0); }
char* text(const char* name, const char* content) { return text_in(name, content, strlen(content) + 1); }
char* text_in(const char* name, const char* content, size_t size) {
  return strcpy(new_block(name, size, round_now == 0 ? 0x5A : 0x21), content);
}

void restrict_blocks(const char* const* uses) {
  for (; uses[0] != NULL; uses += 2)
    for (int i = 0; i < kMostBlocks; ++i)
      if (argument_blocks[i].size > 0 && strcmp(argument_blocks[i].name, uses[0]) == 0)
        argument_blocks[i].use = uses[1][0];
}

void* object(const char* name, const void* pointer) {
  if (pointer == NULL) return NULL;
  struct named_object* made = &objects[object_count];
  const struct heap_block* heap = block_of(pointer);
  if (heap == NULL || object_count == kMostObjects) return (void*)pointer;
  for (int i = 0; i < object_count; ++i)
    if (objects[i].start == heap->start) return (void*)pointer;
  ++object_count;
  made->start = heap->start;
  made->size = heap->size;
  snprintf(made->name, sizeof made->name, "%s", name);
  return (void*)pointer;
}

void* locked(const void* pointer) { return object("=", pointer); }

static struct argument_block* argument_at(const void* pointer) {
  for (int i = 0; i < kMostBlocks; ++i) {
    struct argument_block* one = &argument_blocks[i];
    if (one->size > 0 && (const char*)pointer >= one->pages && (const char*)pointer < one->pages + kBlockBytes + kPage)
      return one;
  }
  return NULL;
}

void note_call(int index) {
  if (running) ++calls_noted[index];
}
#define CALLBACK(index)              \
  static long called_##index(void) { \
    note_call(index);                \
    return 0;                        \
  }
CALLBACK(0)
CALLBACK(1)
CALLBACK(2)
CALLBACK(3)
CALLBACK(4)
CALLBACK(5)
CALLBACK(6)
CALLBACK(7)
CALLBACK(8)
CALLBACK(9)
static long (*const kCallbacks[])(void) = {called_0, called_1, called_2, called_3, called_4,
                                           called_5, called_6, called_7, called_8, called_9};
void* callback(int index) { return (void*)kCallbacks[index]; }

void* need(void* pointer, const char* what) {
  if (pointer == NULL || pointer == (void*)-1) give_up(what);
  return pointer;
}

int need_descriptor(int descriptor, const char* what) {
  if (descriptor < 0) give_up(what);
  return descriptor;
}

// --- Variables of the libraries ---

struct segment {
  char *start, *end;
  char library[40];
  size_t offset;  // of its start from the library's first page
  char* copy;
  bool writable;
};
static struct segment segments[kMostSegments];
static int segment_count;
static bool watches_variables, watching;

// Reads /proc/self/maps: all pages of libraries; of those that can be written, also the zero pages behind.
static void find_segments(void) {
  static char maps[1 << 18];
  const int file = open("/proc/self/maps", O_RDONLY);
  size_t used = 0;
  for (ssize_t count; (count = read(file, maps + used, sizeof maps - 1 - used)) > 0;) used += (size_t)count;
  close(file);
  maps[used] = '\0';
  char* copy = VARIABLES_COPY;
  char* base = NULL;
  char last[40] = "";
  segment_count = 0;
  char* rest;
  for (char* line = strtok_r(maps, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    unsigned long start, end;
    char permissions[8], path[256] = "";
    if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255[^\n]", &start, &end, permissions, path) < 3) continue;
    const char* name = strrchr(path, '/');
    const bool behind = path[0] == '\0' && segment_count > 0 && segments[segment_count - 1].end == (char*)start &&
                        segments[segment_count - 1].writable && permissions[1] == 'w';
    if (!behind && (name == NULL || strstr(name, ".so") == NULL || strstr(name, "/ld-") != NULL)) continue;
    if (segment_count == kMostSegments) break;
    struct segment* found = &segments[segment_count];
    if (!behind) {
      if (strncmp(last, name + 1, sizeof last - 1) != 0) base = (char*)start;
      snprintf(last, sizeof last, "%s", name + 1);
    }
    *found = (struct segment){.start = (char*)start, .end = (char*)end, .writable = permissions[1] == 'w'};
    found->offset = (size_t)((char*)start - base);
    snprintf(found->library, sizeof found->library, "%s", last);
    if (found->writable) {
      found->copy = copy;
      copy += end - start;
    }
    ++segment_count;
  }
}

static const struct segment* segment_at(const void* pointer) {
  for (int i = 0; i < segment_count; ++i)
    if ((char*)pointer >= segments[i].start && (char*)pointer < segments[i].end) return &segments[i];
  return NULL;
}

// What was done to four bytes of variables, and under which locks.
struct access {
  uintptr_t word, code;
  bool writes, atomic;
  uintptr_t locks[kMostLocks];
};
static struct access accesses[kMostAccesses];
static size_t access_count;
static uintptr_t held[kMostLocks];
static uintptr_t opened_pages[8];
static int opened_count;
static bool too_many;

// Does the instruction change memory in one step that others see whole?
static bool is_atomic(const unsigned char* code) {
  for (;; ++code) {
    if (*code == 0xF0) return true;
    if (*code != 0x66 && *code != 0xF2 && *code != 0xF3 && *code != 0x2E && *code != 0x3E && *code != 0x64) break;
  }
  if ((*code & 0xF0) == 0x40) ++code;
  // Where the process has one thread, a lock is taken without the prefix.
  return *code == 0x86 || *code == 0x87 || (*code == 0x0F && (code[1] & 0xFE) == 0xB0);
}

// Does it use eight bytes? (Others that use more are taken for four.)
static bool is_wide(const unsigned char* code) {
  while (*code == 0xF0 || *code == 0x66 || *code == 0xF2 || *code == 0xF3 || *code == 0x64) ++code;
  return (*code & 0xF8) == 0x48;
}

static void note_access(uintptr_t address, bool writes, uintptr_t code, bool first) {
  struct access one = {.word = address & ~(uintptr_t)3, .code = code, .writes = writes};
  one.atomic = is_atomic((const unsigned char*)code);
  if (one.atomic && first) {
    // Taken by the first change, given back by the second.
    int place = -1;
    for (int i = 0; i < kMostLocks; ++i)
      if (held[i] == one.word) place = i;
    if (place >= 0) {
      held[place] = 0;
    } else {
      for (int i = 0; i < kMostLocks && place < 0; ++i)
        if (held[i] == 0) held[place = i] = one.word;
    }
  }
  __builtin_memcpy(one.locks, held, sizeof held);
  // The last ones first: loops repeat themselves.
  for (size_t i = access_count, looked = 0; i > 0 && looked < 512; --i, ++looked) {
    const struct access* known = &accesses[i - 1];
    bool same = known->word == one.word && known->writes == one.writes && known->atomic == one.atomic;
    for (int k = 0; k < kMostLocks; ++k) same = same && known->locks[k] == one.locks[k];
    if (same) return;
  }
  if (access_count == kMostAccesses) {
    too_many = true;
  } else {
    accesses[access_count++] = one;
  }
}

static void protect_variables(int protection) {
  for (int i = 0; i < segment_count; ++i)
    if (segments[i].writable) protect(segments[i].start, (size_t)(segments[i].end - segments[i].start), protection);
}

struct fault {
  const struct argument_block* where;
  long offset;
  bool writes;
  uintptr_t code;
};
static struct fault faults[64];
static int fault_count;
static bool fatal;

static void end_case(int status) {
  watching = running = false;
  protect_variables(PROT_READ | PROT_WRITE);
  flush_report();
  kernel(SYS_exit_group, status, 0, 0);
}

static void say_faults(void);

static void on_fault(int number, siginfo_t* info, void* context) {
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const uintptr_t at = (uintptr_t)info->si_addr;
  const uintptr_t code = (uintptr_t)registers[REG_RIP];
  const bool writes = (registers[REG_ERR] & 2) != 0;
  if (number == SIGSEGV && watching) {
    for (int i = 0; i < segment_count; ++i) {
      const struct segment* one = &segments[i];
      if (!one->writable || at < (uintptr_t)one->start || at >= (uintptr_t)one->end || opened_count == 8) continue;
      note_access(at, writes, code, true);
      if (is_wide((const unsigned char*)code) && at % 8 == 0) note_access(at + 4, writes, code, false);
      const uintptr_t page = at & -(uintptr_t)kPage;
      opened_pages[opened_count++] = page;
      protect((void*)page, kPage, PROT_READ | PROT_WRITE);
      registers[REG_EFL] |= kTrapFlag;
      return;
    }
  }
  if (number == SIGSEGV && running) {
    struct argument_block* argument = argument_at((void*)at);
    if (argument != NULL && fault_count < 64) {
      const long offset = (char*)at - argument->start;
      faults[fault_count++] = (struct fault){argument, offset, writes, code};
      if (at < (uintptr_t)argument->pages + kBlockBytes) {
        protect((void*)(at & -(uintptr_t)kPage), kPage, PROT_READ | PROT_WRITE);
        return;
      }
    }
  }
  // Nothing that was expected.
  const bool was_watching = watching;
  watching = running = false;
  protect_variables(PROT_READ | PROT_WRITE);
  say_faults();
  if (was_watching) end_case(kGivenUp);
  const struct segment* where = segment_at((void*)code);
  say("crash %d at %p in %s+%zx", number, (void*)at, where == NULL ? "?" : where->library,
      where == NULL ? (size_t)code : (size_t)((char*)code - where->start) + where->offset);
  end_case(0);
}

static void on_step(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  while (opened_count > 0) {
    --opened_count;
    if (watching) protect((void*)opened_pages[opened_count], kPage, PROT_NONE);
  }
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

// --- What a process has beside memory ---

struct state {
  char folder[256];
  mode_t mask;
  sigset_t blocked;
  void* handlers[32];
  int handler_flags[32];
  struct itimerval timers[3];
  struct rlimit limits[RLIM_NLIMITS];
  unsigned ids[8];
  int group, session, priority, policy, name_hash, dumpable, death, secure_bits, no_privileges, rounding;
  int timer_slack, subreaper;
  cpu_set_t processors;
  locale_t locale;
  stack_t stack;
  ino_t descriptors[kMostDescriptors];
  int flags[kMostDescriptors];
  int positions[kMostDescriptors];
};
static struct state state_before, state_after;

static void read_state(struct state* now) {
  memset(now, 0, sizeof *now);
  if (getcwd(now->folder, sizeof now->folder) == NULL) now->folder[0] = '\0';
  umask(now->mask = umask(0));
  sigprocmask(SIG_BLOCK, NULL, &now->blocked);
  for (int i = 1; i < 32; ++i) {
    if (i != SIGSEGV && i != SIGTRAP && i != SIGBUS) {
      struct sigaction action;
      sigaction(i, NULL, &action);
      now->handlers[i] = (void*)action.sa_handler;
      now->handler_flags[i] = action.sa_flags & ~0x04000000;  // SA_RESTORER: whether the library has set it before
    }
  }
  for (int i = 0; i < 3; ++i) {
    getitimer((__itimer_which_t)i, &now->timers[i]);
    // Of the time that runs only whether it does.
    now->timers[i].it_value.tv_sec = now->timers[i].it_value.tv_sec != 0 || now->timers[i].it_value.tv_usec != 0;
    now->timers[i].it_value.tv_usec = 0;
  }
  for (int i = 0; i < RLIM_NLIMITS; ++i) getrlimit((__rlimit_resource_t)i, &now->limits[i]);
  getresuid(&now->ids[0], &now->ids[1], &now->ids[2]);
  getresgid(&now->ids[3], &now->ids[4], &now->ids[5]);
  now->group = getpgrp();
  now->session = getsid(0);
  now->priority = getpriority(PRIO_PROCESS, 0);
  now->policy = sched_getscheduler(0);
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  for (int i = 0; i < 16; ++i) now->name_hash = now->name_hash * 31 + name[i];
  now->dumpable = prctl(PR_GET_DUMPABLE);
  prctl(PR_GET_PDEATHSIG, &now->death);
  now->secure_bits = prctl(PR_GET_SECUREBITS);
  now->no_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  now->timer_slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl(PR_GET_CHILD_SUBREAPER, &now->subreaper);
  now->rounding = fegetround();
  sched_getaffinity(0, sizeof now->processors, &now->processors);
  now->locale = uselocale((locale_t)0);
  sigaltstack(NULL, &now->stack);
  for (int i = 0; i < kMostDescriptors; ++i) {
    struct stat about;
    if (i == kReport || fstat(i, &about) != 0) continue;
    now->descriptors[i] = about.st_ino + 1;
    now->flags[i] = fcntl(i, F_GETFL) * 2 + fcntl(i, F_GETFD);
    now->positions[i] = (int)lseek(i, 0, SEEK_CUR);
  }
}

static void compare_states(void) {
  const struct state *a = &state_before, *b = &state_after;
#define COMPARE(field, word) \
  if (memcmp(&a->field, &b->field, sizeof a->field) != 0) say("state %s", word)
  COMPARE(folder, "working directory");
  COMPARE(mask, "umask");
  COMPARE(blocked, "signal mask");
  COMPARE(handlers, "signal handlers");
  COMPARE(handler_flags, "signal handlers");
  COMPARE(timers, "timers");
  COMPARE(limits, "limits");
  COMPARE(ids, "identity");
  COMPARE(group, "process group");
  COMPARE(session, "session");
  COMPARE(priority, "priority");
  COMPARE(policy, "scheduling");
  COMPARE(name_hash, "name of the thread");
  COMPARE(dumpable, "identity");
  COMPARE(death, "prctl");
  COMPARE(secure_bits, "prctl");
  COMPARE(no_privileges, "prctl");
  COMPARE(timer_slack, "prctl");
  COMPARE(subreaper, "prctl");
  COMPARE(rounding, "rounding");
  COMPARE(processors, "processors");
  COMPARE(locale, "locale of the thread");
  COMPARE(stack, "signal stack");
  for (int i = 0; i < kMostDescriptors; ++i) {
    if (a->descriptors[i] == 0 && b->descriptors[i] != 0) say("opened %d", i);
    if (a->descriptors[i] != 0 && b->descriptors[i] == 0) say("closed %d", i);
    if (a->descriptors[i] == 0 || b->descriptors[i] == 0) continue;
    if (a->descriptors[i] != b->descriptors[i]) say("replaced %d", i);
    if (a->descriptors[i] == b->descriptors[i] && (a->flags[i] != b->flags[i] || a->positions[i] != b->positions[i]))
      say("moved %d", i);
  }
}

// The files of the folder.
struct file_seen {
  char name[64];
  struct stat about;
};
static struct file_seen files_before[32], files_after[32];

static int see_files(struct file_seen* files, const char* folder) {
  memset(files, 0, sizeof files_before);
  int count = 0;
  DIR* all = opendir(folder);
  if (all == NULL) return -1;
  for (struct dirent* one; (one = readdir(all)) != NULL && count < 32;) {
    if (one->d_name[0] == '.') continue;
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
    snprintf(files[count].name, sizeof files[count].name, "%.63s", one->d_name);
    if (lstat(path, &files[count].about) == 0) ++count;
  }
  closedir(all);
  return count;
}

static bool folder_is_seen;  // after the call, too: it may have given up the right to

static void compare_files(void) {
  if (!folder_is_seen) return;
  for (int i = 0; i < 32; ++i) {
    const struct file_seen *old = &files_before[i], *now = NULL;
    if (old->name[0] == '\0') break;
    for (int k = 0; k < 32; ++k)
      if (strcmp(files_after[k].name, old->name) == 0) now = &files_after[k];
    if (now == NULL) {
      say("file %s removed", old->name);
    } else if (old->about.st_ino != now->about.st_ino || old->about.st_size != now->about.st_size ||
               old->about.st_mode != now->about.st_mode || old->about.st_uid != now->about.st_uid ||
               old->about.st_mtim.tv_nsec != now->about.st_mtim.tv_nsec) {
      say("file %s changed", old->name);
    }
  }
  for (int k = 0; k < 32 && files_after[k].name[0] != '\0'; ++k) {
    bool known = false;
    for (int i = 0; i < 32; ++i) known = known || strcmp(files_before[i].name, files_after[k].name) == 0;
    if (!known) say("file %s created", files_after[k].name);
  }
}

// --- The call ---

static int error_after;
static uint64_t owners[kMostHeapBlocks];  // by which objects each block is reached; the last bit: by variables
static uint32_t to_visit[kMostHeapBlocks];
#define BY_VARIABLES ((uint64_t)1 << 63)

void watch(void) {
  fflush(stdout);
  for (size_t i = 0; i < heap_count; ++i) heap_blocks[i].freed_now = false;
  find_segments();
  memcpy(HEAP_COPY, HEAP, (size_t)(heap_top - HEAP));
  for (int i = 0; i < segment_count; ++i)
    if (segments[i].writable)
      memcpy(segments[i].copy, segments[i].start, (size_t)(segments[i].end - segments[i].start));
  for (int i = 0; i < kMostBlocks; ++i) {
    const struct argument_block* one = &argument_blocks[i];
    if (one->size > 0) memcpy(one->pages + kBlockBytes + kPage, one->pages, kBlockBytes);
  }
  read_state(&state_before);
  see_files(files_before, state_before.folder);
  access_count = 0;
  memset(held, 0, sizeof held);
  fault_count = 0;
  too_many = false;
  heap_before = heap_count;
  for (int i = 0; i < kMostBlocks; ++i) {
    const struct argument_block* one = &argument_blocks[i];
    if (one->size > 0 && one->use != 'w') protect(one->pages, kBlockBytes, one->use == 'r' ? PROT_READ : PROT_NONE);
  }
  errno = 0;
  running = true;
  watching = watches_variables;
  if (watching) protect_variables(PROT_NONE);
}

void unwatch(void) {
  watching = running = false;
  protect_variables(PROT_READ | PROT_WRITE);
  error_after = errno;
  for (int i = 0; i < kMostBlocks; ++i)
    if (argument_blocks[i].size > 0) protect(argument_blocks[i].pages, kBlockBytes, PROT_READ | PROT_WRITE);
  if (error_after == EFAULT && watches_variables) end_case(kGivenUp);
  read_state(&state_after);
  folder_is_seen = see_files(files_after, state_before.folder) >= 0;
  say("round %d", round_now);
}

static void say_place(const char* verb, const void* pointer) {
  const struct argument_block* argument = argument_at(pointer);
  const struct heap_block* heap = block_of(pointer);
  const struct segment* segment = segment_at(pointer);
  if (argument != NULL) {
    say("%s block %s %ld", verb, argument->name, (long)((const char*)pointer - argument->start));
  } else if (heap != NULL) {
    const size_t index = (size_t)(heap - heap_blocks);
    const char* name = "-";
    for (int i = 0; i < object_count; ++i)
      if (objects[i].start == heap->start) name = objects[i].name;
    say("%s heap %s %ld %s %llx", verb, name, (long)((const char*)pointer - heap->start),
        index >= heap_before ? "new" : "old", (unsigned long long)owners[index]);
  } else if (segment != NULL) {
    say("%s variable %s %zx %s", verb, segment->library, (size_t)((char*)pointer - segment->start) + segment->offset,
        segment->writable ? "writable" : "constant");
  } else {
    say("%s elsewhere %p", verb, pointer);
  }
}

static const void* pointer_returned;
static bool returns_pointer;

void returned_pointer(const void* pointer) {
  pointer_returned = pointer;
  returns_pointer = true;
}

void returned_number(long number) { say("number %ld", number); }

static void say_faults(void) {
  for (int i = 0; i < fault_count; ++i) {
    const struct segment* where = segment_at((void*)faults[i].code);
    say("fault %s %ld %zu %s %c %s+%zx", faults[i].where->name, faults[i].offset, faults[i].where->size,
        faults[i].writes ? "write" : "read", faults[i].where->use, where == NULL ? "?" : where->library,
        where == NULL ? (size_t)0 : (size_t)((char*)faults[i].code - where->start) + where->offset);
  }
}

static bool is_named(const char* start) {
  for (int i = 0; i < object_count; ++i)
    if (objects[i].start == start) return true;
  return false;
}

// Follows the words between two addresses into the heap, as they are and as they were.
static size_t follow(const char* from, const char* to, const char* old, uint64_t by, size_t waiting) {
  for (const char* at = (const char*)(((uintptr_t)from + 7) & -(uintptr_t)8); at + 8 <= to; at += 8) {
    for (int k = 0; k < (old == NULL ? 1 : 2); ++k) {
      void* pointer;
      memcpy(&pointer, k == 0 ? at : old + (at - from), 8);
      const struct heap_block* found = block_of(pointer);
      if (found == NULL || is_named(found->start)) continue;
      const size_t index = (size_t)(found - heap_blocks);
      if ((owners[index] & by) != 0) continue;
      owners[index] |= by;
      to_visit[waiting++] = (uint32_t)index;
    }
  }
  return waiting;
}

static void follow_all(uint64_t by, size_t waiting) {
  while (waiting > 0) {
    const size_t index = to_visit[--waiting];
    const struct heap_block* one = &heap_blocks[index];
    waiting = follow(one->start, one->start + one->size, index < heap_before ? HEAP_COPY + (one->start - HEAP) : NULL,
                     by, waiting);
  }
}

static int block_bit(int index) { return kMostObjects + index % (kMostBlocks / 2) % 14; }

static void find_owners(void) {
  memset(owners, 0, heap_count * sizeof owners[0]);
  for (int i = 0; i < object_count; ++i) {
    const struct heap_block* start = block_of(objects[i].start);
    const size_t index = (size_t)(start - heap_blocks);
    owners[index] |= (uint64_t)1 << i;
    to_visit[0] = (uint32_t)index;
    follow_all((uint64_t)1 << i, 1);
  }
  for (int i = 0; i < kMostBlocks; ++i) {
    const struct argument_block* one = &argument_blocks[i];
    if (one->size == 0) continue;
    const uint64_t bit = (uint64_t)1 << block_bit(i);
    follow_all(bit, follow(one->start, one->start + one->size, one->start + kBlockBytes + kPage, bit, 0));
  }
  for (int i = 0; i < segment_count; ++i) {
    const struct segment* one = &segments[i];
    if (one->writable) follow_all(BY_VARIABLES, follow(one->start, one->end, one->copy, BY_VARIABLES, 0));
  }
  for (int i = 0; i < object_count; ++i) say("object %d %s", i, objects[i].name);
  for (int i = 0; i < kMostBlocks; ++i)
    if (argument_blocks[i].size > 0)
      say("object %d %s %zu", block_bit(i), argument_blocks[i].name, argument_blocks[i].size);
}

// Where a word that has come to point into an argument stands now.
static void find_kept(const char* from, const char* to, const char* old) {
  for (const char* at = (const char*)(((uintptr_t)from + 7) & -(uintptr_t)8); at + 8 <= to; at += 8) {
    char *pointer, *before = NULL;
    memcpy(&pointer, at, 8);
    if (old != NULL) memcpy(&before, old + (at - from), 8);
    if (pointer == before || pointer == NULL) continue;
    const struct argument_block* argument = argument_at(pointer);
    char verb[64] = "";
    if (argument != NULL) snprintf(verb, sizeof verb, "kept %s", argument->name);
    for (int i = 0; i < object_count && argument == NULL; ++i)
      if (pointer >= objects[i].start && pointer < objects[i].start + objects[i].size)
        snprintf(verb, sizeof verb, "kept %s", objects[i].name);
    for (int i = 0; i < 10; ++i)
      if (pointer == (char*)kCallbacks[i]) snprintf(verb, sizeof verb, "kept f%d", i);
    if (verb[0] != '\0') {
      say_place(verb, at);
      continue;
    }
    // What the program finds in its own memory: a pointer to memory that the library made, or has.
    const struct argument_block* holder = argument_at(at);
    const struct heap_block* heap = block_of(pointer);
    const struct segment* variable = segment_at(pointer);
    const char* what = heap != NULL && (size_t)(heap - heap_blocks) >= heap_before ? "new"
                       : heap != NULL                                              ? "old"
                       : variable != NULL && variable->writable                    ? "variable"
                                                                                   : NULL;
    if (holder != NULL && what != NULL) say("stored %s %ld %s", holder->name, (long)(at - holder->start), what);
  }
}

static void say_changes(void) {
  for (int i = 0; i < kMostBlocks; ++i) {
    const struct argument_block* one = &argument_blocks[i];
    if (one->size == 0) continue;
    long first = -1, last = -1;
    for (size_t k = 0; k < one->size; ++k) {
      if (one->start[k] == one->start[k + kBlockBytes + kPage]) continue;
      if (first < 0) first = (long)k;
      last = (long)k;
    }
    if (first >= 0) say("changed block %s %ld %ld", one->name, first, last + 1);
    // What is before the block belongs to nobody.
    for (char* before = one->pages; before < one->start; ++before) {
      if (*before == before[kBlockBytes + kPage]) continue;
      say("changed block %s %ld %ld", one->name, (long)(before - one->start), (long)(before - one->start) + 1);
      break;
    }
    find_kept(one->start, one->start + one->size, one->start + kBlockBytes + kPage);
  }
  for (size_t i = 0; i < heap_count; ++i) {
    const struct heap_block* one = &heap_blocks[i];
    const char* old = i < heap_before ? HEAP_COPY + (one->start - HEAP) : NULL;
    if (old != NULL && one->freed_now) say_place("freed", one->start);
    if (one->freed) continue;
    if (old != NULL && memcmp(one->start, old, one->size) != 0) {
      size_t first = 0;
      while (one->start[first] == old[first]) ++first;
      say_place("changed", one->start + first);
    }
    if (old == NULL || memcmp(one->start, old, one->size) != 0) find_kept(one->start, one->start + one->size, old);
  }
  for (int i = 0; i < segment_count; ++i) {
    const struct segment* one = &segments[i];
    if (!one->writable) continue;
    if (!watches_variables) {
      for (char* at = one->start; at < one->end; at += 8)
        if (memcmp(at, one->copy + (at - one->start), 8) != 0) say_place("changed", at);
    }
    find_kept(one->start, one->end, one->copy);
  }
}

static void say_accesses(void) {
  for (size_t i = 0; i < access_count; ++i) {
    const struct access* one = &accesses[i];
    const struct segment* where = segment_at((void*)one->word);
    const struct segment* code = segment_at((void*)one->code);
    char locks[128] = "";
    for (int k = 0; k < kMostLocks; ++k) {
      const struct segment* lock = one->locks[k] == 0 ? NULL : segment_at((void*)one->locks[k]);
      if (lock == NULL) continue;
      const size_t used = strlen(locks);
      snprintf(locks + used, sizeof locks - used, " %s+%zx", lock->library,
               (size_t)((char*)one->locks[k] - lock->start) + lock->offset);
    }
    Dl_info about;
    const bool known = dladdr((void*)one->code, &about) != 0 && about.dli_sname != NULL;
    say("access %s %zx %s %s %s+%zx:%s%s", where->library, (size_t)((char*)one->word - where->start) + where->offset,
        one->writes ? "write" : "read", one->atomic ? "atomic" : "plain", code == NULL ? "?" : code->library,
        code == NULL ? (size_t)0 : (size_t)((char*)one->code - code->start) + code->offset,
        known ? about.dli_sname : "?", locks);
  }
  if (too_many) say("access-limit");
}

void finish_round(void) {
  find_owners();
  if (returns_pointer) {
    if (pointer_returned == NULL) {
      say("pointer null");
    } else {
      say_place("pointer", pointer_returned);
    }
  }
  returns_pointer = false;
  if (error_after != 0) say("errno %d", error_after);
  say_faults();
  say_changes();
  say_accesses();
  compare_states();
  compare_files();
  for (int i = 0; i < 10; ++i)
    if (calls_noted[i] > 0) say("called %d", i);
  flush_report();
}

// --- A process for each case ---

static void* stay(void* nothing) {
  (void)nothing;
  for (;;) kernel(SYS_pause, 0, 0, 0);
}

static void enter_folder(const char* top) {
  char folder[300];
  snprintf(folder, sizeof folder, "%s/case-XXXXXX", top);
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) give_up("folder");
  const int file = open("data", O_CREAT | O_WRONLY, 0644);
  for (int i = 0; i < 64; ++i)
    if (write(file, "one line of text\n", 17) != 17) give_up("file");
  close(file);
  mkdir("folder", 0755);
  if (symlink("data", "link") != 0) give_up("link");
}

static void run_case(const struct spec_case* one, const char* top, bool watched) {
  setpgid(0, 0);
  signal(SIGPIPE, SIG_IGN);
  enter_folder(top);
  for (int signals[] = {SIGSEGV, SIGTRAP, SIGBUS}, i = 0; i < 3; ++i) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    action.sa_sigaction = signals[i] == SIGTRAP ? on_step : on_fault;
    sigaction(signals[i], &action, NULL);
  }
  // Locks are only taken by a process that has two threads.
  pthread_t other;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 16);
  pthread_create(&other, &attributes, stay, NULL);
  watches_variables = watched;
  one->run();
  flush_report();
  kernel(SYS_exit_group, 0, 0, 0);
}

// Runs the case in a child and copies its report; false where it has to be run with its variables unwatched.
static bool tried(const struct spec_case* one, const char* top, bool watched) {
  static char text[1 << 22];
  int ends[2];
  if (pipe(ends) != 0) exit(3);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], kReport);
    close(ends[0]);
    close(ends[1]);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; ++i) dup2(nowhere, i);
    close(nowhere);
    run_case(one, top, watched);
  }
  close(ends[1]);
  size_t used = 0;
  bool timed_out = false;
  for (;;) {
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    timed_out = poll(&ready, 1, kTimeoutMs) <= 0;
    if (timed_out) break;
    const ssize_t count = read(ends[0], text + used, sizeof text - 1 - used);
    if (count <= 0) break;
    used += (size_t)count;
  }
  close(ends[0]);
  kill(-child, SIGKILL);
  kill(child, timed_out ? SIGKILL : 0);
  int status = 0;
  waitpid(child, &status, 0);
  const bool repeat = watched && ((WIFEXITED(status) && WEXITSTATUS(status) == kGivenUp) ||
                                  (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV));
  if (repeat) return false;
  printf("case %s\n", one->name);
  fwrite(text, 1, used, stdout);
  if (timed_out) printf("timeout\n");
  if (!timed_out && WIFSIGNALED(status)) printf("signalled %d\n", WTERMSIG(status));
  if (!timed_out && WIFEXITED(status) && WEXITSTATUS(status) != 0) printf("exited %d\n", WEXITSTATUS(status));
  if (!watched) printf("unwatched\n");
  fflush(stdout);
  return true;
}

int main(int count, char** words) {
  map_at(HEAP_COPY, HEAP_BYTES);
  map_at(VARIABLES_COPY, (size_t)1 << 28);
  map_at(BLOCKS, (size_t)kMostBlocks * 3 * kBlockBytes);
  prepare_library();
  for (size_t i = 0; i < kCaseCount; ++i) {
    bool chosen = count <= 2;
    for (int k = 2; k < count; ++k) chosen = chosen || strcmp(words[k], kCases[i].name) == 0;
    if (!chosen) continue;
    if (kCases[i].unwatched || !tried(&kCases[i], words[1], true)) tried(&kCases[i], words[1], false);
  }
  return 0;
}

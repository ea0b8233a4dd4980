// Executes calls of libraries one instruction at a time and tells which bytes each has read and written.
//
// A scenario makes objects, perhaps links them by a call, and has actions: calls on these objects. Each action runs in
// a process of its own, which first makes the objects. They lie at the same addresses in every process, so the bytes
// that two actions touch can be compared. Everything is made twice: the first time for what a library sets up by itself
// when it is first used; what is told is the second time.
//
// Told is what an action touches of the heap that was there before it, and of the variables of libraries: each range
// with the locks that were held and whether it was one atomic step. Not told are its stack, what it allocates itself,
// and variables of a thread. What the kernel writes shows as a change.
#include "testing/specs/links.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
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
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "testing/specs/link_decode.h"

enum {
  kReport = 200,  // the descriptor that the report is written to
  kTimeoutMs = 20000,
  kMostSeconds = 5,  // of the processor
  kMostSegments = 96,
  kMostBlocks = 1 << 18,
  kMostLocks = 8,
  kTrapFlag = 0x100,
  kLine = 64,  // whole vectors are read of a text, and stay in its block
};
#define HEAP ((char*)0x500000000000)
#define HEAP_BYTES ((size_t)1 << 28)
#define HEAP_MARKS ((struct mark*)0x510000000000)
#define HEAP_COPY ((char*)0x520000000000)
#define OTHER_MARKS ((struct mark*)0x530000000000)
#define OTHER_COPY ((char*)0x540000000000)
#define OTHER_BYTES ((size_t)1 << 24)
#define SECOND_HALF (HEAP + HEAP_BYTES / 4)

static long kernel(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

static void* map_at(void* place, size_t bytes) {
  void* found = mmap(place, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (found != place) kernel(SYS_exit_group, 3, 0, 0);
  return found;
}

// --- What is known of a byte ---

enum { kRead = 1, kWritten = 2, kPlainWrite = 4, kPlainRead = 8, kChanged = 16 };
struct mark {
  uint8_t flags;
  uint8_t locks;                 // held at every access
  uint32_t read_at, written_at;  // which decoded instruction
};

static bool tracing;
static size_t steps, most_steps;  // what follows is not watched: on some machines a step takes 20 us
static uintptr_t held[kMostLocks];

static uint8_t held_now(void) {
  uint8_t mask = 0;
  for (int i = 0; i < kMostLocks; ++i)
    if (held[i] != 0) mask |= (uint8_t)(1 << i);
  return mask;
}

// A lock keeps its place in the table when it is given back, so that a mask stays true.
static uintptr_t lock_names[kMostLocks];
static bool by_name[kMostLocks];  // taken by a function that is known to take it
static bool too_many_locks;
static void take(uintptr_t lock, bool named) {
  int place = -1;
  for (int i = 0; i < kMostLocks; ++i)
    if (lock_names[i] == lock) place = i;
  for (int i = 0; i < kMostLocks && place < 0; ++i)
    if (lock_names[i] == 0) place = i;
  if (place < 0) {
    too_many_locks = true;
    return;
  }
  lock_names[place] = held[place] = lock;
  by_name[place] |= named;
}
static void give_back(uintptr_t lock) {
  for (int i = 0; i < kMostLocks; ++i)
    if (held[i] == lock) held[i] = 0;
}

// --- The heap: blocks are never used again ---

struct heap_block {
  char* start;
  size_t size;
  char name[20];
};
static struct heap_block blocks[kMostBlocks];
static size_t block_count;
// The blocks that all processes have at the same places: those up to `once`, without `ours`, and of the second time
// `first` to `before`.
static size_t blocks_of_ours, blocks_once, first_block, blocks_before;
static char* heap_top;
static char* heap_before;
static char heap_lock;

static void mark_range(uintptr_t address, size_t size, bool writes, bool atomic, uint32_t code);

static void* allocate(size_t size, size_t alignment) {
  while (__atomic_test_and_set(&heap_lock, __ATOMIC_ACQUIRE)) kernel(SYS_sched_yield, 0, 0, 0);
  if (heap_top == NULL) heap_top = map_at(HEAP, HEAP_BYTES);
  if (alignment < kLine) alignment = kLine;
  char* start = (char*)(((uintptr_t)heap_top + alignment - 1) & -alignment);
  if (size > HEAP_BYTES / 4 || start + size + kLine > HEAP + HEAP_BYTES || block_count == kMostBlocks) {
    __atomic_clear(&heap_lock, __ATOMIC_RELEASE);
    errno = ENOMEM;
    return NULL;
  }
  heap_top = start + size + kLine;
  blocks[block_count++] = (struct heap_block){.start = start, .size = size};
  __atomic_clear(&heap_lock, __ATOMIC_RELEASE);
  return start;
}

static struct heap_block* block_of(const void* pointer) {
  const char* at = pointer;
  if (at < HEAP || at >= heap_top || block_count == 0) return NULL;
  size_t low = 0, high = block_count;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (blocks[middle].start <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return at >= blocks[low].start ? &blocks[low] : NULL;
}

void* malloc(size_t size) { return allocate(size, 16); }
void* calloc(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? NULL : allocate(bytes, 16);  // fresh pages are zero
}
void free(void* pointer) {
  const struct heap_block* found = block_of(pointer);
  if (found != NULL && tracing) mark_range((uintptr_t)found->start, found->size, true, false, 0);
}
void* realloc(void* pointer, size_t size) {
  void* moved = allocate(size, 16);
  const struct heap_block* old = block_of(pointer);
  if (moved == NULL || old == NULL) return moved;
  const size_t kept = old->size < size ? old->size : size;
  for (size_t i = 0; i < kept; ++i) ((char*)moved)[i] = old->start[i];
  free(pointer);
  return moved;
}
void* reallocarray(void* pointer, size_t count, size_t size) { return realloc(pointer, count * size); }
void* memalign(size_t alignment, size_t size) { return allocate(size, alignment); }
void* aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment); }
void* valloc(size_t size) { return allocate(size, 4096); }
void* pvalloc(size_t size) { return allocate(size, 4096); }
int posix_memalign(void** result, size_t alignment, size_t size) {
  *result = allocate(size, alignment);
  return *result == NULL ? ENOMEM : 0;
}
size_t malloc_usable_size(void* pointer) {
  const struct heap_block* found = block_of(pointer);
  return found == NULL ? 0 : found->size;
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
  report_used += (size_t)(count < 1023 ? count : 1022);
  report_text[report_used++] = '\n';
}
static void give_up(const char* why) {
  tracing = false;
  say("unmade %s", why);
  flush_report();
  kernel(SYS_exit_group, 0, 0, 0);
}

// --- Arguments ---

static int round_now;
int current_round(void) { return round_now; }
static void name_block(const char* name, const void* pointer) {
  struct heap_block* found = block_of(pointer);
  if (found != NULL && found->name[0] == '\0') snprintf(found->name, sizeof found->name, "%s", name);
}
void* zeros(const char* name, size_t size) {
  void* made = calloc(1, size);
  name_block(name, made);
  return made;
}
void* block(const char* name, size_t size) { return memset(zeros(name, size), 0x5A, size); }
char* text(const char* name, const char* content) { return text_in(name, content, strlen(content) + 1); }
char* text_in(const char* name, const char* content, size_t size) { return strcpy(block(name, size), content); }
void* object(const char* name, const void* pointer) {
  name_block(name, pointer);
  return (void*)pointer;
}
void* locked(const void* pointer) { return object("=", pointer); }
void* need(void* pointer, const char* what) {
  if (pointer == NULL || pointer == (void*)-1) give_up(what);
  return pointer;
}
int need_descriptor(int descriptor, const char* what) {
  if (descriptor < 0) give_up(what);
  return descriptor;
}

// --- Variables of libraries ---

struct segment {
  char *start, *end;
  char library[40];
  size_t offset;       // of its start from the library's first page
  struct mark* marks;  // of what can be written
  char* copy;
  bool writable, of_libc;
};
static struct segment segments[kMostSegments];
static int segment_count;

static void find_segments(void) {
  static char maps[1 << 18];
  const int file = open("/proc/self/maps", O_RDONLY);
  size_t used = 0;
  for (ssize_t count; (count = read(file, maps + used, sizeof maps - 1 - used)) > 0;) used += (size_t)count;
  close(file);
  maps[used] = '\0';
  size_t writable = 0;
  char *base = NULL, *rest, last[40] = "";
  segment_count = 0;
  for (char* line = strtok_r(maps, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    unsigned long start, end;
    char permissions[8], path[256] = "";
    if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255[^\n]", &start, &end, permissions, path) < 3) continue;
    const char* name = strrchr(path, '/');
    const bool behind = path[0] == '\0' && segment_count > 0 && segments[segment_count - 1].end == (char*)start &&
                        segments[segment_count - 1].writable && permissions[1] == 'w';
    if (!behind && (name == NULL || strstr(name, ".so") == NULL || strstr(name, "/ld-") != NULL ||
                    strstr(name, "libcapstone") != NULL))
      continue;
    if (segment_count == kMostSegments) break;
    struct segment* found = &segments[segment_count];
    if (!behind) {
      if (strncmp(last, name + 1, sizeof last - 1) != 0) base = (char*)start;
      snprintf(last, sizeof last, "%s", name + 1);
    }
    *found = (struct segment){.start = (char*)start, .end = (char*)end, .writable = permissions[1] == 'w'};
    found->offset = (size_t)((char*)start - base);
    found->of_libc = strncmp(last, "libc.so", 7) == 0;
    snprintf(found->library, sizeof found->library, "%s", last);
    if (found->writable && writable + (end - start) <= OTHER_BYTES) {
      found->marks = OTHER_MARKS + writable;
      found->copy = OTHER_COPY + writable;
      writable += end - start;
    }
    ++segment_count;
  }
}

static struct segment* segment_at(uintptr_t address) {
  for (int i = 0; i < segment_count; ++i)
    if ((char*)address >= segments[i].start && (char*)address < segments[i].end) return &segments[i];
  return NULL;
}

static void mark_range(uintptr_t address, size_t size, bool writes, bool atomic, uint32_t code) {
  struct mark* marks = NULL;
  if ((char*)address >= HEAP && (char*)address < heap_before) {
    marks = HEAP_MARKS + ((char*)address - HEAP);
  } else {
    const struct segment* found = segment_at(address);
    if (found == NULL || found->marks == NULL) return;
    marks = found->marks + ((char*)address - found->start);
  }
  const uint8_t locks = held_now();
  for (size_t i = 0; i < size; ++i) {
    struct mark* one = &marks[i];
    one->locks = one->flags == 0 ? locks : one->locks & locks;
    if (writes && (one->flags & kWritten) == 0) one->written_at = code;
    if (!writes && (one->flags & kRead) == 0) one->read_at = code;
    one->flags |= (uint8_t)(writes ? kWritten : kRead);
    if (!atomic) one->flags |= (uint8_t)(writes ? kPlainWrite : kPlainRead);
  }
}

// Locks of the C library's own: a word that goes from 0 to another value, and back.
static void see_lock(const struct decoded* one, uintptr_t address, const greg_t* registers) {
  const struct segment* where = segment_at(one->code);
  if (!one->atomic || where == NULL || !where->of_libc) return;
  for (int i = 0; i < kMostLocks; ++i) {
    if (held[i] == address) {
      if (!by_name[i]) held[i] = 0;
      return;
    }
  }
  if (one->exchanges && (uint32_t)registers[REG_RAX] == 0 && *(const uint32_t*)address == 0) take(address, false);
}

static uintptr_t taking[4], giving;  // pthread_rwlock_...

static void on_step(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  if (!tracing) {
    registers[REG_EFL] &= ~kTrapFlag;
    return;
  }
  if (++steps > most_steps) {
    tracing = false;
    return;
  }
  const uintptr_t code = (uintptr_t)registers[REG_RIP];
  for (int i = 0; i < 4; ++i)
    if (code == taking[i]) take((uintptr_t)registers[REG_RDI], true);
  if (code == giving) give_back((uintptr_t)registers[REG_RDI]);
  const struct decoded* one = decode(code);
  if (one == NULL) give_up("too much code");
  if (one->count == 0 || (one->repeats && registers[REG_RCX] == 0)) return;
  const uintptr_t stack = (uintptr_t)registers[REG_RSP];
  for (int i = 0; i < one->count; ++i) {
    const struct operand* to = &one->operands[i];
    if (to->segment == X86_REG_FS || to->segment == X86_REG_GS) continue;
    const uintptr_t address = value_of(registers, to->base, code + one->length) +
                              value_of(registers, to->index, 0) * (uintptr_t)to->scale + (uintptr_t)to->shift;
    if (address >= stack - 4096 && address < stack + 4096) continue;
    if ((char*)address < HEAP) continue;
    if (to->reads) mark_range(address, to->size, false, one->atomic, (uint32_t)(one - decoded));
    if (to->writes) mark_range(address, to->size, true, one->atomic, (uint32_t)(one - decoded));
    see_lock(one, address, registers);
  }
}

static void on_crash(int number, siginfo_t* info, void* context) {
  const uintptr_t code = (uintptr_t)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  const struct segment* where = segment_at(code);
  tracing = false;
  say("crash %d at %p in %s+%zx", number, info->si_addr, where == NULL ? "?" : where->library,
      where == NULL ? (size_t)code : (size_t)((char*)code - where->start) + where->offset);
  flush_report();
  kernel(SYS_exit_group, 0, 0, 0);
}

// --- An action, and what it touched ---

static void say_code(char* text, size_t size, uint32_t index) {
  if (index == 0) {
    snprintf(text, size, "free");
    return;
  }
  const uintptr_t code = decoded[index].code;
  const struct segment* where = segment_at(code);
  Dl_info about;
  const bool known = dladdr((void*)code, &about) != 0 && about.dli_sname != NULL;
  snprintf(text, size, "%s:%s+%zx", where == NULL ? "-" : where->library, known ? about.dli_sname : "?",
           where == NULL ? (size_t)code : (size_t)((char*)code - where->start) + where->offset);
}

static bool alike(const struct mark* a, const struct mark* b) {
  return a->flags == b->flags && a->locks == b->locks && a->read_at == b->read_at && a->written_at == b->written_at;
}

// Ranges of bytes that are marked alike: START SIZE NAME, FIRST COUNT FLAGS, READ-AT WRITTEN-AT, LOCKS.
static void say_marks(const char* place, const struct mark* marks, size_t count) {
  for (size_t i = 0; i < count;) {
    if (marks[i].flags == 0) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < count && alike(&marks[i], &marks[end])) ++end;
    char read_at[160] = "-", written_at[160] = "-", locks[200] = "";
    if ((marks[i].flags & kRead) != 0) say_code(read_at, sizeof read_at, marks[i].read_at);
    if ((marks[i].flags & kWritten) != 0) say_code(written_at, sizeof written_at, marks[i].written_at);
    for (int k = 0; k < kMostLocks; ++k)
      if ((marks[i].locks >> k & 1) != 0)
        snprintf(locks + strlen(locks), sizeof locks - strlen(locks), " %lx", (unsigned long)lock_names[k]);
    say("touch %s %zu %zu %d %s %s%s", place, i, end - i, marks[i].flags, read_at, written_at, locks);
    i = end;
  }
}

// What has changed without an instruction was written by the kernel.
static void mark_changes(struct mark* marks, const char* now, const char* old, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (now[i] != old[i] && (marks[i].flags & kWritten) == 0) marks[i].flags |= kWritten | kPlainWrite | kChanged;
}

static void say_all(void) {
  for (int i = 0; i < kMostLocks; ++i)
    if (lock_names[i] != 0) say("lock %lx", (unsigned long)lock_names[i]);
  for (size_t i = blocks_of_ours; i < blocks_before; ++i) {
    if (i >= blocks_once && i < first_block) continue;
    const struct heap_block* one = &blocks[i];
    struct mark* marks = HEAP_MARKS + (one->start - HEAP);
    // Not where the end of the call was not watched: that may have been one step, or under a lock.
    if (steps <= most_steps) mark_changes(marks, one->start, HEAP_COPY + (one->start - HEAP), one->size);
    char place[64];
    snprintf(place, sizeof place, "%lx %zu %s", (unsigned long)one->start, one->size,
             one->name[0] == '\0' ? "-" : one->name);
    say_marks(place, marks, one->size);
  }
  for (int i = 0; i < segment_count; ++i) {
    const struct segment* one = &segments[i];
    if (one->marks == NULL) continue;
    const size_t size = (size_t)(one->end - one->start);
    char place[80];
    snprintf(place, sizeof place, "%lx %zu %s+%zx", (unsigned long)one->start, size, one->library, one->offset);
    say_marks(place, one->marks, size);
  }
}

static const struct link_action* action_now;
static void* run_untraced(void* nothing) {
  action_now->run();
  return nothing;
}
static void* run_traced(void* nothing) {
  tracing = true;
  __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
  action_now->run();
  tracing = false;
  return nothing;
}

static void on_thread(void* (*start)(void*)) {
  pthread_t made;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  if (pthread_create(&made, &attributes, start, NULL) != 0) give_up("thread");
  pthread_join(made, NULL);
}

static void* stay(void* nothing) {
  (void)nothing;
  for (;;) kernel(SYS_pause, 0, 0, 0);
}

static void enter_folder(const char* top) {
  char folder[300];
  snprintf(folder, sizeof folder, "%s/link-XXXXXX", top);
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) give_up("folder");
  const int file = open("data", O_CREAT | O_WRONLY, 0644);
  for (int i = 0; i < 64; ++i)
    if (write(file, "one line of text\n", 17) != 17) give_up("file");
  close(file);
  mkdir("folder", 0755);
  if (symlink("data", "link") != 0) give_up("link");
}

static void run_action(const struct link_scenario* scenario, const struct link_action* action, const char* top) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CPU, &(struct rlimit){kMostSeconds, kMostSeconds});
  signal(SIGPIPE, SIG_IGN);
  signal(SIGALRM, SIG_DFL);
  enter_folder(top);
  for (int signals[] = {SIGSEGV, SIGTRAP, SIGBUS, SIGFPE, SIGABRT}, i = 0; i < 5; ++i) {
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    handler.sa_sigaction = signals[i] == SIGTRAP ? on_step : on_crash;
    sigaction(signals[i], &handler, NULL);
  }
  pthread_t other;  // locks are only taken by a process that has two threads
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 16);
  pthread_create(&other, &attributes, stay, NULL);
  action_now = action;
  scenario->set_up();
  blocks_once = block_count;
  action->prepare();
  on_thread(run_untraced);
  round_now = 1;
  if (heap_top >= SECOND_HALF) give_up("a large heap");
  heap_top = SECOND_HALF;
  first_block = block_count;
  scenario->set_up();
  heap_before = heap_top;
  blocks_before = block_count;
  // Whether the objects of two processes are the same ones.
  unsigned long shape = (unsigned long)(heap_top - SECOND_HALF);
  for (size_t i = first_block; i < block_count; ++i) shape = shape * 31 + blocks[i].size;
  say("shape %lx", shape);
  action->prepare();
  find_segments();
  for (size_t i = blocks_of_ours; i < blocks_before; ++i)
    memcpy(HEAP_COPY + (blocks[i].start - HEAP), blocks[i].start, blocks[i].size);
  on_thread(run_traced);
  for (int i = 0; i < kMostLocks; ++i)
    if (too_many_locks) lock_names[i] = 0;
  say_all();
  say("steps %zu", steps);
  flush_report();
  kernel(SYS_exit_group, 0, 0, 0);
}

static void try_action(const struct link_scenario* scenario, const struct link_action* action, const char* top) {
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
    run_action(scenario, action, top);
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
  printf("action %s %s\n", scenario->name, action->name);
  fwrite(text, 1, used, stdout);
  if (timed_out) printf("timeout\n");
  if (!timed_out && WIFSIGNALED(status)) printf("signalled %d\n", WTERMSIG(status));
  if (!timed_out && WIFEXITED(status) && WEXITSTATUS(status) != 0) printf("exited %d\n", WEXITSTATUS(status));
  fflush(stdout);
}

// FOLDER STEPS [SCENARIO...]
int main(int count, char** words) {
  if (count < 3) return 2;
  most_steps = strtoul(words[2], NULL, 10);
  map_at(HEAP_MARKS, HEAP_BYTES * sizeof(struct mark));
  map_at(HEAP_COPY, HEAP_BYTES);
  map_at(OTHER_MARKS, OTHER_BYTES * sizeof(struct mark));
  map_at(OTHER_COPY, OTHER_BYTES);
  cs_opt_mem memory = {.malloc = malloc, .calloc = calloc, .realloc = realloc, .free = free, .vsnprintf = vsnprintf};
  if (!start_to_decode(&memory)) return 3;
  taking[0] = (uintptr_t)dlsym(RTLD_DEFAULT, "pthread_rwlock_rdlock");
  taking[1] = (uintptr_t)dlsym(RTLD_DEFAULT, "pthread_rwlock_wrlock");
  taking[2] = (uintptr_t)dlsym(RTLD_DEFAULT, "pthread_rwlock_tryrdlock");
  taking[3] = (uintptr_t)dlsym(RTLD_DEFAULT, "pthread_rwlock_trywrlock");
  giving = (uintptr_t)dlsym(RTLD_DEFAULT, "pthread_rwlock_unlock");
  blocks_of_ours = block_count;
  prepare_library();
  find_segments();
  for (size_t i = 0; i < kScenarioCount; ++i) {
    bool chosen = count <= 3;
    for (int k = 3; k < count; ++k) chosen = chosen || strcmp(words[k], kScenarios[i].name) == 0;
    for (size_t k = 0; chosen && k < kScenarios[i].count; ++k)
      try_action(&kScenarios[i], &kScenarios[i].actions[k], words[1]);
  }
  return 0;
}

// How arguments of the C library's types are made.
#pragma once

#include <aio.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <crypt.h>
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <fts.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <monetary.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <regex.h>
#include <resolv.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <utmp.h>
#include <wchar.h>
#include <wctype.h>

#include "testing/specs/harness.h"

// --- What the library exports and no header declares ---

extern void* __memcpy_chk(void*, const void*, size_t n, size_t);
extern void* __memmove_chk(void*, const void*, size_t n, size_t);
extern void* __mempcpy_chk(void*, const void*, size_t n, size_t);
extern void* __memset_chk(void*, int, size_t n, size_t);
extern char* __strcpy_chk(char*, const char*, size_t);
extern char* __strncpy_chk(char*, const char*, size_t n, size_t);
extern char* __strcat_chk(char*, const char*, size_t);
extern char* __strncat_chk(char*, const char*, size_t n, size_t);
extern char* __stpcpy_chk(char*, const char*, size_t);
extern char* __stpncpy_chk(char*, const char*, size_t n, size_t);
extern long __fdelt_chk(long);
extern void __explicit_bzero_chk(void*, size_t n, size_t);
extern size_t __mbstowcs_chk(wchar_t*, const char*, size_t n, size_t);
extern size_t __wcstombs_chk(char*, const wchar_t*, size_t n, size_t);
extern size_t __mbsrtowcs_chk(wchar_t*, const char**, size_t n, mbstate_t*, size_t);
extern size_t __wcrtomb_chk(char*, wchar_t, mbstate_t*, size_t);
extern int __wctomb_chk(char*, wchar_t, size_t);
extern char* __strdup(const char*);
extern char* __strndup(const char*, size_t n);
extern int __printf_chk(int, const char*, ...);
extern int __fprintf_chk(FILE*, int, const char*, ...);
extern int __dprintf_chk(int fd, int, const char*, ...);
extern int __vprintf_chk(int, const char*, __builtin_va_list);
extern int __vfprintf_chk(FILE*, int, const char*, __builtin_va_list);
extern int __vdprintf_chk(int fd, int, const char*, __builtin_va_list);
extern int __sprintf_chk(char*, int, size_t, const char*, ...);
extern int __snprintf_chk(char*, size_t n, int, size_t, const char*, ...);
extern int __vsprintf_chk(char*, int, size_t, const char*, __builtin_va_list);
extern int __vsnprintf_chk(char*, size_t n, int, size_t, const char*, __builtin_va_list);
extern int __asprintf_chk(char**, int, const char*, ...);
extern int __vasprintf_chk(char**, int, const char*, __builtin_va_list);
extern void __syslog_chk(int, int, const char*, ...);
extern void __vsyslog_chk(int, int, const char*, __builtin_va_list);
extern char* __fgets_chk(char*, size_t, int n, FILE*);
extern char* __fgets_unlocked_chk(char*, size_t, int n, FILE*);
extern size_t __fread_chk(void*, size_t, size_t, size_t n, FILE*);
extern size_t __fread_unlocked_chk(void*, size_t, size_t, size_t n, FILE*);
extern int __isoc99_sscanf(const char*, const char*, ...);
extern int __isoc99_fscanf(FILE*, const char*, ...);
extern int __isoc99_scanf(const char*, ...);
extern int _IO_putc(int, FILE*);
extern int _IO_getc(FILE*);
extern ssize_t __read_chk(int fd, void*, size_t n, size_t);
extern ssize_t __recv_chk(int sock, void*, size_t n, size_t, int);
extern ssize_t __pread_chk(int fd, void*, size_t n, off_t, size_t);
extern ssize_t __pread64_chk(int fd, void*, size_t n, off64_t, size_t);
extern ssize_t __recvfrom_chk(int sock, void*, size_t n, size_t, int, struct sockaddr*, socklen_t*);
extern ssize_t __readlink_chk(const char*, char*, size_t n, size_t);
extern char* __realpath_chk(const char*, char*, size_t);
extern char* __getcwd_chk(char*, size_t n, size_t);
extern int __gethostname_chk(char*, size_t n, size_t);
extern int __getgroups_chk(int, gid_t*, size_t);
extern int __ppoll_chk(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*, size_t);
extern int __poll_chk(struct pollfd*, nfds_t, int, size_t);
extern int __xstat(int, const char*, struct stat*);
extern int __lxstat(int, const char*, struct stat*);
extern int __fxstat(int, int fd, struct stat*);
extern int __xstat64(int, const char*, struct stat64*);
extern int __lxstat64(int, const char*, struct stat64*);
extern int __fxstat64(int, int fd, struct stat64*);
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void*);
extern int __cxa_atexit(void (*)(void*), void*, void*);
extern unsigned __res_randomid(void);
extern int __xpg_strerror_r(int, char*, size_t n);
extern int bindresvport(int sock, struct sockaddr_in*);

// --- Memory ---

// `outer` with a pointer to `inner` at one of its bytes.
static inline void* with(void* outer, size_t offset, const void* inner) {
  memcpy((char*)outer + offset, &inner, sizeof inner);
  return outer;
}

static inline void* number(const char* name, size_t size, long value) {
  return memcpy(zeros(name, size), &value, size);
}

static inline void* wide(const char* name) { return memcpy(zeros(name, 32), L"data", 20); }

static inline void* wide_in(const char* name, size_t size) { return memcpy(zeros(name, size), L"data", 20); }

// An array of texts, with null behind them; none of them longer than a name of a block allows.
static inline void* strings(const char* name, int count, const char* const* texts) {
  char** all = zeros(name, (size_t)(count + 1) * sizeof(char*));
  for (int i = 0; i < count; ++i) {
    char inner[24];
    snprintf(inner, sizeof inner, "%s@%d", name, 8 * i);
    all[i] = text(inner, texts[i]);
  }
  return all;
}
#define STRINGS(name, ...) strings(name, (int)(sizeof((const char*[]){__VA_ARGS__}) / 8), (const char*[]){__VA_ARGS__})

// A va_list with one argument, in memory that belongs to nobody: the callee uses it up.
static inline void* variadic(const void* argument) {
  struct {
    unsigned general, floating;
    const void** overflow;
    void* saved;
  }* list = malloc(sizeof *list);
  list->general = 48;
  list->floating = 176;
  list->overflow = malloc(64);
  list->overflow[0] = argument;
  list->saved = malloc(192);
  return list;
}

// --- Descriptors ---

static inline int some_file(void) { return NEED_DESCRIPTOR(open("data", O_RDWR)); }
static inline int some_folder(void) { return NEED_DESCRIPTOR(open("folder", O_RDONLY)); }

// One end of a connection; something has come from the other end, and went there. NUMBER: the kind.
static inline int some_pair(int kind) {
  int ends[2];
  if (socketpair(AF_UNIX, kind, 0, ends) != 0 || send(ends[1], "some bytes\r\n", 12, 0) != 12)
    need_descriptor(-1, "socketpair");
  return ends[0];
}
static inline int some_socket(void) { return some_pair(SOCK_STREAM); }

static inline struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static inline void* address(const char* name, int port) {
  const struct sockaddr_in all = loopback(port);
  return memcpy(zeros(name, sizeof all), &all, sizeof all);
}

static inline int tcp_socket(void) { return NEED_DESCRIPTOR(socket(AF_INET, SOCK_STREAM, 0)); }
static inline int quiet_socket(void) {
  const int made = NEED_DESCRIPTOR(socket(AF_INET, SOCK_DGRAM, 0));
  struct sockaddr_in here = loopback(0);
  NEED_DESCRIPTOR(bind(made, (struct sockaddr*)&here, sizeof here));
  return made;
}
// Something has come.
static inline int udp_socket(void) {
  const int made = quiet_socket();
  struct sockaddr_in here;
  socklen_t size = sizeof here;
  NEED_DESCRIPTOR(getsockname(made, (struct sockaddr*)&here, &size));
  NEED_DESCRIPTOR((int)sendto(made, "some bytes", 10, 0, (struct sockaddr*)&here, size));
  return made;
}

static inline int port_of(int descriptor) {
  struct sockaddr_in here;
  socklen_t size = sizeof here;
  NEED_DESCRIPTOR(getsockname(descriptor, (struct sockaddr*)&here, &size));
  return ntohs(here.sin_port);
}

// A socket that is listened to, with one client waiting.
static inline int listening(void) {
  const int made = tcp_socket(), client = tcp_socket();
  struct sockaddr_in here = loopback(0);
  NEED_DESCRIPTOR(bind(made, (struct sockaddr*)&here, sizeof here));
  NEED_DESCRIPTOR(listen(made, 8));
  here = loopback(port_of(made));
  NEED_DESCRIPTOR(connect(client, (struct sockaddr*)&here, sizeof here));
  return made;
}

static inline int connected(void) {
  const int made = tcp_socket(), server = tcp_socket();
  struct sockaddr_in here = loopback(0);
  NEED_DESCRIPTOR(bind(server, (struct sockaddr*)&here, sizeof here));
  NEED_DESCRIPTOR(listen(server, 8));
  here = loopback(port_of(server));
  NEED_DESCRIPTOR(connect(made, (struct sockaddr*)&here, sizeof here));
  return made;
}

// The end of a pipe that can be read (0) or written (1); something is in it.
static inline int piped(int end) {
  int ends[2];
  NEED_DESCRIPTOR(pipe(ends));
  NEED_DESCRIPTOR((int)write(ends[1], "some bytes\r\n", 12));
  return ends[end];
}

static inline int terminal(void) {
  const int master = NEED_DESCRIPTOR(posix_openpt(O_RDWR | O_NOCTTY));
  NEED_DESCRIPTOR(grantpt(master));
  NEED_DESCRIPTOR(unlockpt(master));
  return NEED_DESCRIPTOR(open(ptsname(master), O_RDWR | O_NOCTTY));
}

static inline void* vector(const char* name) {
  struct iovec* all = zeros(name, sizeof *all);
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  *all = (struct iovec){text_in(inner, "bytes", 8), 8};
  return all;
}

static inline void* message(const char* name) {
  struct msghdr* all = zeros(name, sizeof *all);
  char inner[24];
  snprintf(inner, sizeof inner, "%s@16", name);
  all->msg_iov = vector(inner);
  all->msg_iovlen = 1;
  snprintf(inner, sizeof inner, "%s@32", name);
  all->msg_control = zeros(inner, 64);
  all->msg_controllen = 0;
  return all;
}

static inline void* answer(const char* name) {
  struct msghdr* all = message(name);
  all->msg_controllen = 64;
  return all;
}

// --- Streams, folders, and others that the library makes ---

static inline FILE* stream(const char* name) { return object(name, NEED(fopen("data", "r+"))); }
static inline FILE* used_stream(const char* name) {
  FILE* made = stream(name);
  fputs("some text", made);
  return made;
}
static inline FILE* locked_stream(const char* name) {
  FILE* made = stream(name);
  flockfile(made);
  return made;
}
static inline DIR* folder(const char* name) { return object(name, NEED(opendir("."))); }
static inline locale_t own_locale(const char* name) {
  return object(name, NEED(newlocale(LC_ALL_MASK, "C.UTF-8", duplocale(newlocale(LC_ALL_MASK, "C", 0)))));
}

static inline regex_t* expression(const char* name) {
  regex_t* made = zeros(name, sizeof *made);
  if (regcomp(made, "t(.)t", 0) != 0) need(NULL, "regcomp");
  return made;
}

static inline int compare_texts(const void* a, const void* b) { return strcmp(a, b); }

// The root of a tree with one key.
static inline void* tree(const char* name) {
  void** root = zeros(name, sizeof(void*));
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  need(tsearch("data", root, compare_texts), "tsearch");
  object(inner, *root);
  return root;
}
static inline void* top_of_tree(const char* name) {
  void* root = NULL;
  need(tsearch("data", &root, compare_texts), "tsearch");
  return object(name, root);
}

static inline FTS* walk(const char* name) {
  char* const paths[] = {".", NULL};
  return object(name, NEED(fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL)));
}

static inline void* found_paths(const char* name) {
  glob_t* made = zeros(name, sizeof *made);
  if (glob("*", 0, NULL, made) != 0) need(NULL, "glob");
  return made;
}

static inline void* found_addresses(const char* name) {
  struct addrinfo* all = NULL;
  if (getaddrinfo("127.0.0.1", "80", NULL, &all) != 0) need(NULL, "getaddrinfo");
  return object(name, all);
}

static inline void* interfaces(const char* name) {
  struct ifaddrs* all = NULL;
  NEED_DESCRIPTOR(getifaddrs(&all));
  return object(name, all);
}

static inline void* mapped(void) {
  return NEED(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static inline void* do_nothing(void* nothing) { return nothing; }
static inline pthread_t thread(void) {
  pthread_t made;
  if (pthread_create(&made, NULL, do_nothing, NULL) != 0) need(NULL, "pthread_create");
  return made;
}

static inline pthread_key_t key(void) {
  pthread_key_t made;
  if (pthread_key_create(&made, NULL) != 0) need(NULL, "pthread_key_create");
  return made;
}

static inline void* semaphore(const char* name) {
  sem_t* made = zeros(name, sizeof *made);
  NEED_DESCRIPTOR(sem_init(made, 0, 1));
  return made;
}

static inline timer_t timer(void) {
  timer_t made;
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  NEED_DESCRIPTOR(timer_create(CLOCK_MONOTONIC, &event, &made));
  return made;
}

static inline void* silent(const char* name) {
  struct sigevent* made = zeros(name, sizeof *made);
  made->sigev_notify = SIGEV_NONE;
  return made;
}

// A set with one signal, which waits.
static inline void* waiting_signal(const char* name) {
  sigset_t* made = zeros(name, sizeof *made);
  sigemptyset(made);
  sigaddset(made, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, made, NULL);
  NEED_DESCRIPTOR(pthread_kill(pthread_self(), SIGUSR1));
  return made;
}

static inline void* other_stack(const char* name) {
  stack_t* made = zeros(name, sizeof *made);
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  made->ss_size = 16384;
  made->ss_sp = zeros(inner, made->ss_size);
  return made;
}

static inline void* settings_of(int descriptor, const char* name) {
  struct termios* made = zeros(name, sizeof *made);
  NEED_DESCRIPTOR(tcgetattr(descriptor, made));
  return made;
}

static inline void* floating(const char* name) {
  fenv_t* made = zeros(name, sizeof *made);
  fegetenv(made);
  return made;
}

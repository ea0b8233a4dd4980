/* A file system of large files that are never in memory, on storage that takes its time: so that a benchmark can have
 * such storage on any machine, with the same latency each time.
 *
 *     slowdisk DIR FILES BYTES DELAY_US AT_ONCE
 *
 * mounts file-0000.bin, file-0001.bin ... on DIR. Every read (up to 128 KB, as the kernel's readahead asks for) takes
 * DELAY_US, and so many are served at once: 1 is a disk with one arm, more is a RAID, flash, or storage in a network.
 * The kernel forgets what it has read of a file when that is opened again. What the files hold is worked out from their
 * numbers. Speaks the kernel's FUSE protocol itself (linux/fuse.h); may be used by root only. Ends on SIGTERM. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 64, READ_MOST = 128 * 1024, REQUEST_MOST = READ_MOST + 4096, ROOT = FUSE_ROOT_ID, FIRST = ROOT + 1 };

/* Set before the threads start, then only read. */
static struct {
  int fd;
  unsigned long files, bytes, delay_us;
  sem_t free; /* reads that may be served now */
} disk;

static void fill(struct fuse_attr *attr, uint64_t node) {
  memset(attr, 0, sizeof *attr);
  attr->ino = node;
  attr->mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0444;
  attr->nlink = 1;
  attr->size = node == ROOT ? 0 : disk.bytes;
  attr->blksize = 4096;
}

static void reply(uint64_t unique, int error, const void *data, size_t size) {
  struct fuse_out_header head = {(uint32_t)(sizeof head + size), -error, unique};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)data, size}};
  /* ENOENT: who asked has gone. */
  if (writev(disk.fd, parts, 2) < 0 && errno != ENOENT && errno != ENODEV) perror("slowdisk: cannot answer");
}

static void init(const struct fuse_in_header *in, const struct fuse_init_in *asked) {
  struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_readahead = READ_MOST};
  out.flags = asked->flags & (FUSE_ASYNC_READ | FUSE_MAX_PAGES);
  out.max_background = out.congestion_threshold = THREADS;
  out.max_write = 4096;
  out.max_pages = READ_MOST / 4096;
  reply(in->unique, 0, &out, sizeof out);
}

static void lookup(const struct fuse_in_header *in, const char *name) {
  struct fuse_entry_out out = {.entry_valid = 86400, .attr_valid = 86400};
  char wanted[32];
  unsigned long number = strncmp(name, "file-", 5) == 0 ? strtoul(name + 5, NULL, 10) : disk.files;
  snprintf(wanted, sizeof wanted, "file-%04lu.bin", number);
  if (number >= disk.files || strcmp(name, wanted) != 0) {
    reply(in->unique, ENOENT, NULL, 0);
    return;
  }
  out.nodeid = FIRST + number;
  fill(&out.attr, out.nodeid);
  reply(in->unique, 0, &out, sizeof out);
}

static void read_some(const struct fuse_in_header *in, const struct fuse_read_in *asked) {
  const struct timespec delay = {(time_t)(disk.delay_us / 1000000), (long)(disk.delay_us % 1000000 * 1000)};
  static _Thread_local uint64_t data[READ_MOST / 8];
  size_t size = asked->size < READ_MOST ? asked->size : READ_MOST;

  if (asked->offset >= disk.bytes) {
    size = 0;
  } else if (size > disk.bytes - asked->offset) {
    size = disk.bytes - asked->offset;
  }
  for (size_t i = 0; i < (size + 7) / 8; i++)
    data[i] = (in->nodeid << 40 ^ (asked->offset / 8 + i)) * 0x9e3779b97f4a7c15u;
  while (sem_wait(&disk.free) != 0) continue;
  nanosleep(&delay, NULL);
  sem_post(&disk.free);
  reply(in->unique, 0, data, size);
}

static void serve(const struct fuse_in_header *in, const void *argument) {
  struct fuse_attr_out attr = {.attr_valid = 86400};
  const struct fuse_open_out opened = {0};

  switch (in->opcode) {
    case FUSE_INIT:
      init(in, argument);
      break;
    case FUSE_LOOKUP:
      lookup(in, argument);
      break;
    case FUSE_GETATTR:
      fill(&attr.attr, in->nodeid);
      reply(in->unique, 0, &attr, sizeof attr);
      break;
    case FUSE_OPEN:
    case FUSE_OPENDIR:
      reply(in->unique, 0, &opened, sizeof opened);
      break;
    case FUSE_READ:
      read_some(in, argument);
      break;
    case FUSE_READDIR: /* files are found by name only */
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_FLUSH:
    case FUSE_DESTROY:
      reply(in->unique, 0, NULL, 0);
      break;
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: /* these want no answer */
      break;
    default:
      reply(in->unique, ENOSYS, NULL, 0);
  }
}

static void *work(void *unused) {
  static _Thread_local uint64_t request[REQUEST_MOST / 8];
  (void)unused;
  for (;;) {
    ssize_t size = read(disk.fd, request, sizeof request);
    if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) continue;
    if (size < 0) return NULL; /* ENODEV: no longer mounted */
    serve((void *)request, (char *)request + sizeof(struct fuse_in_header));
  }
}

static unsigned long number(const char *text, unsigned long most) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value > most) {
    fprintf(stderr, "slowdisk: '%s' is no number up to %lu\n", text, most);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  char options[128];
  sigset_t ends;
  int which;

  if (argc != 6) {
    fputs("usage: slowdisk DIR FILES BYTES DELAY_US AT_ONCE\n", stderr);
    return 2;
  }
  disk.files = number(argv[2], 10000);
  disk.bytes = number(argv[3], 1ul << 32);
  disk.delay_us = number(argv[4], 10000000);
  sem_init(&disk.free, 0, (unsigned)number(argv[5], THREADS));
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, NULL);

  disk.fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other", disk.fd);
  if (disk.fd < 0 || mount("slowdisk", argv[1], "fuse.slowdisk", MS_RDONLY | MS_NOSUID | MS_NODEV, options) != 0) {
    fprintf(stderr, "slowdisk: cannot mount on '%s' (%s): only root can, where /dev/fuse is\n", argv[1],
            strerror(errno));
    return 2;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) break;
  }
  puts("mounted");
  fflush(stdout);
  sigwait(&ends, &which);
  umount2(argv[1], MNT_DETACH);
  return 0;
}

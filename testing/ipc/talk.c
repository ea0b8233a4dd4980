/* Two processes that talk in a known way: talk WAY ROUNDS BATCH BYTES.
 *
 * The first sends BATCH messages of BYTES bytes, the second answers with one byte when it has them all, ROUNDS times.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int rounds, batch, bytes;
static char message[1 << 20];

static void need(int right, const char* what) {
  if (right) return;
  perror(what);
  exit(3);
}

static void take(int from, long wanted) {
  static char room[1 << 20];
  while (wanted > 0) {
    ssize_t got = read(from, room, sizeof room < (size_t)wanted ? sizeof room : (size_t)wanted);
    if (got < 0 && errno == EINTR) continue;
    need(got > 0, "read");
    wanted -= got;
  }
}

static void put(int to, long size) { need(write(to, message, (size_t)size) == size, "write"); }

static void ask(int to, int from) {
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < batch; ++j) put(to, bytes);
    take(from, 1);
  }
}

static void answer(int from, int to) {
  for (int i = 0; i < rounds; ++i) {
    take(from, (long)batch * bytes);
    put(to, 1);
  }
}

/* Datagrams and packets have to be taken one by one. */
static void answer_each(int from, int to) {
  static char room[1 << 16];
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < batch; ++j) need(recv(from, room, sizeof room, 0) == bytes, "recv");
    put(to, 1);
  }
}

static void end_child(pid_t child) {
  int status;
  need(waitpid(child, &status, 0) == child && status == 0, "the child");
}

static void over_pair(int type) {
  int ends[2];
  need(socketpair(AF_UNIX, type, 0, ends) == 0, "socketpair");
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (type == SOCK_STREAM)
      answer(ends[1], ends[1]);
    else
      answer_each(ends[1], ends[1]);
    exit(0);
  }
  close(ends[1]);
  ask(ends[0], ends[0]);
  end_child(child);
}

static void over_pipes(void) {
  int there[2], back[2];
  need(pipe(there) == 0 && pipe2(back, 0) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) {
    answer(there[0], back[1]);
    _exit(0);
  }
  ask(there[1], back[0]);
  end_child(child);
}

static int listening(int family, struct sockaddr_storage* address, socklen_t* size) {
  int listener = socket(family, SOCK_STREAM, 0);
  memset(address, 0, sizeof *address);
  address->ss_family = (sa_family_t)family;
  if (family == AF_UNIX) {
    struct sockaddr_un* named = (struct sockaddr_un*)address;
    snprintf(named->sun_path, sizeof named->sun_path, "talk.%d", getpid());
    *size = sizeof *named;
  } else if (family == AF_INET) {
    ((struct sockaddr_in*)address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *size = sizeof(struct sockaddr_in);
  } else {
    ((struct sockaddr_in6*)address)->sin6_addr = in6addr_loopback;
    *size = sizeof(struct sockaddr_in6);
  }
  need(bind(listener, (struct sockaddr*)address, *size) == 0 && listen(listener, 8) == 0, "listen");
  getsockname(listener, (struct sockaddr*)address, size);
  return listener;
}

static void over_connections(int family, int times) {
  struct sockaddr_storage address;
  socklen_t size;
  int listener = listening(family, &address, &size);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < times; ++i) {
      int end = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
      answer(end, end);
      close(end);
    }
    exit(0);
  }
  close(listener);
  for (int i = 0; i < times; ++i) {
    int end = socket(family, SOCK_STREAM, 0), on = 1;
    need(connect(end, (struct sockaddr*)&address, size) == 0, "connect");
    if (family != AF_UNIX) setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ask(end, end);
    close(end);
  }
  end_child(child);
  if (family == AF_UNIX) unlink(((struct sockaddr_un*)&address)->sun_path);
}

/* Datagram sockets without a peer: each message has an address. */
static void over_datagrams(int family) {
  struct sockaddr_storage names[2];
  socklen_t size = 0;
  int ends[2];
  for (int i = 0; i < 2; ++i) {
    memset(&names[i], 0, sizeof names[i]);
    names[i].ss_family = (sa_family_t)family;
    ends[i] = socket(family, SOCK_DGRAM, 0);
    if (family == AF_UNIX) {
      struct sockaddr_un* named = (struct sockaddr_un*)&names[i];
      snprintf(named->sun_path, sizeof named->sun_path, "talk.%d.%d", getpid(), i);
      size = sizeof *named;
    } else {
      /* The second is bound to every address. */
      ((struct sockaddr_in*)&names[i])->sin_addr.s_addr = htonl(i == 0 ? INADDR_LOOPBACK : INADDR_ANY);
      size = sizeof(struct sockaddr_in);
    }
    need(bind(ends[i], (struct sockaddr*)&names[i], size) == 0, "bind");
    getsockname(ends[i], (struct sockaddr*)&names[i], &size);
    if (family == AF_INET) ((struct sockaddr_in*)&names[i])->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  static char room[1 << 16];
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < rounds; ++i) {
      struct sockaddr_storage from;
      socklen_t from_size = sizeof from;
      for (int j = 0; j < batch; ++j)
        need(recvfrom(ends[1], room, sizeof room, 0, (struct sockaddr*)&from, &from_size) == bytes, "recvfrom");
      need(sendto(ends[1], message, 1, 0, (struct sockaddr*)&from, from_size) == 1, "sendto");
    }
    exit(0);
  }
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < batch; ++j)
      need(sendto(ends[0], message, (size_t)bytes, 0, (struct sockaddr*)&names[1], size) == bytes, "sendto");
    need(recvfrom(ends[0], room, sizeof room, 0, NULL, NULL) == 1, "recvfrom");
  }
  end_child(child);
  if (family == AF_UNIX)
    for (int i = 0; i < 2; ++i) unlink(((struct sockaddr_un*)&names[i])->sun_path);
}

/* By streams of the C library: each line is flushed, so each is a message; bytes is its length with the newline. */
static void over_streams(void) {
  int there[2], back[2];
  need(pipe(there) == 0 && pipe(back) == 0, "pipe");
  pid_t child = fork();
  static char line[1 << 16];
  if (child == 0) {
    FILE *in = fdopen(there[0], "r"), *out = fdopen(back[1], "w");
    for (int i = 0; i < rounds; ++i) {
      for (int j = 0; j < batch; ++j) need(fgets(line, sizeof line, in) != NULL, "fgets");
      fputc('.', out);
      fflush(out);
    }
    exit(0);
  }
  FILE *out = fdopen(there[1], "w"), *in = fdopen(back[0], "r");
  memset(line, 'x', (size_t)bytes - 1);
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < batch; ++j) {
      fprintf(out, "%.*s\n", bytes - 1, line);
      fflush(out);
    }
    need(fgetc(in) == '.', "fgetc");
  }
  end_child(child);
}

static int asked[2];
static void* ask_there(void* nothing) {
  ask(asked[0], asked[0]);
  return nothing;
}

/* Two threads of the first each have a socket of their own, and so has the second. */
static void by_threads(void) {
  int one[2], two[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, one) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0, "socketpair");
  pid_t children[2];
  for (int i = 0; i < 2; ++i) {
    children[i] = fork();
    if (children[i] == 0) {
      int end = i == 0 ? one[1] : two[1];
      answer(end, end);
      exit(0);
    }
  }
  pthread_t thread;
  asked[0] = one[0];
  need(pthread_create(&thread, NULL, ask_there, NULL) == 0, "pthread_create");
  ask(two[0], two[0]);
  pthread_join(thread, NULL);
  end_child(children[0]);
  end_child(children[1]);
}

/* The child is another program, which knows its end by number: talk answering FD ROUNDS BATCH BYTES. */
static void by_exec(char* self) {
  int ends[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  pid_t child = vfork();
  if (child == 0) {
    char numbers[4][16];
    snprintf(numbers[0], 16, "%d", ends[1]);
    snprintf(numbers[1], 16, "%d", rounds);
    snprintf(numbers[2], 16, "%d", batch);
    snprintf(numbers[3], 16, "%d", bytes);
    /* Without an environment: it is followed all the same. */
    char* nothing[] = {NULL};
    char* words[] = {self, "answering", numbers[1], numbers[2], numbers[3], numbers[0], NULL};
    close(ends[0]);
    execve(self, words, nothing);
    _exit(4);
  }
  close(ends[1]);
  ask(ends[0], ends[0]);
  end_child(child);
}

/* The descriptor is used under other numbers, and the numbers for other channels. */
static void by_duplicates(void) {
  int ends[2], other[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  pid_t child = fork();
  if (child == 0) {
    answer(ends[1], dup(ends[1]));
    exit(0);
  }
  int one = dup(ends[0]);
  put(one, 1);
  dup2(one, 100);
  put(100, 1);
  close(one);
  need(pipe(other) == 0 && other[0] == one, "the same number");
  put(other[1], 7);
  take(one, 7);
  dup3(100, other[1], 0);
  put(other[1], (long)batch * bytes - 2);
  take(ends[0], 1);
  rounds -= 1;
  ask(100, ends[0]);
  end_child(child);
}

/* The end that the first uses was made by the child, which passes it. */
static void by_passing(void) {
  int way[2], ends[2];
  need(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, way) == 0, "socketpair");
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  char byte = 'x';
  struct iovec part = {&byte, 1};
  struct msghdr about = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  pid_t child = fork();
  if (child == 0) {
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    memset(&control, 0, sizeof control);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &ends[0], sizeof(int));
    need(sendmsg(way[1], &about, 0) == 1, "sendmsg");
    answer(ends[1], ends[1]);
    exit(0);
  }
  need(recvmsg(way[0], &about, 0) == 1, "recvmsg");
  int end;
  memcpy(&end, CMSG_DATA(&control.head), sizeof end);
  ask(end, end);
  end_child(child);
}

/* Several messages by one call, and parts of one message. */
static void by_vectors(void) {
  int ends[2];
  need(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socketpair");
  pid_t child = fork();
  if (child == 0) {
    answer_each(ends[1], ends[1]);
    exit(0);
  }
  struct iovec parts[2] = {{message, 1}, {message, (size_t)bytes - 1}};
  struct mmsghdr all[64];
  memset(all, 0, sizeof all);
  for (int j = 0; j < batch; ++j) {
    all[j].msg_hdr.msg_iov = parts;
    all[j].msg_hdr.msg_iovlen = 2;
  }
  for (int i = 0; i < rounds; ++i) {
    need(sendmmsg(ends[0], all, (unsigned)batch, 0) == batch, "sendmmsg");
    take(ends[0], 1);
  }
  end_child(child);
}

/* The answering side goes on in a session of its own when the first program has ended. */
static void by_daemon(void) {
  int there[2], back[2];
  need(pipe(there) == 0 && pipe(back) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) {
    if (fork() != 0) _exit(0);
    setsid();
    answer(there[0], back[1]);
    _exit(0);
  }
  end_child(child);
  ask(there[1], back[0]);
}

/* As libraries do that send and close by the number of the call. */
static void by_numbers(void) {
  int ends[2], other[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && pipe(other) == 0, "socketpair");
  pid_t child = fork();
  if (child == 0) {
    answer(ends[1], ends[1]);
    exit(0);
  }
  put(other[1], 5);
  take(other[0], 5);
  syscall(SYS_close, other[1]);
  need(dup(ends[0]) == other[1], "the same number");
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < batch; ++j) need(syscall(SYS_write, other[1], message, bytes) == bytes, "write");
    need(syscall(SYS_read, ends[0], message, 1) == 1, "read");
  }
  end_child(child);
}

/* The second is killed when it has answered. */
static void by_killed(void) {
  int ends[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  pid_t child = fork();
  if (child == 0) {
    answer(ends[1], ends[1]);
    for (;;) pause();
  }
  ask(ends[0], ends[0]);
  usleep(200000); /* its last answer is counted when the call has returned */
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

int main(int count, char** words) {
  if (count < 5) return 2;
  const char* way = words[1];
  rounds = atoi(words[2]), batch = atoi(words[3]), bytes = atoi(words[4]);
  if (!strcmp(way, "answering"))
    return answer(atoi(words[5]), atoi(words[5])), 0;
  else if (!strcmp(way, "stream"))
    over_pair(SOCK_STREAM);
  else if (!strcmp(way, "packet"))
    over_pair(SOCK_SEQPACKET);
  else if (!strcmp(way, "datagram"))
    over_pair(SOCK_DGRAM);
  else if (!strcmp(way, "pipes"))
    over_pipes();
  else if (!strcmp(way, "unix"))
    over_connections(AF_UNIX, 1);
  else if (!strcmp(way, "tcp"))
    over_connections(AF_INET, 1);
  else if (!strcmp(way, "tcp6"))
    over_connections(AF_INET6, 1);
  else if (!strcmp(way, "connections"))
    over_connections(AF_UNIX, 100);
  else if (!strcmp(way, "named-datagrams"))
    over_datagrams(AF_UNIX);
  else if (!strcmp(way, "udp"))
    over_datagrams(AF_INET);
  else if (!strcmp(way, "stdio"))
    over_streams();
  else if (!strcmp(way, "threads"))
    by_threads();
  else if (!strcmp(way, "exec"))
    by_exec(words[0]);
  else if (!strcmp(way, "duplicates"))
    by_duplicates();
  else if (!strcmp(way, "passing"))
    by_passing();
  else if (!strcmp(way, "vectors"))
    by_vectors();
  else if (!strcmp(way, "numbers"))
    by_numbers();
  else if (!strcmp(way, "daemon"))
    by_daemon();
  else if (!strcmp(way, "killed"))
    by_killed();
  else
    return 2;
  puts("done");
  return 0;
}

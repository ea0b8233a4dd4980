/* Two processes over a UNIX socket: batches single|batched BATCHES MESSAGES BYTES.
 *
 * The first sends MESSAGES messages, one by one or by one call, and waits for an answer; the second looks at each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

static void answer(int end, long batches, long whole) {
  static char room[ROOM];
  uint64_t sum = 0;
  for (long i = 0; i < batches; ++i) {
    for (long left = whole; left > 0;) {
      ssize_t got = read(end, room, sizeof room);
      if (got <= 0) exit(3);
      for (ssize_t j = 0; j < got; ++j) sum = sum * 31 + (unsigned char)room[j];
      left -= got;
    }
    if (write(end, &sum, sizeof sum) != sizeof sum) exit(3);
  }
  exit(0);
}

int main(int count, char **words) {
  if (count != 5) return 2;
  const int batched = strcmp(words[1], "batched") == 0;
  const long batches = atol(words[2]), messages = atol(words[3]), bytes = atol(words[4]);
  static char room[ROOM];
  int ends[2], status;
  if (messages * bytes > ROOM || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 3;
  const pid_t child = fork();
  if (child == 0) answer(ends[1], batches, messages * bytes);
  uint64_t sum = 0;
  for (long i = 0; i < batches; ++i) {
    for (long j = 0; j < messages; ++j) {
      memset(room + j * bytes, (int)(i + j), (size_t)bytes);
      if (!batched && write(ends[0], room + j * bytes, (size_t)bytes) != bytes) return 3;
    }
    if (batched && write(ends[0], room, (size_t)(messages * bytes)) != messages * bytes) return 3;
    if (read(ends[0], &sum, sizeof sum) != sizeof sum) return 3;
  }
  printf("%016llx\n", (unsigned long long)sum);
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 3;
}

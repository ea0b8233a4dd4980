// Counts the writes that one call makes on streams without a buffer and with one that is written out by lines. Each
// write to a pipe of packets (pipe(2), O_DIRECT) is read by itself.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int pipe_[2];
static FILE* said;

static void count(const char* buffer, const char* name) {
  char bytes[65536];
  int writes = 0;
  while (read(pipe_[0], bytes, sizeof bytes) > 0) ++writes;
  fprintf(said, "%s %s %d\n", buffer, name, writes);
}

static void print(FILE* stream, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stream, format, values);
  va_end(values);
}

#define COUNT(buffer, name, call) \
  do {                            \
    call;                         \
    count(buffer, name);          \
  } while (0)

int main(void) {
  said = fdopen(dup(1), "w");
  if (said == NULL || pipe2(pipe_, O_DIRECT | O_NONBLOCK) != 0) return 1;
  dup2(pipe_[1], 1);
  dup2(pipe_[1], 2);
  COUNT("none", "fputs", fputs("one\ntwo\n", stderr));
  COUNT("none", "fwrite", fwrite("one\ntwo\n", 1, 8, stderr));
  COUNT("none", "fputc", fputc('x', stderr));
  COUNT("none", "fprintf", fprintf(stderr, "one %d\ntwo %s\n", 1, "x"));
  COUNT("none", "vfprintf", print(stderr, "one %d\ntwo %s\n", 1, "x"));
  COUNT("none", "perror", perror("x"));
  COUNT("none", "warn", warn("x %d", 1));
  COUNT("none", "warnx", warnx("x %d", 1));
  setvbuf(stdout, NULL, _IONBF, 0);
  COUNT("none", "puts", puts("line"));
  COUNT("none", "putchar", putchar('x'));
  FILE* lines = fdopen(dup(pipe_[1]), "w");
  if (lines == NULL || setvbuf(lines, NULL, _IOLBF, 0) != 0) return 1;
  COUNT("lines", "first", fputs("one\ntwo\n", lines));
  COUNT("lines", "two", fprintf(lines, "one\ntwo %d\n", 2));
  COUNT("lines", "part", fprintf(lines, "%s", "part"));
  COUNT("lines", "end", fprintf(lines, " %d %s\n", 1, "x"));
  return fclose(said);
}

// inflate() leaves next_out behind the bytes that it has written (zlib.h).
// CONFLICT always: on_end on_end: page
// CONFLICT always: on_end on_show: page
// SAFE: on_show on_show
#include "server.h"

typedef struct {
  unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned, unsigned);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler, reserved;
} z_stream;
extern int inflateInit_(z_stream *, const char *, int);
extern int inflate(z_stream *, int);

static z_stream stream;
static struct {
  unsigned char text[64];
  int length;
} page;

HANDLER(on_end) {
  UNUSED;
  *stream.next_out = *stream.next_out == 0 ? '\n' : 0;
}

HANDLER(on_show) {
  UNUSED;
  if (page.text[20] == '\n') abort();
}

int main(int argc, char **argv) {
  base = event_base_new();
  if (argc < 2) return 1;
  inflateInit_(&stream, "1.2", sizeof stream);
  stream.next_in = (unsigned char *)argv[1];
  stream.avail_in = 40;
  stream.next_out = page.text;
  stream.avail_out = sizeof page.text;
  inflate(&stream, 0);
  when_readable(3, on_end, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}

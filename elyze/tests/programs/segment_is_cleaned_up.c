/* Who gives up a file segment last calls its cleanup. */
#include <event2/buffer.h>
#include "server.h"

static struct evbuffer_file_segment *segment;
static long closed;

static void count(struct evbuffer_file_segment const *seg, int flags, void *arg) {
  (void)seg, (void)flags, (void)arg;
  closed++;
}

HANDLER(on_a) {
  UNUSED;
  if (segment == NULL) return;
  evbuffer_file_segment_free(segment);
  segment = NULL;
}

HANDLER(on_b) {
  UNUSED;
  printf("%ld\n", closed);
}

int main(void) {
  base = event_base_new();
  segment = evbuffer_file_segment_new(open("/etc/passwd", O_RDONLY), 0, -1, 0);
  evbuffer_file_segment_add_cleanup_cb(segment, count, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_a on_b: closed
// CONFLICT always: on_a on_a
// SAFE: on_b on_b

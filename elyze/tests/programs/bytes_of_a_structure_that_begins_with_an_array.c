// A pointer to a structure walks over all of its bytes (C11 6.3.2.3p7), also where an array is its first member.
#include "server.h"

struct header {
  char name[16];
  int hits;
};
struct session {
  struct header header;
  int sum;
};

static struct header shared;
static unsigned sum;

static unsigned sum_of(const void* from, size_t size) {
  const unsigned char* byte = from;
  unsigned all = 0;
  while (size-- > 0) all += *byte++;
  return all;
}

HANDLER(on_name) {
  (void)what, (void)arg;
  shared.name[fd & 15] = 'x';
}
// CONFLICT always: on_name on_name: shared.name
HANDLER(on_hit) {
  UNUSED;
  shared.hits++;
}
HANDLER(on_sum) {
  UNUSED;
  const unsigned char* byte = (const unsigned char*)&shared;
  for (size_t i = 0; i < sizeof shared; i++) sum += byte[i];
}
// CONFLICT always: on_hit on_sum: shared.hits
HANDLER(on_send) {
  UNUSED;
  sum += sum_of(&shared, sizeof shared);
}
// CONFLICT always: on_hit on_send: shared.hits

HANDLER(on_session_name) {
  (void)what;
  struct session* session = arg;
  session->header.name[fd & 15] = 'x';
}
// CONFLICT session: on_session_name on_session_name: session->header.name
HANDLER(on_session_hit) {
  (void)fd, (void)what;
  struct session* session = arg;
  session->header.hits++;
}
HANDLER(on_session_sum) {
  (void)fd, (void)what;
  struct session* session = arg;
  session->sum = (int)sum_of(&session->header, sizeof session->header);
}
// CONFLICT session: on_session_hit on_session_sum: session->header.hits

int main(void) {
  base = event_base_new();
  when_readable(3, on_name, NULL);
  when_readable(4, on_hit, NULL);
  when_readable(5, on_sum, NULL);
  when_readable(6, on_send, NULL);
  for (int i = 7; i < 9; i++) {
    struct session* session = calloc(1, sizeof *session);
    when_readable(i, on_session_name, session);
    when_readable(i + 10, on_session_hit, session);
    when_readable(i + 20, on_session_sum, session);
  }
  return event_base_dispatch(base);
}

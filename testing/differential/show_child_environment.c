// A program with libevent whose only act is to become env(1), so that a test sees what its children inherit.
#include <event2/event.h>
#include <unistd.h>

int main(void) {
  event_base_free(event_base_new());
  execl("/usr/bin/env", "env", (char*)NULL);
  return 1;
}

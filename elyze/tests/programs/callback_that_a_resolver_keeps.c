/* c-ares calls back from whoever works on its channel: that handler does what the callback does. */
#include "server.h"

typedef struct ares_channeldata *ares_channel;
void ares_gethostbyname(ares_channel channel, const char *name, int family,
                        void (*callback)(void *arg, int status, int timeouts, void *host), void *arg);
void ares_process_fd(ares_channel channel, int reading, int writing);
int ares_init(ares_channel *channel);

static ares_channel channel;

struct client {
  int answered;
};

static void answered(void *arg, int status, int timeouts, void *host) {
  struct client *client = arg;
  (void)status, (void)timeouts, (void)host;
  client->answered = 1;
}

HANDLER(on_ask) {
  (void)fd, (void)what;
  ares_gethostbyname(channel, "localhost", AF_INET, answered, arg);
}

HANDLER(on_reply) {
  (void)what, (void)arg;
  ares_process_fd(channel, fd, -1);
}

HANDLER(on_check) {
  struct client *client = arg;
  (void)fd, (void)what;
  printf("%d\n", client->answered);
}

int main(void) {
  base = event_base_new();
  ares_init(&channel);
  for (int i = 3; i < 5; i++) {
    struct client *client = calloc(1, sizeof *client);
    when_readable(i, on_ask, client);
    when_readable(i + 10, on_check, client);
  }
  when_readable(20, on_reply, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_reply on_check: client->answered
// CONFLICT always: on_ask on_reply: *channel
// SAFE: on_check on_check
// CONFLICT always: on_ask on_ask: *channel
// CONFLICT always: on_reply on_reply: *channel
// CONFLICT always: on_ask on_check: client->answered

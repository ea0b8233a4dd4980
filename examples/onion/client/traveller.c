#include "traveller.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../cell.h"
#include "../layer.h"
#include "../onionskin.h"

static const uint8_t greeting[] = "is anybody there?";

struct traveller {
  const struct hop *path;
  bool (*built)(double ms);
  void (*failed)(const char *why);
  int fd;
  struct event read;
  uint8_t in[CELL_SIZE];
  size_t in_used;
  uint32_t circuit; /* its id */
  int hops;         /* so many have shaken hands */
  struct layer layers[HOPS];
  EVP_PKEY *fresh; /* of the handshake in hand */
  uint8_t fresh_public[FRESH_KEY];
  double began_ms;
};

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void fail(struct traveller *t, const char *why) {
  event_del(&t->read);
  t->failed(why);
}

static void send_cell(struct traveller *t, const uint8_t *cell) {
  /* A circuit has one cell under way at a time, so there is always room. */
  if (write(t->fd, cell, CELL_SIZE) != CELL_SIZE) fail(t, "the relay takes no cells");
}

/* The next hop's onion skin, at `skin`. */
static bool make_skin(struct traveller *t, uint8_t *skin) {
  size_t size = SKIN_SIZE;
  EVP_PKEY_free(t->fresh);
  t->fresh = onionskin_fresh_key(t->fresh_public);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(t->path[t->hops].key, NULL);
  bool good = t->fresh != NULL && context != NULL && EVP_PKEY_encrypt_init(context) == 1 &&
              EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1 &&
              EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1 &&
              EVP_PKEY_encrypt(context, skin, &size, t->fresh_public, FRESH_KEY) == 1 && size == SKIN_SIZE;
  EVP_PKEY_CTX_free(context);
  return good;
}

/* To the last hop so far, through those before it. */
static void send_relay(struct traveller *t, enum relay_command command, const uint8_t *data, unsigned size) {
  uint8_t cell[CELL_SIZE];
  cell_init(cell, t->circuit, CELL_RELAY, CELL_PAYLOAD);
  layer_seal(&t->layers[t->hops - 1], AWAY, cell + CELL_HEAD, command, data, size);
  for (int hop = t->hops - 1; hop >= 0; hop--) layer_crypt(&t->layers[hop], AWAY, cell + CELL_HEAD);
  send_cell(t, cell);
}

static void ask_next_hop(struct traveller *t) {
  uint8_t cell[CELL_SIZE], data[2 + SKIN_SIZE];

  if (!make_skin(t, data + 2)) {
    fail(t, "a relay's key cannot be used");
  } else if (t->hops == 0) {
    cell_init(cell, t->circuit, CELL_CREATE, SKIN_SIZE);
    memcpy(cell + CELL_HEAD, data + 2, SKIN_SIZE);
    send_cell(t, cell);
  } else {
    put_16(data, t->path[t->hops].port);
    send_relay(t, RELAY_EXTEND, data, sizeof data);
  }
}

static void start_circuit(struct traveller *t) {
  t->circuit++;
  t->hops = 0;
  t->began_ms = now_ms();
  ask_next_hop(t);
}

static void give_up_circuit(struct traveller *t) {
  uint8_t cell[CELL_SIZE];
  for (int hop = 0; hop < t->hops; hop++) layer_free(&t->layers[hop]);
  t->hops = 0;
  cell_init(cell, t->circuit, CELL_DESTROY, 0);
  send_cell(t, cell);
}

static void take_answer(struct traveller *t, const uint8_t *answer) {
  struct layer_keys keys;
  uint8_t proof[PROOF];
  bool good = onionskin_derive(t->fresh, answer, t->fresh_public, answer, &keys, proof) &&
              CRYPTO_memcmp(proof, answer + FRESH_KEY, PROOF) == 0 && layer_init(&t->layers[t->hops], &keys);
  if (!good) {
    fail(t, "a hop did not prove that it has its key");
    return;
  }
  t->hops++;
  if (t->hops < HOPS) {
    ask_next_hop(t);
  } else {
    send_relay(t, RELAY_ECHO, greeting, sizeof greeting);
  }
}

static void take_echo(struct traveller *t, const uint8_t *data, unsigned size) {
  if (size != sizeof greeting || memcmp(data, greeting, size) != 0) {
    fail(t, "the last hop answers something else");
    return;
  }
  double ms = now_ms() - t->began_ms;
  give_up_circuit(t);
  if (t->built(ms)) {
    start_circuit(t);
  } else {
    event_del(&t->read);
  }
}

static void take_relay(struct traveller *t, uint8_t *payload) {
  for (int hop = 0; hop < t->hops; hop++) {
    layer_crypt(&t->layers[hop], TOWARDS, payload);
    if (!layer_opens(&t->layers[hop], TOWARDS, payload)) continue;
    unsigned size = get_16(payload + 4);
    if (hop == t->hops - 1 && payload[2] == RELAY_EXTENDED && size == ANSWER_SIZE && t->hops < HOPS) {
      take_answer(t, payload + RELAY_HEAD);
    } else if (hop == HOPS - 1 && payload[2] == RELAY_ECHOED) {
      take_echo(t, payload + RELAY_HEAD, size);
    } else {
      fail(t, "a hop says what it was not asked");
    }
    return;
  }
  fail(t, "a cell comes from no hop");
}

static void take_cell(struct traveller *t) {
  if (get_32(t->in) != t->circuit) return; /* of one that was given up */
  if (t->in[4] == CELL_CREATED && t->hops == 0 && get_16(t->in + 6) == ANSWER_SIZE) {
    take_answer(t, t->in + CELL_HEAD);
  } else if (t->in[4] == CELL_RELAY) {
    take_relay(t, t->in + CELL_HEAD);
  } else {
    fail(t, t->in[4] == CELL_DESTROY ? "a relay gave a circuit up" : "a relay breaks the rules");
  }
}

static void on_read(evutil_socket_t fd, short what, void *arg) {
  struct traveller *t = arg;
  (void)what;
  ssize_t n = read(fd, t->in + t->in_used, CELL_SIZE - t->in_used);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    fail(t, "the relay closed a connection");
    return;
  }
  t->in_used += (size_t)n;
  if (t->in_used < CELL_SIZE) return;
  t->in_used = 0;
  take_cell(t);
}

struct traveller *traveller_new(struct event_base *base, const struct hop *path, bool (*built)(double ms),
                                void (*failed)(const char *why)) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(path[0].port)};
  const int on = 1;
  struct traveller *t = calloc(1, sizeof *t);

  if (t == NULL) return NULL;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  t->path = path;
  t->built = built;
  t->failed = failed;
  t->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (t->fd < 0 || connect(t->fd, (struct sockaddr *)&address, sizeof address) != 0 ||
      fcntl(t->fd, F_SETFL, O_NONBLOCK) != 0) {
    if (t->fd >= 0) close(t->fd);
    free(t);
    return NULL;
  }
  setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  event_assign(&t->read, base, t->fd, EV_READ | EV_PERSIST, on_read, t);
  event_add(&t->read, NULL);
  start_circuit(t);
  return t;
}

void traveller_free(struct traveller *t) {
  event_del(&t->read);
  for (int hop = 0; hop < t->hops; hop++) layer_free(&t->layers[hop]);
  EVP_PKEY_free(t->fresh);
  close(t->fd);
  free(t);
}

/* onion: a relay of an onion-routing network. */
#include <event2/event.h>
#include <stdio.h>

#include "circuit.h"
#include "config.h"
#include "handshake.h"
#include "identity.h"
#include "link.h"
#include "server.h"

static bool run(struct event_base *base, EVP_PKEY *identity) {
  links_init(base);
  if (!handshakes_init(base, identity)) {
    fputs("onion: no threads, or no descriptors, for the work on handshakes\n", stderr);
    return false;
  }
  bool good = server_start(base, config.stats_s);
  if (good) event_base_dispatch(base);
  server_stop();
  handshakes_free();
  links_close_all();
  circuits_free();
  return good;
}

static int relay(EVP_PKEY *identity) {
  if (!circuits_init(identity)) {
    fprintf(stderr, "onion: the key in '%s' is no RSA key of %d bits: name another file with -k\n", config.key_file,
            RSA_BITS);
    return 2;
  }
  if (!server_listen(config.port)) return 2;
  struct event_base *base = event_base_new();
  if (base == NULL) {
    fputs("onion: no memory, or no event loop on this system\n", stderr);
    return 1;
  }
  bool good = run(base, identity);
  event_base_free(base);
  return good ? 0 : 1;
}

int main(int argc, char **argv) {
  config_parse(argc, argv);
  EVP_PKEY *identity = identity_key(config.key_file);
  if (identity == NULL) return 2;
  int status = relay(identity);
  EVP_PKEY_free(identity);
  return status;
}

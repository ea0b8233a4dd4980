#include "path.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../cell.h"

static bool exchange(int fd, uint8_t *cell) {
  size_t got = 0;
  cell_init(cell, 0, CELL_GET_KEY, 0);
  if (write(fd, cell, CELL_SIZE) != CELL_SIZE) return false;
  while (got < CELL_SIZE) {
    ssize_t n = read(fd, cell + got, CELL_SIZE - got);
    if (n <= 0) return false;
    got += (size_t)n;
  }
  return cell[4] == CELL_KEY && get_16(cell + 6) <= CELL_PAYLOAD;
}

bool hop_learn_key(struct hop *hop) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(hop->port)};
  uint8_t cell[CELL_SIZE];
  const uint8_t *at = cell + CELL_HEAD;

  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && exchange(fd, cell))
    hop->key = d2i_PUBKEY(NULL, &at, (long)get_16(cell + 6));
  if (fd >= 0) close(fd);
  if (hop->key == NULL) fprintf(stderr, "onion-client: no relay answers on port %d: start one there\n", hop->port);
  return hop->key != NULL;
}

void hop_forget_key(struct hop *hop) { EVP_PKEY_free(hop->key); }

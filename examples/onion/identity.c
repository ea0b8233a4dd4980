#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "onionskin.h"

static EVP_PKEY *read_key(FILE *stream, const char *file) {
  EVP_PKEY *key = PEM_read_PrivateKey(stream, NULL, NULL, NULL);
  fclose(stream);
  if (key == NULL) fprintf(stderr, "onion: there is no private key in '%s': name another file with -k\n", file);
  return key;
}

/* Readable for its owner only, and never in the place of a file that is there. */
static bool write_key(EVP_PKEY *key, const char *file) {
  int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
  bool good = stream != NULL && PEM_write_PrivateKey(stream, key, NULL, NULL, 0, NULL, NULL) == 1;
  if (stream != NULL) good = fclose(stream) == 0 && good;
  if (!good) {
    fprintf(stderr, "onion: cannot write the key '%s' (%s): name another file with -k\n", file, strerror(errno));
  }
  return good;
}

EVP_PKEY *identity_key(const char *file) {
  FILE *stream = file == NULL ? NULL : fopen(file, "r");
  if (stream != NULL) return read_key(stream, file);
  if (file != NULL && errno != ENOENT) {
    fprintf(stderr, "onion: cannot read the key '%s' (%s): name another file with -k\n", file, strerror(errno));
    return NULL;
  }
  EVP_PKEY *key = EVP_RSA_gen(RSA_BITS);
  if (key == NULL) {
    fputs("onion: no key could be made\n", stderr);
    return NULL;
  }
  if (file == NULL || write_key(key, file)) return key;
  EVP_PKEY_free(key);
  return NULL;
}

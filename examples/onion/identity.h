/* The key by which a relay is known. */
#ifndef ONION_IDENTITY_H
#define ONION_IDENTITY_H

#include <openssl/evp.h>

/* From the file; if that is not there, or without one, a new key, which is kept in the file. NULL: said why. */
EVP_PKEY *identity_key(const char *file);

#endif

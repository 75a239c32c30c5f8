#ifndef VIEWDELTA_CNETTLE_SHIM_H
#define VIEWDELTA_CNETTLE_SHIM_H

#include <nettle/sha2.h>
#include <nettle/version.h>

// sha256_digest takes the number of bytes that are wanted before Nettle 4, and always gives all of
// them since. Here it gives all, SHA256_DIGEST_SIZE, with either.
static inline void viewdelta_sha256_digest(struct sha256_ctx *state, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  nettle_sha256_digest(state, digest);
#else
  nettle_sha256_digest(state, SHA256_DIGEST_SIZE, digest);
#endif
}

#endif

#include "COpenAPI.h"

// Clang takes #embed in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "openapi.json"
};

const unsigned char *viewdelta_openapi(size_t *size) {
  *size = sizeof document;
  return document;
}

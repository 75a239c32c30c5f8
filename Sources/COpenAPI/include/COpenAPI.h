#ifndef VIEWDELTA_COPENAPI_H
#define VIEWDELTA_COPENAPI_H

#include <stddef.h>

// Returns the OpenAPI document, openapi.json, as UTF-8 of `size` bytes that live as long as the process.
//
// It lies in a C target because the C compiler embeds a file of this size in a moment (#embed, C23
// section 6.10.4), while the Swift compiler takes minutes for an array literal of its bytes.
const unsigned char *viewdelta_openapi(size_t *size);

#endif

#ifndef VIEWDELTA_CSCREENS_H
#define VIEWDELTA_CSCREENS_H

#include <stddef.h>

// The files of the form: the data that a server without a data file starts with, and what the feature adds
// to the OpenAPI document. Each function returns a file as UTF-8 of `size` bytes that live
// as long as the process.
//
// They are in a C target because the C compiler embeds a file in a moment (#embed, C23 section 6.10.4),
// while the Swift compiler takes minutes for an array literal of its bytes.
const unsigned char *viewdelta_form_data(size_t *size);
const unsigned char *viewdelta_form_openapi(size_t *size);

#endif

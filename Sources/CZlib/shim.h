#ifndef VIEWDELTA_CZLIB_SHIM_H
#define VIEWDELTA_CZLIB_SHIM_H

// Makes the input of a z_stream a pointer to constant bytes.
#define ZLIB_CONST
#include <zlib.h>

// Swift cannot import deflateInit2, a macro by which zlib hands its version over. This wrapper also asks for the
// gzip format: 16 more than the binary logarithm of the window's size, which is the largest that RFC 1951 has.
// The memory level is zlib's own default.
static inline int viewdelta_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif

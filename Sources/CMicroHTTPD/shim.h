#ifndef VIEWDELTA_CMICROHTTPD_SHIM_H
#define VIEWDELTA_CMICROHTTPD_SHIM_H

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <microhttpd.h>

// Swift cannot call variadic C functions. Each one that is needed has a wrapper here with fixed
// arguments, so that no call can pass an argument of the wrong width.

// MHD_start_daemon is variadic. Everything goes through MHD_OPTION_ARRAY, whose items have fixed
// widths that libmicrohttpd converts itself; the array ends with MHD_OPTION_END.
static inline struct MHD_Daemon *viewdelta_start_daemon(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
    struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options,
                          MHD_OPTION_END);
}

// MHD_get_daemon_info is variadic: the epoll descriptor that says when the daemon has work, or -1.
static inline int viewdelta_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// MHD_get_connection_info is variadic: the context that the connection notification stored.
static inline void *viewdelta_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// MHD_get_connection_info is variadic: the socket of a connection, or -1.
static inline int viewdelta_connection_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// MHD_get_connection_info is variadic: the address of the peer, or NULL.
static inline const struct sockaddr *viewdelta_peer_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

// MHD_get_connection_info is variadic: how many bytes of input the parser took for the head, from the
// method to the end of the empty line, or 0.
static inline size_t viewdelta_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// MHD_SIZE_UNKNOWN is a macro with a cast, which Swift does not import. A reply whose content is asked
// for piece by piece until the reader says that it ends; the reader is called on the thread of the
// connection, one call at a time. Returns NULL for want of memory.
static inline struct MHD_Response *viewdelta_create_stream(
    size_t block_size, MHD_ContentReaderCallback reader, void *context,
    MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block_size, reader, context, release);
}

// MHD_set_response_options is variadic. A reply that is only queued as 304, whose content the library
// never reads: `length` is the Content-Length that it writes. If `omits_length` is not 0, which takes
// version 1.0 and a length of 0, it writes none; the flag is MHD_RF_HEAD_ONLY_RESPONSE, which older
// headers do not have. Returns NULL for want of memory.
static inline struct MHD_Response *viewdelta_create_304(size_t length, int omits_length) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(length, (void *)"", MHD_RESPMEM_PERSISTENT);
  if (response && omits_length)
    (void)MHD_set_response_options(response, (enum MHD_ResponseFlags)(1 << 4), MHD_RO_END);
  return response;
}

// Macros with casts, too: what a reader returns at the proper end, and to cut the reply.
static inline ssize_t viewdelta_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t viewdelta_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

// Returns memory that was freed, and that the C library keeps for later, to the system. An extension of
// the GNU C library: elsewhere nothing happens.
static inline void viewdelta_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// A log message arrives as a printf format and a va_list, which only C can read portably.
// Returns the number of bytes written to the buffer, at most size - 1, without the final zero.
static inline size_t viewdelta_format(char *buffer, size_t size, const char *format, va_list list) {
  int written = vsnprintf(buffer, size, format, list);
  if (written < 0) return 0;
  return (size_t)written < size ? (size_t)written : size - 1;
}

#endif

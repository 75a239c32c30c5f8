// One keep-alive connection of a client, which sends a request and reads its reply, over and over.

#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAD_LIMIT = 2048 };

struct exchange {
  int descriptor;
  // Whether the bytes of a body are hashed. It costs more than reading a large body does.
  bool hashes_body;
  // Whether the body is a stream of Server-Sent Events without an end. Each event with data is a reply,
  // whose body is the data.
  bool is_stream;

  // The reply that is being read.
  char head[HEAD_LIMIT];
  size_t head_size;
  bool is_in_body;
  size_t body_left;
  bool has_data;

  // What is known of it once it is complete.
  int status;
  size_t body_size;
  uint64_t body_hash;
};

// A request as it goes over the wire.
struct request {
  const char *bytes;
  size_t size;
};

enum progress { REPLY_PENDING, REPLY_COMPLETE };

// Connects. Ends the process where that fails: a benchmark with fewer connections is another one.
void exchange_open(struct exchange *exchange, const struct sockaddr_in *server);

// Sends a request. The reply to the one before must be complete.
void exchange_send(struct exchange *exchange, struct request request);

// Reads what has arrived. Ends the process where the server closed the connection, or where a reply
// that is no stream is framed by anything but Content-Length.
enum progress exchange_read(struct exchange *exchange);

// The address of a server on this machine.
struct sockaddr_in local_address(const char *port);

// Reads a whole file into memory that is never freed.
struct request read_file(const char *path);

// Microseconds of a clock that only runs forward.
uint64_t microseconds(void);

// Says what is wrong and ends the process.
void fail(const char *what, const char *why) __attribute__((noreturn));

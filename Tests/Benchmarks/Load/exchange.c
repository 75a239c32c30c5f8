#include "exchange.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// One buffer for all connections: what is read is dealt with before the next one is read.
static char buffer[256 * 1024];

static const uint64_t FNV_OFFSET = 0xcbf29ce484222325u;
static const uint64_t FNV_PRIME = 0x100000001b3u;

void exchange_open(struct exchange *exchange, const struct sockaddr_in *server) {
  exchange->descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (exchange->descriptor < 0) fail("socket", strerror(errno));
  // Connecting is not measured, so it may block.
  if (connect(exchange->descriptor, (const struct sockaddr *)server, sizeof *server) != 0)
    fail("connect", strerror(errno));
  int on = 1;
  setsockopt(exchange->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(exchange->descriptor, F_SETFL, O_NONBLOCK);
}

void exchange_send(struct exchange *exchange, struct request request) {
  exchange->head_size = 0;
  exchange->is_in_body = false;
  // The socket's buffer is empty, and a request is much smaller: it goes out as a whole.
  ssize_t sent = send(exchange->descriptor, request.bytes, request.size, MSG_NOSIGNAL);
  if (sent != (ssize_t)request.size) fail("send", sent < 0 ? strerror(errno) : "cut short");
}

// The value of Content-Length in a head that ends with a NUL.
static size_t content_length(char *head) {
  for (char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
    if (strncasecmp(line + 2, "content-length:", 15) == 0) return strtoul(line + 17, NULL, 10);
  fail("reply without Content-Length", head);
}

// Parses the head if it is complete. Returns how many of its last bytes belong to the body, or -1.
static ssize_t parse_head(struct exchange *exchange) {
  exchange->head[exchange->head_size] = 0;
  char *end = strstr(exchange->head, "\r\n\r\n");
  if (!end) return -1;
  size_t body_start = (size_t)(end - exchange->head) + 4;
  ssize_t rest = (ssize_t)(exchange->head_size - body_start);
  end[2] = 0;
  exchange->status = atoi(exchange->head + strlen("HTTP/1.1 "));
  // These two have no body, whatever Content-Length says (RFC 9110, sections 15.3.5 and 15.4.5).
  bool is_empty = exchange->status == 204 || exchange->status == 304;
  exchange->body_size = is_empty || exchange->is_stream ? 0 : content_length(exchange->head);
  exchange->body_left = exchange->body_size;
  exchange->body_hash = FNV_OFFSET;
  exchange->is_in_body = true;
  return rest;
}

static void hash(struct exchange *exchange, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    exchange->body_hash = (exchange->body_hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
}

// Reads a line of a stream, also one that frames a chunk, which is not told from an unknown field.
// Returns whether it ends an event with data.
static bool take_line(struct exchange *exchange, const char *line, size_t size) {
  static const char name[] = "data: ";
  if (size > 0 && line[size - 1] == '\r') size--;
  if (size >= strlen(name) && memcmp(line, name, strlen(name)) == 0) {
    if (!exchange->has_data) {
      exchange->body_size = 0;
      exchange->body_hash = FNV_OFFSET;
    }
    exchange->has_data = true;
    exchange->body_size += size - strlen(name);
    hash(exchange, line + strlen(name), size - strlen(name));
  }
  bool is_end = size == 0 && exchange->has_data;
  if (is_end) exchange->has_data = false;
  return is_end;
}

// Reads a part of a stream. The line that is not complete yet is kept where the head was.
static bool take_stream(struct exchange *exchange, const char *bytes, size_t size) {
  bool is_complete = false;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '\n') {
      if (take_line(exchange, exchange->head, exchange->head_size)) is_complete = true;
      exchange->head_size = 0;
    } else if (exchange->head_size < HEAD_LIMIT) {
      exchange->head[exchange->head_size++] = bytes[i];
    } else {
      fail("event", "its line is too long");
    }
  }
  return is_complete;
}

static void take_body(struct exchange *exchange, const char *bytes, size_t size) {
  if (size > exchange->body_left) fail("reply", "longer than its Content-Length");
  exchange->body_left -= size;
  if (exchange->hashes_body) hash(exchange, bytes, size);
}

// Returns whether an event of a stream is complete.
static bool take(struct exchange *exchange, const char *bytes, size_t size) {
  if (exchange->is_in_body) {
    if (exchange->is_stream) return take_stream(exchange, bytes, size);
    take_body(exchange, bytes, size);
    return false;
  }
  size_t copied = HEAD_LIMIT - 1 - exchange->head_size;
  if (copied > size) copied = size;
  memcpy(exchange->head + exchange->head_size, bytes, copied);
  exchange->head_size += copied;
  ssize_t rest = parse_head(exchange);
  if (rest >= 0 && exchange->is_stream) {
    exchange->head_size = 0;
    return take_stream(exchange, bytes + copied - rest, size - copied + (size_t)rest);
  }
  if (rest >= 0)
    take_body(exchange, bytes + copied - rest, size - copied + (size_t)rest);
  else if (exchange->head_size == HEAD_LIMIT - 1)
    fail("reply", "its head is too long");
  return false;
}

enum progress exchange_read(struct exchange *exchange) {
  bool has_event = false;
  do {
    ssize_t size = recv(exchange->descriptor, buffer, sizeof buffer, 0);
    if (size < 0 && errno == EAGAIN) return has_event ? REPLY_COMPLETE : REPLY_PENDING;
    if (size <= 0) fail("recv", size < 0 ? strerror(errno) : "the server closed a connection");
    if (take(exchange, buffer, (size_t)size)) has_event = true;
  } while (exchange->is_stream || !exchange->is_in_body || exchange->body_left > 0);
  return REPLY_COMPLETE;
}

struct sockaddr_in local_address(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

struct request read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, strerror(errno));
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(size + 1);
  if (!bytes || fread(bytes, 1, size, file) != size) fail(path, "cannot be read");
  bytes[size] = 0;
  fclose(file);
  return (struct request){bytes, size};
}

uint64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

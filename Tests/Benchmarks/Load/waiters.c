// waiters PORT CONNECTIONS [events]
//
// Clients that ask once each and wait for the answer, all on one thread with one clock. With "events"
// each asks once for a stream, and the next event on it is the answer. Takes
// commands on standard input, and answers each with one line of JSON:
//
//   send FILE              sends one request of the file on each connection, in turn; the requests
//                          have no body, so an empty line ends each
//   collect SECONDS        waits for the replies; the clock starts with the command
//   publish SECONDS FILE   sends the request in the file on a further connection and waits for the
//                          replies of all; the clock starts right before it is sent
//
// The replies are told apart by status, size and hash of the body, and by whether they were there
// before the clock was started: {"missing":0, "p50":1, "p99":1, "max":1, "replies":[{"early":0,
// "status":200, "size":1, "hash":"1", "count":1}]}. Latencies are microseconds, 0 for the early.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "exchange.h"

struct waiter {
  struct exchange exchange;
  bool is_answered;
  uint64_t answered_at;
};

static struct sockaddr_in server;
static struct waiter *waiters;
static size_t count;
static size_t answered;
static uint64_t clock_start;
static struct waiter publisher;
static struct epoll_event *events;
static int queue;
static bool is_stream;

static void open_waiter(struct waiter *waiter) {
  exchange_open(&waiter->exchange, &server);
  waiter->exchange.hashes_body = true;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = waiter};
  epoll_ctl(queue, EPOLL_CTL_ADD, waiter->exchange.descriptor, &event);
}

// Splits a file at the ends of its requests and sends them in turn.
static void send_all(const char *path) {
  struct request file = read_file(path);
  const char *next = file.bytes;
  answered = 0;
  clock_start = UINT64_MAX;
  for (size_t i = 0; i < count; i++) {
    const char *end = strstr(next, "\r\n\r\n");
    if (!end) fail(path, "no request in it");
    struct request request = {next, (size_t)(end - next) + 4};
    waiters[i].is_answered = false;
    // A stream goes on.
    if (!is_stream || !waiters[i].exchange.is_in_body) exchange_send(&waiters[i].exchange, request);
    next = end + 4;
    if (*next == 0) next = file.bytes;
  }
  free((void *)file.bytes);
  printf("{\"sent\":%zu}\n", count);
}

// Reads what arrives within some milliseconds.
static void read_ready(int timeout) {
  int ready = epoll_wait(queue, events, (int)count + 1, timeout);
  for (int n = 0; n < ready; n++) {
    struct waiter *waiter = events[n].data.ptr;
    if (exchange_read(&waiter->exchange) == REPLY_PENDING || waiter->is_answered) continue;
    waiter->is_answered = true;
    waiter->answered_at = microseconds();
    if (waiter != &publisher) answered++;
  }
}

static int by_time(const void *first, const void *second) {
  uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
  return a < b ? -1 : a > b;
}

static bool is_early(const struct waiter *waiter) { return waiter->answered_at < clock_start; }

static int by_reply(const void *first, const void *second) {
  const struct waiter *one = *(struct waiter *const *)first, *two = *(struct waiter *const *)second;
  const struct exchange *a = &one->exchange, *b = &two->exchange;
  if (is_early(one) != is_early(two)) return is_early(one) ? -1 : 1;
  if (a->status != b->status) return a->status < b->status ? -1 : 1;
  if (a->body_size != b->body_size) return a->body_size < b->body_size ? -1 : 1;
  return a->body_hash < b->body_hash ? -1 : a->body_hash > b->body_hash;
}

static void print_latencies(void) {
  uint64_t *times = calloc(count, sizeof *times);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (waiters[i].is_answered)
      times[n++] = is_early(&waiters[i]) ? 0 : waiters[i].answered_at - clock_start;
  qsort(times, n, sizeof *times, by_time);
  if (n > 0)
    printf(
        "\"p50\":%lu,\"p99\":%lu,\"max\":%lu,", (unsigned long)times[(n - 1) / 2],
        (unsigned long)times[(n - 1) * 99 / 100], (unsigned long)times[n - 1]);
  free(times);
}

static void print_replies(void) {
  struct waiter **replies = calloc(count, sizeof *replies);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (waiters[i].is_answered) replies[n++] = &waiters[i];
  qsort(replies, n, sizeof *replies, by_reply);
  printf("\"replies\":[");
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && by_reply(&replies[i], &replies[end]) == 0;) end++;
    const struct exchange *reply = &replies[i]->exchange;
    printf(
        "%s{\"early\":%d,\"status\":%d,\"size\":%zu,\"hash\":\"%016lx\",\"count\":%zu}",
        i > 0 ? "," : "", is_early(replies[i]), reply->status, reply->body_size,
        (unsigned long)reply->body_hash, end - i);
  }
  printf("]");
  free(replies);
}

// Waits for all replies, at most some seconds. For a publication it sleeps between them, as clients do. Otherwise the
// processor's time is measured, not the clock: it does not sleep, because a server that sends more slowly would wake it
// more often, and the time of that is the server's.
static void collect(bool is_publishing, double seconds) {
  uint64_t deadline = microseconds() + (uint64_t)(seconds * 1e6);
  while ((answered < count || (is_publishing && !publisher.is_answered)) &&
         microseconds() < deadline)
    read_ready(is_publishing ? 100 : 0);
  printf("{\"missing\":%zu,", count - answered);
  if (is_publishing)
    printf("\"published\":%d,", publisher.is_answered ? publisher.exchange.status : 0);
  print_latencies();
  print_replies();
  printf("}\n");
}

static void publish(const char *path, double seconds) {
  struct request request = read_file(path);
  // Not kept from one change to the next: servers close connections that say nothing for long.
  open_waiter(&publisher);
  publisher.is_answered = false;
  read_ready(0);
  clock_start = microseconds();
  exchange_send(&publisher.exchange, request);
  collect(true, seconds);
  close(publisher.exchange.descriptor);
  free((void *)request.bytes);
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) fail("usage", "waiters PORT CONNECTIONS [events]");
  is_stream = argc == 4;
  server = local_address(argv[1]);
  count = strtoul(argv[2], NULL, 10);
  waiters = calloc(count, sizeof *waiters);
  events = calloc(count + 1, sizeof *events);
  queue = epoll_create1(0);
  if (!waiters || !events || queue < 0) fail("start", "out of memory");
  for (size_t i = 0; i < count; i++) {
    open_waiter(&waiters[i]);
    waiters[i].exchange.is_stream = is_stream;
  }
  printf("{\"open\":%zu}\n", count);
  fflush(stdout);

  char line[4096], path[4000];
  double seconds;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "send %3999[^\n]", path) == 1)
      send_all(path);
    else if (sscanf(line, "collect %lf", &seconds) == 1) {
      clock_start = microseconds();
      collect(false, seconds);
    } else if (sscanf(line, "publish %lf %3999[^\n]", &seconds, path) == 2)
      publish(path, seconds);
    else
      fail("unknown command", line);
    fflush(stdout);
  }
  return 0;
}

// load PORT CONNECTIONS SECONDS REQUEST-FILE STATUS BODY-SIZE
//
// Asks a server on this machine for the same thing over and over, on each connection as soon as the
// reply to the last request is complete. Prints one line of JSON: how many replies in how many
// seconds, how many were not of the status and size given, and latencies in microseconds. The size
// may be `any`.
//
// It exists because wrk waits for the body of a 304 that has a Content-Length, and there is none.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "exchange.h"

// How many replies took how many microseconds; the last place is for all that took longer.
enum { SLOWEST = 1000 * 1000 };
static unsigned counts[SLOWEST + 1];

static uint64_t replies, wrong;

static void record(uint64_t latency) {
  counts[latency < SLOWEST ? latency : SLOWEST]++;
}

// The latency that a share of all replies did not exceed.
static unsigned percentile(double share) {
  uint64_t seen = 0;
  for (unsigned latency = 0; latency < SLOWEST; latency++) {
    seen += counts[latency];
    if ((double)seen >= share * (double)replies) return latency;
  }
  return SLOWEST;
}

int main(int argc, char **argv) {
  if (argc != 7) fail("usage", "load PORT CONNECTIONS SECONDS REQUEST-FILE STATUS BODY-SIZE");
  struct sockaddr_in server = local_address(argv[1]);
  size_t count = strtoul(argv[2], NULL, 10);
  uint64_t duration = (uint64_t)(atof(argv[3]) * 1e6);
  struct request request = read_file(argv[4]);
  int status = atoi(argv[5]);
  bool takes_any = strcmp(argv[6], "any") == 0;
  size_t body_size = strtoul(argv[6], NULL, 10);

  struct exchange *exchanges = calloc(count, sizeof *exchanges);
  uint64_t *sent_at = calloc(count, sizeof *sent_at);
  struct epoll_event *events = calloc(count, sizeof *events);
  int queue = epoll_create1(0);
  if (!exchanges || !sent_at || !events || queue < 0) fail("start", "out of memory");
  for (size_t i = 0; i < count; i++) {
    exchange_open(&exchanges[i], &server);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
    epoll_ctl(queue, EPOLL_CTL_ADD, exchanges[i].descriptor, &event);
  }

  uint64_t start = microseconds(), now = start;
  for (size_t i = 0; i < count; i++) {
    sent_at[i] = microseconds();
    exchange_send(&exchanges[i], request);
  }
  while (now - start < duration) {
    int ready = epoll_wait(queue, events, (int)count, 5000);
    if (ready == 0) fail("epoll_wait", "the server has said nothing for five seconds");
    for (int n = 0; n < ready; n++) {
      size_t i = events[n].data.u64;
      struct exchange *exchange = &exchanges[i];
      if (exchange_read(exchange) == REPLY_PENDING) continue;
      now = microseconds();
      record(now - sent_at[i]);
      replies++;
      bool is_right = takes_any || exchange->body_size == body_size;
      if (exchange->status != status || !is_right) wrong++;
      sent_at[i] = now;
      exchange_send(exchange, request);
    }
  }
  printf(
      "{\"replies\":%lu,\"seconds\":%.6f,\"wrong\":%lu,\"p50\":%u,\"p99\":%u}\n",
      (unsigned long)replies, (double)(now - start) / 1e6, (unsigned long)wrong, percentile(0.5),
      percentile(0.99));
  return 0;
}

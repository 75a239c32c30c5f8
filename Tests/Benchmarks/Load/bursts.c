// bursts PORT CONNECTIONS BURSTS REQUEST-FILE STATUS BODY-SIZE PID
//
// Has all of some kept connections become ready at the same moment, again and again: it stops the
// server, which is the process PID on this machine, sends the request on each connection, and lets the
// server go on. The clock of a burst starts then, and stops with its last reply. Prints one line of
// JSON: how many bursts, the latencies of their last replies in microseconds, how many took longer than
// 50 ms, and how many replies were not of the status and size given.
//
// An event loop that asks the system for so many events at a time may do something odd when it gets
// exactly as many.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "exchange.h"

enum { LATE = 50 * 1000, PATIENCE = 90 * 1000 };

static pid_t server_process;

// Whatever happens, the server must not stay stopped.
static void let_go(void) { kill(server_process, SIGCONT); }

static void tell(int number) {
  if (kill(server_process, number) != 0) fail("kill", strerror(errno));
}

static int ascending(const void *first, const void *second) {
  uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
  return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
  if (argc != 8)
    fail("usage", "bursts PORT CONNECTIONS BURSTS REQUEST-FILE STATUS BODY-SIZE PID");
  struct sockaddr_in server = local_address(argv[1]);
  size_t count = strtoul(argv[2], NULL, 10), bursts = strtoul(argv[3], NULL, 10);
  struct request request = read_file(argv[4]);
  int status = atoi(argv[5]);
  size_t body_size = strtoul(argv[6], NULL, 10);
  server_process = (pid_t)atoi(argv[7]);
  if (count == 0 || bursts == 0 || server_process <= 0) fail("usage", "a number is not above 0");

  struct exchange *exchanges = calloc(count, sizeof *exchanges);
  struct epoll_event *events = calloc(count, sizeof *events);
  uint64_t *times = calloc(bursts, sizeof *times);
  int queue = epoll_create1(0);
  if (!exchanges || !events || !times || queue < 0) fail("start", "out of memory");
  atexit(let_go);
  for (size_t i = 0; i < count; i++) {
    exchange_open(&exchanges[i], &server);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
    epoll_ctl(queue, EPOLL_CTL_ADD, exchanges[i].descriptor, &event);
  }

  uint64_t wrong = 0, late = 0;
  for (size_t burst = 0; burst < bursts; burst++) {
    tell(SIGSTOP);
    for (size_t i = 0; i < count; i++) exchange_send(&exchanges[i], request);
    uint64_t start = microseconds();
    tell(SIGCONT);
    for (size_t missing = count; missing > 0;) {
      int ready = epoll_wait(queue, events, (int)count, PATIENCE);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) fail("epoll_wait", "the server has said nothing for 90 seconds");
      for (int n = 0; n < ready; n++) {
        struct exchange *exchange = &exchanges[events[n].data.u64];
        if (exchange_read(exchange) == REPLY_PENDING) continue;
        missing--;
        if (exchange->status != status || exchange->body_size != body_size) wrong++;
      }
    }
    times[burst] = microseconds() - start;
    if (times[burst] > LATE) late++;
  }
  qsort(times, bursts, sizeof *times, ascending);
  printf(
      "{\"bursts\":%zu,\"p50\":%lu,\"p99\":%lu,\"max\":%lu,\"late\":%lu,\"wrong\":%lu}\n", bursts,
      (unsigned long)times[(bursts - 1) / 2], (unsigned long)times[(bursts - 1) * 99 / 100],
      (unsigned long)times[bursts - 1], (unsigned long)late, (unsigned long)wrong);
  return 0;
}

// reference MANIFEST [CONNECTION-MEMORY [THREADS]]
//
// The least that a server on libmicrohttpd can do: it serves captured replies from memory, on one
// thread with epoll, or on THREADS, each from one response that all requests share. Beside them one
// thread knows GET /park, which is suspended until the next POST /publish and then gets the captured
// reply to /park. CONNECTION-MEMORY are the bytes of each connection's pool.
//
// Once it listens, it prints "listening on PORT". It has no way to stop but a signal.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replies.h"

// A request to /park. All are used by the daemon's one thread only, so there is no lock.
struct parked {
  struct MHD_Connection *connection;
  struct parked *next;
};

static struct parked *all_parked;

static struct route *routes;
static size_t route_count;
static const struct route *park_route;
static struct MHD_Response *published, *not_found;

// What the request slot holds before and after the request is parked.
static char received, resumed;

static const char *value(
    struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *name) {
  return MHD_lookup_connection_value(connection, kind, name);
}

static int matches(const char *wanted, const char *found) {
  return !wanted || (found && strcmp(wanted, found) == 0);
}

static enum MHD_Result reply(struct MHD_Connection *connection, const char *path) {
  const char *since = value(connection, MHD_GET_ARGUMENT_KIND, "since");
  const char *condition = value(connection, MHD_HEADER_KIND, "If-None-Match");
  for (const struct route *route = routes; route < routes + route_count; route++)
    if (strcmp(route->path, path) == 0 && matches(route->since, since) &&
        matches(route->if_none_match, condition))
      return MHD_queue_response(connection, route->status, route->response);
  return MHD_queue_response(connection, MHD_HTTP_NOT_FOUND, not_found);
}

static enum MHD_Result park(struct MHD_Connection *connection, void **slot) {
  // After the resume the library calls again.
  if (*slot == &resumed)
    return MHD_queue_response(connection, park_route->status, park_route->response);
  struct parked *parked = malloc(sizeof *parked);
  if (!parked) return MHD_NO;
  *parked = (struct parked){connection, all_parked};
  all_parked = parked;
  *slot = &resumed;
  MHD_suspend_connection(connection);
  return MHD_YES;
}

// Resumes exactly those that were parked before.
static enum MHD_Result publish(struct MHD_Connection *connection) {
  struct parked *parked = all_parked;
  all_parked = NULL;
  while (parked) {
    struct parked *next = parked->next;
    MHD_resume_connection(parked->connection);
    free(parked);
    parked = next;
  }
  return MHD_queue_response(connection, MHD_HTTP_NO_CONTENT, published);
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *path, const char *method,
    const char *version, const char *upload, size_t *upload_size, void **slot) {
  (void)context, (void)version, (void)upload;
  // A reply to the first call, which has only the head, would close the connection.
  if (!*slot) {
    *slot = &received;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  if (strcmp(method, "POST") == 0) return publish(connection);
  if (park_route && strcmp(path, "/park") == 0) return park(connection, slot);
  return reply(connection, path);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: reference MANIFEST [CONNECTION-MEMORY [THREADS]]\n");
    return 2;
  }
  route_count = read_manifest(argv[1], &routes);
  for (size_t i = 0; i < route_count; i++)
    if (strcmp(routes[i].path, "/park") == 0) park_route = &routes[i];
  published = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  not_found = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  size_t memory = argc > 2 ? strtoul(argv[2], NULL, 10) : 32 * 1024;
  // Without a pool there is one thread.
  unsigned pool = argc > 3 ? (unsigned)atoi(argv[3]) : 0;

  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Clients that leave in the middle of a reply are no reason to end.
  signal(SIGPIPE, SIG_IGN);
  // The library runs its own threads, and its own timeout ends idle connections; suspended ones have none.
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
      handle, NULL, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, 12000u,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, 60u,
      MHD_OPTION_THREAD_POOL_SIZE, pool, MHD_OPTION_END);
  if (!daemon) {
    perror("MHD_start_daemon");
    return 1;
  }
  printf(
      "listening on %u\n",
      (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  for (;;) pause();
}

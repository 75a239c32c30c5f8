#define _GNU_SOURCE
#include "replies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROUTE_LIMIT = 16 };

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = calloc(*size + 1, 1);
  if (fread(bytes, 1, *size, file) != *size) exit(1);
  fclose(file);
  return bytes;
}

// What frames the message is for the library to write, as is the date.
static int is_written_by_library(const char *name) {
  return strcasecmp(name, "Content-Length") == 0 || strcasecmp(name, "Date") == 0 ||
         strcasecmp(name, "Connection") == 0;
}

static void parse_reply(struct route *route, char *bytes, size_t size) {
  char *end = strstr(bytes, "\r\n\r\n");
  if (!end) {
    fprintf(stderr, "no reply to %s\n", route->path);
    exit(1);
  }
  char *body = end + 4;
  size_t body_size = size - (size_t)(body - bytes);
  *end = 0;
  route->status = (unsigned)atoi(bytes + strlen("HTTP/1.1 "));
  char *length = strcasestr(bytes, "\r\nContent-Length:");
  if (route->status == MHD_HTTP_NOT_MODIFIED && length) {
    // The library says how long the representation is, and sends none of it.
    body_size = strtoul(length + strlen("\r\nContent-Length:"), NULL, 10);
    body = calloc(body_size, 1);
  }
  route->response = MHD_create_response_from_buffer(body_size, body, MHD_RESPMEM_PERSISTENT);
  char *rest = strstr(bytes, "\r\n");
  for (char *line = strtok_r(NULL, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
    char *value = strchr(line, ':');
    if (!value) continue;
    *value++ = 0;
    value += strspn(value, " ");
    if (!is_written_by_library(line)) MHD_add_response_header(route->response, line, value);
  }
}

size_t read_manifest(const char *path, struct route **routes) {
  *routes = calloc(ROUTE_LIMIT, sizeof **routes);
  size_t count = 0, size;
  char *rest = read_file(path, &size);
  for (char *line; count < ROUTE_LIMIT && (line = strtok_r(NULL, "\n", &rest)); count++) {
    struct route *route = &(*routes)[count];
    route->path = strtok(line, "\t");
    char *condition = strtok(NULL, "\t");
    char *file = strtok(NULL, "\t");
    if (!file) {
      fprintf(stderr, "%s: a line without three columns\n", path);
      exit(1);
    }
    route->if_none_match = strcmp(condition, "-") == 0 ? NULL : condition;
    char *query = strchr(route->path, '?');
    if (query) *query = 0;
    route->since = query ? query + strlen("?since=") : NULL;
    size_t reply_size;
    char *reply = read_file(file, &reply_size);
    parse_reply(route, reply, reply_size);
  }
  return count;
}

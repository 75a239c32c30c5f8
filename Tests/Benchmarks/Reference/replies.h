// The replies that the reference server gives, as they were captured from another server.

#pragma once

#include <microhttpd.h>

// What a request must be like to get a reply. A member that is NULL asks for nothing.
struct route {
  char *path;
  char *since;
  char *if_none_match;
  unsigned status;
  // Shared by all requests.
  struct MHD_Response *response;
};

// Reads a manifest. A line of it names a target, the value of If-None-Match that a request must
// have, or "-", and the file with the reply as it came over the wire, separated by tabs. The most
// particular come first.
//
// Returns how many there are, and them in memory that is never freed.
size_t read_manifest(const char *path, struct route **routes);

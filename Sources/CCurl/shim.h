#ifndef VIEWDELTA_CCURL_SHIM_H
#define VIEWDELTA_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic C functions. Each one that is needed has a wrapper here with fixed
// arguments, so that no call can pass an argument of the wrong width.

// What libcurl calls on the thread of a transfer, each with the same context. A result that libcurl
// does not expect ends the transfer.
typedef size_t (*viewdelta_receive)(char *bytes, size_t size, size_t count, void *context);
typedef int (*viewdelta_progress)(
    void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

// Prepares a GET that follows no redirect, speaks HTTP alone, and gives its body unpacked. Times are in
// milliseconds. `fields` is freed by the caller after the handle. Returns NULL for want of memory.
static inline CURL *viewdelta_prepare_get(
    const char *address, struct curl_slist *fields, long connect_time, long whole_time,
    long long byte_limit, viewdelta_receive head, viewdelta_receive body,
    viewdelta_progress progress, void *context) {
  CURL *handle = curl_easy_init();
  if (!handle) return NULL;
  CURLcode failure = CURLE_OK;
#define VIEWDELTA_SET(option, value) \
  if (!failure) failure = curl_easy_setopt(handle, option, value)
  VIEWDELTA_SET(CURLOPT_URL, address);
  VIEWDELTA_SET(CURLOPT_PROTOCOLS_STR, "http,https");
  VIEWDELTA_SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  VIEWDELTA_SET(CURLOPT_FOLLOWLOCATION, 0L);
  VIEWDELTA_SET(CURLOPT_USERAGENT, "ViewDelta");
  VIEWDELTA_SET(CURLOPT_HTTPHEADER, fields);
  VIEWDELTA_SET(CURLOPT_ACCEPT_ENCODING, "");
  VIEWDELTA_SET(CURLOPT_CONNECTTIMEOUT_MS, connect_time);
  VIEWDELTA_SET(CURLOPT_TIMEOUT_MS, whole_time);
  VIEWDELTA_SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)byte_limit);
  // A signal handler of libcurl would be one of the whole process.
  VIEWDELTA_SET(CURLOPT_NOSIGNAL, 1L);
  VIEWDELTA_SET(CURLOPT_HEADERFUNCTION, head);
  VIEWDELTA_SET(CURLOPT_HEADERDATA, context);
  VIEWDELTA_SET(CURLOPT_WRITEFUNCTION, body);
  VIEWDELTA_SET(CURLOPT_WRITEDATA, context);
  VIEWDELTA_SET(CURLOPT_NOPROGRESS, 0L);
  VIEWDELTA_SET(CURLOPT_XFERINFOFUNCTION, progress);
  VIEWDELTA_SET(CURLOPT_XFERINFODATA, context);
#undef VIEWDELTA_SET
  if (failure) {
    curl_easy_cleanup(handle);
    return NULL;
  }
  return handle;
}

// The status of the answer, or 0 if there is none.
static inline long viewdelta_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// The Content-Type of the answer, or NULL. It belongs to the handle.
static inline const char *viewdelta_content_type(CURL *handle) {
  char *text = NULL;
  curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &text);
  return text;
}

// The absolute address that the answer redirects to, or NULL. It belongs to the handle.
static inline const char *viewdelta_redirect(CURL *handle) {
  char *text = NULL;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &text);
  return text;
}

// CURL_GLOBAL_DEFAULT is a macro with an operator. Must be called once, before all else.
static inline CURLcode viewdelta_curl_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif

#ifndef VIEWDELTA_CMICROHTTPD_SHIM_H
#define VIEWDELTA_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif

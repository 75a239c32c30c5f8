#ifndef VIEWDELTA_CHIREDIS_SHIM_H
#define VIEWDELTA_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif

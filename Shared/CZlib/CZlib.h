/* The system's zlib. In the package only where Package.swift finds its header. */
#ifndef POLYMOCK_CZLIB_H
#define POLYMOCK_CZLIB_H

#include <zlib.h>

#endif

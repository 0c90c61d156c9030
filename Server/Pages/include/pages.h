#pragma once
#include <stddef.h>

/// The start page, as its file was when the binary was built. Not terminated.
const unsigned char *polymock_start_page_bytes(void);
extern const size_t polymock_start_page_length;

/// The description of the control API. Not terminated.
const unsigned char *polymock_openapi_bytes(void);
extern const size_t polymock_openapi_length;

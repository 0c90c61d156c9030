#pragma once
#include <stddef.h>

/// The start page, as its file was when the binary was built. Not terminated.
const unsigned char *polymock_start_page_bytes(void);
extern const size_t polymock_start_page_length;

#pragma once
#include <stddef.h>

/// The start page, as its file was when the binary was built. Not terminated.
const unsigned char *polymock_start_page_bytes(void);
extern const size_t polymock_start_page_length;

/// The description of the control API. Not terminated.
const unsigned char *polymock_openapi_bytes(void);
extern const size_t polymock_openapi_length;

/// The page of the protocol's statements. Not terminated.
const unsigned char *polymock_protocol_bytes(void);
extern const size_t polymock_protocol_length;

/// A file of the pages, as it was when the binary was built.
struct polymock_file {
    /// Below `web/`: `shared/md.js`.
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

const struct polymock_file *polymock_files(void);
extern const size_t polymock_file_count;

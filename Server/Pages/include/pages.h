#pragma once
#include <stddef.h>

/// The start page, as its file was when the binary was built. Not terminated.
const unsigned char *polymock_start_page_bytes(void);
extern const size_t polymock_start_page_length;

/// Words and schemas of the description of the control API. Not terminated.
const unsigned char *polymock_openapi_bytes(void);
extern const size_t polymock_openapi_length;

/// A file of the pages, as it was when the binary was built. Not terminated.
struct polymock_file {
    /// Below `web/`: `shared/md.js`; its name, where it is a page of a protocol's statements.
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

const struct polymock_file *polymock_files(void);
extern const size_t polymock_file_count;

/// The pages of the protocols' statements.
const struct polymock_file *polymock_protocols(void);
extern const size_t polymock_protocol_count;

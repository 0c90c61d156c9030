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
    /// Below `web/`: `shared/md.js`.
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

const struct polymock_file *polymock_files(void);
extern const size_t polymock_file_count;

/// The names of the repository's Markdown pages, as paths in it.
const char *polymock_document_name(size_t number);
extern const size_t polymock_document_count;

/// The pages in the order of their names, each with a zero byte at its end.
const unsigned char *polymock_documents(void);
extern const size_t polymock_documents_length;

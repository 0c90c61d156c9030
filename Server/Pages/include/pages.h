#pragma once
#include <stddef.h>

/// The bytes of the start page's file at build time, without a zero byte at the end.
const unsigned char *polymock_start_page_bytes(void);
extern const size_t polymock_start_page_length;

/// The bytes of `openapi.json`: texts and schemas for the description of the control API. No zero byte at the end.
const unsigned char *polymock_openapi_bytes(void);
extern const size_t polymock_openapi_length;

/// A file of the web pages at build time. `bytes` has no zero byte at the end.
struct polymock_file {
    /// The path below `web/`, such as `shared/md.js`.
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

const struct polymock_file *polymock_files(void);
extern const size_t polymock_file_count;

/// The name of a Markdown page: its path in the repository. Numbers start at 0.
const char *polymock_document_name(size_t number);
extern const size_t polymock_document_count;

/// The texts of the Markdown pages in the order of their numbers, each with a zero byte at the end.
const unsigned char *polymock_documents(void);
extern const size_t polymock_documents_length;

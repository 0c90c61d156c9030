#pragma once

#include <stddef.h>

/// A fixture or a recorded run inside the binary. The program therefore needs no fixture files.
typedef struct {
    /// The name by which users choose the fixture, such as "webchat".
    const char *_Nonnull name;
    /// The bytes of the file at build time, without a zero byte at the end.
    const unsigned char *_Nonnull bytes;
    size_t length;
} PolymockEmbeddedFixture;

/// Returns the number of fixtures.
size_t polymock_embedded_fixture_count(void);

/// Returns the fixture with this number, from 0. Beyond the last fixture, returns an empty value without a name.
PolymockEmbeddedFixture polymock_embedded_fixture(size_t number);

/// Returns the number of recorded runs. A recorded run is a list of events, with one JSON text per line.
size_t polymock_embedded_run_count(void);

/// Returns the recorded run with this number, from 0. Beyond the last run, returns an empty value without a name.
PolymockEmbeddedFixture polymock_embedded_run(size_t number);

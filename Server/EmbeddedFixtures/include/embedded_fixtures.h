#pragma once

#include <stddef.h>

/// A fixture that is part of the program, so that it runs without any files beside it.
typedef struct {
    /// The name it is chosen by, such as "webchat".
    const char *_Nonnull name;
    /// The bytes of the file, as they stand in the fixtures folder; not terminated.
    const unsigned char *_Nonnull bytes;
    size_t length;
} PolymockEmbeddedFixture;

/// How many there are.
size_t polymock_embedded_fixture_count(void);

/// The fixture of that number, from 0; beyond the last one, an empty fixture without a name.
PolymockEmbeddedFixture polymock_embedded_fixture(size_t number);

/// How many recorded runs there are, each with its events, one JSON text a line.
size_t polymock_embedded_run_count(void);

/// The run of that number, from 0; beyond the last one, an empty one without a name.
PolymockEmbeddedFixture polymock_embedded_run(size_t number);

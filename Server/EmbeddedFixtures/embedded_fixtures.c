#include "embedded_fixtures.h"

// One line here and one in the table below for each file. #embed is C23; the compiler notes the files as
// dependencies, so an edited fixture is embedded again by the next build.
static const unsigned char webchat[] = {
#embed "../../fixtures/webchat.json5"
};
static const unsigned char booking[] = {
#embed "../../fixtures/booking.json5"
};

// The first one answers when nobody asks for another.
static const PolymockEmbeddedFixture fixtures[] = {
    {"webchat", webchat, sizeof webchat},
    {"booking", booking, sizeof booking},
};

static const unsigned char nothing[1];

size_t polymock_embedded_fixture_count(void) {
    return sizeof fixtures / sizeof fixtures[0];
}

PolymockEmbeddedFixture polymock_embedded_fixture(size_t number) {
    if (number < polymock_embedded_fixture_count()) return fixtures[number];
    PolymockEmbeddedFixture none = {"", nothing, 0};
    return none;
}

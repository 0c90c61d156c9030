#include "embedded_fixtures.h"

// Three lines here and one in the table below for each file. #embed is C23; the compiler notes the files as
// dependencies, so an edited fixture is embedded again by the next build.
static const unsigned char webchat[] = {
#embed "../../fixtures/webchat.json5"
};
static const unsigned char booking[] = {
#embed "../../fixtures/booking.json5"
};
static const unsigned char support_desk[] = {
#embed "../../fixtures/support-desk.json5"
};
static const unsigned char storyteller[] = {
#embed "../../fixtures/storyteller.json5"
};
static const unsigned char shop[] = {
#embed "../../fixtures/shop.json5"
};
static const unsigned char greeter[] = {
#embed "../../fixtures/greeter.json5"
};
static const unsigned char bank[] = {
#embed "../../fixtures/bank.json5"
};
static const unsigned char pizza[] = {
#embed "../../fixtures/pizza.json5"
};
static const unsigned char errors[] = {
#embed "../../fixtures/errors.json5"
};

// For checks of chat clients: their names are a contract.
static const unsigned char chatter[] = {
#embed "../../fixtures/chatter.json5"
};
static const unsigned char handoff_client[] = {
#embed "../../fixtures/handoff-client.json5"
};
static const unsigned char handoff_fail[] = {
#embed "../../fixtures/handoff-fail.json5"
};
static const unsigned char handoff_ok[] = {
#embed "../../fixtures/handoff-ok.json5"
};
static const unsigned char handoff_timeout[] = {
#embed "../../fixtures/handoff-timeout.json5"
};
static const unsigned char hello[] = {
#embed "../../fixtures/hello.json5"
};
static const unsigned char history_500[] = {
#embed "../../fixtures/history-500.json5"
};
static const unsigned char idle[] = {
#embed "../../fixtures/idle.json5"
};
static const unsigned char quiet[] = {
#embed "../../fixtures/quiet.json5"
};
static const unsigned char rich[] = {
#embed "../../fixtures/rich.json5"
};
static const unsigned char rtl[] = {
#embed "../../fixtures/rtl.json5"
};
static const unsigned char stream_long[] = {
#embed "../../fixtures/stream-long.json5"
};
static const unsigned char stream_slow[] = {
#embed "../../fixtures/stream-slow.json5"
};
static const unsigned char suggest[] = {
#embed "../../fixtures/suggest.json5"
};
static const unsigned char xss[] = {
#embed "../../fixtures/xss.json5"
};

// Runs of agents.
static const unsigned char weather[] = {
#embed "../../fixtures/weather.json5"
};
static const unsigned char refunds[] = {
#embed "../../fixtures/refunds.json5"
};
static const unsigned char concierge[] = {
#embed "../../fixtures/concierge.json5"
};
static const unsigned char mishaps[] = {
#embed "../../fixtures/mishaps.json5"
};

// The first one answers when nobody asks for another.
static const PolymockEmbeddedFixture fixtures[] = {
    {"webchat", webchat, sizeof webchat},
    {"booking", booking, sizeof booking},
    {"support-desk", support_desk, sizeof support_desk},
    {"storyteller", storyteller, sizeof storyteller},
    {"shop", shop, sizeof shop},
    {"greeter", greeter, sizeof greeter},
    {"bank", bank, sizeof bank},
    {"pizza", pizza, sizeof pizza},
    {"concierge", concierge, sizeof concierge},
    {"errors", errors, sizeof errors},
    {"chatter", chatter, sizeof chatter},
    {"handoff-client", handoff_client, sizeof handoff_client},
    {"handoff-fail", handoff_fail, sizeof handoff_fail},
    {"handoff-ok", handoff_ok, sizeof handoff_ok},
    {"handoff-timeout", handoff_timeout, sizeof handoff_timeout},
    {"hello", hello, sizeof hello},
    {"history-500", history_500, sizeof history_500},
    {"idle", idle, sizeof idle},
    {"quiet", quiet, sizeof quiet},
    {"rich", rich, sizeof rich},
    {"rtl", rtl, sizeof rtl},
    {"stream-long", stream_long, sizeof stream_long},
    {"stream-slow", stream_slow, sizeof stream_slow},
    {"suggest", suggest, sizeof suggest},
    {"xss", xss, sizeof xss},
    {"weather", weather, sizeof weather},
    {"refunds", refunds, sizeof refunds},
    {"mishaps", mishaps, sizeof mishaps},
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

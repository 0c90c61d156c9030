#include "pages.h"

static const unsigned char start_page[] = {
#embed "start.html"
};

static const unsigned char openapi[] = {
#embed "openapi.json"
};

const size_t polymock_start_page_length = sizeof start_page;

const unsigned char *polymock_start_page_bytes(void) {
    return start_page;
}

const size_t polymock_openapi_length = sizeof openapi;

const unsigned char *polymock_openapi_bytes(void) {
    return openapi;
}

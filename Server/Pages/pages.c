#include "pages.h"

static const unsigned char start_page[] = {
#embed "start.html"
};

const size_t polymock_start_page_length = sizeof start_page;

const unsigned char *polymock_start_page_bytes(void) {
    return start_page;
}

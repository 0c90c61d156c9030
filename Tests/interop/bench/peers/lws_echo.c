/* The strong peer: an echo on libwebsockets, with its libev loop (epoll). Prints its address, stops on SIGTERM.
 *
 * A text goes back from where it was received, without a copy in a queue: libwebsockets keeps what a socket does not
 * take. No extensions, so that nothing is compressed.
 */
#include <libwebsockets.h>
#include <string.h>

#include "peer.h"

#define BYTES 65536
static unsigned char out[LWS_PRE + BYTES];
static struct lws_context *context;

static int echo(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)user;
    if (reason != LWS_CALLBACK_RECEIVE) return 0;
    if (length > BYTES) return -1;
    memcpy(out + LWS_PRE, in, length);
    int first = lws_is_first_fragment(wsi), last = lws_is_final_fragment(wsi);
    int kind = lws_write_ws_flags(lws_frame_is_binary(wsi) ? LWS_WRITE_BINARY : LWS_WRITE_TEXT, first, last);
    return lws_write(wsi, out + LWS_PRE, length, (enum lws_write_protocol)kind) < (int)length ? -1 : 0;
}

int main(void) {
    static const struct lws_protocols protocols[] = {{"echo", echo, 0, BYTES, 0, NULL, 0}, {0}};
    struct lws_context_creation_info info = {
        .port = free_port(), .iface = "127.0.0.1", .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBEV, .pt_serv_buf_size = BYTES,
    };
    lws_set_log_level(LLL_ERR, NULL);
    signal(SIGTERM, stop);
    context = lws_create_context(&info);
    if (!context) return 1;
    printf("listening on http://127.0.0.1:%d\n", info.port);
    fflush(stdout);
    while (lws_service(context, 0) >= 0) {}
    return 1;
}

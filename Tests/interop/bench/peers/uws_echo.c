/* The fastest known peer: an echo on uWebSockets, through the C interface of the library that the Python package
 * socketify brings along (its path is the only argument); its loop is libuv. Prints its address, stops on SIGTERM.
 *
 * No idle timeout, no pings, no compression: the least work that the library allows.
 */
#include <dlfcn.h>
#include <stdbool.h>

#include "peer.h"

#define BYTES 65536

/* Declarations of the interface, whose header is not part of the package. */
struct context_options {
    const char *files[6];
    int low_memory;
};
struct listen_config {
    int port;
    const char *host;
    int options;
};
struct behavior {
    int compression;
    unsigned int max_payload;
    unsigned short idle_timeout;
    unsigned int max_backpressure;
    bool closes_at_limit, resets_on_send, pings;
    unsigned short max_lifetime;
    void *upgrade, *open;
    void (*message)(void *socket, const char *bytes, size_t length, int opcode, void *data);
    void *drain, *ping, *pong, *close, *subscription;
};

static int (*send_message)(int ssl, void *socket, const char *bytes, size_t length, int opcode);

static void echo(void *socket, const char *bytes, size_t length, int opcode, void *data) {
    (void)data;
    send_message(0, socket, bytes, length, opcode);
}

static void listening(void *socket, struct listen_config config, void *data) {
    (void)data;
    if (!socket) _exit(1);
    printf("listening on http://127.0.0.1:%d\n", config.port);
    fflush(stdout);
}

int main(int count, char **words) {
    void *library = count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "usage: uws_echo LIBRARY (%s)\n", count == 2 ? dlerror() : "no library named");
        return 2;
    }
    void *(*create)(int, struct context_options) = (void *(*)(int, struct context_options))dlsym(library, "uws_create_app");
    void (*route)(int, void *, const char *, struct behavior, void *) =
        (void (*)(int, void *, const char *, struct behavior, void *))dlsym(library, "uws_ws");
    void (*listen_at)(int, void *, struct listen_config, void (*)(void *, struct listen_config, void *), void *) =
        (void (*)(int, void *, struct listen_config, void (*)(void *, struct listen_config, void *), void *))
            dlsym(library, "uws_app_listen_with_config");
    void (*run)(int, void *) = (void (*)(int, void *))dlsym(library, "uws_app_run");
    send_message = (int (*)(int, void *, const char *, size_t, int))dlsym(library, "uws_ws_send");
    if (!create || !route || !listen_at || !run || !send_message) return 1;
    signal(SIGTERM, stop);
    void *app = create(0, (struct context_options){0});
    struct behavior behavior = {.max_payload = BYTES, .max_backpressure = 16 * BYTES, .message = echo};
    route(0, app, "/*", behavior, NULL);
    listen_at(0, app, (struct listen_config){.port = free_port(), .host = "127.0.0.1"}, listening, NULL);
    run(0, app);
    return 1;
}

/* load - the client of bench.py: contacts of Amazon Connect chat, as ../../bench/load.c is for the Messaging API.
 *
 *   load send|page|idle -p PORT -P PID [-d SECONDS] [-w SECONDS] [-b BODY] <CONTACTS     one JSON object on standard output
 *
 * CONTACTS has a line for each contact: its connection token, a blank, the path of its socket.
 *
 *   send   closed loop: SendMessage on each contact's kept connection; the next one when its answer and its echo on
 *          the contact's subscribed socket have both come
 *   page   closed loop on one connection of the first contact: GetTranscript with this body
 *   idle   opens and subscribes all sockets, prints "ready", and stays until standard output is closed
 */
#include "../../bench/net.h"
#include <poll.h>

typedef struct { char *token; conn http, socket; int waits; u64 began; } contact;

static contact *contacts;
static int n_contacts, n_ready, is_measuring, pid;
static double seconds = 1, warm_up = 0.3;
static const char *target = "/participant/message", *body = "{\"ContentType\":\"text/plain\",\"Content\":\"Is the pool open on Sunday?\"}";
static frame subscribe;
static histogram latency;
static u64 n_done;

static void read_contacts(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *blank = strchr(line, ' ');
        if (!blank) die("no blank in \"%s\"", line);
        *blank = 0;
        blank[1 + strcspn(blank + 1, "\n")] = 0;
        contacts = realloc(contacts, (size_t)(n_contacts + 1) * sizeof *contacts);
        if (!contacts) die("out of memory");
        contact *c = &contacts[n_contacts];
        memset(c, 0, sizeof *c);
        c->token = strdup(line);
        c->socket.path = strdup(blank + 1);
        c->http.index = c->socket.index = n_contacts++;
    }
    free(line);
    if (!n_contacts) die("no contacts");
}

static void ask(contact *c) {
    char text[6144];
    int length = snprintf(
        text, sizeof text,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Amz-Bearer: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
        target, port, c->token, strlen(body), body);
    if (length >= (int)sizeof text) die("a request is too long");
    c->began = now();
    put(&c->http, text, (size_t)length);
}

static void came(contact *c, u64 when) {
    if (--c->waits) return;
    if (is_measuring) { note(&latency, when - c->began); n_done++; }
    /* Both must come, in either order. */
    c->waits = c->socket.state == OPEN ? 2 : 1;
    ask(c);
}

static void answered(conn *c, char *text, size_t length, u64 when) {
    (void)text;
    (void)length;
    came(&contacts[c->index], when);
}

static void told(conn *c, const uint8_t *text, size_t length, u64 when) {
    contact *of = &contacts[c->index];
    if (!c->is_joined) {
        if (!memmem(text, length, "\"success\"", 9)) return;
        c->is_joined = 1;
        n_ready++;
    } else if (of->waits && memmem(text, length, "Is the pool open", 16)) {
        came(of, when);
    }
}

static void opened(conn *c, u64 when) {
    (void)when;
    if (c->state == HTTP) n_ready++;
    else put_frame(c, &subscribe);
}

static void await(int wanted) {
    u64 give_up = now() + 60000000000ull;
    while (n_ready < wanted) {
        turn(100);
        if (now() > give_up) die("only %d of %d connections are ready", n_ready, wanted);
    }
}

static void open_sockets(void) {
    for (int i = 0; i < n_contacts; i++) {
        dial(&contacts[i].socket, OPEN);
        await(i - 100);
    }
    await(n_contacts);
}

static void idle(void) {
    open_sockets();
    printf("ready\n");
    fflush(stdout);
    struct pollfd output = {.fd = 1, .events = 0};
    while (!(poll(&output, 1, 0) > 0 && output.revents)) turn(100);
}

static void measure(void) {
    u64 begin = now() + (u64)(warm_up * 1e9), end = begin + (u64)(seconds * 1e9);
    double before = 0;
    for (u64 t = now(); t < end; t = now()) {
        if (!is_measuring && t >= begin) {
            is_measuring = 1;
            before = server_cpu(pid).all;
        }
        turn((int)(((is_measuring ? end : begin) - t) / 1000000) + 1);
    }
    double cpu = server_cpu(pid).all - before;
    printf(
        "{\"rate\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"us_per_message\":%.3f}\n", (double)n_done / seconds,
        quantile(&latency, .5), quantile(&latency, .99), n_done ? cpu * 1e6 / (double)n_done : 0);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    int option, is_page = !strcmp(mode, "page");
    if (is_page) target = "/participant/transcript";
    optind = 2;
    while ((option = getopt(argc, argv, "p:P:d:w:b:")) != -1) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'P': pid = atoi(optarg); break;
        case 'd': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        case 'b': body = optarg; break;
        default: die("see the comment at the top of load.c");
        }
    net_begin();
    address.sin_port = htons((uint16_t)port);
    make_frame(&subscribe, "{\"topic\":\"aws/subscribe\",\"content\":{\"topics\":[\"aws/chat\"]}}");
    read_contacts();
    on_open = opened;
    on_answer = answered;
    on_text = told;
    if (!strcmp(mode, "idle")) { idle(); return 0; }
    if (!is_page && strcmp(mode, "send")) die("no mode is called \"%s\"", mode);
    if (is_page) n_contacts = 1;
    else open_sockets();
    n_ready = 0;
    for (int i = 0; i < n_contacts; i++) dial(&contacts[i].http, HTTP);
    await(n_contacts);
    for (int i = 0; i < n_contacts; i++) { contacts[i].waits = is_page ? 1 : 2; ask(&contacts[i]); }
    measure();
    return 0;
}

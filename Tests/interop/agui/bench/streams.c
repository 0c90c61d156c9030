/* streams - the client of bench.py: asks for runs over HTTP and reads their event streams. One thread, epoll.
 *
 *   streams MODE [options]         one JSON object on standard output
 *
 *   runs    closed loop on -c kept connections: a request, its stream to the end, the next request
 *   fill    -n runs, each in a thread of its own, on -c kept connections: what the server keeps
 *   first   closed loop: from a request to the first byte of its answer's body; the answer is read to its end
 *   leave   -n runs on -c connections at once, each left with a reset behind its third event
 *   pace    -c runs, started spread over a second: how late is each text delta? The reckoning is that of load.c
 *
 *   -p PORT  -P PID of the server, for its processor time and memory   -c CONNECTIONS (1)
 *   -u PATH  of the request   -b FILE  its body: '#' become digits, the same in one body   -H FIELDS  more headers
 *   -n COUNT   -d SECONDS measured   -w SECONDS before it   -g MS between two deltas   -m COUNT of deltas, at least
 */
#include "../../bench/net.h"

enum { HEAD, SIZE, DATA, BEHIND, TRAILER };
typedef struct {
    conn at;                     /* what net.h receives with */
    int state, closes, newlines, n_deltas;
    size_t rest;                 /* bytes of the chunk, or of the body */
    int is_chunked;
    char line[4096], start[40];
    size_t n_line, n_start;
    u64 n_events;
} stream;

static int pid, n_streams = 1, n_open, wanted_deltas = 100;
static long count = 1000, n_asked;
static const char *target = "/ag-ui", *fields = "", *mode = "";
static char *body = "{}";
static double seconds = 1, warm_up = 0.2, spacing = 25;
static stream *streams;
static histogram latency, errors;
static u64 n_events, n_bytes, n_runs, number, stop_at;
static i64 *arrivals;

static int is(const char *name) { return !strcmp(mode, name); }

static void ask(stream *s) {
    char text[8192], digits[32];
    int n = snprintf(digits, sizeof digits, "%020llu", (unsigned long long)(++number + (u64)getpid() * 100000000ull));
    size_t length = strlen(body), at;
    n = snprintf(
        text, sizeof text, "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n%s"
        "Content-Length: %zu\r\n\r\n", target, port, fields, length);
    if (n + length >= sizeof text) die("a request is too long");
    memcpy(text + n, body, length);
    for (at = (size_t)n; at < (size_t)n + length; at++)
        if (text[at] == '#') {
            size_t width = 0;
            while (text[at + width] == '#') width++;
            for (size_t i = 0; i < width; i++) text[at + i] = i < 20 ? digits[20 - width % 21 + i] : '0';
            at += width;
        }
    s->state = HEAD;
    s->n_line = s->n_start = 0;
    s->newlines = s->n_deltas = 0;
    s->n_events = 0;
    s->at.began = now();
    s->at.first = 0;
    put(&s->at, text, (size_t)n + length);
    n_asked++;
}

static void open_stream(stream *s) {
    int one = 1;
    s->at.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->at.fd < 0) die("socket: %s", strerror(errno));
    setsockopt(s->at.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (stamps) setsockopt(s->at.fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
    if (connect(s->at.fd, (struct sockaddr *)&address, sizeof address)) die("connect: %s", strerror(errno));
    fcntl(s->at.fd, F_SETFL, O_NONBLOCK);
    s->at.state = HTTP;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = s};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, s->at.fd, &e)) die("epoll_ctl: %s", strerror(errno));
    n_open++;
}

static void close_stream(stream *s) {
    drop(&s->at);
    n_open--;
}

/* One run is over. A server that closes its connection behind it is called again. */
static void finished(stream *s) {
    u64 t = now();
    if (t >= stop_at - (u64)(seconds * 1e9) && t < stop_at) n_runs++;
    int goes_on = !is("pace") && (is("runs") || is("first") ? t < stop_at : n_asked < count);
    if (s->closes || !goes_on) close_stream(s);
    if (goes_on && s->closes) open_stream(s);
    if (goes_on) ask(s);
}

/* A frame ended. */
static void event(stream *s, u64 when) {
    static const char delta[] = "data: {\"type\":\"TEXT_MESSAGE_CONTENT\"";
    s->n_events++;
    if (when >= stop_at - (u64)(seconds * 1e9) && when < stop_at) n_events++;
    if (is("pace") && s->n_start >= sizeof delta - 1 && !memcmp(s->start, delta, sizeof delta - 1)
        && s->n_deltas < wanted_deltas)
        arrivals[(long)s->at.index * wanted_deltas + s->n_deltas++] = (i64)when;
    s->n_start = 0;
}

/* Bytes of the body. */
static void content(stream *s, const uint8_t *p, size_t n, u64 when) {
    n_bytes += n;
    if (!s->at.first) {
        s->at.first = when;
        if (is("first") && when >= stop_at - (u64)(seconds * 1e9)) note(&latency, when - s->at.began);
    }
    for (size_t i = 0; i < n; i++) {
        if (p[i] != '\n') {
            s->newlines = 0;
            if (s->n_start < sizeof s->start) s->start[s->n_start++] = (char)p[i];
        } else if (++s->newlines == 2) {
            event(s, when);
        }
    }
}

static void read_head(stream *s) {
    if (memcmp(s->line + 9, "200", 3)) die("answered %.200s", s->line);
    s->is_chunked = strcasestr(s->line, "\r\ntransfer-encoding: chunked") != NULL;
    s->closes = strcasestr(s->line, "\r\nconnection: close") != NULL;
    char *length = strcasestr(s->line, "\r\ncontent-length:");
    if (!s->is_chunked && !length) die("neither chunked nor with a length: %.300s", s->line);
    s->rest = s->is_chunked ? 0 : (size_t)strtoul(length + 17, NULL, 10);
    s->state = s->is_chunked ? SIZE : DATA;
    s->n_line = 0;
}

static void take(stream *s, uint8_t *p, size_t n, u64 when) {
    while (n) {
        if (s->state == DATA) {
            size_t part = n < s->rest ? n : s->rest;
            content(s, p, part, when);
            p += part;
            n -= part;
            s->rest -= part;
            if (s->rest) return;
            if (s->is_chunked) {
                s->state = BEHIND;
                continue;
            }
            finished(s);
            return;
        }
        if (s->n_line + 1 >= sizeof s->line) die("a line is too long");
        s->line[s->n_line++] = (char)*p++;
        n--;
        s->line[s->n_line] = 0;
        if (s->n_line < 2 || memcmp(s->line + s->n_line - 2, "\r\n", 2)) continue;
        if (s->state == HEAD) {
            if (s->n_line >= 4 && !memcmp(s->line + s->n_line - 4, "\r\n\r\n", 4)) read_head(s);
            continue;
        }
        s->n_line = 0;
        if (s->state == BEHIND) {
            s->state = SIZE;
        } else if (s->state == TRAILER) {
            finished(s);
            return;
        } else {
            s->rest = (size_t)strtoul(s->line, NULL, 16);
            s->state = s->rest ? DATA : TRAILER;
        }
    }
}

static void step(int milliseconds) {
    struct epoll_event ready[512];
    int n = epoll_wait(poller, ready, 512, milliseconds);
    u64 woken = now();
    for (int i = 0; i < n; i++) {
        stream *s = ready[i].data.ptr;
        u64 when = woken;
        if (s->at.state == CLOSED) continue;
        ssize_t got = receive(&s->at, &when);
        if (got < 0 && errno == EAGAIN) continue;
        if (got <= 0) die("stream %d was lost", s->at.index);
        take(s, chunk, (size_t)got, when);
        if (is("leave") && s->at.state != CLOSED && s->n_events >= 3) {
            close_stream(s);
            if (n_asked < count) { open_stream(s); ask(s); }
        }
    }
}

static void print_lateness(double cpu) {
    double every = spacing * 1e6;
    u64 from = stop_at - (u64)(seconds * 1e9);
    for (int i = 0; i < n_streams; i++) {
        i64 *a = arrivals + (long)i * wanted_deltas, base = INT64_MAX;
        for (int k = 0; k < streams[i].n_deltas; k++)
            if (a[k] - (i64)(k * every) < base) base = a[k] - (i64)(k * every);
        for (int k = 0; k < streams[i].n_deltas; k++)
            if (a[k] >= (i64)from && a[k] < (i64)stop_at) note(&errors, (u64)(a[k] - (i64)(k * every) - base));
    }
    printf(
        "{\"p50_ms\":%.4f,\"p99_ms\":%.4f,\"max_ms\":%.3f,\"deltas\":%llu,\"stamps\":\"%s\",\"us_per_event\":%.3f}\n",
        quantile(&errors, .5) / 1e3, quantile(&errors, .99) / 1e3, (double)errors.max / 1e6,
        (unsigned long long)errors.count, stamps == 2 ? "kernel" : "client", n_events ? cpu * 1e6 / (double)n_events : 0);
}

static char *text_of_file(const char *name) {
    FILE *file = fopen(name, "r");
    if (!file) die("cannot read %s", name);
    char *text = grab(8192, 1);
    if (fread(text, 1, 8191, file) == 0) die("%s is empty", name);
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    int option;
    mode = argc > 1 ? argv[1] : "";
    optind = 2;
    while ((option = getopt(argc, argv, "p:P:c:u:b:H:n:d:w:g:m:")) != -1) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'P': pid = atoi(optarg); break;
        case 'c': n_streams = atoi(optarg); break;
        case 'u': target = optarg; break;
        case 'b': body = text_of_file(optarg); break;
        case 'H': fields = optarg; break;
        case 'n': count = atol(optarg); break;
        case 'd': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        case 'g': spacing = atof(optarg); break;
        case 'm': wanted_deltas = atoi(optarg); break;
        default: die("see the comment at the top of streams.c");
        }
    net_begin();
    address.sin_port = htons((uint16_t)port);
    stamps = is("pace");
    long before = resident_kb(pid);
    streams = grab((size_t)n_streams, sizeof *streams);
    arrivals = grab((size_t)n_streams * (size_t)wanted_deltas, sizeof *arrivals);
    u64 start = now(), give_up = start + 120000000000ull;
    stop_at = start + (u64)((warm_up + seconds) * 1e9);
    for (int i = 0; i < n_streams; i++) {
        streams[i].at.index = i;
        open_stream(&streams[i]);
        u64 due = start + (u64)(i * 1e9 / n_streams);
        while (stamps && now() < due) step(due - now() > 2000000 ? 1 : 0);
        ask(&streams[i]);
    }
    int is_timed = is("runs") || is("first") || is("pace");
    double cpu = -1;
    while (is_timed ? now() < stop_at : n_open > 0) {
        if (cpu < 0 && now() >= stop_at - (u64)(seconds * 1e9)) cpu = server_cpu(pid).all;
        step(2);
        if (now() > give_up) die("it takes too long: %ld of %ld", n_asked, count);
    }
    cpu = server_cpu(pid).all - cpu;
    if (is("pace")) { print_lateness(cpu); return 0; }
    printf(
        "{\"rate\":%.1f,\"runs\":%llu,\"events\":%llu,\"bytes\":%llu,\"asked\":%ld,\"p50_us\":%.1f,\"p99_us\":%.1f,"
        "\"us_per_event\":%.3f,\"before_kb\":%ld,\"rss_kb\":%ld}\n", (double)n_events / seconds,
        (unsigned long long)n_runs, (unsigned long long)n_events, (unsigned long long)n_bytes, n_asked,
        quantile(&latency, .5), quantile(&latency, .99), n_events ? cpu * 1e6 / (double)n_events : 0, before,
        resident_kb(pid));
    return 0;
}

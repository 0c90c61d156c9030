/* What load.c is made of: time, a histogram, sockets with HTTP/1.1 answers and WebSocket frames on them.
 * Linux only. Errors end the program: a benchmark with half of its peers measures nothing. */
#ifndef NET_H
#define NET_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef int64_t i64;

static void die(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "load: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(1);
}

static void *grab(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) die("out of memory");
    return memory;
}

/* Nanoseconds. Wall time, because that is what the kernel stamps arriving segments with. */
static u64 now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

/* ---- histogram of nanoseconds: 128 linear steps per power of two, so within 0.8 % ---- */
#define STEPS 7
typedef struct { u64 count, max; u64 bucket[(64 - STEPS) << STEPS]; } histogram;

static void note(histogram *h, u64 v) {
    unsigned i = (unsigned)v;
    if (v >= (1u << STEPS)) {
        int e = 63 - __builtin_clzll(v);
        i = (unsigned)(((u64)(e - STEPS + 1) << STEPS) + ((v >> (e - STEPS)) & ((1u << STEPS) - 1)));
    }
    h->bucket[i]++;
    h->count++;
    if (v > h->max) h->max = v;
}

/* In microseconds. */
static double quantile(const histogram *h, double q) {
    u64 want = (u64)(q * (double)h->count), seen = 0;
    if (!h->count) return 0;
    if (want >= h->count) want = h->count - 1;
    for (unsigned i = 0; i < sizeof h->bucket / sizeof *h->bucket; i++) {
        seen += h->bucket[i];
        if (seen <= want) continue;
        if (i < (1u << STEPS)) return i / 1e3;
        unsigned e = (i >> STEPS) + STEPS - 1, m = i & ((1u << STEPS) - 1);
        return ((double)(1ull << e) + (double)m * (double)(1ull << (e - STEPS))) / 1e3;
    }
    return (double)h->max / 1e3;
}

/* ---- the server's process ---- */

/* Seconds of processor time of all its threads, in nanosecond steps where /proc has schedstat. The kernel tells user
   and system time in steps of 10 ms. */
typedef struct { double all, user, system; } cpu_time;

static cpu_time server_cpu(int pid) {
    char path[300], text[1024];
    cpu_time sum = {0, 0, 0};
    int found = 0;
    if (!pid) return sum;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return sum;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    char *rest = strrchr(text, ')');
    unsigned long user = 0, system = 0;
    if (rest) sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    sum.user = (double)user / (double)sysconf(_SC_CLK_TCK);
    sum.system = (double)system / (double)sysconf(_SC_CLK_TCK);
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        unsigned long long ran;
        if (task->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, task->d_name);
        file = fopen(path, "r");
        if (!file) continue;
        if (fscanf(file, "%llu", &ran) == 1) { sum.all += (double)ran / 1e9; found = 1; }
        fclose(file);
    }
    if (tasks) closedir(tasks);
    if (!found) sum.all = sum.user + sum.system;
    return sum;
}

/* A figure of /proc in kB: the sum of the lines that begin with these words. */
static long proc_kb(int pid, const char *name, const char *words) {
    char path[64], line[256];
    long sum = 0, kb;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE *file = pid ? fopen(path, "r") : NULL;
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, words, strlen(words)) && sscanf(line + strlen(words), "%ld", &kb) == 1) sum += kb;
    fclose(file);
    return sum;
}

static long resident_kb(int pid) { return proc_kb(pid, "status", "VmRSS:"); }

/* Memory that the process alone holds and has written: what one more process costs. */
static long private_kb(int pid) { return proc_kb(pid, "smaps_rollup", "Private_Dirty:"); }

/* ---- sockets ---- */
enum { CLOSED, CONNECTING, UPGRADING, OPEN, HTTP };
typedef struct conn {
    int fd, index, state, is_joined, waits, step;
    int place;                    /* which of `ports` */
    uint8_t *input;               /* unfinished input only */
    size_t length, room;
    u64 began, opened, first, sequence;
    char *path;
} conn;

#define PLACES 64
static int port, ports[PLACES], n_ports, poller = -1, stamps;
static struct sockaddr_in address;
static uint8_t chunk[1 << 18];
/* What a mode does; `when` is when the bytes had arrived. */
static void (*on_open)(conn *, u64 when);
static void (*on_text)(conn *, const uint8_t *text, size_t length, u64 when);
static void (*on_answer)(conn *, char *body, size_t length, u64 when);
static int n_lost, lost_is_fine;

static void watch(conn *c, int operation, uint32_t events) {
    struct epoll_event e = {.events = events, .data.ptr = c};
    if (epoll_ctl(poller, operation, c->fd, &e)) die("epoll_ctl: %s", strerror(errno));
}

/* With a reset: nothing may linger between two measurements. */
static void drop(conn *c) {
    if (c->fd < 0 || c->state == CLOSED) return;
    struct linger l = {1, 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
    close(c->fd);
    c->fd = -1;
    c->state = CLOSED;
    free(c->input);
    c->input = NULL;
    c->length = c->room = 0;
    c->is_joined = 0;
}

/* Closed loops have at most a few messages on a socket, so that one that is full means a broken server. */
static void put(conn *c, const void *bytes, size_t length) {
    ssize_t sent = send(c->fd, bytes, length, MSG_NOSIGNAL);
    if (sent != (ssize_t)length) die("could not send %zu bytes: %s", length, strerror(errno));
}

static void dial(conn *c, int state) {
    int one = 1;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) die("socket: %s", strerror(errno));
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (stamps) setsockopt(c->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
    c->state = CONNECTING;
    c->step = state;
    c->began = now();
    if (n_ports > 1) address.sin_port = htons((uint16_t)ports[c->place]);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
        die("connect: %s", strerror(errno));
    watch(c, EPOLL_CTL_ADD, EPOLLOUT);
}

static void ask_upgrade(conn *c) {
    char text[2048];
    int length = snprintf(
        text, sizeof text,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", c->path, port);
    if (length >= (int)sizeof text) die("a path is too long");
    c->state = UPGRADING;
    c->first = 0;
    c->began = now();
    put(c, text, (size_t)length);
}

/* ---- messages out: a frame is built once, and the digits in it are set in place ---- */
static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};
typedef struct { uint8_t bytes[4096]; size_t length, head; int digits, width; } frame;

/* The first run of '#' in `text` becomes a number that counts up. */
static void make_frame(frame *f, const char *text) {
    size_t n = strlen(text), h = 2;
    if (n > sizeof f->bytes - 8) die("a message is too long");
    f->bytes[0] = 0x81;
    f->bytes[1] = (uint8_t)(0x80 | (n < 126 ? n : 126));
    if (n >= 126) { f->bytes[2] = (uint8_t)(n >> 8); f->bytes[3] = (uint8_t)n; h = 4; }
    memcpy(f->bytes + h, mask, 4);
    f->head = h + 4;
    f->length = f->head + n;
    f->digits = -1;
    f->width = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '#' && (f->digits < 0 || (int)i == f->digits + f->width)) {
            if (f->digits < 0) f->digits = (int)i;
            f->width++;
        }
        f->bytes[f->head + i] = (uint8_t)text[i] ^ mask[i & 3];
    }
}

static void put_frame(conn *c, frame *f) {
    static u64 number;
    u64 v = ++number;
    for (int i = f->digits + f->width - 1; i >= f->digits && f->width; i--, v /= 10)
        f->bytes[f->head + (size_t)i] = (uint8_t)('0' + v % 10) ^ mask[i & 3];
    put(c, f->bytes, f->length);
}

/* ---- input ---- */

/* Each takes what is complete from `p` and returns how many bytes that was. */
static size_t take_answer(conn *c, uint8_t *p, size_t n, u64 when) {
    uint8_t *end = memmem(p, n, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = (size_t)(end - p) + 4, body = 0;
    *end = 0;
    char *field = strcasestr((char *)p, "\r\ncontent-length:");
    if (field) body = (size_t)strtoul(field + 17, NULL, 10);
    if (n < 12 || p[9] != '2') die("answered %.60s", p);
    *end = '\r';
    if (n < head + body) return 0;
    on_answer(c, (char *)p + head, body, when);
    return head + body;
}

static size_t take_frames(conn *c, uint8_t *p, size_t n, u64 when) {
    size_t used = 0;
    if (c->state == UPGRADING) {
        uint8_t *end = memmem(p, n, "\r\n\r\n", 4);
        if (!end) return 0;
        if (memcmp(p + 9, "101", 3)) die("no upgrade: %.300s", p);
        used = (size_t)(end - p) + 4;
        c->state = OPEN;
        c->opened = when;
        if (on_open) on_open(c, when);
    }
    while (c->state == OPEN && n - used >= 2) {
        uint8_t *f = p + used;
        size_t head = 2, length = f[1] & 0x7f, i;
        if (length == 126) head = 4;
        if (length == 127) head = 10;
        if (n - used < head) break;
        if (head == 4) length = (size_t)f[2] << 8 | f[3];
        if (head == 10) for (length = 0, i = 2; i < 10; i++) length = length << 8 | f[i];
        if (n - used < head + length) break;
        used += head + length;
        if ((f[0] & 15) == 8) die("closed by the server: %.*s", (int)(length > 2 ? length - 2 : 0), f + head + 2);
        if ((f[0] & 15) == 1) on_text(c, f + head, length, when);
    }
    return used;
}

/* When the newest bytes had arrived, by the kernel's stamp where the mode asked for stamps. */
static ssize_t receive(conn *c, u64 *when) {
    if (!stamps) {
        ssize_t n = recv(c->fd, chunk, sizeof chunk - 1, 0);
        *when = now();
        return n;
    }
    char control[128];
    struct iovec space = {chunk, sizeof chunk - 1};
    struct msghdr message = {
        .msg_iov = &space, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(c->fd, &message, 0);
    if (n <= 0) return n;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item))
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SO_TIMESTAMPNS) {
            struct timespec t;
            memcpy(&t, CMSG_DATA(item), sizeof t);
            *when = (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
            stamps = 2;
        }
    return n;
}

static void read_from(conn *c, u64 ready) {
    u64 when = ready;
    ssize_t received = receive(c, &when);
    if (received < 0 && errno == EAGAIN) return;
    if (received <= 0) {
        if (!lost_is_fine) die("connection %d was lost", c->index);
        n_lost++;
        drop(c);
        return;
    }
    uint8_t *p = chunk;
    size_t n = (size_t)received;
    if (!c->first) c->first = when;
    if (c->length) {
        if (c->length + n > c->room) {
            c->room = (c->length + n) * 2;
            c->input = realloc(c->input, c->room);
            if (!c->input) die("out of memory");
        }
        memcpy(c->input + c->length, p, n);
        n += c->length;
        p = c->input;
    }
    size_t used = c->state == HTTP ? take_answer(c, p, n, when) : take_frames(c, p, n, when);
    if (c->state == CLOSED) return;
    size_t rest = n - used;
    if (rest > c->room) {
        /* Only possible when `p` is not `input`. */
        free(c->input);
        c->room = rest + 1024;
        c->input = grab(c->room, 1);
    }
    if (rest) memmove(c->input, p + used, rest);
    c->length = rest;
}

static void became_writable(conn *c) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) die("connect: %s", strerror(error));
    watch(c, EPOLL_CTL_MOD, EPOLLIN);
    if (c->step == HTTP) {
        c->state = HTTP;
        on_open(c, now());
    } else {
        ask_upgrade(c);
    }
}

/* One batch of readiness, at most `milliseconds` from now. */
static void turn(int milliseconds) {
    struct epoll_event ready[512];
    int n = epoll_wait(poller, ready, 512, milliseconds);
    u64 when = now();
    for (int i = 0; i < n; i++) {
        conn *c = ready[i].data.ptr;
        if (c->state == CLOSED) continue;
        if (c->state == CONNECTING) became_writable(c);
        else read_from(c, when);
    }
}

static void net_begin(void) {
    struct rlimit limit;
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    poller = epoll_create1(EPOLL_CLOEXEC);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}
#endif

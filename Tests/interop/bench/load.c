/* load - the client of bench.sh: speaks to polymock as an app would, and to the peers in the same way.
 *
 * wsload knows WebSocket only; this knows the protocol: token, session, upgrade, join. One thread, epoll.
 *
 *   load MODE [options] [-- COMMAND ARGUMENT...]      one JSON object on standard output
 *
 *   talk    closed loop: a message out, its echo in, on all connections or the first -a; or -i in flight in all,
 *           each on the next connection
 *   fan     one session; connection 0 says something, all must hear it, then again
 *   pace    every session is started by one message, starts spread over a second; how late are its frames?
 *   replay  a session gets a journal of -n entries; then -k times: a new connection asks for all of it
 *   idle    open and wait: memory
 *   http    token and session, again and again, on -c connections that stay open
 *   start   -n times: COMMAND's process is made, prints its address, answers GET -u; memory
 *   cold    -n times: the same, then token, session, upgrade, join, and the first frame with -x
 *
 *   -p PORT  -P PID of the server, for its processor time and memory     -c CONNECTIONS (1)
 *              several, as 8001,8002: a session is opened where it was made; processor times are added up
 *   -Q PID     of what stands in front of it, whose processor time is told apart
 *   -s TOKEN   a session for each connection (for all: -1), by this connector token; else no sessions at all
 *   -u PATH    where sockets are opened without sessions; what start asks for
 *   -n COUNT   sessions in all, those without a connection included; journal entries; processes
 *   -j         ask the agent to join and wait for it, before anything is measured
 *   -t TEXT    the message; '#' become digits      -x TEXT   only frames with this in them count
 *   -d SECONDS measured  -w SECONDS before it      -a ACTIVE  -i INFLIGHT  -k TIMES
 *   -g MS      between two frames of one session, for pace     -m COUNT  frames of one session, at least
 *
 * How late a frame is: frame k of a session is due at b + k * spacing, where b is such that the earliest frame of
 * the session, relative to its due time, is exactly on time. No frame is early by that, and a server that is late
 * from the first frame on, or that drifts, is not flattered beyond the least delay it ever had. Arrival is when
 * the kernel received the segment (SO_TIMESTAMPNS), so that the client's own work does not count.
 */
#include "protocol.h"

static int pid, pids[PLACES], n_pids, front, active, in_flight, times = 20, wanted_frames = 100;
static const char *needle, *greeting = "POLY_AGENT_MESSAGE";
static double seconds = 1, warm_up = 0.2, spacing = 25;
static u64 n_frames, began_measuring;
static histogram whole, errors;
static cpu_time cpu_before, cpu_after, front_before, front_after;
static char **command;

/* ---- measuring ---- */
static cpu_time servers_cpu(void) {
    cpu_time sum = {0, 0, 0};
    for (int i = 0; i < n_pids; i++) {
        cpu_time one = server_cpu(pids[i]);
        sum.all += one.all;
        sum.user += one.user;
        sum.system += one.system;
    }
    return sum;
}

static double each(double seconds_of_all) { return n_done ? seconds_of_all * 1e6 / (double)n_done : 0; }

static void measure(void) {
    u64 start = now();
    began_measuring = start + (u64)(warm_up * 1e9);
    stop_at = began_measuring + (u64)(seconds * 1e9);
    for (;;) {
        u64 t = now();
        if (!is_measuring && t >= began_measuring) {
            is_measuring = 1;
            began_measuring = t;
            cpu_before = servers_cpu();
            front_before = server_cpu(front);
        }
        if (t >= stop_at) break;
        u64 next = is_measuring ? stop_at : began_measuring;
        turn((int)((next - t) / 1000000) + 1);
    }
    stop_at = now();
    cpu_after = servers_cpu();
    front_after = server_cpu(front);
    is_measuring = 0;
}

static double span(void) { return (double)(stop_at - began_measuring) / 1e9; }

static void print_rate(const char *extra) {
    printf(
        "{\"rate\":%.1f,\"count\":%llu,\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f,\"us_per_message\":%.3f,"
        "\"user_us\":%.3f,\"system_us\":%.3f,\"front_us_per_message\":%.3f,\"rss_kb\":%ld%s}\n", (double)n_done / span(), (unsigned long long)n_done, quantile(&latency, .5),
        quantile(&latency, .99), (double)latency.max / 1e3,
        each(cpu_after.all - cpu_before.all), each(cpu_after.user - cpu_before.user),
        each(cpu_after.system - cpu_before.system), each(front_after.all - front_before.all), resident_kb(pid), extra);
}

static int counts(const uint8_t *text, size_t length) {
    return !needle || memmem(text, length, needle, strlen(needle)) != NULL;
}

static void say(conn *c) {
    c->began = now();
    c->waits = 1;
    put_frame(c, &message);
}

static int next_speaker;
static void talked(conn *c, const uint8_t *text, size_t length, u64 when) {
    if (!counts(text, length) || !c->waits) return;
    c->waits = 0;
    if (is_measuring) { note(&latency, when - c->began); n_done++; }
    if (in_flight) { c = &conns[next_speaker]; next_speaker = (next_speaker + 1) % n_conns; }
    say(c);
}

static void talk(void) {
    open_all();
    on_text = talked;
    for (int i = 0; i < n_conns; i++) conns[i].waits = 0;
    int first = in_flight ? in_flight : active ? active : n_conns;
    if (first > n_conns) first = n_conns;
    next_speaker = first % n_conns;
    for (int i = 0; i < first; i++) say(&conns[i]);
    measure();
    print_rate("");
}

static int awaited;
static u64 said_at;
static void heard(conn *c, const uint8_t *text, size_t length, u64 when) {
    (void)c;
    if (!counts(text, length)) return;
    if (is_measuring) { n_frames++; note(&latency, when - said_at); }
    if (--awaited) return;
    if (is_measuring) { n_done++; note(&whole, when - said_at); }
    awaited = n_conns;
    said_at = now();
    put_frame(&conns[0], &message);
}

static void fan(void) {
    char extra[100];
    open_all();
    on_text = heard;
    awaited = n_conns;
    said_at = now();
    put_frame(&conns[0], &message);
    measure();
    snprintf(
        extra, sizeof extra, ",\"frames\":%llu,\"all_p50_us\":%.1f,\"all_p99_us\":%.1f",
        (unsigned long long)n_frames, quantile(&whole, .5), quantile(&whole, .99));
    print_rate(extra);
}

/* ---- pace ---- */
static i64 *arrivals;
static int *n_arrived;
static void ticked(conn *c, const uint8_t *text, size_t length, u64 when) {
    if (!counts(text, length)) return;
    if (is_measuring) n_done++;
    if (n_arrived[c->index] < wanted_frames)
        arrivals[(long)c->index * wanted_frames + n_arrived[c->index]++] = (i64)when;
}

static void pace(void) {
    stamps = 1;
    open_all();
    arrivals = grab((size_t)n_conns * (size_t)wanted_frames, sizeof *arrivals);
    n_arrived = grab((size_t)n_conns, sizeof *n_arrived);
    on_text = ticked;
    u64 start = now();
    for (int i = 0; i < n_conns; i++) {
        u64 due = start + (u64)(i * 1e9 / n_conns);
        while (now() < due) turn(due - now() > 2000000 ? 1 : 0);
        put_frame(&conns[i], &message);
    }
    measure();
    long short_of = 0;
    double step = spacing * 1e6, expected = (double)n_conns * span() * 1e9 / step;
    for (int i = 0; i < n_conns; i++) {
        i64 *a = arrivals + (long)i * wanted_frames, base = INT64_MAX;
        if (!n_arrived[i]) short_of++;
        for (int k = 0; k < n_arrived[i]; k++) {
            i64 relative = a[k] - (i64)(k * step);
            if (relative < base) base = relative;
        }
        for (int k = 0; k < n_arrived[i]; k++)
            if (a[k] >= (i64)began_measuring && a[k] < (i64)stop_at)
                note(&errors, (u64)(a[k] - (i64)(k * step) - base));
    }
    printf(
        "{\"p50_ms\":%.4f,\"p90_ms\":%.4f,\"p99_ms\":%.4f,\"p999_ms\":%.4f,\"max_ms\":%.3f,\"frames\":%llu,"
        "\"arrived\":%.4f,\"silent\":%ld,\"stamps\":\"%s\",\"us_per_message\":%.3f,"
        "\"user_us\":%.3f,\"system_us\":%.3f,\"busy\":%.3f}\n",
        quantile(&errors, .5) / 1e3, quantile(&errors, .9) / 1e3, quantile(&errors, .99) / 1e3,
        quantile(&errors, .999) / 1e3, (double)errors.max / 1e6, (unsigned long long)errors.count,
        (double)n_done / expected, short_of, stamps == 2 ? "kernel" : "client",
        each(cpu_after.all - cpu_before.all), each(cpu_after.user - cpu_before.user),
        each(cpu_after.system - cpu_before.system), (cpu_after.all - cpu_before.all) / span());
}

/* ---- replay ---- */
static u64 last_sequence, seen_at, history_bytes;
static u64 sequence_near_end(const uint8_t *text, size_t length) {
    static const char name[] = "\"sequence\":";
    size_t from = length > 4096 ? length - 4096 : 0;
    u64 value = 0;
    const uint8_t *p = text + from, *end = text + length;
    while ((p = memmem(p, (size_t)(end - p), name, sizeof name - 1))) {
        p += sizeof name - 1;
        if (*p >= '0' && *p <= '9') value = strtoull((const char *)p, NULL, 10);
    }
    return value;
}

static void filled(conn *c, const uint8_t *text, size_t length, u64 when) {
    (void)when;
    if (!counts(text, length)) return;
    last_sequence = sequence_near_end(text, length);
    if (last_sequence + 20 <= (u64)count) put_frame(c, &message);
    else awaited--;
}

static void replayed(conn *c, const uint8_t *text, size_t length, u64 when) {
    (void)c;
    history_bytes += length;
    if (sequence_near_end(text, length) >= last_sequence) seen_at = when;
}

static void replay(void) {
    u64 give_up = now() + 60000000000ull;
    is_one_session = 1;
    joins = 1;
    long entries = count;
    make_sessions(1);
    count = entries;
    open_all();
    on_text = filled;
    awaited = 20;
    for (int i = 0; i < awaited; i++) put_frame(&conns[0], &message);
    while (awaited && now() < give_up) turn(100);
    drop(&conns[0]);
    on_text = replayed;
    for (int i = 0; i < times; i++) {
        conn c = {.path = target(0, "&cursor=0")};
        history_bytes = seen_at = 0;
        dial(&c, OPEN);
        while (!seen_at) {
            turn(100);
            if (now() > give_up) die("the history has not come");
        }
        note(&latency, seen_at - c.began);
        note(&whole, seen_at - c.opened);
        drop(&c);
    }
    printf(
        "{\"entries\":%llu,\"bytes\":%llu,\"median_ms\":%.3f,\"min_ms\":%.3f,\"max_ms\":%.3f,"
        "\"after_101_ms\":%.3f,\"rss_kb\":%ld}\n", (unsigned long long)last_sequence,
        (unsigned long long)history_bytes, quantile(&latency, .5) / 1e3, quantile(&latency, 0) / 1e3,
        (double)latency.max / 1e6, quantile(&whole, .5) / 1e3, resident_kb(pid));
}

/* ---- memory ---- */
static void settle(double length) {
    u64 until = now() + (u64)(length * 1e9);
    while (now() < until) turn(50);
}

static void idle(long before) {
    long with_sessions = resident_kb(pid);
    open_all();
    settle(seconds);
    long after = resident_kb(pid);
    printf(
        "{\"connections\":%d,\"before_kb\":%ld,\"sessions_kb\":%ld,\"after_kb\":%ld,\"kb_each\":%.3f,"
        "\"kb_per_session\":%.3f}\n", n_conns, before, with_sessions, after, (double)(after - before) / n_conns,
        (double)(with_sessions - before) / n_conns);
}

/* ---- processes ---- */
extern char **environ;
static int spawn(u64 *born) {
    int pipes[2];
    char line[400];
    size_t n = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(pipes, O_CLOEXEC)) die("pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    *born = now();
    if (posix_spawn(&pid, command[0], &actions, NULL, command, environ)) die("cannot start %s", command[0]);
    close(pipes[1]);
    while (n < sizeof line - 1 && read(pipes[0], line + n, 1) == 1 && line[n] != '\n') n++;
    line[n] = 0;
    char *colon = strrchr(line, ':');
    port = colon ? atoi(colon + 1) : 0;
    if (!port) die("%s said \"%s\" and no port", command[0], line);
    address.sin_port = htons((uint16_t)port);
    posix_spawn_file_actions_destroy(&actions);
    return pipes[0];
}

static void finish(int output) {
    u64 give_up = now() + 5000000000ull;
    kill(pid, SIGTERM);
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        if (now() > give_up) kill(pid, SIGKILL);
        usleep(500);
    }
    close(output);
}

static void ask_once(conn *c, u64 when) {
    char text[300];
    (void)when;
    int n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    put(c, text, (size_t)n);
}

static void answered_once(conn *c, char *body, size_t length, u64 when) {
    (void)c;
    (void)body;
    (void)length;
    seen_at = when;
}

static void met(conn *c, const uint8_t *text, size_t length, u64 when) {
    if (c->waits++ == 0) put_frame(c, &join_message);
    if (memmem(text, length, greeting, strlen(greeting))) seen_at = when;
}

static void processes(int is_cold) {
    static histogram memory, private;
    for (long i = 0, wanted = count; i < wanted; i++) {
        u64 born;
        int output = spawn(&born);
        conn c = {.index = -1};
        seen_at = 0;
        n_pairs = 0;
        sessions = NULL;
        if (is_cold) {
            make_sessions(1);
            c.path = target(0, "");
            on_open = NULL;
            on_text = met;
            dial(&c, OPEN);
        } else {
            on_open = ask_once;
            on_answer = answered_once;
            dial(&c, HTTP);
        }
        while (!seen_at) {
            turn(100);
            if (now() > born + 20000000000ull) die("%s does not answer", command[0]);
        }
        note(&latency, seen_at - born);
        drop(&c);
        settle(0.03);
        note(&memory, (u64)resident_kb(pid) * 1000);
        note(&private, (u64)private_kb(pid) * 1000);
        finish(output);
    }
    printf(
        "{\"median_ms\":%.3f,\"min_ms\":%.3f,\"max_ms\":%.3f,\"rss_kb\":%.0f,\"private_kb\":%.0f}\n",
        quantile(&latency, .5) / 1e3, quantile(&latency, 0) / 1e3, (double)latency.max / 1e6, quantile(&memory, .5),
        quantile(&private, .5));
}

/* Numbers with commas between them. */
static int numbers(const char *text, int *into) {
    int n = 0;
    for (char *end; n < PLACES; text = end + 1) {
        into[n++] = (int)strtol(text, &end, 10);
        if (*end != ',') return n;
    }
    die("more than %d servers", PLACES);
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    const char *text = "{\"type\":\"EVENT_TYPE_USER_MESSAGE\",\"payload\":{\"text\":\"Is the pool open on Sunday?\"},"
        "\"metadata\":{\"custom\":{\"local_id\":\"7B0E2A52-6A0B-4D3E-9B1C-0C7A########\"}}}";
    int option;
    optind = 2;
    while ((option = getopt(argc, argv, "p:P:Q:c:s:u:n:t:x:d:w:a:i:k:g:m:C:1j")) != -1) switch (option) {
        case 'p': n_ports = numbers(optarg, ports); port = ports[0]; break;
        case 'P': n_pids = numbers(optarg, pids); pid = pids[0]; break;
        case 'Q': front = atoi(optarg); break;
        case 'c': n_conns = atoi(optarg); break;
        case 's': connector = optarg; break;
        case 'u': path = optarg; break;
        case 'n': count = atol(optarg); break;
        case 't': text = optarg; break;
        case 'x': needle = greeting = optarg; break;
        case 'd': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        case 'a': active = atoi(optarg); break;
        case 'i': in_flight = atoi(optarg); break;
        case 'k': times = atoi(optarg); break;
        case 'g': spacing = atof(optarg); break;
        case 'm': wanted_frames = atoi(optarg); break;
        case 'C': ramp = atoi(optarg); break;
        case '1': is_one_session = 1; break;
        case 'j': joins = 1; break;
        default: die("see the comment at the top of load.c");
        }
    command = argv + optind;
    net_begin();
    address.sin_port = htons((uint16_t)port);
    make_frame(&message, text);
    make_frame(&join_message, "{\"type\":\"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN\",\"payload\":{}}");
    long before = resident_kb(pid);
    if (!strcmp(mode, "start")) { processes(0); return 0; }
    if (!strcmp(mode, "cold")) { processes(1); return 0; }
    if (!strcmp(mode, "replay")) { replay(); return 0; }
    if (!strcmp(mode, "http")) { dial_callers(n_conns); measure(); print_rate(""); return 0; }
    if (connector) make_sessions(is_one_session ? 1 : count > n_conns ? count : n_conns);
    if (!strcmp(mode, "talk")) talk();
    else if (!strcmp(mode, "fan")) fan();
    else if (!strcmp(mode, "pace")) pace();
    else if (!strcmp(mode, "idle")) idle(before);
    else die("no mode is called \"%s\"", mode);
    return 0;
}

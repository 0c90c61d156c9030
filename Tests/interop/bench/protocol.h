/* The Messaging API as a client of it: access tokens, sessions, sockets with an agent on them. */
#ifndef PROTOCOL_H
#define PROTOCOL_H
#include "net.h"

typedef struct { char *token, *id; int place; } session;
static conn *conns, *callers;
static session *sessions;
static int n_conns = 1, n_callers, n_ready, n_dialled, n_pairs, joins, is_one_session, ramp = 128, is_measuring;
static long count;
static const char *connector, *path = "/";
static frame message, join_message;
static histogram latency;
static u64 n_done, stop_at;

/* ---- token and session ---- */
static void call(conn *c, const char *target, const char *fields, const char *body) {
    char text[2048];
    int n = snprintf(
        text, sizeof text,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\n\r\n%s", target, port, fields, strlen(body), body);
    if (n >= (int)sizeof text) die("a request is too long");
    put(c, text, (size_t)n);
}

static void call_for_token(conn *c, u64 when) {
    char fields[512];
    snprintf(fields, sizeof fields, "X-Token: %s\r\nX-Host: bench.example", connector);
    c->step = 0;
    c->began = when;
    call(c, "/api/v1/access-token", fields, "{}");
}

static void call_for_session(conn *c, const char *token, size_t length) {
    char fields[1024];
    snprintf(fields, sizeof fields, "Authorization: Bearer %.*s", (int)length, token);
    c->step = 1;
    call(c, "/api/v1/sessions", fields, "{\"streaming_enabled\":true,\"platform\":\"web\"}");
}

/* The string called `name`; sets its length. */
static char *text_of(char *body, size_t length, const char *name, size_t *size) {
    char *place = memmem(body, length, name, strlen(name));
    if (!place) die("no %s in %.*s", name, (int)length, body);
    char *limit = body + length;
    place = memchr(place + strlen(name), '"', (size_t)(limit - place) - strlen(name));
    char *end = place ? memchr(place + 1, '"', (size_t)(limit - place) - 1) : NULL;
    if (!end) die("no end of %s", name);
    place++;
    *size = (size_t)(end - place);
    return place;
}

static void answered(conn *c, char *body, size_t length, u64 when) {
    size_t size;
    if (c->step == 0) {
        char *token = text_of(body, length, "\"access_token\"", &size);
        if (c->index >= 0) {
            free(c->path);
            c->path = strndup(token, size);
        }
        call_for_session(c, token, size);
        return;
    }
    if (sessions) {
        if (n_pairs < count) {
            char *id = text_of(body, length, "\"session_id\"", &size);
            sessions[n_pairs] = (session){c->path, strndup(id, size), c->place};
            c->path = NULL;
        }
        if (++n_pairs + n_callers - 1 < count) call_for_token(c, when);
    } else {
        text_of(body, length, "\"session_id\"", &size);
        if (is_measuring) { note(&latency, when - c->began); n_done++; }
        if (when < stop_at) call_for_token(c, when);
    }
}

static void dial_callers(int n) {
    n_callers = n;
    callers = grab((size_t)n, sizeof *callers);
    on_answer = answered;
    on_open = call_for_token;
    for (int i = 0; i < n; i++) {
        callers[i].index = sessions ? i : -1;
        callers[i].place = n_ports ? i % n_ports : 0;
        dial(&callers[i], HTTP);
    }
}

static void make_sessions(long n) {
    u64 give_up = now() + 120000000000ull;
    sessions = grab((size_t)n, sizeof *sessions);
    count = n;
    dial_callers(n < 32 ? (int)n : 32);
    while (n_pairs < n) {
        turn(100);
        if (now() > give_up) die("only %d of %ld sessions", n_pairs, n);
    }
    for (int i = 0; i < n_callers; i++) drop(&callers[i]);
}

/* ---- opening ---- */
static char *target(int index, const char *more) {
    char *text = NULL;
    if (!sessions) return strdup(path);
    session s = sessions[is_one_session ? 0 : index];
    if (asprintf(&text, "/ws?access_token=%s&session_id=%s%s", s.token, s.id, more) < 0) die("out of memory");
    return text;
}

static void opened(conn *c, u64 when) {
    (void)c;
    (void)when;
    if (!sessions) n_ready++;
}

/* Until the agent is there, or without a join until the history is. */
static void greeted(conn *c, const uint8_t *text, size_t length, u64 when) {
    (void)when;
    if (!sessions || c->is_joined) return;
    if (!joins || (is_one_session && c->index)) {
        c->is_joined = 1;
        n_ready++;
    } else if (c->waits++ == 0) {
        put_frame(c, &join_message);
    } else if (memmem(text, length, "POLY_AGENT_JOINED", 17)) {
        c->is_joined = 1;
        n_ready++;
    }
}

static void open_all(void) {
    u64 give_up = now() + 120000000000ull;
    conns = grab((size_t)n_conns, sizeof *conns);
    on_open = opened;
    on_text = greeted;
    while (n_ready < n_conns) {
        while (n_dialled < n_conns && n_dialled - n_ready < ramp) {
            conns[n_dialled].index = n_dialled;
            conns[n_dialled].path = target(n_dialled, "");
            if (sessions) conns[n_dialled].place = sessions[is_one_session ? 0 : n_dialled].place;
            dial(&conns[n_dialled++], OPEN);
        }
        turn(100);
        if (now() > give_up) die("only %d of %d connections are ready", n_ready, n_conns);
    }
}
#endif

"""Tokens, sessions and handshakes of a hostile server."""

from .cases import case

HUGE = "1" + "0" * 40
TELLS = "tells"
ANSWERS = "answers"
EITHER = "either"


def same(*arguments, **fields):
    """A hook that always gives this answer."""
    return lambda server, connection, request: connection.answer(*arguments, **fields)


def raw(data, then="wait"):
    """A hook that writes these bytes, then waits or leaves."""
    def hook(server, connection, request):
        connection.write(data)
        if then == "wait":
            connection.wait()
        elif then == "reset":
            connection.reset()
    return hook


def endless(first, block, times=1 << 20):
    def hook(server, connection, request):
        connection.write(first)
        connection.flood(block, times)
    return hook


def slow_answer(server, connection, request):
    body = b'{"access_token":"aGVhZA.e30.c2ln","expires_in":3600}'
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body:
        connection.write(bytes([byte]))


def token_of(value, life=3600):
    return same(200, {"access_token": value, "expires_in": life})


def life_of(text):
    return same(200, b'{"access_token":"aGVhZA.e30.c2ln","expires_in":' + text + b"}")


def session_of(value):
    return same(200, {"session_id": value})


# Redirects: credentials go to the configured address or nowhere.
for status in (301, 302, 303, 307, 308):
    case(f"token: redirect {status}", TELLS, token=same(status, b"", "Location: http://elsewhere.invalid/x"))
case("token: redirect to itself", TELLS, token=same(302, b"", "Location: /api/v1/access-token"))
case("session: redirect", TELLS, session=same(307, b"", "Location: http://elsewhere.invalid/x"))

# Waits that nobody can want.
for value in (HUGE, "-1", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "1e999", "5, 5", "nan", ""):
    case(f"token: 429, Retry-After {value[:14] or 'empty'}", TELLS,
         token=same(429, b"{}", "Retry-After: " + value))
case("session: 503, Retry-After 10^40", TELLS, session=same(503, b"{}", "Retry-After: " + HUGE))

# Heads, bodies and interim responses without an end.
case("token: one endless header line", TELLS, token=endless(b"HTTP/1.1 200 OK\r\nX: ", b"a" * 65536))
case("token: endless header lines", TELLS, token=endless(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 8192))
case("token: endless status line", TELLS, token=endless(b"HTTP/1.1 200 ", b"k" * 65536))
case("token: endless body, Content-Length 10^18", TELLS,
     token=endless(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000000\r\n\r\n", b"x" * 65536))
case("token: endless chunks", TELLS,
     token=endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b"x" * 4096 + b"\r\n"))
case("token: endless trailers", TELLS,
     token=endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 8192))
case("token: endless body without a length", TELLS, token=endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536))
case("token: endless 100 Continue", TELLS,
     token=endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2048, 4096))
case("token: endless 103 Early Hints", TELLS,
     token=endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" * 1024, 4096))
case("token: byte by byte", ANSWERS, token=slow_answer)

# Not HTTP, or not quite.
case("token: another protocol", TELLS, token=raw(b"SSH-2.0-OpenSSH_9.9\r\n", "leave"))
case("token: HTTP/9.9 and a status of 999", TELLS, token=raw(b"HTTP/9.9 999 ?\r\n\r\n", "leave"))
case("token: nothing, then the end", TELLS, token=raw(b"", "leave"))
case("token: RST", TELLS, token=raw(b"HTTP/1.1 200 OK\r\n", "reset"))
case("token: silence", TELLS, token=raw(b""))
case("token: two lengths", TELLS,
     token=raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\n{}", "leave"))
case("token: a length below nothing", TELLS, token=raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "leave"))
case("token: a chunk of 2^64 bytes", TELLS,
     token=raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nx"))
case("token: 204 without a body", TELLS, token=same(204, b""))

# Tokens and ids.
case("token: no JSON", TELLS, token=same(200, b"<html>"))
case("token: an array", TELLS, token=same(200, b"[1]"))
case("token: 100,000 levels of JSON", TELLS, token=same(200, b"[" * 100_000))
for name, value in (("null", None), ("a number", 5), ("empty", "")):
    case(f"token: {name}", TELLS, token=token_of(value))
for name, value in (("CRLF", "a\r\nX-Evil: 1"), ("NUL", "a\0b"), ("blanks", "a b\tc"), ("900 KB", "a" * 900_000)):
    case(f"token: with {name}", EITHER, token=token_of(value), check="no injection")
for name, value in (("CRLF", "a\r\nX-Evil: 1"), ("NUL", "a\0b"), ("&cursor=9", "a&cursor=9"), ("#", "a#b"),
                    ("900 KB", "a" * 900_000)):
    case(f"session: id with {name}", EITHER, session=session_of(value), check="no injection")
case("session: id is a number", TELLS, session=session_of(5))
case("session: 401", TELLS, says="(?i)token", session=same(401, b'{"error":"no"}'))
case("session: 500 four times", TELLS, session=same(500, b"{}"))

# Lives of tokens. One that was just received is used, whatever it says.
for name, text in (("0", b"0"), ("-1", b"-1"), ("-10^40", b"-" + HUGE.encode()), ("10^40", HUGE.encode()),
                   ("0.5", b"0.5"), ("text", b'"3600"'), ("null", b"null"), ("2^63", b"9223372036854775808")):
    case(f"token: expires_in {name}", ANSWERS, token=life_of(text), check="one session")


def leave_at_once(server, connection):
    connection.start()
    connection.sock.close()


case("token: expires_in 0, each connection breaks", TELLS, token=life_of(b"0"), talk=leave_at_once,
     timeout=8, check="few sessions", says="(?i)connect|delivered")

# Handshakes.
ADDRESS = "(?i)websocket|protocol|understood"
for status in (200, 204, 302):
    case(f"upgrade: {status}", TELLS, upgrade=same(status, b"", "Location: /"), says=ADDRESS, check="one session")
for status in (401, 403):
    case(f"upgrade: {status}", TELLS, upgrade=same(status, b"{}"), says=str(status), check="two sessions")
for status in (400, 404, 426):
    case(f"upgrade: {status}", TELLS, upgrade=same(status, b"{}"), check="four sessions", timeout=8)
for status in (429, 500, 503):
    case(f"upgrade: {status}", TELLS, upgrade=same(status, b"{}", "Retry-After: " + HUGE), check="one session")


def handshake(*fields, **changes):
    def hook(server, connection, request):
        connection.accept(request, *fields, **changes)
        connection.wait()
    return hook


for name, hook in (
        ("another key", handshake(key="AAAAAAAAAAAAAAAAAAAAAAAAAAA=")), ("no key", handshake(key="")),
        ("no Upgrade", handshake(upgrade=False)),
        ("an extension nobody offered", handshake("Sec-WebSocket-Extensions: permessage-deflate")),
        ("a subprotocol nobody offered", handshake("Sec-WebSocket-Protocol: chat"))):
    case(f"upgrade: 101 with {name}", TELLS, upgrade=hook, says=ADDRESS, check="one session")
case("upgrade: an endless head", TELLS,
     upgrade=endless(b"HTTP/1.1 101 Switching Protocols\r\nX: ", b"a" * 65536), says=ADDRESS, check="one session")
case("upgrade: the end", TELLS, upgrade=raw(b"", "leave"))
case("upgrade: silence", TELLS, upgrade=raw(b""))

"""HTTP by hand, so that every byte of an answer and the instant it came are at hand."""

import json
import socket
import time
import urllib.parse


class Answer:
    """A status, headers in lower case, and the body: whole, and piece by piece with the instants they came."""

    def __init__(self, status, headers):
        self.status, self.headers = status, headers
        self.pieces, self.ended, self.is_whole = [], None, False

    @property
    def body(self):
        return b"".join(piece for _, piece in self.pieces)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        """The JSON text of each event, as it stands behind `data: `; comments left out."""
        frames = [frame for frame in self.body.decode().split("\n\n") if frame and not frame.startswith(":")]
        strange = [frame for frame in frames if not frame.startswith("data: ") or "\n" in frame]
        assert not strange, f"this is no frame of one data line: {strange[0]!r}"
        return [frame.removeprefix("data: ") for frame in frames]

    @property
    def events(self):
        return [json.loads(line) for line in self.lines]

    @property
    def types(self):
        return [each["type"] for each in self.events]

    def text(self):
        return "".join(each["delta"] for each in self.events if each["type"] in ("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK"))


class Connection:
    """One connection that stays open as long as the server allows."""

    def __init__(self, base, timeout=20):
        address = urllib.parse.urlsplit(base)
        self.host = f"{address.hostname}:{address.port}"
        self.socket = socket.create_connection((address.hostname, address.port), timeout)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, method, path, headers=None, body=b"", pieces=None, waits=False):
        """The whole request; `pieces` cuts the body into packets of so many bytes, `waits` asks for 100 before it."""
        known = {"Host": self.host} | ({"Content-Length": str(len(body))} if method != "GET" else {}) | (headers or {})
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in known.items() if value is not None) + "\r\n"
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(head.encode())
        if waits:
            interim = self._head()
            assert interim[0].split()[1] == "100", f"instead of 100 came {interim[0]}"
        step = pieces or max(len(body), 1)
        for start in range(0, len(body), step):
            self.socket.sendall(body[start:start + step])

    def receive(self, answer=None, until=None):
        """The answer; `until` is asked after each piece of the body, and true stops reading there, to go on later."""
        if answer is None:
            first, *fields = self._head()
            answer = Answer(int(first.split()[1]), {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in fields})
        for piece in self._body(answer):
            answer.pieces.append((time.monotonic(), piece))
            if until and until(answer):
                return answer
        answer.ended, answer.is_whole = time.monotonic(), True
        return answer

    def _more(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise ConnectionError("the server closed the connection")
        self.rest += got

    def _head(self):
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        return head.decode("latin-1").split("\r\n")

    def _line(self):
        while b"\r\n" not in self.rest:
            self._more()
        line, _, self.rest = self.rest.partition(b"\r\n")
        return line

    def _exactly(self, count):
        while len(self.rest) < count:
            self._more()
        got, self.rest = self.rest[:count], self.rest[count:]
        return got

    def _body(self, answer):
        if answer.headers.get("transfer-encoding", "").lower() == "chunked":
            while size := int(self._line().partition(b";")[0], 16):
                try:
                    whole = self._exactly(size)
                except ConnectionError:
                    # What came of it is worth seeing.
                    yield self.rest
                    raise
                # Before the piece is given: a reader that stops there may go on.
                self._line()
                yield whole
            self._line()
        elif "content-length" in answer.headers:
            yield self._exactly(int(answer.headers["content-length"]))
        elif answer.status not in (204, 304):
            while True:
                if self.rest:
                    got, self.rest = self.rest, b""
                    yield got
                try:
                    self._more()
                except ConnectionError:
                    return


def ask(base, method, path, headers=None, body=b"", **options):
    """One request on a connection of its own."""
    with Connection(base, options.pop("timeout", 20)) as connection:
        connection.send(method, path, headers, body, **options)
        return connection.receive()

"""Follows the feed of a polymock as the inspector does, and throws away what comes.

    follower.py PORT COUNT

Prints "ready" once all COUNT feeds are open; ends when its standard input does, or a feed closes.
"""

import os
import select
import socket
import sys

TARGET = "/_mock/feed?also=sessions,faults,clock,fixtures,unmatched,violations,intercepted&rate=2000&text=4096"


def feed(port):
    line = socket.create_connection(("127.0.0.1", port), 10)
    line.sendall(
        f"GET {TARGET} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        got = line.recv(4096)
        if not got:
            break
        head += got
    if not head.startswith(b"HTTP/1.1 101"):
        sys.exit(f"the feed was refused: {head[:200]!r}")
    return line


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    lines = [feed(port) for _ in range(count)]
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([0, *lines], [], [])
        for line in ready:
            got = os.read(0, 100) if line == 0 else line.recv(1 << 20)
            if not got:
                return


main()

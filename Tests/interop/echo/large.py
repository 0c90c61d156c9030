"""Large messages and very many fragments, there and back: what the public suites call "limits".

    large.py ws://127.0.0.1:PORT/_mock/echo

The server must have been started with `limits: { messageBytes: 16777216, writeBufferBytes: 67108864 }`. One line per
case; the exit status is 0 when every message came back as it was.
"""

import base64
import os
import socket
import struct
import sys

TEXT, BINARY, CONTINUATION = 1, 2, 0
MIB = 1 << 20
CASES = [
    (f"{size // MIB} MiB, {'text' if opcode == TEXT else 'binary'}, "
     + ("one frame" if piece is None else f"{size // piece} fragments"), opcode, size, piece)
    for opcode in (TEXT, BINARY)
    for size, piece in ((MIB, None), (4 * MIB, None), (16 * MIB, None), (4 * MIB, 64), (4 * MIB, 4096), (16 * MIB, 64))
]


def connect(url):
    host, path = url.removeprefix("ws://").split("/", 1)
    name, port = host.rsplit(":", 1)
    line = socket.create_connection((name, int(port)), timeout=120)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        (f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    reader = line.makefile("rb", buffering=MIB)
    status = reader.readline()
    while reader.readline().strip():
        pass
    if b" 101 " not in status:
        raise SystemExit(f"FAIL no WebSocket: {status!r}")
    return line, reader


def frame(opcode, data, is_last):
    size = len(data)
    first = (0x80 if is_last else 0) | opcode
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 0xFE, size)
    else:
        head = struct.pack("!BBQ", first, 0xFF, size)
    # A mask of zeros is one like others (RFC 6455 §5.3), and costs nothing here.
    return head + b"\0\0\0\0" + data


def message(reader):
    """The opcode and payload of the next message; None when the connection ends."""
    opcode, data = None, []
    while True:
        head = reader.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 0x7F
        if size == 126:
            size = struct.unpack("!H", reader.read(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", reader.read(8))[0]
        part = reader.read(size)
        if head[0] & 0x0F == 8:
            return 8, part
        opcode = head[0] & 0x0F or opcode
        data.append(part)
        if head[0] & 0x80:
            return opcode, b"".join(data)


def main():
    failed = False
    for name, opcode, size, piece in CASES:
        payload = (b"0123456789abcdef" * (size // 16))[:size]
        line, reader = connect(sys.argv[1])
        if piece is None:
            line.sendall(frame(opcode, payload, True))
        else:
            frames = []
            for start in range(0, size, piece):
                part = payload[start:start + piece]
                frames.append(frame(opcode if start == 0 else CONTINUATION, part, start + piece >= size))
            line.sendall(b"".join(frames))
        found = message(reader)
        line.close()
        is_same = found == (opcode, payload)
        failed = failed or not is_same
        told = "closed without a word" if found is None else f"opcode {found[0]}, {len(found[1])} bytes"
        print(f"ok {name}" if is_same else f"FAIL {name}: {told}", flush=True)
    sys.exit(1 if failed else 0)


main()

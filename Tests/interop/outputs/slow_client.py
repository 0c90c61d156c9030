"""A WebSocket client that only waits for its end."""

import base64
import http.client
import json
import os
import socket
import struct


def connect(base):
    """A session's open WebSocket; its first frames are still to be read."""
    place = base.removeprefix("http://")

    def post(path, headers):
        connection = http.client.HTTPConnection(place, timeout=20)
        connection.request("POST", path, "{}", headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    bearer = post("/api/v1/access-token", {"X-Token": "demo", "X-Host": "localhost"})["access_token"]
    session = post("/api/v1/sessions", {"Authorization": f"Bearer {bearer}"})["session_id"]
    host, port = place.rsplit(":", 1)
    line = socket.create_connection((host, int(port)), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        (f"GET /ws?access_token={bearer}&session_id={session} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\n"
         f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    reader = line.makefile("rb")
    while reader.readline().strip():
        pass
    return line, reader


def close_frame(client):
    """The code of the Close frame; None when the connection ends without one."""
    line, reader = client
    while True:
        head = reader.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 0x7F
        if size == 126:
            size = struct.unpack("!H", reader.read(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", reader.read(8))[0]
        data = reader.read(size)
        if head[0] & 0x0F == 8:
            line.close()
            return struct.unpack("!H", data[:2])[0]

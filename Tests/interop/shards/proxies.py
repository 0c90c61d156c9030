"""The two configurations as an operator would copy them, with other ports and files put in."""

import pathlib
import socket

HERE = pathlib.Path(__file__).resolve().parent
SHARD_PORTS = (8787, 8788, 8789, 8790)
PLAIN, SECURE, CERTIFICATE = 8080, 8443, "/etc/polymock/proxy.pem"


def free_ports(count):
    """Free a moment ago, each another one."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def replaced(text, changes):
    """Fails where something is not there to be replaced: the configuration has changed and this has not."""
    for old, new in changes:
        if old not in text:
            raise ValueError(f"the configuration has no {old!r}")
        text = text.replace(old, new)
    return text


def shard_changes(shards):
    # By way of a word, since a port of ours may be one of those that are still to be replaced.
    return [(f"127.0.0.1:{port}", f"127.0.0.1:<{port}>") for port in SHARD_PORTS] + [
        (f"<{port}>", str(new)) for port, new in zip(SHARD_PORTS, shards)]


def nginx(folder, shards, plain, secure=None, certificate=None, workers=1):
    """The path of nginx.conf; without TLS where there is no port for it."""
    text = (HERE / "nginx.conf").read_text()
    if secure is None:
        text = "".join(line for line in text.splitlines(True) if "ssl" not in line)
    else:
        text = replaced(text, [(f"listen {SECURE}", f"listen 127.0.0.1:{secure}"), (CERTIFICATE, str(certificate))])
    kept = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    text = replaced(text, [
        (f"listen {PLAIN}", f"listen 127.0.0.1:{plain}"), *shard_changes(shards),
        ("worker_processes auto", f"worker_processes {workers}"),
        ("http {\n", f"http {{\n    access_log off;\n{kept}"),
    ])
    path = folder / "nginx.conf"
    path.write_text(f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\n{text}")
    return path


def haproxy(folder, shards, plain, secure, certificate):
    """The path of haproxy.cfg."""
    text = replaced((HERE / "haproxy.cfg").read_text(), [
        (f"bind :{PLAIN}", f"bind 127.0.0.1:{plain}"), (f"bind :{SECURE}", f"bind 127.0.0.1:{secure}"),
        # It does not start where it may not open as many files; a user of a machine may have 10,000.
        (CERTIFICATE, str(certificate)), ("maxconn 32000", "maxconn 4000"), *shard_changes(shards)])
    path = folder / "haproxy.cfg"
    path.write_text(text)
    return path

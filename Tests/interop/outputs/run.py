"""What a built polymock does when its output, its files or its terminal are taken away.

    run.py BINARY

Each check prints `ok NAME` or `FAIL NAME: why`; the exit status is 0 when none failed.
"""

import http.client
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

BINARY = os.path.realpath(sys.argv[1])
BOOKING = str(pathlib.Path(__file__).resolve().parents[3] / "fixtures/booking.json5")
FULL = "/dev/full"
failures = []


def check(name, problem):
    print(f"ok {name}" if not problem else f"FAIL {name}: {problem}", flush=True)
    if problem:
        failures.append(name)


def run(words, **options):
    return subprocess.run([BINARY, *words], timeout=60, stdin=subprocess.DEVNULL, **options)


class Server:
    """A server whose announcement was read."""

    def __init__(self, *flags, **options):
        self.process = subprocess.Popen(
            [BINARY, "--port", "0", *flags], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=scratch,
            **{"stderr": subprocess.DEVNULL, **options})
        line = self.process.stdout.readline().decode()
        self.base = "http://" + line.split("http://")[1].split('"')[0].strip()

    def ask(self, path="/_mock/health", method="GET", headers=None, body=None):
        connection = http.client.HTTPConnection(self.base.removeprefix("http://"), timeout=20)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def verbs(server):
    """Every verb that writes to standard output, with what it needs."""
    at = ["--url", server.base]
    yield from (
        ("help", ["--help"]), ("version", ["--version"]), ("help of a verb", ["help", "wire"]), ("list", ["list"]),
        ("check", ["check", "--coverage", BOOKING]), ("try", ["try", "booking", "a table"]),
        ("export", ["export", *at]), ("export har", ["export", "--format", "har", *at]),
        ("sessions", ["sessions", *at]), ("session", ["session", "last", *at]), ("wire", ["wire", *at]),
        ("journal", ["journal", "last", *at]),
        ("metrics", ["metrics", *at]), ("timers", ["timers", *at]), ("violations", ["violations", *at]),
        ("health", ["health", *at]), ("clock", ["clock", *at]), ("fixtures", ["fixtures", *at]),
        ("sessions as JSON", ["sessions", "--json", *at]),
        ("chat", ["chat", "--json", "--say", "hello", "--url", server.base]),
    )


def full_disk():
    server = Server()
    # Something to tell about.
    run(["chat", "--say", "hello", "--url", server.base], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for name, words in verbs(server):
        with open(FULL, "w") as full:
            done = run(words, stdout=full, stderr=subprocess.PIPE, cwd=scratch)
        told = done.stderr.decode()
        problem = None
        if done.returncode != 1:
            problem = f"exit code {done.returncode}, standard error {told!r}"
        elif "No space left on device" not in told:
            problem = f"standard error says {told!r}"
        check(f"full disk, {name}", problem)
    check("full disk, the server lives", None if server.ask()[0] == 200 else "no answer")
    server.stop()


def closed_outputs():
    for style in ("text", "json"):
        read, write = os.pipe()
        options = {} if style == "json" else {"stderr": write}
        server = Server("--log", style, **options)
        os.close(write)
        os.close(read)
        if style == "json":
            server.process.stdout.close()
        problem = None
        for number in range(50):
            if server.ask(f"/stray-{number}")[0] != 404:
                problem = f"request {number} was not answered"
                break
        code = server.stop()
        check(f"closed {style} log, requests are answered", problem)
        check(f"closed {style} log, the server ends in good order", None if code == 0 else f"exit code {code}")
    # A stream that was closed before the start: its number must not become another file's.
    shell = subprocess.Popen(
        ["sh", "-c", f'exec "{BINARY}" --port 0 --log text 2>&-'], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
        cwd=scratch)
    base = shell.stdout.readline().decode().split("http://")[1].strip()
    connection = http.client.HTTPConnection(base, timeout=20)
    connection.request("GET", "/nothing")
    status = connection.getresponse().status
    shell.terminate()
    code = shell.wait(20)
    check("standard error closed at the start", None if (status, code) == (404, 0) else f"{status}, exit code {code}")
    done = subprocess.run(
        ["sh", "-c", f'"{BINARY}" list >&-'], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=scratch, timeout=60)
    check("standard output closed at the start", None if done.returncode == 1 else f"exit code {done.returncode}")


def few_descriptors():
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))

    process = subprocess.Popen(
        [BINARY, "--port", "0"], preexec_fn=limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, cwd=scratch)
    try:
        out, told = process.communicate(timeout=20)
        problem = None
        if process.returncode == 0 or b"ulimit -n" not in told:
            problem = f"exit code {process.returncode}, {out!r}, {told!r}"
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        problem = "it goes on"
    check("eight descriptors, a sentence and the end", problem)


def hang_up():
    import slow_client

    # These checks may themselves run under nohup, which children inherit.
    server = Server(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    client = slow_client.connect(server.base)
    server.process.send_signal(signal.SIGHUP)
    frame = slow_client.close_frame(client)
    code = server.process.wait(20)
    check("SIGHUP, a close frame", None if frame == 1001 else f"closed with {frame}")
    check("SIGHUP, the end in good order", None if code == 0 else f"exit code {code}")
    nohup = subprocess.Popen(
        ["sh", "-c", f'trap "" HUP; exec "{BINARY}" --port 0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, cwd=scratch)
    nohup.stdout.readline()
    nohup.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    check("SIGHUP under nohup is ignored", None if nohup.poll() is None else f"exit code {nohup.returncode}")
    nohup.terminate()
    nohup.wait(20)


def secrets():
    token = pathlib.Path(scratch) / "token"
    token.write_text("s3cret\n")
    server = Server("--control-token", str(token))
    status, data = server.ask()
    told = b"seed" not in data and status == 200
    check("health without the token tells no seed", None if told else f"{status} {data!r}")
    _, data = server.ask(headers={"X-Mock-Token": "s3cret"})
    check("health with the token tells it", None if b"seed" in data else f"{data!r}")
    server.stop()
    for word in ("tok.missing", "./nothing", "a/b", scratch, "/dev/null", "/dev/zero", "~token"):
        done = run(
            ["--port", "0", "--control-token", word], stderr=subprocess.PIPE, stdout=subprocess.PIPE, cwd=scratch)
        told = done.stderr.decode().strip()
        is_refused = done.returncode == 2 and told.count("\n") == 0 and "token" in told
        problem = None if is_refused else f"{done.returncode} {told!r}"
        check(f"--control-token {word} is refused", problem)
    server = Server("--control-token", "plain-word")
    words = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
    check("the token is not among the words of the process", None if b"plain-word" not in words else f"{words!r}")
    server.stop()


def network():
    with tempfile.TemporaryFile() as log:
        server = Server("--host", "0.0.0.0", stderr=log)
        server.ask()
        server.stop()
        log.seek(0)
        lines = [line for line in log.read().decode().splitlines() if line.startswith("warning")]
    check("an open control API is told at the start", None if len(lines) == 1 else f"{lines}")
    for flags in (("--no-control",), ("--control-token", "word")):
        with tempfile.TemporaryFile() as log:
            server = Server("--host", "0.0.0.0", *flags, stderr=log)
            server.stop()
            log.seek(0)
            text = log.read().decode()
        check(f"no warning with {flags[0]}", None if "warning" not in text else text)
    try:
        server = Server("--host", "[::1]")
    except IndexError:
        check("--host [::1]: skipped, this machine has no IPv6", None)
        return
    problem = None if server.base.startswith("http://[::1]:") and server.ask()[0] == 200 else server.base
    server.stop()
    check("--host [::1]", problem)


def abandoned():
    """One of several processes of a load, whose starter was killed: nobody reads what it would tell."""
    server = Server()
    copy = subprocess.Popen(
        [BINARY, "load", server.base, "--say", "hello", "--echo-only", "--sessions", "2", "--processes", "2",
         "--rate", "1", "--duration", "60s"], env={**os.environ, "POLYMOCK_LOAD_PROCESS": "0"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=scratch)
    limit = time.monotonic() + 20
    while b'"id"' not in server.ask("/_mock/sessions")[1] and time.monotonic() < limit:
        time.sleep(0.05)
    is_running = copy.poll() is None
    copy.stdout.close()
    try:
        code = copy.wait(20)
    except subprocess.TimeoutExpired:
        copy.kill()
        copy.wait()
        code = None
    server.stop()
    problem = None if is_running and code == 1 else f"was running: {is_running}, exit code {code}"
    check("a process of a load ends with the one that reads it", problem)


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    with tempfile.TemporaryDirectory() as scratch:
        if os.path.exists(FULL):
            full_disk()
        else:
            print("full disk: skipped, this system has no /dev/full")
        closed_outputs()
        few_descriptors()
        hang_up()
        abandoned()
        secrets()
        network()
    sys.exit(1 if failures else 0)

"""Executes what the pages and the help texts tell people to type: commands.py BINARY REPOSITORY PAGE...

- every command in a block of sh: commands of a running server get one, those that serve get a free port and are stopped;
- the steps of a block of yaml, one after the other in one folder, with `polymock` in PATH;
- the example of `polymock help` and of each verb's help, and every filter such a text shows;
- command lines that cannot be followed: one sentence, exit code 2.

A command that is none of these fails: nothing is skipped. What builds the package itself is the pipeline's own step, and
is printed as such.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request

binary, repository, pages = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3:]
failed = 0

# The pipeline builds and tests before it runs this script; building again would take minutes.
BUILDING = re.compile(r"^(swift (build|test)\b|cp \"\$\(swift build|bash \.ci/|cd polymock && bash \.ci/static)")
# Any command line of these is misuse.
MISUSE = [
    "dance", "--prot 1", "--port", "--port http", "--seed -1", "--log xml", "serve 8787", "chekc", "check --strcit",
    "try booking", "simulate", "simulate booking --users many", "sweep --cut x", "replay", "load --sessions none",
    "journal", "end last --reason bored", "push last Hello", "agent a b", "fault add", "fault ad x",
    "clock advance 10", "clock fly", "wire --filtr x", "wire type:CHUNK", "wire --last 0", "wait", "wait x --timeout soon",
    "unmatched x", "export har", "export --format csv", "import", "fixtures try booking", "metrics x", "reset all",
    "health --url ftp://x", "help dance",
]


def report(name, code, text):
    global failed
    print(f"ok {name}" if code == 0 else f"FAIL {name}: exit code {code}: {text[-300:]}")
    failed += code != 0


def blocks(page, language):
    """The lines of each block, without their common indentation."""
    block = None
    for line in open(page):
        words = line.strip()
        if words.startswith("```"):
            if block is not None:
                yield block
            block = [] if words == "```" + language else None
        elif block is not None and words:
            block.append(line.rstrip())


def commands(page):
    """A command goes on in the next line while a quote is open."""
    for block in blocks(page, "sh"):
        command = ""
        for line in block:
            command = (command + "\n" + re.sub(r"\s{2,}#.*$", "", line.strip())).strip()
            try:
                shlex.split(command)
            except ValueError:
                continue
            yield command
            command = ""
        if command:
            sys.exit(f"FAIL {page}: a quote stays open: {command}")


def serve(arguments, folder):
    process = subprocess.Popen([binary, *arguments, "--port", "0"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    return process, process.stdout.readline().split()[-1]


def execute(command, folder, base):
    """The exit code, and what was printed."""
    if BUILDING.match(command):
        return 0, "the pipeline's own step"
    words = shlex.split(command)
    if words[:2] == ["swift", "run"]:
        words = words[2:]
    if words[0] == "curl" and any("/ag-ui/" in word for word in words):
        code, text = run(["bash", "-c", re.sub(r"http://127\.0\.0\.1:\d+", base, command)], folder, {})
        # A run that fails is an answer with status 200.
        return code or '"RUN_FINISHED"' not in text or '"RUN_ERROR"' in text, text
    if words[0] in ("cp", "curl"):
        return run(["bash", "-c", re.sub(r"http://127\.0\.0\.1:\d+", base, command)], folder, {})
    if words[0] == "polymock" and ">" in words:
        return run(["bash", "-c", shlex.quote(binary) + command.split("polymock", 1)[1]], folder, {})
    if words[0] != "polymock":
        return 1, "no command of these pages"
    arguments = words[1:]
    if not arguments or arguments[0] in ("serve",) or arguments[0].startswith("-") and arguments[0] not in (
            "--help", "-h", "--version"):
        process, _ = serve(arguments, folder)
        process.send_signal(signal.SIGTERM)
        return process.wait(60), "served"
    if "--follow" in arguments:
        process = subprocess.Popen([binary, *arguments], cwd=folder, env=dict(os.environ, POLYMOCK_URL=base),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return process.wait(2) or 1, "it ended by itself"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return 0, "it follows"
    if arguments[0] == "change":
        begin_changes(base, folder)
    code, text = run([binary, *arguments], folder, {"POLYMOCK_URL": base},
                     "/join Marta\nGood evening.\n/leave\n" if arguments[0] == "takeover" else "")
    # An unmatched message is an answer, too; its exit code says so.
    return (0, text) if arguments[0] == "try" and code == 1 and text else (code, text)


def run(words, folder, environment, text=""):
    done = subprocess.run(words, cwd=folder, env=dict(os.environ, **environment), input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
    return done.returncode, done.stdout


def talk(base, folder):
    """A session with a message in it, so that commands find something."""
    code, text = run([binary, "chat", "--url", base, "--token", "mock:booking@pace=instant", "--new", "--no-stream",
                      "--say", "a table, please", "--no-progress", "--timeout", "120"], folder, {})
    if code != 0:
        sys.exit(f"FAIL a talk before the commands: exit code {code}: {text[-300:]}")


def begin_changes(base, folder):
    """A session whose client asked for changes, with a message of the agent."""
    def post(path, body, **headers):
        request = urllib.request.Request(f"{base}/api/v1/{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    token = post("access-token", {}, **{"X-Token": "mock:booking", "X-Host": "pages"})["access_token"]
    post("sessions", {"platform": "web", "extensions": ["changes"]}, Authorization=f"Bearer {token}")
    run([binary, "push", "last", "--as", "agent", "At seven."], folder, {"POLYMOCK_URL": base})


def ask_agent(base, agent, text, thread):
    """What an agent's run tells, as event-stream text."""
    question = {"threadId": thread, "runId": "r-1", "state": {}, "tools": [], "context": [], "forwardedProps": {},
                "messages": [{"id": "m-1", "role": "user", "content": text}]}
    request = urllib.request.Request(base + "/ag-ui/" + agent, json.dumps(question).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


# MARK: - Steps of a job


def steps(page):
    """The commands behind `run:` in each block of yaml."""
    for block in blocks(page, "yaml"):
        commands = [line.split("run: ", 1)[1] for line in block if re.match(r"\s*(- )?run: ", line)]
        if commands:
            yield commands


def check_products(page):
    """The products that a block of yaml names, for XcodeGen, are those of the package."""
    with open(os.path.join(repository, "Package.swift")) as manifest:
        products = set(re.findall(r'\.library\(name: "(\w+)"', manifest.read()))
    named = {name for block in blocks(page, "yaml") for line in block for name in re.findall(r"product: (\w+)", line)}
    if named:
        report(f"{os.path.relpath(page, repository)}: products", 0 if named <= products else 1, f"{named - products}")


def execute_job(page, commands, folder):
    """One shell per step and one folder for all, as a runner does it; 8787 is a free port."""
    job = os.path.join(folder, "job")
    path = os.path.join(folder, "bin")
    os.makedirs(path, exist_ok=True)
    os.makedirs(job)
    os.symlink(binary, os.path.join(path, "polymock"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with open(os.path.join(job, "run-your-tests.sh"), "w") as script:
        script.write("#!/bin/sh\nexec polymock chat --token mock:booking@pace=instant --new --say 'a table, please'"
                     " --expect '(?i)how many' --no-progress --timeout 120\n")
    os.chmod(script.name, 0o755)
    environment = {"PATH": path + ":" + os.environ["PATH"], "POLYMOCK_URL": "http://127.0.0.1:" + port}
    for command in commands:
        code, text = 0, "the pipeline's own step"
        if not BUILDING.match(command):
            line = command.replace("8787", port).replace("polymock --seed", f"polymock --port {port} --seed")
            # Into a file: a server that stays behind would keep a pipe open.
            with open(os.path.join(folder, "step.log"), "w+") as log:
                code = subprocess.run(["bash", "-e", "-c", line], cwd=job, env=dict(os.environ, **environment),
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=240).returncode
                log.seek(0)
                text = log.read()
        report(f"{os.path.relpath(page, repository)}: {command}", code, text)
    report(f"{os.path.relpath(page, repository)}: wire.har is there",
           0 if os.path.getsize(os.path.join(job, "wire.har")) > 1_000 else 1, "it is empty")


# MARK: - Help


def check_help(folder, base):
    _, general = run([binary, "--help"], folder, {})
    verbs = [line.split()[0] for line in general.splitlines() if re.match(r"  [a-z]+ {2,}\S", line)]
    verbs = [verb for verb in verbs if verb not in ("help", "version")]  # they have no text of their own
    examples = 0
    for verb in verbs + ["filters"]:
        code, text = run([binary, "help", verb], folder, {})
        found = re.findall(r"^(?:EXAMPLES?:| {9}) (polymock .*?)(?: {3,}.*)?$", text, re.MULTILINE)
        if code or not found:
            report(f"help {verb} has an example", 1, text)
            continue
        examples += 1
        for example in found:
            command = example
            if verb == "runs":
                # Each question has an id of its own.
                asked = ask_agent(base, "refunds", "refund order 19", "help")
                command = example.replace("ask_1", re.search(r"\bask_[0-9a-f]+", asked).group())
            elif " last" in example or verb == "wait":
                talk(base, folder)
            elif verb == "compare":
                talk(base, folder)
                run([binary, "export", "last", "--format", "har", "-o", "capture.har"], folder, {"POLYMOCK_URL": base})
            elif verb == "record":
                with open(os.path.join(folder, "capture.jsonl"), "w") as capture:
                    capture.write(ask_agent(base, "01-text-only", "Hello", "capture"))
            report(f"help {verb}: {example}", *execute(command, folder, base))
        for filter in re.findall(r"--filter <filter>.*such as \"([^\"]+)\"", text):
            code, rows = run([binary, "wire", "--url", base, "--filter", filter], folder, {})
            report(f"help {verb}: the filter {filter} takes rows", code or "no row" in rows, rows)
    report(f"help: the examples of {examples} texts were run", 0 if examples >= 28 else 1, str(verbs))


def check_misuse(folder, base):
    for line in MISUSE:
        done = subprocess.run([binary, *shlex.split(line)], cwd=folder, env=dict(os.environ, POLYMOCK_URL=base),
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        words = done.stderr.strip()
        good = done.returncode == 2 and not done.stdout and words.startswith("polymock: ") and "\n" not in words
        report(f"misuse: polymock {line}", 0 if good else 1, f"{done.returncode} {done.stdout} {words}")


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(os.path.join(repository, "fixtures"), os.path.join(folder, "fixtures"))
    server, base = serve([], folder)
    try:
        for page in pages:
            # What a page before it added fires none of this one's.
            run([binary, "reset"], folder, {"POLYMOCK_URL": base})
            talk(base, folder)
            for command in commands(page):
                report(f"{os.path.relpath(page, repository)}: {command}", *execute(command, folder, base))
            check_products(page)
            for job in steps(page):
                execute_job(page, job, folder)
        talk(base, folder)
        check_help(folder, base)
        check_misuse(folder, base)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
sys.exit(1 if failed else 0)

"""Executes every command in a block of sh on the given pages: commands.py BINARY REPOSITORY PAGE...

Commands of a running server get one; those that serve get a free port and are stopped; `swift test` is what runs this
script's own pipeline. A command that is none of these fails: nothing is skipped.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

binary, repository, pages = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:]
OFFLINE = {"check", "list", "try", "walk", "sweep", "replay", "help", "version"}
failed = 0


def commands(page):
    inside = False
    for line in open(page):
        words = line.strip()
        if words.startswith("```"):
            inside = words == "```sh"
        elif inside and words:
            yield re.sub(r"\s{2,}#.*$", "", words)


def serve(arguments, folder):
    process = subprocess.Popen([binary, *arguments, "--port", "0"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    return process, process.stdout.readline().split()[-1]


def post(url, headers):
    request = urllib.request.Request(url, data=b"{}", headers=headers, method="POST")
    return json.load(urllib.request.urlopen(request, timeout=20))


def execute(command, folder, base):
    """The exit code, and what was printed."""
    if command == "swift test":
        return 0, "the pipeline's own step"
    words = shlex.split(command)
    if words[:2] == ["swift", "run"]:
        words = words[2:]
    if words[0] in ("cp", "curl"):
        return run(["bash", "-c", re.sub(r"http://127\.0\.0\.1:\d+", base, command)], folder, {})
    if words[0] != "polymock":
        return 1, "no command of these pages"
    arguments = words[1:]
    if not arguments or arguments[0].startswith("-"):
        process, _ = serve(arguments, folder)
        process.send_signal(signal.SIGTERM)
        return process.wait(20), "served"
    if "--follow" in arguments:
        process = subprocess.Popen([binary, *arguments], cwd=folder, env=dict(os.environ, POLYMOCK_URL=base),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return process.wait(2) or 1, "it ended by itself"
        except subprocess.TimeoutExpired:
            process.kill()
            return 0, "it follows"
    code, text = run([binary, *arguments], folder, {"POLYMOCK_URL": base},
                     "/join Marta\nGood evening.\n/leave\n" if arguments[0] == "agent" else "")
    # An unheard message is an answer, too; its exit code says so.
    return (0, text) if arguments[0] == "try" and code == 1 and text else (code, text)


def run(words, folder, environment, text=""):
    done = subprocess.run(words, cwd=folder, env=dict(os.environ, **environment), input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
    return done.returncode, done.stdout


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(os.path.join(repository, "fixtures"), os.path.join(folder, "fixtures"))
    server, base = serve([], folder)
    token = post(base + "/api/v1/access-token", {"X-Token": "demo", "X-Host": "localhost"})["access_token"]
    post(base + "/api/v1/sessions", {"Authorization": "Bearer " + token})
    for page in pages:
        for command in commands(page):
            code, text = execute(command, folder, base)
            name = f"{os.path.relpath(page, repository)}: {command}"
            print(f"ok {name}" if code == 0 else f"FAIL {name}: exit code {code}: {text[-300:]}")
            failed += code != 0
    server.send_signal(signal.SIGTERM)
    server.wait(20)
sys.exit(1 if failed else 0)

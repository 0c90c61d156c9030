#!/usr/bin/env python3
"""Lets a hostile server loose on `polymock chat`, case by case.

    Tests/interop/hostile.py POLYMOCK [--quick] [--only WORDS] [--jobs N] [--fast]

In every case the chat stays below its bound of memory (200 MB unless the case says less), ends within its time-out,
says why when it fails, and never crashes. Prints a table and the totals; exit status 1 when a case failed.

--quick    without the cases that take much processor time
--only     those whose name contains the words
--jobs     how many at once (default 6); heavy ones run alone
--fast     the binary is a release build: bounds of processor time count too
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from hostile.cases import CASES  # noqa: E402
import hostile.connect_cases  # noqa: E402,F401
import hostile.http_cases  # noqa: E402,F401
import hostile.socket_cases  # noqa: E402,F401
import hostile.loss_cases  # noqa: E402,F401

# Seconds behind the time-out: the farewell takes two, and the machine may be busy.
GRACE = 6
# Of the end of a chat by a signal, or by a trap of the program.
CRASHES = {132, 133, 134, 135, 136, 139}


class Run:
    """What became of one chat."""

    def __init__(self, binary, case):
        self.case, server = case, case.server(**case.hooks)
        words = [argument for word in case.words for argument in ("--say", word)]
        command = [binary, "chat", "--url", f"http://127.0.0.1:{server.port}", "--token", "demo", "--json",
                   "--timeout", str(case.timeout), *case.flags, *words]
        # Files, because a pipe that nobody reads while we wait would stop the chat.
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            began = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
            self.peak, status, usage = self.wait(process, began + case.timeout + GRACE)
            self.seconds = time.monotonic() - began
            server.stop()
            output.seek(0)
            errors.seek(0)
            self.output, self.errors = output.read(), errors.read().decode("utf-8", "replace")
        self.is_late = status is None
        self.code = None if status is None else os.waitstatus_to_exitcode(status)
        self.cpu = usage.ru_utime + usage.ru_stime if usage else 0
        self.server = server
        self.case = case

    @staticmethod
    def wait(process, deadline):
        """Peak of the resident memory in MB, the status (None when it had to be killed), the use of resources."""
        peak = 0
        while True:
            try:
                with open(f"/proc/{process.pid}/status") as file:
                    found = re.search(r"VmHWM:\s+(\d+)", file.read())
                    peak = max(peak, int(found.group(1)) / 1024 if found else 0)
            except OSError:
                pass
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = status
                # The system counts for the child what we held when it was made; below a bound it is proof as well.
                return peak or usage.ru_maxrss / 1024, status, usage
            if time.monotonic() > deadline:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
                process.returncode = -9
                return peak, None, usage
            time.sleep(0.02)

    def replies(self):
        for line in self.output.splitlines():
            try:
                fact = json.loads(line)
            except ValueError:
                continue
            if fact.get("ev") == "agent":
                yield fact.get("text")


def gaps(server):
    """Seconds between the handshakes."""
    times = server.times
    return [later - earlier for earlier, later in zip(times, times[1:])]


# What the server saw. Each returns what is wrong, or nothing.
def count(what, most):
    return lambda run: (f"{run.server.counts[what]} of {what}, at most {most}"
                        if run.server.counts[what] > most else None)


def injection(run):
    for request in run.server.requests:
        if b"\r\nX-Evil" in request["head"] or b"\0" in request["head"] or "&cursor=9" in request["target"]:
            return "a server's text became part of the request"
    return None


def growing(run):
    found = gaps(run.server)
    if len(found) < 2 or len(found) > 5:
        return f"{len(found)} reconnects"
    return None if found[-1] > found[0] * 1.3 else "the pauses do not grow: " + ", ".join(f"{s:.1f}" for s in found)


def exactly(what, number):
    return lambda run: (None if run.server.counts[what] == number else
                        f"{run.server.counts[what]} of {what}, wanted {number}")


def shown(run):
    """The agent's rows, each once and in order, and no connection more than needed."""
    rows = list(run.replies())
    wanted = [re.escape(text).replace(r"\?", "\ufffd").replace(r"\*", ".{1,3}") for text in run.case.shows]
    if len(rows) != len(wanted) or not all(re.fullmatch(one, row) for one, row in zip(wanted, rows)):
        return f"shown: {rows}"
    if run.case.one_connection and run.server.counts["upgrade"] != 1:
        return f"{run.server.counts['upgrade']} connections"
    return None


CHECKS = {
    "shown": shown,
    "one session": count("session", 1), "two sessions": exactly("session", 2),
    "four sessions": exactly("session", 4),
    "few sessions": count("session", 6), "three connections": exactly("upgrade", 3),
    "few connections": count("upgrade", 4), "growing pauses": growing, "no injection": injection,
    "joined again": lambda run: (None if run.server.notes and "fine" in run.replies() else
                                 "no answer after the restart"),
    "clean output": lambda run: "a control character came through" if re.search(
        rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]", run.output) else None,
}


def judge(case, run, is_fast):
    """What is wrong about a run; nothing when it held."""
    if run.is_late:
        return f"still running {GRACE} s behind its time-out of {case.timeout} s"
    if run.code < 0 or run.code in CRASHES:
        return f"crashed: {run.code}"
    if run.peak > case.megabytes:
        return f"more than {case.megabytes} MB"
    if is_fast and case.seconds and run.cpu > case.seconds:
        return f"{run.cpu:.2f} s of processor time, at most {case.seconds}"
    answered = run.code == 0 and any(text for text in run.replies())
    if case.expects == "answers" and not answered:
        return f"exit {run.code}, no answer: {run.errors.strip()[-160:]!r}"
    if case.expects == "tells" and run.code == 0:
        return "ended as if all were well"
    if not answered and not run.errors.strip():
        return f"exit {run.code} without a word"
    if case.says and run.code != 0 and not re.search(case.says, run.errors):
        return f"wrong words: {run.errors.strip()[-160:]!r}"
    check = CHECKS.get(case.check, case.check)
    return check(run) if check else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--fast", action="store_true")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    chosen = [case for case in CASES if options.only in case.name and not (options.quick and case.heavy)]
    if not chosen:
        parser.error(f'no case has "{options.only}" in its name')
    skipped = len(CASES) - len(chosen)
    began = time.monotonic()
    failures, peak = [], (0, "")

    def go(case):
        return case, Run(options.binary, case)

    print(f"{'case':58} {'MB':>6} {'s':>6} {'cpu s':>6}  verdict", flush=True)
    for alone in (False, True):
        group = [case for case in chosen if case.heavy == alone]
        with concurrent.futures.ThreadPoolExecutor(1 if alone else options.jobs) as pool:
            for case, run in pool.map(go, group):
                wrong = judge(case, run, options.fast)
                if wrong:
                    failures.append(case.name)
                peak = max(peak, (run.peak, case.name))
                figures = f"{run.peak:6.0f} {run.seconds:6.1f} {run.cpu:6.2f}"
                print(f"{case.name[:58]:58} {figures}  {wrong or 'ok'}", flush=True)
    print(f"\n{len(chosen)} cases, {len(chosen) - len(failures)} held, {len(failures)} failed, {skipped} not run; "
          f"highest peak {peak[0]:.0f} MB ({peak[1]}); {time.monotonic() - began:.0f} s")
    if skipped:
        why = "those that take much processor time (--quick)" if options.quick else "not chosen (--only)"
        print("not run: " + why)
    for name in failures:
        print("failed: " + name)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

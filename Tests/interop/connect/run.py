"""Runs the scenarios and the checks of the page: see run.sh."""

import argparse
import concurrent.futures
import contextlib
import importlib
import pathlib
import re
import sys
import time
import traceback

import rig

HERE = pathlib.Path(__file__).parent
# The scenarios: each must be there.
NUMBERS = {str(number) for number in range(1, 41)}
JOBS = 6


class Tools:
    """One check's own things. `server` is shared; `own_server` starts one for what would disturb others."""

    def __init__(self, binary, server):
        self.binary, self.server = binary, server
        self.closing = contextlib.ExitStack()

    def own_server(self, *flags, connect=None):
        server = rig.Server(self.binary, *flags, connect=connect)

        def stop():
            expected = server.stop()
            rig.expect(expected, 0, "exit status of the server")

        self.closing.callback(stop)
        return server


def order(number):
    letters, digits, rest = re.fullmatch(r"([A-Z]*)-?(\d+)(.*)", number).groups()
    return letters, int(digits), rest


def make(each, binary, server, extra=None):
    """The verdict on a check and its line."""
    began = time.monotonic()
    tools = Tools(binary, server)
    try:
        with tools.closing:
            each.function(tools if extra is None else extra(tools))
        return True, f"ok {each.number} {each.sentence} ({time.monotonic() - began:.1f} s)"
    except rig.Skipped as reason:
        return None, f"skip {each.number} {each.sentence}: {reason}"
    except Exception as problem:
        frames = [
            frame
            for frame in traceback.extract_tb(problem.__traceback__)
            if "scenarios" in frame.filename or "page" in frame.filename
        ]
        place = f"{pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""
        said = str(problem) if isinstance(problem, AssertionError) else f"{type(problem).__name__}: {problem}"
        return False, f"FAIL {each.number} {each.sentence}: {place}" + " / ".join(said.strip().splitlines()[:6])[:900]


def scenarios(checks, binary, server, verdicts):
    """At the same time, each with a contact of its own; printed in their order."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for each, made in [(each, pool.submit(make, each, binary, server)) for each in checks]:
            verdicts.append((each.number, *made.result()))
            print(verdicts[-1][2], flush=True)


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("binary", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("chosen", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, str(HERE))
    for path in sorted((HERE / "scenarios").glob("*.py")):
        importlib.import_module(f"scenarios.{path.stem}")
    wanted = [
        each
        for each in rig.CHECKS
        if not options.chosen or each.number in options.chosen or ("page" in options.chosen and each.page)
    ]
    if not wanted:
        sys.exit(f"no check is called {' '.join(options.chosen)}")
    wanted.sort(key=lambda each: order(each.number))
    verdicts = []
    began = time.monotonic()
    server = rig.Server(options.binary)
    scenarios([each for each in wanted if not each.page], options.binary, server, verdicts)
    took = time.monotonic() - began
    shown = [each for each in wanted if each.page]
    if shown:
        from page import Browser

        with Browser() as browser:
            for each in shown:
                verdicts.append((each.number, *make(each, options.binary, server, browser.tools)))
                print(verdicts[-1][2], flush=True)
    status = server.stop()
    failed = [number for number, verdict, _ in verdicts if verdict is False]
    if status:
        failed.append("server")
        print(f"FAIL the server ended with exit status {status}")
    missing = sorted(NUMBERS - {each.number for each in rig.CHECKS}, key=order)
    for number in missing:
        print(f"FAIL {number}: nobody made it")
    skipped = sum(verdict is None for _, verdict, _ in verdicts)
    print(f"scenarios took {took:.0f} s, all {time.monotonic() - began:.0f} s")
    print(
        f"{sum(verdict is True for _, verdict, _ in verdicts)} passed, {len(failed)} failed, {skipped} skipped"
        + (f": {' '.join(failed)}" if failed else "")
    )
    sys.exit(1 if failed or missing else 0)


main()

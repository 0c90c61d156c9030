"""Runs the checks of the pages: see run.sh."""

import argparse
import importlib
import pathlib
import sys
import tempfile
import time
import traceback

import rig

HERE = pathlib.Path(__file__).parent


def modules():
    """Every module of the three folders registers its checks when it is imported."""
    for folder in ("chat", "inspect", "foreign"):
        for path in sorted((HERE / folder).glob("*.py")):
            if path.stem != "__init__":
                sys.path.insert(0, str(path.parent)) if str(path.parent) not in sys.path else None
                importlib.import_module(path.stem)


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("binary")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--pages", type=pathlib.Path)
    parser.add_argument("chosen", nargs="*")
    options = parser.parse_intermixed_args()
    modules()
    checks = rig.chosen(options.chosen, fast=options.fast)
    if not checks:
        sys.exit(f"no check is called {' '.join(options.chosen)}")
    shots = options.shots or pathlib.Path(tempfile.mkdtemp(prefix="polymock-shots-"))
    shots.mkdir(parents=True, exist_ok=True)
    passed, failed = 0, []
    flags = ["--pages", str(options.pages.resolve())] if options.pages else []
    with rig.Rig(options.binary, shots, flags) as tools:
        tools.server.expect_pages()
        for each in checks:
            began = time.monotonic()
            try:
                tools.run(each)
                passed += 1
                print(f"ok {each.number} {each.sentence} ({time.monotonic() - began:.1f} s)", flush=True)
            except Exception as problem:
                failed.append(each.number)
                lines = str(problem).strip().splitlines() or [type(problem).__name__]
                where = [frame for frame in traceback.extract_tb(problem.__traceback__) if str(HERE) in frame.filename]
                place = f"{pathlib.Path(where[-1].filename).name}:{where[-1].lineno}" if where else "?"
                print(f"FAIL {each.number} {each.sentence}: {place}: " + " / ".join([*lines[:6], *getattr(problem, "__notes__", [])])[:900], flush=True)
    rows, missing = rig.left_out(options.fast, options.chosen)
    for number, reason in rows:
        print(f"left out {number}: {reason}")
    for number in missing:
        print(f"FAIL {number}: neither made nor left out with a reason (README.md)")
    print(f"screenshots: {shots}")
    print(f"{passed} passed, {len(failed)} failed" + (f": {' '.join(failed)}" if failed else ""))
    sys.exit(1 if failed or missing else 0)


main()

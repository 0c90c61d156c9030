"""Runs the checks: see run.sh."""

import importlib
import pathlib
import sys
import time
import traceback

import examples
import pages
import rig

HERE = pathlib.Path(__file__).parent


def main():
    binary, old_python, *chosen = sys.argv[1:]
    if not examples.STEMS:
        sys.exit(f"there are no examples in {examples.FOLDER}")
    for path in sorted((HERE / "scenarios").glob("*.py")):
        sys.path.insert(0, str(path.parent)) if str(path.parent) not in sys.path else None
        importlib.import_module(path.stem)
    checks = [each for each in rig.CHECKS if not chosen or any(f"{each.number}-".startswith(f"{word}-") for word in chosen)]
    if not checks:
        sys.exit(f"no check is called {' '.join(chosen)}")
    passed, failed, left_out = 0, [], []
    began = time.monotonic()
    tools = rig.Tools(binary, old_python)
    tools.pages = pages.Pages(tools)
    checks.sort(key=lambda check: [int(check.number.split("-")[0][1:]), check.number])
    try:
        for each in checks:
            if each.early:
                each.early(tools)
        for each in checks:
            try:
                each.function(tools)
                passed += 1
                print(f"ok {each.number} {each.sentence}", flush=True)
            except rig.LeftOut as reason:
                left_out.append(each.number)
                print(f"left out {each.number} {each.sentence}: {reason}", flush=True)
            except Exception as problem:
                failed.append(each.number)
                frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if str(HERE) in frame.filename]
                place = f"{pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
                said = " / ".join(str(problem).strip().splitlines()[:4]) or type(problem).__name__
                print(f"FAIL {each.number} {each.sentence}: {place}: {said[:700]}", flush=True)
    finally:
        tools.pages.close()
        tools.close()
    print(f"took {time.monotonic() - began:.0f} s")
    # As the runners' totals are read: what is left out has said why.
    print(f"{passed} passed, {len(failed)} failed" + (f", {len(left_out)} skipped" if left_out else ""))
    if failed:
        print("failed: " + " ".join(failed))
    sys.exit(1 if failed else 0)


main()

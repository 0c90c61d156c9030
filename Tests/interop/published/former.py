#!/usr/bin/env python3
"""Type-checks FormerKitTests.swift, a suite written with the former names of the test kit, against the kit of now.

    former.py -- WORD...

The words after -- go to swiftc. Each deprecated name of the kit must be in that suite, and the compiler must name its
successor. Exit status: 0 so it is; 1 an error, or a name without its warning.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    kit = [path.read_text() for folder in ("MockKit", "MockServer", "PolyMockTesting")
        for path in (ROOT / "Server" / folder).rglob("*.swift")]
    names = {name.split("(")[0] for text in kit for name in re.findall(r'deprecated, renamed: "([^"]+)"', text)}
    toolchain = Path(subprocess.run(["which", "swiftc"], capture_output=True, text=True).stdout.strip()).resolve()
    plugins = toolchain.parents[1] / "lib" / "swift" / "host" / "plugins" / "testing"
    with tempfile.TemporaryDirectory() as cache:
        run = subprocess.run(["swiftc", "-swift-version", "6", "-typecheck", "-parse-as-library", "-module-cache-path", cache,
            "-plugin-path", str(plugins), *words, str(HERE / "FormerKitTests.swift")], capture_output=True, text=True, timeout=600)
    shown = {name.split("(")[0] for name in re.findall(r"warning: .* is deprecated: renamed to '([^']+)'", run.stderr)}
    missing = names - {name.split(".")[-1] for name in shown}
    if run.returncode or missing or not names:
        print(run.stderr[-4_000:], f"former names without a warning: {sorted(missing)}", sep="\n")
        sys.exit(1)
    print(f"former names of the kit: {len(names)} successors named by the compiler")


main()

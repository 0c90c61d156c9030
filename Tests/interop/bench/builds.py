"""Clean builds beside those of an earlier commit: builds.py COMMIT [--rounds N]. Never a gate.

Processor time and time on the clock of `swift build --product polymock`, of `swift build --build-tests`, and of a
package that links PolyMockTesting, each in a new folder, alternating; ratios and a verdict for each. Some twenty minutes.
"""

import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGETS = {"product": 0.75, "tests": 0.7, "consumer": 0.8}
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Consumer", platforms: [.macOS(.v13)], dependencies: [.package(name: "polymock", path: "%s")],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "PolyMockTesting", package: "polymock")])])
"""


def tree(scratch, name, commit):
    folder = scratch / name / "polymock"
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    consumer = scratch / name / "consumer"
    (consumer / "Sources/App").mkdir(parents=True)
    (consumer / "Package.swift").write_text(MANIFEST % folder)
    (consumer / "Sources/App/main.swift").write_text("import PolyMockTesting\nprint(1)\n")
    return {
        "product": (folder, ["--product", "polymock"]), "tests": (folder, ["--build-tests"]),
        "consumer": (consumer, []),
    }


def build(folder, words):
    """Seconds of the processor, and on the clock."""
    shutil.rmtree(folder / ".build", ignore_errors=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(["swift", "build", *words], cwd=folder, capture_output=True, text=True)
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / ".build", ignore_errors=True)
    if done.returncode:
        sys.exit(f"swift build {' '.join(words)} in {folder}: {(done.stdout + done.stderr)[-800:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, took


def main():
    words = sys.argv[1:]
    rounds = int(words.pop(words.index("--rounds") + 1)) if "--rounds" in words else 1
    words = [word for word in words if word != "--rounds"]
    if len(words) != 1 or words[0].startswith("-"):
        sys.exit(__doc__)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="polymock-builds-"))
    try:
        ours, earlier = tree(scratch, "ours", "HEAD"), tree(scratch, "earlier", words[0])
        print(f"Clean builds, ours beside {words[0]}; {rounds} rounds", flush=True)
        for name, wanted in TARGETS.items():
            pairs = [(build(*ours[name]), build(*earlier[name])) for _ in range(rounds)]
            cost = statistics.median(one[0] / other[0] for one, other in pairs)
            clock = statistics.median(one[1] / other[1] for one, other in pairs)
            verdict = "met   " if clock <= wanted else "MISSED"
            print(f"  {verdict}  {name:10} {clock:5.2f} × on the clock ({pairs[-1][0][1]:.0f} s), "
                  f"{cost:5.2f} × of the processor   at most {wanted}", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()

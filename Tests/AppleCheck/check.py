#!/usr/bin/env python3
"""Type-checks the package for Apple's platforms, on Linux: bash .ci/apple

    check.py [macos|ios]... [--only MODULE]... [--scratch FOLDER] [--fresh]

Each module of Package.swift is compiled to SIL for macOS and, when an app or its tests may link it, for iOS, with the
manifest's own flags, against the toolchain's standard library and the hand-written interfaces beside this file. What it finds:
names, types, availability, isolation, data races, and warnings, which are errors. What it cannot find: behaviour, and a wrong
belief in a hand-written interface (each names the page it follows). Canaries, files that must be refused, show that it looks.

The apps of Client/Examples and the published screens come last, over ChatViews.

A module that passed is not looked at again before it, something it imports, an interface or the toolchain changes.
Exit status: 0 all is as it should be, 1 something is not, 2 the check cannot be set up.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from library import HERE, PLATFORMS, Library, without_source
from package import Package

REPOSITORY = HERE.parent.parent
# A module of 10,000 lines takes half a minute; ten minutes mean that the compiler hangs.
PATIENCE = 600
WHOLE = sorted([*HERE.glob("*.py"), *HERE.glob("interfaces/*"), *HERE.glob("headers/*")])


def digest(*parts):
    """One name for all that `parts` say: texts, and the contents of files."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


class Check:
    """One platform: its library, the modules that passed, and what is wrong."""

    def __init__(self, platform, package, scratch, toolchain):
        self.platform, self.package, self.toolchain = platform, package, toolchain
        self.library = Library(platform, package.versions[platform], scratch, toolchain.usr)
        self.out = self.library.scratch / "modules"
        self.out.mkdir(parents=True, exist_ok=True)
        self.base = digest(toolchain.version, platform, *WHOLE)
        self.keys, self.failed, self.checked, self.known = {}, [], 0, 0

    def frontend(self, name, words, sources, is_program=False, module=None):
        """The complaints of the compiler about one module; with `module`, others can import it afterwards."""
        # A file of its own: the compiler puts a new one in the place of what it is told to write, and root may do that
        # to /dev/null.
        unwanted = self.out / f"{name}.sil"
        arguments = [
            self.toolchain.frontend, "-frontend", "-emit-sil", "-o", unwanted, "-module-name", name,
            "-plugin-path", self.toolchain.usr / "lib/swift/host/plugins", *self.library.words(), "-I", self.out,
            *words,
        ]
        if not is_program:
            arguments.append("-parse-as-library")
        if module:
            arguments += ["-enable-testing", "-emit-module-path", module]
        try:
            result = subprocess.run(
                [str(word) for word in arguments + sources], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return [f"error: the compiler was not done with {name} after {PATIENCE} s"]
        finally:
            unwanted.unlink(missing_ok=True)
        told = [line for line in result.stderr.split("\n") if re.match(r"(/.*|<unknown>:0: |)\b(error|warning): ", line)]
        if result.returncode and not told:
            told = [f"error: the compiler ended with {result.returncode}: {result.stderr[-300:]}"]
        return list(dict.fromkeys(told))

    def warm(self):
        """Builds the library once, so that two modules at a time do not wait for each other."""
        problem = self.library.prepare()
        if problem:
            return [problem]
        imports = sorted(path.stem.split(".")[0] for path in self.library.frameworks.iterdir())
        source = self.library.scratch / "everything.swift"
        source.write_text("".join(f"import {name}\n" for name in imports if not name.startswith("_")))
        key = digest(self.base, source)
        mark = self.library.scratch / "library.key"
        if mark.exists() and mark.read_text() == key:
            return []
        told = self.frontend("Everything", ["-swift-version", "6"], [source])
        if not told:
            mark.write_text(key)
        return told

    def key(self, target):
        return digest(
            self.base, target.name, *target.words, *target.sources, *target.headers,
            *[self.keys.get(name, "") for name in target.uses])

    def check(self, target):
        """True when the module is fine, or was and has not changed."""
        self.keys[target.name] = self.key(target)
        module, mark = self.out / f"{target.name}.swiftmodule", self.out / f"{target.name}.key"
        if mark.exists() and module.exists() and mark.read_text() == self.keys[target.name]:
            self.known += 1
            return True
        began = time.time()
        mark.unlink(missing_ok=True)
        words = target.words + self.package.module_maps(target)
        told = self.frontend(target.name, words, target.sources, target.is_program, module)
        self.checked += 1
        verdict = "ok" if not told else f"{len(told)} complaints"
        print(f"{self.platform:6} {target.name:24} {verdict:16} {time.time() - began:4.0f} s", flush=True)
        for line in told[:12]:
            print("       " + line.replace(f"{REPOSITORY}/", "")[:300])
        if told:
            self.failed.append(target.name)
            return False
        mark.write_text(self.keys[target.name])
        return True

    def canary(self, path):
        """A file that must be refused, for its reason; the same file, mended (-D MENDED), must not be."""
        text = path.read_text()
        expected = re.search(r"^// Refused: (.*)$", text, re.M)
        only = re.search(r"^// Only: (\w+)", text, re.M)
        if only and only[1] != self.platform:
            return
        key = digest(self.base, path, *[self.keys.get(name, "") for name in sorted(self.keys)])
        mark = self.out / f"{path.stem}.canary"
        if mark.exists() and mark.read_text() == key:
            self.known += 1
            return
        self.checked += 1
        # Not named .swift beside the others: the formatter and the tests of this repository would read them.
        source = self.out / f"{path.stem}.swift"
        source.write_text(text)
        words = self.package.strict
        told = "\n".join(self.frontend("Canary", words, [source]))
        mended = self.frontend("Canary", [*words, "-D", "MENDED"], [source])
        problem = None
        if not expected or expected[1] not in told:
            problem = f"was not refused with \"{expected and expected[1]}\": {told or 'no complaint'}"
        elif mended:
            problem = f"is refused when mended, too: {mended[0]}"
        if problem:
            print(f"{self.platform:6} canary {path.name} {problem}", flush=True)
            self.failed.append(path.name)
        else:
            mark.write_text(key)

    def examples(self):
        """The apps of Client/Examples, each as a module of its own, with what they share."""
        folder = REPOSITORY / "Client/Examples"
        kits = ["SwiftUI", "UIKit"] if self.platform == "ios" else ["SwiftUI"]
        apps = sorted(path for kit in kits for path in folder.glob(f"*/{kit}"))
        shared = sorted((folder / "Shared").glob("*.swift"))
        for app in apps:
            self.example(f"{app.name}{app.parent.name[:2]}", sorted(app.glob("*.swift")) + shared)
        stub = REPOSITORY / "Tests/interop/published/standins/ExyteChat.swift"
        told = self.frontend("ExyteChat", ["-swift-version", "5"], [stub], module=self.out / "ExyteChat.swiftmodule")
        if told:
            print(*told[:12], sep="\n")
            self.failed.append(stub.name)
        else:
            self.example("Exyte", sorted((folder / "Exyte").glob("*.swift")), stub)

    def example(self, name, sources, *others):
        key = digest(self.base, *sources, *others, *[self.keys.get(each, "") for each in sorted(self.keys)])
        mark = self.out / f"{name}.example"
        if mark.exists() and mark.read_text() == key:
            self.known += 1
            return
        self.checked += 1
        words = ["-swift-version", "6", "-warnings-as-errors", *self.package.module_maps(self.package.targets["ChatViews"])]
        told = self.frontend(f"Example{name}", words, sources)
        print(f"{self.platform:6} example {name:16} {f'{len(told)} complaints' if told else 'ok'}", flush=True)
        for line in told[:12]:
            print("       " + line.replace(f"{REPOSITORY}/", "")[:300])
        if told:
            self.failed.append(f"example {name}")
        else:
            mark.write_text(key)

    def published(self):
        """The Swift of the published SDK's pages, which need what only Apple's systems have."""
        maps = self.package.module_maps(self.package.targets["ChatViews"])
        words = [*self.library.words(), "-I", self.out, *maps]
        script = REPOSITORY / "Tests/interop/published/check.py"
        if subprocess.run([str(word) for word in [sys.executable, script, "apple", "--", *words]]).returncode:
            self.failed.append("published pages")


class Toolchain:
    """Where the compiler is, and which it is."""

    def __init__(self):
        found = shutil.which("swiftc")
        if not found:
            sys.exit("error: no swiftc on PATH: install the Swift 6.3 toolchain first")
        self.usr = Path(found).resolve().parent.parent
        self.frontend = self.usr / "bin/swift-frontend"
        self.version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout


def run(checks, only):
    """Modules in the manifest's order, as many at a time as there are processors."""
    lanes = max(1, os.cpu_count() or 1)
    with ThreadPoolExecutor(lanes) as pool:
        for check, told in zip(checks, pool.map(lambda check: check.warm(), checks)):
            if told:
                print(f"{check.platform}: the library does not compile", *told[:20], sep="\n       ")
                sys.exit(2)
        waiting = [(check, target) for check in checks for target in check.package.plan(check.platform, only)]
        names = {(check.platform, target.name) for check, target in waiting}
        done, broken, running = set(), set(), {}
        while waiting or running:
            for item in list(waiting):
                check, target = item
                needs = {(check.platform, name) for name in target.uses} & names
                if needs & broken:
                    waiting.remove(item)
                    broken.add((check.platform, target.name))
                    print(f"{check.platform:6} {target.name:24} not looked at: "
                          + ", ".join(sorted(name for _, name in needs & broken)) + " must compile first")
                elif needs <= done and len(running) < lanes:
                    waiting.remove(item)
                    running[item] = pool.submit(check.check, target)
            ended = [item for item in running if running[item].done()]
            for item in ended:
                ok = running.pop(item).result()
                (done if ok else broken).add((item[0].platform, item[1].name))
            if not ended:
                time.sleep(0.02)
        jobs = [] if only else [
            pool.submit(check.canary, path) for path in sorted((HERE / "canaries").glob("*.canary"))
            for check in checks]
        for job in jobs:
            job.result()


def main():
    words, platforms, only = sys.argv[1:], [], []
    scratch, fresh = Path(os.environ.get("POLYMOCK_SCRATCH", ".build")), False
    while words:
        word = words.pop(0)
        if word == "--only" and words:
            only.append(words.pop(0))
        elif word == "--scratch" and words:
            scratch = Path(words.pop(0))
        elif word == "--fresh":
            fresh = True
        elif word in PLATFORMS:
            platforms.append(word)
        else:
            print(__doc__, file=sys.stderr)
            sys.exit(2)
    began = time.time()
    scratch = (REPOSITORY / scratch / "apple").resolve()
    if fresh:
        shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True, exist_ok=True)
    toolchain = Toolchain()
    package = Package.read(REPOSITORY, scratch)
    unsourced = without_source()
    if unsourced:
        print(*unsourced, sep="\n")
        sys.exit(1)
    checks = [Check(platform, package, scratch, toolchain) for platform in platforms or PLATFORMS]
    run(checks, only)
    for check in checks:
        if not check.failed and (not only or "ChatViews" in only):
            check.examples()
        if check.platform == "ios" and (not only or "ChatViews" in only) and not check.failed:
            sys.stdout.flush()
            check.published()
    for line in [line for check in checks for line in package.skipped(check.platform)]:
        print("skipped:", line)
    failed = [f"{check.platform} {name}" for check in checks for name in check.failed]
    checked, known = (sum(getattr(check, name) for check in checks) for name in ("checked", "known"))
    print(f"apple: {checked} checked, {known} as before, {len(failed)} fall short, {time.time() - began:.0f} s"
          + (": " + ", ".join(failed) if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

"""What Package.swift says: modules, their order, flags and paths. Nothing of it is written down a second time."""
import json
import os
import subprocess
import sys
from pathlib import Path

from library import write

# Targets that no Apple compiler sees through these interfaces, each with its reason.
LEFT_OUT = {}


class Target:
    def __init__(self, repository, words, json):
        self.name, self.kind = json["name"], json["type"]
        self.folder = repository / (json.get("path") or f"Sources/{self.name}")
        self.uses = [name for name in map(Target.dependency, json["dependencies"]) if name]
        excluded = [self.folder / path for path in json.get("exclude", [])]
        self.sources = [
            path for path in sorted(self.folder.rglob("*.swift"))
            if not any(path == out or out in path.parents for out in excluded)]
        self.headers = sorted([*self.folder.rglob("*.h"), *self.folder.glob("module.modulemap")])
        self.is_program = self.kind == "executable" and (self.folder / "main.swift").exists()
        self.words = list(words)
        for setting in json.get("settings", []):
            self.words += Target.flags(setting)

    @staticmethod
    def dependency(json):
        """The name of a target of this package that an Apple build has; nil for one of other platforms."""
        name, condition = (json.get("byName") or json.get("target") or [None, None])[:2]
        platforms = (condition or {}).get("platformNames", [])
        return name if not platforms or set(platforms) & {"macos", "ios"} else None

    @staticmethod
    def flags(setting):
        if setting["tool"] != "swift" or setting.get("condition"):
            return []
        kind, value = next(iter(setting["kind"].items()))
        value = value.get("_0") if isinstance(value, dict) else value
        if kind == "enableUpcomingFeature":
            return ["-enable-upcoming-feature", value]
        if kind == "enableExperimentalFeature":
            return ["-enable-experimental-feature", value]
        if kind == "define":
            return ["-D", value]
        if kind == "treatAllWarnings":
            return ["-warnings-as-errors"] if value == "error" else []
        sys.exit(f"error: Tests/AppleCheck/package.py does not know the setting {kind} of Package.swift")


class Package:
    def __init__(self, repository, json, scratch):
        self.scratch = scratch
        self.versions = {item["platformName"]: item["version"] for item in json["platforms"]}
        words = ["-swift-version", "6", "-package-name", json["name"]]
        if json.get("swiftLanguageVersions") not in (None, ["6"]):
            sys.exit("error: Tests/AppleCheck/package.py expects the Swift 6 language mode alone")
        self.targets = {item["name"]: Target(repository, words, item) for item in json["targets"]}
        libraries = [item for item in json["products"] if "library" in item["type"]]
        self.linkable = self.closure(name for item in libraries for name in item["targets"])
        # The flags that all Swift modules have in common, for files of no module.
        all_words = [target.words for target in self.targets.values() if target.sources and target.words != words]
        self.strict = min(all_words, key=len)
        self.order = []
        for name in self.targets:
            self.visit(name)

    @staticmethod
    def read(repository, scratch):
        """As a Mac reads it: with zlib, and with warnings as errors."""
        environment = dict(os.environ, POLYMOCK_STRICT="1", POLYMOCK_DEFLATE="1")
        environment.pop("POLYMOCK_KQUEUE", None)
        result = subprocess.run(
            ["swift", "package", "--scratch-path", str(scratch / "manifest"), "dump-package"], cwd=repository,
            env=environment, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"error: Package.swift cannot be read: {result.stderr}")
        return Package(repository, json.loads(result.stdout), scratch)

    def visit(self, name):
        target = self.targets.get(name)
        if target is None or target in self.order:
            return
        for use in target.uses:
            self.visit(use)
        if target not in self.order:
            self.order.append(target)

    def closure(self, names):
        found, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name not in found and name in self.targets:
                found.add(name)
                waiting += self.targets[name].uses
        return found

    def reason(self, target, platform):
        """Why a Swift module is not checked for a platform; nil when it is."""
        if (target.name, platform) in LEFT_OUT:
            return LEFT_OUT[target.name, platform]
        if platform == "ios" and target.name not in self.linkable:
            if target.kind == "executable":
                return "a program; iOS has none"
            return "neither an app nor its tests link it; checked for macOS"
        return None

    def plan(self, platform, only):
        chosen = [target for target in self.order if target.sources and not self.reason(target, platform)]
        if not only:
            return chosen
        wanted = self.closure(only)
        return [target for target in chosen if target.name in wanted]

    def skipped(self, platform):
        reasons = {}
        for target in self.order:
            reason = self.reason(target, platform) if target.sources else None
            if reason:
                reasons.setdefault(reason, []).append(target.name)
        return [f"{', '.join(names)} for {platform}: {reason}" for reason, names in reasons.items()]

    def module_maps(self, target):
        """Where the compiler finds the C targets that `target` sees."""
        words = []
        for name in sorted(self.closure([target.name])):
            used = self.targets[name]
            if used.sources or not used.headers:
                continue
            own = used.folder / "module.modulemap"
            if not own.exists():
                own = self.scratch / f"{name}.modulemap"
                lines = " ".join(f'header "{path}"' for path in sorted((used.folder / "include").glob("*.h")))
                write(own, f"module {name} {{ {lines} export * }}\n")
            words += ["-Xcc", f"-fmodule-map-file={own}"]
        return words

"""The parts that stand in for an Apple SDK: the toolchain's own standard library as text, and hand-written interfaces.

The Linux toolchain ships the standard library and Swift Testing as `.swiftinterface` files. The compiler builds such a file
for any target; a few words of it name Linux. Apple's frameworks are the files in `interfaces/`, in the same form: declarations
without bodies. The compiler builds what is imported, once, into its module cache.
"""
import re
import shutil
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent

# name: (compiler target, folder of the resource directory, name of an interface file)
PLATFORMS = {
    "macos": ("x86_64-apple-macosx{}", "macosx", "x86_64-apple-macos"),
    "ios": ("x86_64-apple-ios{}-simulator", "iphonesimulator", "x86_64-apple-ios-simulator"),
}
STANDARD = ["Swift", "_Concurrency", "_RegexParser", "_StringProcessing", "SwiftOnoneSupport"]
TESTING = ["Testing", "_TestDiscovery", "_Testing_Foundation"]
# Frameworks that the other platform does not have.
ONLY_ON = {"UIKit": "ios"}

# With Objective-C, the standard library has one more pointer, which `NSErrorPointer` and its like are made of.
# https://developer.apple.com/documentation/swift/autoreleasingunsafemutablepointer
POINTER = """
@frozen @unsafe public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  public init(_ _rawValue: Builtin.RawPointer)
  public var pointee: Pointee { get nonmutating set }
}
"""
HEADER = """// swift-interface-format-version: 1.0
// swift-module-flags: -target {target} -enable-objc-interop -enable-library-evolution -swift-version 5 {extra}-module-name {name}
"""


def write(path, text):
    """Writes what has changed only: the compiler looks at the times of files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        # Moved into place, since compilers read the file meanwhile.
        own = path.with_name(f"{path.name}.{threading.get_ident()}")
        own.write_text(text)
        own.replace(path)


def without_source():
    """Declarations that name no page they follow: each paragraph of an interface begins with one."""
    found = []
    for path in sorted((HERE / "interfaces").glob("*.swiftinterface")):
        line = 1
        for number, paragraph in enumerate(path.read_text().split("\n\n")):
            first = paragraph.strip("\n").removeprefix("#if os(macOS)\n").removeprefix("#if os(iOS)\n")
            if number > 0 and first and not first.startswith("// https://"):
                found.append(f"{path.name}:{line}: names no page that it follows")
            line += paragraph.count("\n") + 2
    return found


def toolchain_interface(folders, module):
    for folder in folders:
        for path in sorted((folder / f"{module}.swiftmodule").glob("x86_64*.swiftinterface")):
            if ".private." not in path.name and ".package." not in path.name:
                return path.read_text()
    return None


def for_apple(text, module, target):
    """The toolchain's interface of `module`, for an Apple target."""
    # _Concurrency mentions types newer than the target without guarding each one.
    extra = " -disable-availability-checking" if module in ["_Concurrency"] + TESTING else ""
    lines = text.split("\n")
    for index, line in enumerate(lines[:8]):
        line = re.sub(r"-target \S+", f"-target {target}{extra}", line)
        lines[index] = line.replace("-disable-objc-interop", "-enable-objc-interop")
    kept = [line for line in lines if not re.fullmatch(r"\s*@backDeployed\(before: [^)]*\)", line)]
    text = re.sub(r"@backDeployed\(before: [^)]*\) ", "", "\n".join(kept))
    return text + POINTER if module == "Swift" else text


class Library:
    """The resource directory, the SDK folder and the framework folder of one platform, below `scratch`."""

    def __init__(self, platform, version, scratch, usr):
        pattern, folder, self.file = PLATFORMS[platform]
        self.platform, self.target = platform, pattern.format(version)
        self.usr, self.scratch = usr, scratch / platform
        self.resources, self.sdk = self.scratch / "resources", self.scratch / "sdk"
        self.standard, self.frameworks = self.resources / folder, self.scratch / "frameworks"

    def prepare(self):
        """Writes the folders. Returns a message when the toolchain lacks something."""
        self.standard.mkdir(parents=True, exist_ok=True)
        for name in ("shims", "clang"):
            link, real = self.resources / name, (self.usr / "lib/swift" / name).resolve()
            if not link.is_symlink() or link.resolve() != real:
                link.unlink(missing_ok=True)
                link.symlink_to(real)
        for name in sorted(path.name for path in (HERE / "headers").iterdir()):
            write(self.sdk / "usr/include" / name, (HERE / "headers" / name).read_text())
        folders = [self.usr / "lib/swift_static/linux", self.usr / "lib/swift/linux"]
        for module in STANDARD + TESTING:
            text = toolchain_interface(folders, module)
            if text is None:
                return f"this toolchain has no text interface of {module} below {self.usr}"
            place = self.standard if module in STANDARD else self.frameworks
            path = place / f"{module}.swiftmodule" / f"{self.file}.swiftinterface"
            write(path, for_apple(text, module, self.target))
        for source in sorted((HERE / "interfaces").glob("*.swiftinterface")):
            path = self.frameworks / f"{source.stem}.swiftmodule" / f"{self.file}.swiftinterface"
            if ONLY_ON.get(source.stem, self.platform) != self.platform:
                shutil.rmtree(path.parent, ignore_errors=True)
                continue
            extra = "-Xcc -Wno-everything "
            if source.stem in ("Foundation", "ObjectiveC"):
                extra = "-disable-objc-attr-requires-foundation-module "
            text = HEADER.format(target=self.target, extra=extra, name=source.stem)
            write(path, text + source.read_text())
        return None

    def words(self):
        """What every call of the compiler is told."""
        return [
            "-target", self.target, "-sdk", self.sdk, "-resource-dir", self.resources,
            "-module-cache-path", self.scratch / "cache", "-I", self.frameworks,
        ]

import Expectations
import Testing

/// SwiftPM compiles an import of a sibling target that is not declared, whenever the sibling happens to be built
/// first, and 6.3.1 accepts `--explicit-target-dependency-import-check error` without reporting any.
@Suite("Declared dependencies")
struct ManifestTests {
    let repository = Repository.current

    @Test("Every module that a folder imports is declared by its target in Package.swift")
    func declared() throws {
        let manifest = Manifest(try #require(repository.file("Package.swift")).text)
        #expect(manifest.targets.count > 20)
        // Scripts compile what they bring themselves, and each example is an app of its own.
        let files = repository.swift(in: "Shared", "Server", "Client", "Tests")
            .filter { !$0.isIn("Tests/interop") && !$0.isIn("Client/Examples") }
        let found = files.flatMap { manifest.undeclaredImports(path: $0.path, code: $0.code) }
        expectEqual(found, [])
    }

    @Test("Every folder of the import table is a target, and the other way round")
    func tableIsComplete() throws {
        let manifest = Manifest(try #require(repository.file("Package.swift")).text)
        let folders = manifest.targets.filter { target in
            repository.swift(in: target.path).isEmpty == false && !target.path.hasPrefix("Tests/")
        }
        expectEqual(folders.map(\.path).filter { ImportTable.current.folder(of: $0 + "/") == nil }, [])
    }

    @Test("Nothing that the program links needs Foundation where there are FoundationEssentials")
    func withoutFoundation() throws {
        // With it a start takes 5 ms more, and an idle process 9 MB.
        let manifest = Manifest(try #require(repository.file("Package.swift")).text)
        var linked: Set<String> = ["CLI"]
        while let further = manifest.targets.first(where: {
            linked.contains($0.name) && !$0.uses.isSubset(of: linked)
        }) {
            linked.formUnion(further.uses)
        }
        #expect(linked.contains("ConnectCore") && !linked.contains("ConnectChat"))
        for target in manifest.targets where linked.contains(target.name) {
            for file in repository.swift(in: target.path) {
                // What stands in a condition is indented.
                let bare = file.text.split(separator: "\n").filter {
                    $0.hasSuffix("import Foundation") && !$0.hasPrefix(" ")
                }
                expectEqual(bare, [], "\(file.path)")
            }
        }
    }

    /// Calls whose reason Apple wants declared: the category of its privacy manifest, and names that stand for the calls.
    /// Source: "Describing use of required reason API", developer.apple.com.
    private static let declaredCalls = [
        ("UserDefaults", ["UserDefaults"]),
        (
            "FileTimestamp",
            ["stat(", "fstat(", "lstat(", "fstatat(", "getattrlist", "modificationDate", "creationDate"]
        ),
        ("SystemBootTime", ["systemUptime", "mach_absolute_time"]),
        ("DiskSpace", ["statfs(", "statvfs(", "volumeAvailableCapacity", "systemFreeSize"]),
        ("ActiveKeyboards", ["activeInputModes"]),
    ]

    @Test("A client module declares each call of which Apple wants to know the reason, and no other")
    func privacy() throws {
        let manifest = Manifest(try #require(repository.file("Package.swift")).text)
        let folders = manifest.targets.map(\.path).filter {
            $0.hasPrefix("Client/") || $0.hasPrefix("Shared/")
        }
        var declaring: [String] = []
        for folder in folders {
            let code = repository.swift(in: folder).flatMap { $0.code.lines.map(\.text) }
            let wanted = Self.declaredCalls.filter { _, names in
                names.contains { name in code.contains { " \($0)".contains(word: name) } }
            }
            let text = repository.file(folder + "/PrivacyInfo.xcprivacy")?.text ?? ""
            let declared = Self.declaredCalls.filter { text.contains("NSPrivacyAccessedAPICategory\($0.0)<") }
            expectEqual(declared.map(\.0), wanted.map(\.0), "\(folder)")
            if !declared.isEmpty { declaring.append(folder) }
        }
        expectEqual(declaring.sorted(), ["Client/PolyMessaging", "Shared/SocketTransport"])
    }

    private static let sample = """
        func module(_ name: String) -> Target { .target(name: name) }
        let package = Package(
            targets: [
                module("A", at: "Shared/A"),
                module("B", at: "Shared/B", uses: ["A"]),
                .executableTarget(name: "C", dependencies: ["B"], path: "Server/C"),
                tests("B", uses: ["A", "B"]),
            ])
        """

    @Test("The manifest's targets are read with path and dependencies")
    func reading() {
        let targets = Manifest(Self.sample).targets.sorted { $0.name < $1.name }
        expectEqual(targets.map(\.name), ["A", "B", "BTests", "C"])
        expectEqual(targets.map(\.path), ["Shared/A", "Shared/B", "Tests/BTests", "Server/C"])
        expectEqual(
            targets.map { $0.uses.sorted() }, [[], ["A"], ["A", "B", "Expectations", "TestSupport"], ["B"]])
    }

    @Test("An undeclared sibling is reported, a declared one and foreign modules are not")
    func undeclared() {
        let manifest = Manifest(Self.sample)
        let code = SwiftCode("import A\nimport B\nimport Glibc\n")
        expectEqual(manifest.undeclaredImports(path: "Shared/A/x.swift", code: code).count, 2)
        expectEqual(manifest.undeclaredImports(path: "Server/C/x.swift", code: code).count, 1)
        #expect(manifest.undeclaredImports(path: "Tests/BTests/x.swift", code: code).isEmpty)
        expectEqual(manifest.undeclaredImports(path: "Shared/D/x.swift", code: code).count, 1)
    }
}

extension String {
    /// True when `word` occurs and no letter stands before it.
    fileprivate func contains(word: String) -> Bool {
        var rest = self[...]
        while let place = rest.firstRange(of: word) {
            if self[..<place.lowerBound].last?.isLetter != true { return true }
            rest = rest[place.upperBound...]
        }
        return false
    }
}

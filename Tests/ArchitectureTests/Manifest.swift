/// What `Package.swift` says of its targets, read from its text.
///
/// Understands calls whose first words are a target's name, with `path:` or `at:` and `dependencies:` or
/// `uses:`, all as string literals, and the manifest's own `tests(...)`.
struct Manifest: Sendable {
    struct Target: Sendable {
        var name: String
        var path: String
        var uses: Set<String>
    }

    let targets: [Target]

    init(_ text: String) {
        // Only the package itself: above it are the helpers that make targets.
        let body = text.components(after: "let package =")
        targets = Manifest.calls.flatMap { call in Manifest.arguments(of: call, in: body) }
    }

    private static let calls = ["module(", "tests(", ".target(", ".executableTarget(", ".testTarget("]

    private static func arguments(of call: String, in text: Substring) -> [Target] {
        var targets: [Target] = []
        var rest = text
        while let start = rest.firstRange(of: call) {
            let inside = rest[start.upperBound...]
            rest = inside
            // `.target(` is also the end of a longer word nowhere in a manifest; `module(` and `tests(` might be.
            let before = text[..<start.lowerBound].last
            if call.first?.isLetter == true, before?.isLetter == true || before == "." { continue }
            if let target = target(call, Manifest.upToClosing(inside)) { targets.append(target) }
        }
        return targets
    }

    private static func target(_ call: String, _ arguments: Substring) -> Target? {
        guard let name = strings(in: arguments).first else { return nil }
        let lists = arguments.components(
            after: call == "module(" || call == "tests(" ? "uses:" : "dependencies:")
        let uses = Set(strings(in: lists.prefix { $0 != "]" }))
        if call == "tests(" {
            return Target(
                name: name + "Tests", path: "Tests/\(name)Tests",
                uses: uses.union(["Expectations", "TestSupport"]))
        }
        let path = strings(in: arguments.components(after: call == "module(" ? "at:" : "path:")).first
        return Target(name: name, path: path ?? name, uses: uses)
    }

    private static func upToClosing(_ text: Substring) -> Substring {
        var depth = 1
        let end = text.indices.first { index in
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    private static func strings(in text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().compactMap {
            $0.offset % 2 == 1 ? String($0.element) : nil
        }
    }

    /// Imports of modules of this package that the importing target does not declare, and so compile by chance.
    func undeclaredImports(path: String, code: SwiftCode) -> [String] {
        guard
            let target = targets.filter({ path.hasPrefix($0.path + "/") }).max(by: {
                $0.path.count < $1.path.count
            })
        else { return ["\(path): no target has this folder"] }
        let ours = Set(targets.map(\.name))
        return code.imports.filter { ours.contains($0.module) && !target.uses.contains($0.module) }.map {
            "\(path):\($0.number): \(target.name) imports \($0.module), which Package.swift does not say"
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What follows the first `mark`; nothing when it is absent.
    fileprivate func components(after mark: String) -> Substring {
        guard let range = firstRange(of: mark) else { return self[endIndex...] }
        return self[range.upperBound...]
    }
}

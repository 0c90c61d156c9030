import Clocks
package import ConversationEngine
package import Matching
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Record of the fixture files' rules and faults that this process has exercised.
package final class RuleLedger: Sendable {
    package struct Unused: Sendable, Equatable {
        package var file: String
        package var rules: [RuleUse]
        package var faults: [String]
        package var ruleCount: Int
    }

    package static let shared = RuleLedger()

    /// Stores names, not the script, because the ledger lives as long as the process.
    private struct Entry {
        var rules: [RuleUse] = []
        var faults: [String] = []
        var exercised: Set<SourcePlace> = []
        var fired: Set<String> = []
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var reportsAtExit = false
    }

    private let state = Locked(State())

    func add(_ log: ObservationLog, file: String?) {
        add(scripts: log.scripts, exercised: log.exercised, fired: log.fired, file: file)
    }

    /// Adds observations. `file` counts as a file even without a folder in its path.
    package func add(
        scripts: [String: Script], exercised: [String: Set<SourcePlace>], fired: [String: Set<String>],
        file: String? = nil
    ) {
        // Counts only files (keys with a slash): fixture texts belong to tests, and embedded fixtures cannot be edited.
        let files = scripts.filter { $0.key.contains("/") || $0.key == file }
            .mapValues { script in
                let rules = script.rules.filter { $0.place.line > 0 }.sorted {
                    ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
                }
                return Entry(rules: rules, faults: script.faults.map(\.name))
            }
        state.withLock { state in
            for (file, entry) in files {
                state.entries[file, default: entry].rules = entry.rules
                state.entries[file]?.faults = entry.faults
                state.entries[file]?.exercised.formUnion(exercised[file] ?? [])
                state.entries[file]?.fired.formUnion(fired[file] ?? [])
            }
        }
    }

    package var unused: [Unused] {
        state.withLock { state in
            state.entries.sorted { $0.key < $1.key }.compactMap { file, entry -> Unused? in
                let unused = Unused(
                    file: file, rules: entry.rules.filter { !entry.exercised.contains($0.place) },
                    faults: entry.faults.filter { !entry.fired.contains($0) },
                    ruleCount: entry.rules.count)
                return unused.rules.isEmpty && unused.faults.isEmpty ? nil : unused
            }
        }
    }

    package var report: String? {
        let unused = unused
        guard !unused.isEmpty else { return nil }
        var lines = ["Never exercised in this run:"]
        for file in unused {
            lines.append("  \(file.file): \(file.rules.count) of \(file.ruleCount) rules")
            for rule in file.rules {
                lines.append("    \(file.file):\(rule.place.line):\(rule.place.column): \(rule.name)")
            }
            if !file.faults.isEmpty {
                lines.append("    faults that never fired: " + file.faults.joined(separator: ", "))
            }
        }
        return lines.joined(separator: "\n")
    }

    package enum Wish: Equatable, Sendable {
        case quiet
        case list
        /// Print the report. If it is not empty, end with status 1.
        case fail
        case unknown(String)

        package init(_ word: String?) {
            self =
                switch word {
                case nil, "", "quiet": .quiet
                case "list": .list
                case "fail": .fail
                case let word?: .unknown(word)
                }
        }

        package func ending(_ report: String?) -> (text: String?, fails: Bool) {
            switch self {
            case .quiet: (nil, false)
            case .list: (report, false)
            case .fail: (report, report != nil)
            case .unknown(let word):
                ("POLYMOCK_UNUSED is \"\(word)\": use list, fail or quiet (as without it).", true)
            }
        }
    }

    /// Prints the report at the end of the process, on standard error, if `POLYMOCK_UNUSED` requests one.
    package static func reportAtExit() {
        let isFirst = shared.state.withLock { state in
            defer { state.reportsAtExit = true }
            return !state.reportsAtExit
        }
        guard isFirst else { return }
        Files.atExit {
            let wish = Wish(ProcessInfo.processInfo.environment["POLYMOCK_UNUSED"])
            let (text, fails) = wish.ending(RuleLedger.shared.report)
            if let text { _ = Files.write(Array((text + "\n").utf8), to: .standardError) }
            if fails { Files.endProcessAtOnce(1) }
        }
    }
}

/// A word that must not occur in code, and where the rule holds.
struct SourceRule: CustomStringConvertible, Sendable {
    var needle: String
    var folders: [String]
    /// Files where it may occur, with the reason.
    var except: [String: String] = [:]
    /// Code inside `#if` is left alone.
    var ignoresConditionalCode = false

    var description: String { "\(needle) in \(folders.joined(separator: ", "))" }

    func violations(path: String, code: SwiftCode) -> [String] {
        guard folders.contains(where: { path.hasPrefix($0 + "/") }), except[path] == nil else { return [] }
        var found = code.occurrences(of: needle)
        if ignoresConditionalCode, !found.isEmpty {
            let unconditional = Set(code.unconditionalLines.map(\.number))
            found.removeAll { !unconditional.contains($0) }
        }
        return found.map { "\(path):\($0): \(needle)" }
    }
}

extension SourceRule {
    private static let everywhere = ["Shared", "Server", "Client", "Tests"]
    private static let clock = [
        "Client/ChatViews/ChatScreenModel.swift": "a screen in an app, which lives by the device's clock",
        "Shared/SocketTransport/System/SystemClock.swift": "the one clock that is real",
    ]

    /// One clock, no traps, no unchecked promises to the compiler.
    static let calls: [SourceRule] =
        ["Date()", "Date.now", "Task.sleep", "DispatchTime.now", "DispatchWallTime.now", "clock_gettime"].map
    {
        SourceRule(needle: $0, folders: everywhere, except: clock)
    }
        + ["nonisolated(unsafe)", "try!", "as!", "fatalError("].map {
            SourceRule(needle: $0, folders: everywhere)
        }
        + ["sleep", "usleep", "nanosleep"].map { SourceRule(needle: $0, folders: ["Tests"]) }
        + [
            SourceRule(
                needle: "@unchecked Sendable", folders: everywhere,
                except: [
                    "Shared/Clocks/Locked.swift": "the lock itself: every access goes through it",
                    "Shared/SocketTransport/Loop.swift": "state confined to the loop's own thread",
                    "Server/ConversationEngine/Runs/RunState.swift":
                        "a session's runs, copied before they change (decision record 0024)",
                    "Client/ConnectCore/Platform/UncheckedBox.swift":
                        "handlers of apps, as the published SDK takes them (decision record 0016)",
                    "Client/ConnectChat/AWSClient.swift":
                        "an open class that apps subclass; what it keeps is behind a lock (decision record 0016)",
                    "Tests/ConnectChatTests/Shell/SessionTests.swift": "a subclass of it, as apps write one",
                    "Tests/SnippetTests/DocComments+Connect.swift": "the same subclass, in an example",
                ])
        ]

    /// Names newer than iOS 15 and macOS 13, which Linux compiles without a word.
    static let newerNames: [SourceRule] = [
        "Mutex", "Atomic", "Synchronization", "Clock", "ContinuousClock", "SuspendingClock", "Duration",
        "Regex",
        "Observable", "Observation", "Span", "RawSpan", "MutableSpan", "OutputSpan", "InlineArray",
    ].map {
        SourceRule(
            needle: $0, folders: ["Shared", "Client"],
            except: ["Shared/Clocks/Interval.swift": "turns a Duration into an Interval, where there is one"],
            ignoresConditionalCode: true)
    }
}

import Fixtures
import Texts

/// The command that plays a test again, and a remark on what the command cannot repeat.
struct ReplayLine: Sendable {
    enum Act: Int, Sendable, CaseIterable {
        case fault, network, time, replyOverride, takeover, user, server, client

        var words: String {
            switch self {
            case .fault: "faults that the test added"
            case .network: "what the test did to the network"
            case .time: "time that the test let pass"
            case .replyOverride: "replies that the test overrode"
            case .takeover: "what the test did in place of the agent"
            case .user: "what the user did besides talking"
            case .server: "the test's settings of the server"
            case .client: "the test's settings of the client"
            }
        }
    }

    enum Source: Sendable, Equatable {
        case name
        case folder(String)
        case inline
        /// The file's name cannot be part of a scenario line.
        case unspeakable
    }

    var scenario: String
    var journalName: String
    var source = Source.name
    var streaming: [String: Bool] = [:]
    var acts: Set<Act> = []

    func command(_ observedEvents: [ObservedEvent], session: String?, until sequence: UInt64?) -> String {
        switch source {
        case .inline:
            return "the fixture is inline, so only the test can play it again; the journal is attached."
        case .unspeakable:
            return "the fixture's name cannot stand in a scenario, so only the test can play it again;"
                + " the journal is attached."
        case .name, .folder: break
        }
        let says = Self.says(observedEvents, in: session)
        guard Self.fits(says) else { return "polymock replay \(ShellWord.quoted(journalName))" }
        var words = ["polymock replay", ShellWord.quoted(scenario)]
        words += says.map { "--say " + ShellWord.quoted($0) }
        if let session, let isStreaming = isStreaming(in: session) {
            words.append("--streaming " + (isStreaming ? "on" : "off"))
        }
        if case .folder(let folder) = source { words.append("--fixtures " + ShellWord.quoted(folder)) }
        if let sequence { words.append("--until \(sequence)") }
        return words.joined(separator: " ")
    }

    func remark(_ observedEvents: [ObservedEvent], session: String?) -> String? {
        guard source != .inline, source != .unspeakable else { return nil }
        let says = Self.says(observedEvents, in: session)
        guard Self.fits(says) else {
            return
                "The user said \(says.count) messages, too many for a line: save the attached journal, which the"
                + " command shows to an app."
        }
        var parts = Act.allCases.filter(acts.contains).map(\.words)
        let sessions = Set(observedEvents.map(\.session)).subtracting([""])
        if sessions.count > 1 { parts.append("what happened in other sessions") }
        if session != nil, says.isEmpty {
            parts.append("the user's silence (it plays what the fixture's first example says)")
        }
        return parts.isEmpty ? nil : "Not in that line: " + parts.joined(separator: ", ") + "."
    }

    private func isStreaming(in session: String) -> Bool? {
        if let known = streaming[session] { return known }
        // The streaming mode of earlier sessions is not recorded. If all chats have the same mode, that mode is
        // assumed.
        let all = Set(streaming.values)
        return all.count == 1 ? all.first : nil
    }

    /// Returns the user's messages in one session.
    private static func says(_ observedEvents: [ObservedEvent], in session: String?) -> [String] {
        let said = observedEvents.filter { $0.kind == .userMessage && $0.session == session }
        let journaled = Set(said.filter { $0.sequence != nil }.map(\.text))
        var lost: Set<String> = []
        return said.filter { message in
            message.sequence != nil
                || !journaled.contains(message.text) && lost.insert(message.text).inserted
        }.map(\.text)
    }

    private static func fits(_ says: [String]) -> Bool {
        says.count <= KitLimits.repeatedMessages
            && says.reduce(0) { $0 + $1.utf8.count } <= KitLimits.repeatedBytes
    }
}

extension MockPlan {
    var replaySource: ReplayLine.Source {
        if isText { return .inline }
        let scenario = try? ScenarioLine(line)
        guard scenario?.fixture == fixtureName, scenario?.faults == faults else { return .unspeakable }
        guard let file else { return fixturesFolder.map { .folder($0) } ?? .name }
        let folders = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = folders.joined(separator: "/")
        if folder == "fixtures" { return .name }
        return .folder(folders.isEmpty ? "." : folder.isEmpty ? "/" : folder)
    }

    var hasOwnSettings: Bool {
        // Settings have no `==`, because some are functions.
        !changes.isEmpty || String(describing: settings) != String(describing: MockPlan.defaultSettings)
    }
}

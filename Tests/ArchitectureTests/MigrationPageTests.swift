import Expectations
import Testing

/// The page on moving from the published SDK says which switches break; the source is compared with what is published.
@Suite("The page on moving from the published SDK")
struct MigrationPageTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String
        var published: [String]

        var testDescription: String { name }
    }

    private static let folder = "Client/PolyMessaging/Public/"
    private static let page = "Client/PolyMessaging/Docs/Migration.md"

    /// The cases of 0.9, or of 0.2 where 0.9 has none.
    private static let kinds = [
        Kind(
            name: "Environment", path: "Environment.swift",
            published: ["us", "uk", "euw", "cluster", "custom"]
        ),
        Kind(
            name: "DevSettings.EnvironmentKind", path: "DevSettings.swift",
            published: ["us", "uk", "euw", "cluster", "custom"]),
        Kind(
            name: "OutgoingEvent", path: "OutgoingEvent.swift",
            published: [
                "userMessage", "userEndConversation", "userLeft", "requestPolyAgentJoin", "heartbeat",
                "userTyping",
            ]),
        Kind(
            name: "MessagingEvent", path: "Events/MessagingEvent.swift",
            published: [
                "sessionStart", "sessionEnd", "sessionIdleWarning", "userMessage", "userTyping",
                "userEndSession", "requestPolyAgentJoin", "messagePending", "messageConfirmed",
                "messageFailed", "agentJoined", "agentThinking", "agentMessage", "agentMessageChunk",
                "agentLeft", "agentTriggeredHandoff", "liveAgentJoined", "liveAgentTyping",
                "liveAgentMessage", "liveAgentLeft", "systemMessage", "heartbeat", "clientHandoffRequired",
                "handoffQueueStatus", "handoffAccepted", "handoffFailed", "handoffTimeout", "connected",
                "reconnecting", "disconnected",
            ]),
        Kind(
            name: "ChatMessage", path: "Messages/ChatMessage.swift", published: ["user", "agent", "system"]),
        Kind(
            name: "Delivery", path: "Messages/ChatMessage.swift", published: ["pending", "sent", "failed"]),
        Kind(
            name: "SystemEvent", path: "Messages/ChatMessage.swift",
            published: [
                "conversationEnded", "agentLeft", "liveAgentJoined", "liveAgentLeft", "queueStatus",
                "handoffStarted", "handoffRequired", "handoffAccepted", "handoffFailed", "handoffTimeout",
                "idleWarning", "serverMessage",
            ]),
        Kind(
            name: "ConnectionStatus", path: "ConnectionStatus.swift",
            published: ["idle", "connecting", "open", "closing", "closed", "reconnecting", "failed"]),
        Kind(name: "AgentKind", path: "Messages/ChatMessage.swift", published: ["poly", "live"]),
        Kind(name: "TypingState", path: "TypingState.swift", published: ["started", "stopped"]),
        Kind(
            name: "SessionStatus", path: "SessionState.swift",
            published: ["unknown", "active", "ended", "expired", "restored"]),
        Kind(
            name: "SessionErrorCode", path: "SessionState.swift",
            published: [
                "errorParsingRequest", "missingAuthHeaders", "connectorLookupFailed",
                "connectorValidationFailed", "sessionCreationFailed", "unknown",
                "connectionClosedAbnormally", "messageTooLarge",
            ]),
        Kind(
            name: "SystemMessageLevel", path: "Events/SessionPayloads.swift",
            published: ["info", "warning", "error"]),
        Kind(
            name: "AttachmentContentType", path: "Events/MessagePieces.swift",
            published: ["image", "url", "unknown"]),
        Kind(
            name: "LogLevel", path: "LogLevel.swift", published: ["none", "error", "warn", "info", "debug"]),
        Kind(
            name: "CloseCode", path: "ConnectionCloseEvent.swift",
            published: ["normal", "noStatus", "abnormal", "clientReplaced", "sessionUnknown", "appError"]),
    ]

    @Test("An enum has the published cases, and those more that the page names", arguments: kinds)
    func cases(_ kind: Kind) throws {
        let page = try #require(Repository.current.file(Self.page)).text
        let source = try #require(Repository.current.file(Self.folder + kind.path)).text
        let ours = try #require(
            Self.cases(of: kind.name.split(separator: ".").last.map(String.init), in: source))
        let more = ours.filter { !kind.published.contains($0) }
        #expect(Set(kind.published).isSubset(of: ours))
        let row = page.split(separator: "\n").first { $0.contains("over `\(kind.name)` |") }
        if more.isEmpty {
            #expect(row == nil && page.contains("`\(kind.name)`"))
        } else {
            let words = "+ " + more.map { "`\($0)`" }.joined(separator: ", ")
            expectEqual(row?.contains(words), true, "the page should say: \(words)")
        }
    }

    @Test("The version that the page names is ours")
    func version() throws {
        let page = try #require(Repository.current.file(Self.page)).text
        let source = try #require(Repository.current.file(Self.folder + "PolyMessaging.swift")).text
        let version = try #require(
            source.split(separator: "version = ").dropFirst().first?.prefix { $0 != "\n" })
        #expect(page.contains("| `PolyMessaging.version` | \"0.9.0\" | \(version) |"))
    }

    @Test("What an app's own connection has to have is what is published")
    func connection() throws {
        let source = try #require(Repository.current.file(Self.folder + "Connection.swift")).text
        let text = try #require(source.split(separator: "protocol Connection").dropFirst().first)
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let required = lines.prefix { $0 != "}" }.filter { $0.hasPrefix("func ") || $0.hasPrefix("var ") }
        let names = required.map { $0.drop { $0 != " " }.dropFirst().prefix { $0.isLetter } }
        expectEqual(
            names,
            [
                "connect", "disconnect", "send", "sendRaw", "status", "openEvents", "closeEvents", "messages",
                "batchEvents", "rawFrames", "errors",
            ])
    }

    @Test("The cases of an enum are found, those of another enum in the same file are not")
    func reading() {
        let source =
            "enum A {\n  case a, b(Int)\n  case c = 1\n  func f() {\n switch self {\n case .a: 1\n }\n }\n}\nenum B {\n case d\n}\n"
        expectEqual(Self.cases(of: "A", in: source), ["a", "b", "c"])
        expectEqual(Self.cases(of: "B", in: source), ["d"])
        expectEqual(Self.cases(of: "C", in: source), nil)
    }

    /// The names behind `case` at the top level of an enum.
    private static func cases(of name: String?, in source: String) -> [String]? {
        guard let name else { return nil }
        let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
        guard
            let start = lines.firstIndex(where: {
                $0.contains("enum \(name):") || $0.contains("enum \(name) {")
            })
        else { return nil }
        var depth = 0
        var names: [String] = []
        for line in lines[start...] {
            if depth == 1, line.hasPrefix("case ") { names += Self.names(line.dropFirst(5)) }
            depth += line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
            if depth == 0 { break }
        }
        return names
    }

    /// `a, b(Int, c: Int)` has two.
    private static func names(_ list: Substring) -> [String] {
        var names = [""]
        var depth = 0
        for character in list {
            switch character {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "," where depth == 0: names.append("")
            case _ where depth == 0: names[names.count - 1].append(character)
            default: break
            }
        }
        return names.map { name in String(name.drop { $0 == " " }.prefix { $0.isLetter }) }
    }
}

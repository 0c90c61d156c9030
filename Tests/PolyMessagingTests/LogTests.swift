import Clocks
import Expectations
import Foundation
import Testing

@testable import PolyMessaging

/// Keeps the lines it is given.
private final class Recorder: PolyLogger {
    private let stored = Locked<[String]>([])
    var lines: [String] { stored.withLock { $0 } }

    private func keep(_ line: String) { stored.withLock { $0.append(line) } }
    func debug(_ message: String, metadata: [String: any Sendable]?) { keep("debug \(message)") }
    func info(_ message: String, metadata: [String: any Sendable]?) { keep("info \(message)") }
    func warn(_ message: String, metadata: [String: any Sendable]?) { keep("warn \(message)") }
    func error(_ message: String, metadata: [String: any Sendable]?) { keep("error \(message)") }
}

@Suite("The log")
struct LogTests {
    static let token = "connector-token-with-a-tail-9876"
    static let session = "0190f1c2-5f0a-7c11-8a61-3f4b9a2d1c01"

    @Test("LOG-275 Of a token the last four characters remain, of a short one none")
    func tokens() {
        expectEqual(Redaction.standard.token(Self.token), "…9876")
        expectEqual(Redaction.standard.token("123456789012345"), "…")
        expectEqual(Redaction.standard.token(""), "…")
    }

    @Test("LOG-275 Of a session id eight digits remain, the same for the same id")
    func sessions() {
        let shown = Redaction.standard.session(Self.session)
        #expect(shown.count == 9 && shown.first == "#")
        expectEqual(shown, Redaction.standard.session(Self.session))
        #expect(shown != Redaction.standard.session(Self.session + "0"))
        // FNV-1a of nothing is its offset basis.
        expectEqual(Redaction.standard.session(""), "#811c9dc5")
    }

    @Test("LOG-275 Of texts and frames only the length remains")
    func texts() {
        expectEqual(Redaction.standard.text("secret é"), "9 bytes")
        expectEqual(Redaction.standard.frame(Array("secret".utf8)), "6 bytes")
    }

    @Test("LOG-275 Of an address user, password, query and fragment are left out")
    func addresses() throws {
        let url = try #require(
            URL(
                string: "wss://ada:pw@host.example/ws?access_token=\(Self.token)&session_id=\(Self.session)#x"
            ))
        expectEqual(Redaction.standard.url(url), "wss://host.example/ws?…")
        let plain = try #require(URL(string: "https://host.example/api/v1/sessions"))
        expectEqual(Redaction.standard.url(plain), "https://host.example/api/v1/sessions")
    }

    @Test("LOG-275 A configuration shows no token, however it is printed")
    func configuration() {
        let config = Configuration(connectorToken: Self.token, environment: .us)
        var dumped = ""
        dump(config, to: &dumped)
        for text in [
            "\(config)", String(reflecting: config), "\([config])", dumped, "\(Optional(config) as Any)",
        ] {
            #expect(!text.contains("connector-token"))
            #expect(text.contains("9876"))
        }
    }

    @Test("LOG-275 A configuration shows no password or query of the app's own addresses")
    func ownAddresses() throws {
        let rest = try #require(URL(string: "https://ada:secret@a.example/api/v1?key=secret"))
        let socket = try #require(URL(string: "wss://a.example/ws?key=secret"))
        let config = Configuration(
            apiKey: Self.token, environment: .custom(restBaseURL: rest, wsBaseURL: socket))
        var dumped = ""
        dump(config, to: &dumped)
        for text in ["\(config)", dumped] {
            #expect(text.contains("a.example") && !text.contains("secret"))
        }
    }

    @Test("LOG-275 Secrets are shown only on request, and only for servers of this machine")
    func secrets() throws {
        func redaction(host: String, _ isWanted: Bool) throws -> Redaction {
            let rest = try #require(URL(string: "http://\(host)/api/v1"))
            let socket = try #require(URL(string: "ws://\(host)/ws"))
            var config = Configuration(
                apiKey: "T", environment: .custom(restBaseURL: rest, wsBaseURL: socket))
            config.logsSecrets = isWanted
            return config.redaction
        }
        for host in ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"] {
            #expect(try redaction(host: host, true).showsSecrets)
            #expect(try !redaction(host: host, false).showsSecrets)
        }
        for host in ["messaging.us-1.poly.ai", "127.0.0.1.example", "10.0.0.1"] {
            #expect(try !redaction(host: host, true).showsSecrets)
        }
        let open = Redaction(showsSecrets: true)
        expectEqual(open.token(Self.token), Self.token)
        expectEqual(open.session(Self.session), Self.session)
        expectEqual(open.text(String(repeating: "a", count: 5_000)).count, MessagingLimits.maxLoggedBytes)
        expectEqual(open.frame([UInt8](repeating: 97, count: 5_000)).count, MessagingLimits.maxLoggedBytes)
    }

    @Test("LOG-275 What the reading of frames notes holds nothing of the frame")
    func notes() {
        var mapping = WireMapping(generator: SeededGenerator(seed: 1))
        for frame in [
            "secret", #"["secret"]"#, #"{"secret":1}"#, #"{"type":"secret"}"#,
            #"{"type":"secret","id":"1","timestamp":"t","payload":{"text":"secret"}}"#,
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":["secret"]}}"#,
        ] {
            let notes = mapping.read(Array(frame.utf8), at: Instant(secondsSince1970: 0)).notes
            expectEqual(notes.count, 1)
            #expect(!notes.joined().contains("secret"))
        }
    }

    @Test("LOG-275 The summary of an event holds nothing that was said")
    func summaries() {
        let envelope = Envelope(id: "e1", sequence: 4, timestamp: Date(timeIntervalSince1970: 0))
        let events: [MessagingEvent] = [
            .userMessage(envelope, UserMessageEchoPayload(messageId: "m", text: "secret")),
            .messagePending(draftId: "d", text: "secret"),
            .agentMessage(envelope, AgentMessagePayload(messageId: "m", text: "secret")),
            .agentMessageChunk(
                envelope,
                AgentMessageChunkPayload(messageId: "m", chunkIndex: 0, isComplete: true, text: "secret")),
            .liveAgentMessage(envelope, LiveAgentMessagePayload(messageId: "m", text: "secret")),
        ]
        for event in events { #expect(!event.debugSummary.contains("secret")) }
    }

    @Test("LOG-276 A level lets itself and the more urgent levels through", arguments: LogLevel.allCases)
    func levels(_ level: LogLevel) {
        let recorder = Recorder()
        let filter = LevelFilter(level: level, sink: recorder)
        for each in LogLevel.allCases { filter.log(each, "x") }
        let expected = ["error x", "warn x", "info x", "debug x"].prefix(level.rawValue)
        expectEqual(recorder.lines, Array(expected))
    }

    @Test("LOG-276 The methods without metadata reach those with it")
    func shortForms() {
        let recorder = Recorder()
        recorder.debug("a")
        recorder.info("b")
        recorder.warn("c")
        recorder.error("d")
        expectEqual(recorder.lines, ["debug a", "info b", "warn c", "error d"])
    }

    @Test("A line names the SDK, the level and the metadata by key")
    func line() {
        expectEqual(ConsoleLogger.line("warn", "lost", nil), "PolyMessaging warn: lost")
        let facts: [String: any Sendable] = ["code": 1006, "attempt": "2"]
        expectEqual(
            ConsoleLogger.line("info", "closed", facts),
            "PolyMessaging info: closed (attempt: 2, code: 1006)")
    }
}

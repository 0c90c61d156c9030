import AgentRuns
import ChatPresentation
import Clocks
import Expectations
import RunWire
import Testing

@testable import RunPresentation

/// Questions of one run are asked one after the other; their answers leave together.
@Suite("Answers to the questions of a run")
struct RunLogTests {
    private static let now = Instant(secondsSince1970: 1_790_000_001)
    private static let events = [
        #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Two things."}"#,
        #"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
        #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":["#
            + #"{"id":"i-1","reason":"size","message":"Which size?","responseSchema":{"type":"object","#
            + #""properties":{"size":{"type":"string"}}}},"#
            + #"{"id":"i-2","reason":"name","message":"Which name?","responseSchema":{"type":"string"}}]}}"#,
    ]

    private var log = RunLog(at: Self.now)
    private var reducer = RunReducer()

    init() throws {
        log.apply(.requested(isRun: true, at: Self.now))
        for (index, text) in Self.events.enumerated() {
            let event = try RunEventReader.read(Array(text.utf8))
            _ = reducer.apply(event)
            let received = AgentRunEvent(threadID: "t", runID: "r", index: index, receivedAt: Self.now, event)
            log.apply(.event(received, at: Self.now))
        }
        log.apply(.ended(nil, at: Self.now))
    }

    /// The rows as words. A draft has its state.
    private var lines: [String] { Self.lines(log.history(of: reducer, ("Yes", "No"))) }

    private static func lines(_ history: ChatHistory) -> [String] {
        history.entries.compactMap { entry in
            switch entry {
            case .draft(_, let text, _, let state, _, _, _): "\(text) (\(state))"
            case .event(let event):
                if case .message(let content, _) = event.kind { content.text } else { nil }
            }
        }
    }

    private mutating func answerBoth(_ size: String, _ name: String) throws -> [ResumeEntry] {
        guard case .more? = log.answer(size, isYes: nil),
            case .all(let entries)? = log.answer(name, isYes: nil)
        else { return [] }
        return entries
    }

    @Test("Each answer has the form of its question, and all leave with the last one")
    mutating func inOrder() throws {
        expectEqual(lines, ["Two things.", "Which size?"])
        let entries = try answerBoth("large", "Ann")
        expectEqual(
            entries,
            [
                ResumeEntry(
                    interruptID: "i-1", status: .resolved, payload: .object(["size": .string("large")])),
                ResumeEntry(interruptID: "i-2", status: .resolved, payload: .string("Ann")),
            ])
        log.apply(.requested(isRun: true, at: Self.now))
        #expect(log.answer("again", isYes: nil) == nil)
        expectEqual(lines, ["Two things.", "Which size?", "large (pending)", "Which name?", "Ann (pending)"])
    }

    @Test("Answers that were refused are sent again, given anew, or removed together")
    mutating func refused() throws {
        let entries = try answerBoth("large", "Ann")
        log.apply(.requested(isRun: true, at: Self.now))
        log.apply(.ended(.http(status: 503, body: ""), at: Self.now))
        expectEqual(lines, ["Two things.", "Which size?", "large (failed)", "Which name?", "Ann (failed)"])
        let note = try #require(
            log.history(of: reducer, ("Yes", "No")).entries.compactMap { entry in
                if case .draft(let id, _, _, _, _, _, _) = entry { id } else { nil }
            }.first)
        #expect(log.answers(of: "another") == nil && log.answers(of: note) == entries)

        var anew = self
        guard case .more? = anew.log.answer("small", isYes: nil) else { throw CancellationError() }
        #expect(
            anew.lines.contains { $0.hasPrefix("small") } && !anew.lines.contains { $0.hasPrefix("large") })

        #expect(!log.removeAnswers(of: "another") && log.removeAnswers(of: note))
        #expect(lines == ["Two things.", "Which size?"] && log.answers(of: note) == nil)
    }

    @Test("A message of parts shows its files, and the question of a message that is gone stays")
    mutating func parts() throws {
        let snapshot =
            #"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":["#
            + #"{"type":"text","text":"See"},"#
            + #"{"type":"image","source":{"type":"url","value":"https://a.example/b.png","mimeType":"image/png"}},"#
            + #"{"type":"document","source":{"type":"data","value":"QQ==","mimeType":"text/plain"}}]}]}"#
        _ = reducer.apply(try RunEventReader.read(Array(snapshot.utf8)))
        let history = log.history(of: reducer, ("Yes", "No"))
        let files = history.entries.flatMap { entry -> [RowAttachment] in
            if case .draft(_, _, _, _, _, let files, _) = entry { files } else { [] }
        }
        expectEqual(files.map(\.type), ["image/png", "text/plain"])
        #expect(
            files.map(\.url) == ["https://a.example/b.png", ""]
                && files.map(\.title) == ["image", "document"])
        #expect(Self.lines(history).contains("Which size?"))
    }
}

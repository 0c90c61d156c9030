import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import RunWire
import Testing
import Texts

private let plain = """
    { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "1 words", every: "5ms" } },
      greeting: [ { say: "Welcome." } ],
      stages: { start: [ { hears: "tea", replies: [ { say: "Which kind?", suggest: ["Green"] } ] } ] },
      otherwise: [ { replies: [ { say: "You said {message}." } ] } ] }
    """

@Suite("A run of an agent")
struct AgentRunTests {
    @Test("A reply in plain words is a run: begin, text in pieces, end")
    func plainText() throws {
        var stage = try RunStage(fixture: plain)
        let stream = stage.ask("coffee please", thread: "t", run: "r")
        let text = stage.events(stream)
        let id = try #require(
            stage.journal.compactMap { entry in
                if case .agentMessage(let message) = entry.event { message.id } else { nil }
            }.first)
        expectEqual(text.first, #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#)
        expectEqual(text[1], #"{"type":"TEXT_MESSAGE_START","messageId":"\#(id)","role":"assistant"}"#)
        expectEqual(text[2], #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"\#(id)","delta":"You "}"#)
        expectEqual(text.dropFirst(6).first, #"{"type":"TEXT_MESSAGE_END","messageId":"\#(id)"}"#)
        expectEqual(text.last, #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#)
        expectEqual(stage.closed, [stream])
        expectEqual(stage.told, ["user: coffee please", "agent: You said coffee please."])
    }

    @Test("A request without words begins a talk with the greeting, and is an empty run later")
    func greeting() throws {
        var stage = try RunStage(fixture: plain)
        let first = stage.ask(RunInput(threadID: "t", runID: "r"))
        expectEqual(stage.told, ["agent: Welcome."])
        let second = stage.ask(RunInput(threadID: "t", runID: "s"))
        #expect(stage.types(first).count > 2)
        expectEqual(stage.types(second), ["RUN_STARTED", "RUN_FINISHED"])
    }

    @Test("A second run waits for its turn, and each stream hears its own")
    func order() throws {
        var stage = try RunStage(fixture: plain)
        let input = RunInput(
            threadID: "t", runID: "1", messages: [RunMessage(id: "u", role: .user, content: .text("tea"))])
        var other = input
        other.runID = "2"
        let first = stage.ask(input, waits: false)
        let second = stage.ask(other, waits: false)
        #expect(stage.events(second).isEmpty)
        stage.settle()
        expectEqual(stage.types(first).last, "RUN_FINISHED")
        expectEqual(stage.events(second).first, #"{"type":"RUN_STARTED","threadId":"t","runId":"2"}"#)
        expectEqual(stage.types(second), stage.types(first))
    }

    @Test("A client that leaves stops its run, the journal keeps what it heard, and the next run begins")
    func leaving() throws {
        var stage = try RunStage(fixture: plain)
        let input = RunInput(
            threadID: "t", runID: "1", messages: [RunMessage(id: "u", role: .user, content: .text("beer"))])
        let first = stage.ask(input, waits: false)
        stage.advance(by: .milliseconds(16))
        stage.leave(first)
        expectEqual(stage.told, ["user: beer", "agent: You said "])
        expectEqual(stage.engine[stage.session]?.isQuiet, true)
        let second = stage.ask("tea")
        expectEqual(stage.types(second).last, "RUN_FINISHED")
    }

    @Test("The same seed tells the same bytes")
    func determinism() throws {
        func tell() throws -> [UInt8]? {
            var stage = try RunStage(fixture: plain)
            let stream = stage.ask("tea")
            return stage.streams[stream]
        }
        let first = try tell()
        for _ in 0..<20 { try expectEqual(tell(), first) }
    }

    @Test("A session without runs keeps no log of them")
    func noLog() throws {
        var stage = try RunStage(fixture: plain)
        stage.say("tea")
        #expect(stage.engine[stage.session]?.runs == nil)
    }

    @Test("A comment keeps a silent stream alive")
    func keepAlive() throws {
        let script = try #require(AGUIDialect().script(of: "01-text-only"))
        var slow = script
        slow.anywhere[0].steps.insert(Step(.wait(.seconds(40))), at: 0)
        var stage = RunStage(slow, keepAlive: .seconds(15))
        let stream = stage.ask(
            RunInput(
                threadID: "t", runID: "r", messages: [RunMessage(id: "u", role: .user, content: .text("a"))]),
            waits: false)
        stage.advance(by: .seconds(15))
        expectEqual(String(decoding: stage.streams[stream] ?? [], as: UTF8.self), ": still here\n\n")
    }
}

@Suite("Agents of the gallery")
struct AgentRunGalleryTests {
    static let names = AGUIDialect().agents.map(\.name)

    /// A file's events with the ids of the request: `thr`, `run`.
    private static func expected(_ name: String, version: String? = "1.0") throws -> [String] {
        var own: (thread: String, run: String)?
        return try exampleLines(name).map { line in
            var event = try RunEventReader.read(Array(line.utf8))
            func adopted(_ id: String) -> String {
                id == own?.thread ? "thr" : id == own?.run ? "run" : id
            }
            switch event.kind {
            case .runStarted(var start):
                if own == nil { own = (start.threadID, start.runID) }
                (start.threadID, start.runID) = (adopted(start.threadID), adopted(start.runID))
                start.parentRunID = start.parentRunID.map(adopted)
                start.input?.threadID = start.threadID
                start.input?.runID = start.runID
                start.protocolVersion = version
                event.kind = .runStarted(start)
            case .runFinished(var finish):
                if own == nil { own = (finish.threadID, finish.runID) }
                (finish.threadID, finish.runID) = (adopted(finish.threadID), adopted(finish.runID))
                event.kind = .runFinished(finish)
            default: break
            }
            return String(decoding: RunEventWriter.bytes(event), as: UTF8.self)
        }
    }

    @Test("Each tells the events of its file with the ids of the request", arguments: names)
    func plays(_ name: String) throws {
        var stage = try RunStage(agent: name)
        // Version 1 has no events for thinking.
        let version = name == "legacy-01-thinking" ? nil : "1.0"
        let stream = stage.ask("anything", version: version)
        try expectEqual(stage.events(stream), Self.expected(name, version: version))
        expectEqual(stage.closed, [stream])
    }

    @Test("There is one for each file of events")
    func complete() throws {
        expectEqual(Self.names.count, 51)
        #expect(Self.names.allSatisfy { AGUIDialect().script(of: $0) != nil })
        expectEqual(AGUIDialect().script(of: "99-nothing"), nil)
    }

    @Test("Clients of version 0 get shapes that they know")
    func version0() throws {
        func events(_ name: String) throws -> [String] {
            var stage = try RunStage(agent: name)
            let stream = stage.ask("anything")
            return stage.events(stream)
        }
        try expectEqual(events("v1-02-pending-frontend-calls").last?.contains("outcome"), false)
        try expectEqual(events("v1-03-cancelled").last?.contains(#""code":"cancelled""#), true)
        try expectEqual(events("v1-04-tool-result-parts").contains { $0.contains(#""content":["#) }, false)
        let subagent = try events("v1-05-subagent")
        #expect(subagent.contains(#"{"type":"STEP_STARTED","stepName":"researcher"}"#))
        #expect(subagent.contains(#"{"type":"STEP_FINISHED","stepName":"researcher"}"#))
        #expect(!subagent.contains { $0.contains("subagent") || $0.contains("protocolVersion") })
    }

    @Test("A client without runs reads the texts of a recorded run")
    func messaging() throws {
        var stage = try RunStage(agent: "02-backend-tool")
        stage.say("weather?")
        expectEqual(stage.told, ["user: weather?", "agent: It is 11 °C and overcast in Leeds."])
    }
}

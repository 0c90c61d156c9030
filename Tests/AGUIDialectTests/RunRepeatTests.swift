import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import RunWire
import Testing
import Texts

private let fixture = """
    { fixture: 1, pace: "instant",
      runs: { state: { count: 0 } },
      tools: { pick: { client: true } },
      stages: {
        start: [ { hears: { exactly: "tea" }, replies: [ { say: "Which kind?" } ], then: "kind" } ],
        kind: [ { hears: { exactly: "green" }, replies: [ { remember: { kind: "green" } }, { say: "Good." } ] } ],
      },
      memory: { kind: "none" },
      anywhere: [
        { hears: { exactly: "soon" },
          replies: [ { say: "Before." }, { ask: { name: "soon", message: "Now?", expires: "5s" } },
                     { say: "Then {answer.status}." } ] },
        { hears: { exactly: "two" },
          replies: [ { ask: [ { name: "one", message: "One?", expires: "5s" },
                              { name: "two", message: "Two?" } ] },
                     { say: "{answer.one.status}, {answer.two.status}." } ] },
        { hears: { exactly: "once" }, replies: [ { ask: { name: "once", message: "Sure?" } } ] },
        { hears: { ask: "once" }, limit: 1,
          replies: [ { say: ["First {answer.status}.", "Second."] }, { ask: { name: "next", message: "And?" } } ] },
        { hears: { ask: "next" }, replies: [ { say: "Done {answer.status}." } ] },
        { hears: { exactly: "both" }, replies: [ { together: [ { tool: "pick" }, { tool: "pick" } ] } ] },
        { hears: { tool: "pick" }, replies: [ { say: "Picked {answer.text} {answer.status}." } ] },
        { hears: { exactly: "no" }, replies: [ { fail: { message: "No.", code: "no" } } ] },
        { hears: { exactly: "set" }, replies: [ { state: { count: 1 } }, { say: "Set." } ] },
      ],
      otherwise: [ { replies: [ { say: "Echo {message}, {kind}." } ] } ] }
    """

/// A client of one thread that says what it likes, and what each of its runs told.
private struct Client {
    var stage: RunStage
    let version: String?
    private var count = 0

    init(_ version: String?, _ text: String = fixture) throws {
        stage = try RunStage(fixture: text)
        self.version = version
    }

    struct Told: Equatable {
        var text = ""
        var code: String?
        var asks: [RunInterrupt] = []
        var calls: [String] = []
        var pending: [String]?
    }

    mutating func say(_ words: String, id: String? = nil) -> Told {
        ask([RunMessage(id: id ?? "u\(count)", role: .user, content: .text(words))])
    }

    mutating func decide(_ decisions: [(RunInterrupt, ResumeStatus)]) -> Told {
        ask(resume: decisions.map { RunResume(interruptID: $0.0.id, status: $0.1, payload: nil) })
    }

    mutating func answer(_ answers: [(call: String, content: String, error: String?)]) -> Told {
        ask(
            answers.map {
                RunMessage(
                    id: "a\(count)-\($0.call)", role: .tool, content: .text($0.content), toolCallID: $0.call,
                    error: $0.error)
            })
    }

    mutating func connect() -> Told { ask(isReplay: true) }

    mutating func ask(
        _ messages: [RunMessage] = [], resume: [RunResume]? = nil, run: String? = nil, isReplay: Bool = false
    ) -> Told {
        count += 1
        var input = RunInput(
            threadID: "t", runID: run ?? "r\(count)", protocolVersion: version, messages: messages)
        input.resume = resume
        let stream = stage.ask(input, isReplay: isReplay)
        var told = Told()
        for line in stage.events(stream) {
            switch (try? RunEventReader.read(Array(line.utf8)))?.kind {
            case .textContent(_, let delta): told.text += delta
            case .toolStart(let id, _, _): told.calls.append(id)
            case .runError(let error): told.code = error.code
            case .runFinished(let finish):
                switch finish.outcome {
                case .interrupt(let asks): told.asks = asks
                case .success(let pending): told.pending = pending
                case .cancelled, nil: break
                }
            default: break
            }
        }
        return told
    }
}

@Suite("A request that comes again, and what waits")
struct RunRepeatTests {
    static let versions: [String?] = [nil, "1.0"]

    @Test("A question that has expired is cancelled, alone and next to others", arguments: versions)
    func cancelled(_ version: String?) throws {
        var client = try Client(version)
        let asked = client.say("soon").asks
        client.stage.advance(by: .minutes(1))
        expectEqual(client.decide([(asked[0], .cancelled)]).text, "Then cancelled.")
        let two = client.say("two").asks
        client.stage.advance(by: .minutes(1))
        expectEqual(client.decide([(two[0], .cancelled), (two[1], .resolved)]).text, "cancelled, resolved.")
        let late = client.say("two").asks
        client.stage.advance(by: .minutes(1))
        expectEqual(client.decide([(late[0], .resolved), (late[1], .cancelled)]).code, "interrupt_expired")
        // The question waits on, and can be cancelled still.
        expectEqual(
            client.decide([(late[0], .cancelled), (late[1], .cancelled)]).text, "cancelled, cancelled.")
    }

    @Test("A decision that comes again has the same outcome, and the talk goes on", arguments: versions)
    func decision(_ version: String?) throws {
        var client = try Client(version)
        let asked = client.say("once").asks
        let first = client.decide([(asked[0], .resolved)])
        #expect(first.text == "First resolved." && first.asks.map(\.message) == ["And?"])
        let again = client.decide([(asked[0], .resolved)])
        #expect(again.text == first.text && again.asks.map(\.message) == ["And?"])
        // People decide once.
        let other = client.decide([(asked[0], .cancelled)])
        #expect(
            other.text.isEmpty
                && other.code == (version == nil ? "unknown_interrupt" : "interrupt_not_covered"))
        expectEqual(client.decide([(again.asks[0], .cancelled)]).text, "Done cancelled.")
        expectEqual(client.decide([(again.asks[0], .cancelled)]).text, "Done cancelled.")
        expectEqual(client.say("hello").text, "Echo hello, none.")
        // It is not the last request any more.
        #expect(client.decide([(again.asks[0], .cancelled)]).text.isEmpty)
    }

    @Test("Of several decisions a part comes again, alone and next to a new one", arguments: versions)
    func parts(_ version: String?) throws {
        var client = try Client(version)
        let two = client.say("two").asks
        let first = client.decide([(two[0], .resolved), (two[1], .cancelled)])
        expectEqual(first.text, "resolved, cancelled.")
        expectEqual(client.decide([(two[1], .cancelled)]), first)
        expectEqual(client.decide([(two[1], .cancelled), (two[0], .resolved)]), first)
        let asked = client.say("once").asks
        let next = client.decide([(asked[0], .resolved)]).asks
        expectEqual(client.decide([(asked[0], .resolved), (next[0], .resolved)]).text, "Done resolved.")
    }

    @Test("A decision that came in time is in time when it comes again", arguments: versions)
    func inTime(_ version: String?) throws {
        var client = try Client(version)
        let asked = client.say("soon").asks
        expectEqual(client.decide([(asked[0], .resolved)]).text, "Then resolved.")
        client.stage.advance(by: .minutes(1))
        expectEqual(client.decide([(asked[0], .resolved)]).text, "Then resolved.")
    }

    @Test("Answers of tools come again: all, a part, a failure, and another one", arguments: versions)
    func answers(_ version: String?) throws {
        var client = try Client(version)
        let calls = client.say("both").calls
        let both = [(call: calls[0], content: "a", error: String?.none), (calls[1], "b", nil)]
        let first = client.answer(both)
        expectEqual(first.text, "Picked b answered.")
        expectEqual(client.answer(both).text, first.text)
        expectEqual(client.answer([both[0]]).text, first.text)
        expectEqual(client.answer([both[1]]).text, first.text)
        // What a tool gave back is what its client says.
        expectEqual(client.answer([(calls[1], "", "closed")]).text, "Picked closed failed.")
        expectEqual(client.answer([(calls[1], "", "closed")]).text, "Picked closed failed.")
        #expect(client.answer([("c9", "x", nil)]).text.isEmpty)
        expectEqual(client.say("hello").text, "Echo hello, none.")
    }

    @Test("An answer comes again while another one is missing", arguments: versions)
    func missing(_ version: String?) throws {
        var client = try Client(version)
        let calls = client.say("both").calls
        let left = version == nil ? nil : [calls[1]]
        expectEqual(client.answer([(calls[0], "a", nil)]).pending, left)
        expectEqual(client.answer([(calls[0], "a", nil)]).pending, left)
        let done = client.answer([(calls[0], "a", nil), (calls[1], "b", nil)])
        expectEqual(done.text, "Picked b answered.")
        expectEqual(client.answer([(calls[0], "a", nil)]).text, done.text)
    }

    @Test("Words come again by the id of their message or of their run", arguments: versions)
    func words(_ version: String?) throws {
        var client = try Client(version)
        for _ in 0..<3 { expectEqual(client.say("tea", id: "u-tea").text, "Which kind?") }
        expectEqual(client.say("green", id: "u-green").text, "Good.")
        expectEqual(client.say("green", id: "u-green").text, "Good.")
        expectEqual(client.say("tea", id: "u-new").text, "Echo tea, green.")
        expectEqual(client.say("no", id: "u-no").code, "no")
        expectEqual(client.say("no", id: "u-no").code, "no")
        let named = RunMessage(id: "x", role: .user, content: .text("green"))
        let other = RunMessage(id: "y", role: .user, content: .text("green"))
        expectEqual(client.ask([named], run: "same").text, client.ask([other], run: "same").text)
    }

    @Test("Only a message with the same picture comes again")
    func pictures() throws {
        var client = try Client(
            nil, #"{ fixture: 1, otherwise: [ { replies: [ { say: ["One.", "Two."] } ] } ] }"#)
        func picture(_ data: String) -> [RunMessage] {
            let part = RunPart(kind: .image, source: .data(data, mimeType: "image/png"))
            return [RunMessage(id: "u-1", role: .user, content: .parts([part]))]
        }
        expectEqual(client.ask(picture("AAAA")).text, "One.")
        expectEqual(client.ask(picture("AAAA")).text, "One.")
        expectEqual(client.ask(picture("AAAB")).text, "Two.")
    }

    @Test("Rules hear the parts of a message")
    func partsOfMessages() throws {
        let kinds: [ContentKind] = [.image, .audio, .video, .document]
        let rules = kinds.map { kind in
            #"{ hears: "*", if: { "message.\#(kind.rawValue)": { known: true } }, replies: [ { say: "A {message.\#(kind.rawValue)}." } ] }"#
        }
        var client = try Client(
            nil,
            """
            { fixture: 1, anywhere: [ { hears: "*", if: { "message.parts": "text, image" }, replies: [ { say: "Both." } ] },
              \(rules.joined(separator: ", ")) ], otherwise: [ { replies: [ { say: "Words." } ] } ] }
            """)
        for kind in kinds {
            let part = RunPart(kind: kind, source: .url("http://a/b", mimeType: "x/\(kind.rawValue)"))
            let message = RunMessage(id: "u-\(kind)", role: .user, content: .parts([part]))
            expectEqual(client.ask([message]).text, "A x/\(kind.rawValue).")
        }
        let words = RunPart(kind: .text, text: "Look")
        let image = RunPart(kind: .image, source: .data("AAAA", mimeType: "image/png"))
        expectEqual(
            client.ask([RunMessage(id: "b", role: .user, content: .parts([words, image]))]).text, "Both.")
        expectEqual(client.say("hello").text, "Words.")
    }

    @Test("A client that left in the middle is answered from the beginning, and the thread has it once")
    func left() throws {
        var stage = try RunStage(
            fixture: """
                { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "1 words", every: "5ms" } },
                  otherwise: [ { replies: [ { state: { n: 1 } }, { say: "One two three." } ] } ] }
                """)
        let input = RunInput(
            threadID: "t", runID: "1", messages: [RunMessage(id: "u", role: .user, content: .text("go"))])
        let first = stage.ask(input, waits: false)
        stage.advance(by: .milliseconds(16))
        stage.leave(first)
        let second = stage.ask(input)
        expectEqual(stage.types(second).last, "RUN_FINISHED")
        let retold = stage.replayed()
        #expect(
            retold.joined().pieces(between: "One two three.").count == 2
                && !retold.joined().contains("\"One two \""))
    }

    @Test("The first run comes again with the state that it began with")
    func state() throws {
        var client = try Client("1.0")
        _ = client.say("set", id: "u")
        _ = client.say("set", id: "u")
        let states = client.stage.streams.values.map { text in
            String(decoding: text, as: UTF8.self).pieces(between: #""snapshot":{"count":0}"#).count
        }
        expectEqual(states, [2, 2])
    }

    @Test("Joining tells what waits, as the end of the last run did", arguments: versions)
    func joining(_ version: String?) throws {
        var client = try Client(version)
        expectEqual(client.connect(), Client.Told())
        let asked = client.say("soon").asks
        expectEqual(client.connect().asks, asked)
        client.stage.advance(by: .minutes(1))
        // It can be cancelled still.
        expectEqual(client.connect().asks, asked)
        _ = client.decide([(asked[0], .cancelled)])
        expectEqual(client.connect(), Client.Told())
        let calls = client.say("both").calls
        expectEqual(client.connect().pending, version == nil ? nil : calls)
        _ = client.answer([(calls[0], "a", nil)])
        expectEqual(client.connect().pending, version == nil ? nil : [calls[1]])
        _ = client.say("hello")
        expectEqual(client.connect(), Client.Told())
    }

    @Test("Joining a recorded run tells the question that its end has written out")
    func joiningRecorded() throws {
        var stage = try RunStage(agent: "13a-interrupt")
        stage.ask("Refund")
        let asked = stage.replayed()
        expectEqual(asked.last?.contains(#""type":"interrupt""#), true)
        var done = try RunStage(agent: "01-text-only")
        done.ask("Hello")
        let over = done.replayed()
        expectEqual(over.last?.contains("outcome"), false)
    }

    @Test("What a thread remembers for it does not grow")
    func bounded() throws {
        var client = try Client(nil)
        for _ in 0..<200 { _ = client.say("tea", id: "u") }
        let runs = try #require(client.stage.engine[client.stage.session]?.runs?.runs)
        #expect(runs.count == ConversationLimits.runs && runs.dropLast().allSatisfy(\.isReplaced))
    }
}

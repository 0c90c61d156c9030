import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import Fixtures
import RunWire
import Testing
import Texts

/// What a thread holds, whatever requests bring along.
@Suite("The messages and the state of a thread")
struct RunThreadTests {
    private static let agent = """
        { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "whole", every: "5ms" } },
          tools: { pick: { client: true } },
          anywhere: [
            { hears: "plan", replies: [{ state: { step: "one" } }, { say: "Planned." }] },
            { hears: "work", replies: [
              { activity: { id: "act", type: "WORK", content: { done: 1 } } }, { say: "Worked." }] },
            { hears: "pick", replies: [{ tool: "pick", with: { min: "M1" } }] },
            { hears: { tool: "pick" }, replies: [{ say: "Picked {answer.text} from {args.min}." }] },
            { hears: "*", replies: [{ say: "You said {message}." }] },
          ] }
        """

    private func user(_ id: String, _ text: String) -> RunMessage {
        RunMessage(id: id, role: .user, content: .text(text))
    }

    private func input(_ run: String, _ messages: [RunMessage], state: JSONValue? = nil) -> RunInput {
        RunInput(threadID: "thr", runID: run, state: state, messages: messages)
    }

    /// What a client is told that joins now.
    private func joined(_ stage: inout RunStage) throws -> (messages: [RunMessage], state: JSONValue) {
        let stream = stage.replay()
        var (messages, state): ([RunMessage], JSONValue) = ([], .null)
        for text in stage.events(stream) {
            switch try RunEventReader.read(Array(text.utf8)).kind {
            case .messagesSnapshot(let told): messages = told
            case .stateSnapshot(let told): state = told
            default: break
            }
        }
        return (messages, state)
    }

    private func words(_ messages: [RunMessage]) -> [String] {
        messages.map { "\($0.role): \($0.content?.text ?? "")" }
    }

    /// protocol-agui.md#joining-a-thread
    @Test("A request that brings only what is new adds to the thread, and leaves its state")
    func parts() throws {
        let bytes = try #require(Embedded.fixture("refunds"))
        let script = FixtureLoader.compile(bytes: bytes, fileName: "refunds.json5", name: "refunds").script
        var stage = RunStage(try #require(script))
        stage.ask(input("r-1", [user("u-1", "Refund order 19")]))
        let ask = try #require(stage.engine[stage.session]?.runs?.pendingAsks.first)
        stage.ask(
            RunInput(
                threadID: "thr", runID: "r-2",
                resume: [
                    RunResume(
                        interruptID: ask.id, status: .resolved, payload: .object(["approved": .bool(true)]))
                ]))
        let thread = try joined(&stage)
        expectEqual(thread.messages.map(\.role), [.user, .assistant, .tool, .assistant])
        expectEqual(thread.messages.first, user("u-1", "Refund order 19"))
        expectEqual(thread.messages[1].toolCalls?.map(\.name), ["issue_refund"])
        expectEqual(thread.messages.last?.content?.text, "The refund is on its way.")
        #expect(thread.state["refund"]?["status"]?.string == "done")
    }

    @Test("Two runs asked for at the same time are both in the thread", arguments: [false, true] as [Bool])
    func together(_ bringsHistory: Bool) throws {
        var stage = try RunStage(fixture: Self.agent)
        let history = bringsHistory ? [user("u-0", "before")] : []
        stage.ask(input("r-1", history + [user("u-1", "tea")]), waits: false)
        stage.ask(input("r-2", history + [user("u-2", "cake")]), waits: false)
        stage.settle()
        expectEqual(
            words(try joined(&stage).messages),
            words(history) + [
                "user: tea", "assistant: You said tea.", "user: cake", "assistant: You said cake.",
            ])
    }

    @Test(
        "A request with the thread's messages says which there are; activities, which no client sends, stay")
    func history() throws {
        var stage = try RunStage(fixture: Self.agent)
        stage.ask(input("r-1", [user("u-1", "plan")], state: .object([:])))
        stage.ask(input("r-2", [user("u-2", "work")]))
        let first = try joined(&stage)
        expectEqual(
            words(first.messages),
            [
                "user: plan", "assistant: Planned.", "user: work", "activity: ", "assistant: Worked.",
            ])
        expectEqual(first.state["step"]?.string, "one")
        let sent = first.messages.filter { $0.role != .activity }
        stage.ask(input("r-3", sent + [user("u-3", "tea")]))
        let second = try joined(&stage)
        expectEqual(
            words(second.messages),
            words(first.messages) + ["user: tea", "assistant: You said tea."])
        expectEqual(second.state["step"]?.string, "one")
        // The client goes back to its second message, and asks again.
        stage.ask(
            input("r-4", Array(sent.prefix(2)) + [user("u-4", "cake")], state: .object(["a": .integer(1)])))
        let third = try joined(&stage)
        expectEqual(
            words(third.messages),
            [
                "user: plan", "assistant: Planned.", "user: cake", "assistant: You said cake.",
            ])
        expectEqual(third.state, .object(["a": .integer(1)]))
        // And to the very first.
        stage.ask(input("r-5", [user("u-1", "tea")]))
        expectEqual(words(try joined(&stage).messages), ["user: tea", "assistant: You said tea."])
    }

    @Test("A message that comes again is said again: what came behind it is gone, what came before it stays")
    func again() throws {
        var stage = try RunStage(fixture: Self.agent)
        stage.ask(input("r-1", [user("u-1", "tea")]))
        stage.ask(input("r-2", [user("u-2", "cake")]))
        stage.ask(input("r-3", [user("u-3", "milk")]))
        stage.ask(input("r-4", [user("u-2", "cake")]))
        expectEqual(
            words(try joined(&stage).messages),
            [
                "user: tea", "assistant: You said tea.", "user: cake", "assistant: You said cake.",
            ])
    }

    @Test("Of a request that is too long to be kept, the messages stay; a long answer stays in any case")
    func large() throws {
        let long = String(repeating: "x", count: 17 << 10)
        var stage = try RunStage(fixture: Self.agent)
        stage.ask(input("r-1", [user("u-1", "pick")]))
        let call = try #require(stage.engine[stage.session]?.runs?.pendingCalls.first?.id)
        let answer = RunMessage(id: "a-1", role: .tool, content: .text("D"), toolCallID: call)
        stage.ask(input("r-2", [answer], state: .object(["doc": .string(long)])))
        try expectEqual(joined(&stage).messages[2], answer)
        stage.ask(input("r-3", [user("u-3", "pick")]))
        let next = try #require(stage.engine[stage.session]?.runs?.pendingCalls.first?.id)
        stage.ask(
            input("r-4", [RunMessage(id: "a-2", role: .tool, content: .text(long), toolCallID: next)]))
        let thread = try joined(&stage).messages
        expectEqual(
            thread.map(\.role),
            [
                .user, .assistant, .tool, .assistant, .user, .assistant, .tool, .assistant,
            ])
        #expect(thread[6].toolCallID == next && thread[6].content?.text == long)
    }

    @Test("Parts of a message, and what tools gave back, stay as they were sent")
    func shapes() throws {
        var stage = try RunStage(fixture: Self.agent)
        let picture = RunMessage(
            id: "u-1", role: .user,
            content: .parts([
                RunPart(kind: .text, text: "look"),
                RunPart(kind: .image, source: .url("https://example.com/a.png", mimeType: "image/png")),
            ]))
        stage.ask(input("r-0", [user("u-0", "tea")]))
        stage.ask(input("r-1", [picture]))
        stage.ask(input("r-2", [user("u-2", "pick")]))
        let call = try #require(stage.engine[stage.session]?.runs?.pendingCalls.first?.id)
        let answer = RunMessage(id: "a-1", role: .tool, content: .text("D"), toolCallID: call)
        stage.ask(input("r-3", [answer]))
        stage.ask(input("r-4", [user("u-4", "cake")], state: .object([:])))
        let thread = try joined(&stage).messages
        expectEqual(thread.first { $0.id == "u-1" }, picture)
        expectEqual(thread.first { $0.id == "a-1" }, answer)
        expectEqual(
            thread.map(\.role),
            [
                .user, .assistant, .user, .assistant, .user, .assistant, .tool, .assistant, .user, .assistant,
            ])
    }

    @Test("The rule that hears what a tool gave back knows with which arguments it was called")
    func arguments() throws {
        var stage = try RunStage(fixture: Self.agent)
        stage.ask(input("r-1", [user("u-1", "pick")]))
        let call = try #require(stage.engine[stage.session]?.runs?.pendingCalls.first?.id)
        stage.ask(
            input("r-2", [RunMessage(id: "a-1", role: .tool, content: .text("D"), toolCallID: call)]))
        expectEqual(stage.told.last, "agent: Picked D from M1.")
        stage.ask(input("r-3", [user("u-3", "{args.min}")]))
        expectEqual(stage.engine[stage.session]?.runs?.given["args.min"], nil)
    }
}

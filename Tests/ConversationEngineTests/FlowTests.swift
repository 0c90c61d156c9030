import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Flows of the protocol")
struct FlowTests {
    /// protocol.md#first-talk
    @Test("The first connect sends the start, the join is echoed, the agent joins and greets")
    func firstConnect() throws {
        var talk = try Talk(.plain)
        expectEqual(talk.journalLines, ["1 SESSION_START"])
        talk.connect()
        expectEqual(talk.lines(1), ["1 SESSION_START"])
        talk.send(.join(greeting: nil))
        talk.wait(.seconds(1))
        expectEqual(
            talk.lines(1),
            [
                "1 SESSION_START", "2 JOIN", "3 JOINED Juno", "- THINKING", "4 MESSAGE Welcome",
            ])
    }

    /// protocol.md#join-first
    @Test("Nobody joins by itself: without a join request the session stays silent")
    func silentWithoutJoin() throws {
        var talk = try Talk(.plain)
        talk.connect()
        talk.wait(.minutes(9))
        expectEqual(talk.lines, ["1 SESSION_START"])
    }

    /// protocol.md#turn
    @Test("A turn without streaming is echo, thinking, one message")
    func plainTurn() throws {
        var talk = try Talk.joined(.plain)
        let lines = talk.lines { talk in
            talk.send(.typing(.started))
            talk.send(.typing(.stopped))
            talk.ask("Is it open?")
        }
        expectEqual(lines, ["5 USER Is it open?", "- THINKING", "6 MESSAGE Yes"])
    }

    /// protocol.md#echo-comes-first
    @Test("The echo comes at once and the reply when the thinking time is over, not before")
    func thinkingTime() throws {
        var talk = try Talk.joined(.plain)
        let asked = talk.now
        talk.say("Hi")
        expectEqual(talk.lines(1).suffix(2), ["5 USER Hi", "- THINKING"])
        talk.wait(.milliseconds(299))
        expectEqual(talk.journal.count, 5)
        talk.wait(.milliseconds(1))
        expectEqual(talk.journal.last?.time, asked + .milliseconds(300))
        expectEqual(talk.journalLines.last, "6 MESSAGE Yes")
    }

    /// protocol.md#streaming-choice
    @Test("A streamed turn is echo, thinking, chunks at their gaps, the last one complete")
    func streamedTurn() throws {
        var script = Script.plain
        script.otherwise = [anything(says("one two three four five"))]
        var talk = try Talk.joined(script, isStreaming: true)
        let asked = talk.now
        let lines = talk.lines { $0.ask("Hi") }
        expectEqual(
            lines,
            [
                "5 USER Hi", "- THINKING", "6 CHUNK 1 one two ", "7 CHUNK 2 three four ", "8 CHUNK 3 five|",
            ])
        expectEqual(talk.journal.suffix(3).map { ($0.time - asked).milliseconds }, [300, 400, 500])
    }

    @Test("All chunks of one reply share its message id; another reply has another")
    func chunkMessageIDs() throws {
        var talk = try Talk.joined(.plain, isStreaming: true)
        talk.ask("a")
        talk.ask("b")
        let ids = talk.journal.compactMap { entry -> String? in
            if case .agentChunk(let chunk) = entry.event { return chunk.messageID }
            return nil
        }
        expectEqual(ids.count, 3)
        expectEqual(Set(ids).count, 3)
    }

    /// protocol.md#last-chunk
    @Test("Suggestions, cards and calls travel with the message, and with the last chunk only")
    func extras() throws {
        var speech = SayStep(texts: [Template(literal: "Pick one of these")])
        speech.parts.suggestions = [SuggestionTemplate(text: Template(literal: "Yes"))]
        speech.parts.attachments = [
            AttachmentTemplate(kind: .link, url: Template(literal: "https://a.example"))
        ]
        speech.parts.calls = [
            CallTemplate(title: Template(literal: "Ring"), number: Template(literal: "+1555"))
        ]
        speech.parts.endsConversation = true
        var script = Script.plain
        script.greeting = [Step(.say(speech))]
        let whole = try Talk.joined(script)
        guard case .agentMessage(let message)? = whole.journal.last?.event else {
            Issue.record("no message")
            return
        }
        let streamed = try Talk.joined(script, isStreaming: true)
        let chunks = streamed.journal.compactMap { entry -> Chunk? in
            if case .agentChunk(let chunk) = entry.event { return chunk }
            return nil
        }
        expectEqual(chunks.count, 2)
        let last = try #require(chunks.last)
        expectEqual(chunks.first?.parts, MessageParts())
        expectEqual(message.parts.suggestions, [Suggestion(text: "Yes")])
        expectEqual(message.parts.attachments.map(\.url), ["https://a.example"])
        expectEqual(message.parts.calls, [CallAction(title: "Ring", number: "+1555")])
        #expect(message.parts.endsConversation)
        expectEqual(last.parts, message.parts)
    }

    @Test("A message sent while the agent still speaks is echoed at once and answered afterwards, in order")
    func overlappingMessages() throws {
        var script = Script.plain
        script.anywhere = [try rule("first", says("a b c")), try rule("second", says("d"))]
        var talk = try Talk.joined(script, isStreaming: true)
        let lines = talk.lines { talk in
            talk.say("first")
            talk.wait(.milliseconds(350))
            talk.say("second")
            talk.wait(.seconds(2))
        }
        expectEqual(
            lines,
            [
                "5 USER first", "- THINKING", "6 CHUNK 1 a b ", "7 USER second", "8 CHUNK 2 c|", "- THINKING",
                "9 CHUNK 1 d|",
            ])
    }

    /// protocol.md#error-no-conversation
    @Test("A message before any join is echoed, then refused to its sender")
    func messageBeforeJoin() throws {
        var talk = try Talk(.plain)
        talk.connect(1)
        talk.connect(2)
        talk.say("Hello?", metadata: #"{"local_id":"x"}"#)
        expectEqual(talk.lines(1), ["1 SESSION_START", "2 USER Hello?", "- error no conversation"])
        expectEqual(
            talk.notes,
            [
                .ignored(
                    reason: "no agent has joined: "
                        + "the client must ask for the agent to join before its first message")
            ])
        expectEqual(talk.lines(2), ["1 SESSION_START", "2 USER Hello?"])
        expectEqual(talk.received().last?.metadata, #"{"local_id":"x"}"#)
    }

    /// protocol.md#resume-after-a-drop
    @Test("After a lost socket the cursor brings the rest, led by the start, and no second join")
    func reconnect() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.disconnect()
        talk.wait(.seconds(5))
        talk.connect(2, cursor: 4)
        expectEqual(talk.lines(2), ["1 SESSION_START", "5 USER Hi", "6 MESSAGE Yes"])
        let lines = talk.lines { talk in
            talk.say("again", from: 2)
            talk.wait(.seconds(5))
        }
        expectEqual(lines, ["7 USER again", "- THINKING", "8 MESSAGE Yes"])
    }

    /// protocol.md#resume-from-the-start
    @Test("A cold start without a cursor gets the whole history in one replay")
    func coldStart() throws {
        var talk = try Talk.joined(.plain)
        talk.disconnect()
        talk.connect(2)
        expectEqual(talk.wire.batches[ConnectionID(2)]?.map { $0.map(\.sequence) }, [[1, 2, 3, 4]])
    }

    /// protocol.md#new-chat
    @Test("Start new chat: the old session ends at once while a new one opens beside it")
    func startNewChat() throws {
        var talk = try Talk.joined(.plain)
        talk.send(.end)
        expectEqual(talk.lines(1).suffix(2), ["5 USER_END", "6 SESSION_END user"])
        talk.wait(.milliseconds(300))
        var effects: [Effect] = []
        let opened = talk.engine.open(
            ConversationEngine.Opening(script: .plain), at: talk.now, into: &effects)
        let second = try #require(opened).handle
        talk.disconnect()
        let attached = talk.engine.attach(
            ConnectionID(9), to: second, cursor: 0, firstFrameAt: talk.now, at: talk.now, into: &effects)
        #expect(attached)
        var wire = Wire()
        wire.apply(effects)
        expectEqual(wire.received[ConnectionID(9)]?.map(\.line), ["1 SESSION_START"])
        talk.wait(.seconds(5))
        expectEqual(talk.closeCause(1), nil)
    }

    /// protocol.md#bad-events-keep-the-connection
    @Test("A refused event is answered to its sender only, numbers nothing, and the talk goes on")
    func badEvents() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.send(.refused(.unknownEvent, detail: nil))
        talk.send(.refused(.eventNotAllowed, detail: "X"), metadata: #"{"tag":"x"}"#)
        let refusals = talk.received(1).suffix(2)
        expectEqual(refusals.map(\.line), ["- error unknown event", "- error event not allowed"])
        expectEqual(refusals.last?.event, .notice(.error, .known(.eventNotAllowed, detail: "X")))
        expectEqual(refusals.last?.metadata, #"{"tag":"x"}"#)
        #expect(talk.received(2).allSatisfy { $0.sequence != nil })
        expectEqual(talk.lines { $0.ask("Hi") }, ["5 USER Hi", "- THINKING", "6 MESSAGE Yes"])
    }

    @Test("An ignored event gets no answer at all")
    func ignoredEvent() throws {
        var talk = try Talk.joined(.plain)
        expectEqual(talk.lines { $0.send(.ignored) }, [])
    }

    /// protocol.md#empty-text
    @Test("An empty message is echoed and answered by the script")
    func emptyMessage() throws {
        var talk = try Talk.joined(.plain)
        expectEqual(talk.lines { $0.ask("") }, ["5 USER ", "- THINKING", "6 MESSAGE Yes"])
    }

    @Test("An empty greeting joins silently, and messages are answered")
    func emptyGreeting() throws {
        var script = Script.plain
        script.greeting = []
        var talk = try Talk.joined(script)
        expectEqual(talk.lines(1), ["1 SESSION_START", "2 JOIN", "3 JOINED Juno"])
        expectEqual(talk.lines { $0.ask("Hi") }, ["4 USER Hi", "- THINKING", "5 MESSAGE Yes"])
    }

    @Test("An end in the greeting ends the session right after the agent joined")
    func endInGreeting() throws {
        var script = Script.plain
        script.greeting = [Step(says("Closed today")), Step(.end(.natural)), Step(says("never"))]
        let talk = try Talk.joined(script)
        expectEqual(
            talk.lines(1).suffix(3), ["- THINKING", "4 MESSAGE Closed today", "5 SESSION_END natural"])
        expectEqual(talk.closeCause(), .sessionEnded)
    }

    @Test("A script with nothing in it still holds a session: messages are echoed and noted as unmatched")
    func emptyScript() throws {
        var talk = try Talk.joined(Script(name: "empty"))
        expectEqual(talk.lines { $0.ask("Hi") }, ["4 USER Hi"])
        #expect(talk.notes.contains(.unmatched(UnmatchedMessage(text: "Hi", number: 1, stage: ""))))
    }

    @Test("Replies go on while nobody is connected, and are there on return")
    func talkingToNobody() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.disconnect()
        talk.wait(.seconds(1))
        expectEqual(talk.journalLines.last, "6 MESSAGE Yes")
    }

    @Test("What a client said counts even when its connection is already gone")
    func inputAfterDisconnect() throws {
        var talk = try Talk.joined(.plain)
        talk.disconnect()
        talk.send(.end)
        expectEqual(talk.journalLines.suffix(2), ["5 USER_END", "6 SESSION_END user"])
    }
}

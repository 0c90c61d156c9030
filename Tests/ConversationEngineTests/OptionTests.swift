import Clocks
import ConversationEngine
import Expectations
import Testing

/// Settings that no other suite crosses.
@Suite("Settings of the engine")
struct OptionTests {
    /// protocol.md#join-again
    @Test("A second join greets again; the agent does not join twice")
    func regreet() throws {
        var talk = try Talk.joined(.plain)
        let lines = talk.lines { talk in
            talk.send(.join(greeting: nil))
            talk.wait(.seconds(1))
        }
        expectEqual(lines, ["5 JOIN", "- THINKING", "6 MESSAGE Welcome"])
    }

    @Test("With `echoOnly` a second join is echoed and nothing else")
    func echoOnly() throws {
        var options = EngineOptions()
        options.greetsAgain = false
        var talk = try Talk.joined(.plain, options: options)
        let lines = talk.lines { talk in
            talk.send(.join(greeting: nil))
            talk.wait(.seconds(1))
        }
        expectEqual(lines, ["5 JOIN"])
    }

    /// protocol.md#greeting-message
    @Test("A greeting that comes with the join is ignored, unless it is to be honoured")
    func greetingMessage() throws {
        var options = EngineOptions()
        for (honors, greeting, said) in [
            (false, "Ahoy", "Welcome"), (true, "Ahoy {agent.name}", "Ahoy {agent.name}"),
            (true, "", "Welcome"),
        ] {
            options.honorsGreetingMessage = honors
            var talk = try Talk(.plain, options: options)
            talk.connect()
            talk.send(.join(greeting: greeting))
            talk.wait(.seconds(1))
            expectEqual(talk.journalLines.last, "4 MESSAGE \(said)")
        }
    }

    @Test(
        "A session's own word on greetings counts more than the server's", arguments: [true, false] as [Bool])
    func greetingOfTheSession(isHonored: Bool) throws {
        var options = EngineOptions()
        options.honorsGreetingMessage = !isHonored
        var script = Script.plain
        script.session.greetingMessage = isHonored
        var talk = try Talk(script, options: options)
        talk.connect()
        talk.send(.join(greeting: "Ahoy"))
        talk.wait(.seconds(1))
        expectEqual(talk.journalLines.last, "4 MESSAGE \(isHonored ? "Ahoy" : "Welcome")")
    }

    /// protocol.md#repeated-local-id
    @Test("Repeated messages are delivered again by default")
    func noDeduplication() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi", metadata: "m")
        talk.say("Hi", metadata: "m")
        talk.wait(.seconds(2))
        expectEqual(talk.journalLines.filter { $0.contains("USER Hi") }.count, 2)
        expectEqual(talk.journalLines.filter { $0.contains("MESSAGE Yes") }.count, 2)
    }

    @Test(
        "With de-duplication a repeated message gets its first echo again, and no second answer")
    func deduplication() throws {
        var options = EngineOptions()
        options.dropsRepeatedLocalIDs = true
        var talk = try Talk.joined(.plain, options: options)
        talk.connect(2)
        talk.say("Hi", metadata: "m", localID: "m")
        talk.say("Hi", metadata: "m", localID: "m")
        expectEqual(talk.lines(1).suffix(3), ["5 USER Hi", "- THINKING", "5 USER Hi"])
        expectEqual(talk.lines(2).suffix(2), ["5 USER Hi", "- THINKING"])
        talk.wait(.seconds(2))
        expectEqual(talk.journalLines.suffix(2), ["5 USER Hi", "6 MESSAGE Yes"])
        talk.say("Hi", metadata: "m", localID: "n")
        talk.say("Hi")
        talk.say("Hi")
        talk.wait(.seconds(5))
        expectEqual(talk.journalLines.filter { $0.contains("USER Hi") }.count, 4)
    }

    @Test("A repeated message on a connection that waits for its history gets its echo exactly once")
    func deduplicationWhileWaiting() throws {
        var options = EngineOptions()
        options.dropsRepeatedLocalIDs = true
        var talk = try Talk.joined(.plain, options: options)
        talk.say("Hi", metadata: "m", localID: "m")
        talk.wait(.seconds(1))
        for (number, cursor) in [(2, 0), (3, 6)] as [(UInt64, UInt64)] {
            talk.connect(number, cursor: cursor, historyAfter: .milliseconds(25))
            talk.say("Hi", metadata: "m", localID: "m", from: number)
            talk.wait(.milliseconds(25))
            expectEqual(talk.lines(number).filter { $0 == "5 USER Hi" }.count, 1)
        }
    }

    @Test("A dropped echo is journaled and answered but not sent; a reconnect brings it")
    func droppedEchoes() throws {
        var options = EngineOptions()
        options.droppedEchoes = [2]
        var talk = try Talk.joined(.plain, options: options)
        talk.ask("one")
        talk.ask("two")
        #expect(talk.lines(1).contains("5 USER one") && !talk.lines(1).contains("7 USER two"))
        expectEqual(talk.lines(1).last, "8 MESSAGE Yes")
        talk.connect(2, cursor: 6)
        expectEqual(talk.lines(2), ["1 SESSION_START", "7 USER two", "8 MESSAGE Yes"])
    }

    @Test("With an echo delay, echo and answer come later, messages in order, heartbeats at once")
    func echoDelay() throws {
        var options = EngineOptions()
        options.echoDelay = .milliseconds(500)
        var talk = try Talk.joined(.plain, options: options)
        let said = talk.now
        talk.say("one")
        talk.wait(.milliseconds(100))
        talk.say("two")
        expectEqual(talk.lines { $0.send(.heartbeat) }, ["- HEARTBEAT"])
        expectEqual(talk.journal.count, 4)
        talk.wait(.seconds(3))
        expectEqual(
            talk.lines.suffix(6),
            [
                "5 USER one", "- THINKING", "6 USER two", "7 MESSAGE Yes", "- THINKING", "8 MESSAGE Yes",
            ])
        expectEqual(talk.journal[4...6].map { ($0.time - said).milliseconds }, [500, 600, 800])
    }

    @Test("A delayed message is not overtaken by the end that follows it, nor lost with its connection")
    func echoDelayAtTheEnd() throws {
        var options = EngineOptions()
        options.echoDelay = .milliseconds(500)
        var talk = try Talk.joined(.plain, options: options)
        talk.say("last words")
        talk.send(.end)
        expectEqual(talk.journalLines.suffix(3), ["5 USER last words", "6 USER_END", "7 SESSION_END user"])
        var dropped = try Talk.joined(.plain, options: options)
        dropped.say("last words")
        dropped.disconnect()
        dropped.wait(.seconds(2))
        expectEqual(dropped.journalLines.suffix(2), ["5 USER last words", "6 MESSAGE Yes"])
    }

    /// protocol.md#chunk-index
    @Test("The first chunk's index is a setting", arguments: [0, 1, 5] as [Int])
    func firstChunkIndex(_ first: Int) throws {
        var options = EngineOptions()
        options.firstChunkIndex = first
        var script = Script.plain
        script.greeting = [Step(says("a b c d"))]
        let talk = try Talk.joined(script, isStreaming: true, options: options)
        expectEqual(talk.journalLines.suffix(2), ["4 CHUNK \(first) a b ", "5 CHUNK \(first + 1) c d|"])
    }

    /// protocol.md#last-chunk
    @Test("A stream can end with an empty chunk, which then carries what is not text")
    func emptyLastChunk() throws {
        var options = EngineOptions()
        options.endsWithEmptyChunk = true
        var script = Script.plain
        var speech = SayStep(texts: [Template(literal: "a b c")])
        speech.parts.suggestions = [SuggestionTemplate(text: Template(literal: "Yes"))]
        script.greeting = [Step(.say(speech))]
        let talk = try Talk.joined(script, isStreaming: true, options: options)
        expectEqual(talk.journalLines.suffix(3), ["4 CHUNK 1 a b ", "5 CHUNK 2 c", "6 CHUNK 3 |"])
        guard case .agentChunk(let last)? = talk.journal.last?.event else {
            Issue.record("no chunk")
            return
        }
        expectEqual(last.parts.suggestions.count, 1)
    }

    /// protocol.md#trimmed-chunks
    @Test("Chunks can come without their trailing spaces")
    func trimmedChunks() throws {
        var options = EngineOptions()
        options.trimsChunks = true
        var script = Script.plain
        script.greeting = [Step(says("a b c"))]
        let talk = try Talk.joined(script, isStreaming: true, options: options)
        expectEqual(talk.journalLines.suffix(2), ["4 CHUNK 1 a b", "5 CHUNK 2 c|"])
    }

    @Test("The session's pace goes before the speech's, and that before the script's")
    func paces() throws {
        var script = Script.plain
        script.greeting = [Step(says("a", pace: Pace(think: .seconds(2), every: .zero))), Step(says("b"))]
        func times(_ pace: Pace?) throws -> [Int64] {
            try Talk.joined(script, pace: pace).journal.suffix(2).map { ($0.time - Talk.start).milliseconds }
        }
        try expectEqual(times(nil), [2000, 2300])
        try expectEqual(times(.instant), [0, 0])
    }

    @Test("A pace without waiting says everything at one instant, chunks in order")
    func instantPace() throws {
        var script = Script.plain
        script.pace = .instant
        script.greeting = [Step(says("one two three four five six seven"))]
        var talk = try Talk(script, isStreaming: true)
        talk.connect()
        talk.send(.join(greeting: nil))
        expectEqual(talk.journal.count, 6)
        #expect(talk.journal.allSatisfy { $0.time == Talk.start })
    }
}

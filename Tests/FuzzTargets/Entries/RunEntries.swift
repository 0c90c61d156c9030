import AGUIDialect
import ConversationEngine
import Fixtures
import RunWire
import Texts

/// Runs of agents: requests, events and their streams, patches.
enum RunEntries {
    static let words =
        RunEventType.allCases.map(\.rawValue) + MessageRole.allCases.map(\.rawValue) + [
            "threadId", "thread_id", "runId", "messages", "content", "toolCalls", "toolCallId", "function",
            "messageId", "delta", "snapshot", "patch", "op", "path", "value", "from", "add", "copy", "move",
            "/a/-", "~1", "data: ", "\n\n", "\r\n", "[DONE]", "outcome", "interrupts", "metadata", "null",
        ]

    /// A request that is read is written as one that reads as the same.
    static func request(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let input: RunInput
        do throws(RunFormatError) {
            input = try RunInput(reading: bytes)
        } catch {
            return Trait("refused", error.path)
        }
        let again = try? RunInput(reading: RunEventWriter.bytes(input))
        try require(again == input, "a request is not written as it was read")
        let asked = RunRequest(input, body: RunBody(bytes))
        if !asked.said.isEmpty {
            let said = try? RunInput(reading: Array(asked.said.utf8))
            try require(said != nil, "what a thread keeps of a request is none")
        }
        try require(asked.given.count <= 500, "gaps have \(asked.given.count) values")
        var trait = Trait("read")
        trait.add(roughly: input.messages.count)
        for message in input.messages { trait.add(message.role.rawValue) }
        return trait
    }

    /// However a stream is cut, the same events come; each is written as one that reads as the same; verifier and reducer take
    /// all of them.
    static func stream(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let seed = input.control()
        let text = input.rest
        var (whole, cut) = (EventStreamReader(limitBytes: 512), EventStreamReader(limitBytes: 512))
        let items = whole.receive(text)
        var pieces: [EventStreamReader.Item] = []
        for piece in Pieces(text, seed: seed) { pieces += cut.receive(piece) }
        try require(items == pieces, "the pieces decide what is read")
        var trait = Trait("stream")
        var (verifier, reducer) = (RunVerifier(profile: .v1), RunReducer())
        for case .data(let data) in items {
            guard let event = try? RunEventReader.read(data) else {
                trait.add("bad")
                continue
            }
            let again = try? RunEventReader.read(RunEventWriter.bytes(event))
            try require(again == event, "an event is not written as it was read")
            trait.add(event.type)
            do throws(SequenceViolation) {
                for event in try verifier.consume(event) { trait.add(reducer.apply(event).count) }
            } catch {
                trait.add(error.rawValue)
                _ = reducer.apply(event)
            }
        }
        let ids = Set(reducer.messages.map(\.id))
        try require(
            reducer.messages.allSatisfy { reducer.message($0.id) != nil }, "a message cannot be found")
        trait.add(roughly: ids.count)
        return trait
    }

    /// A recording is written as one that reads as the same, and as a fixture that can be read; what is no recording is
    /// refused with a sentence.
    static func recording(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let recording: RunRecording
        do throws(RunRecording.Problem) {
            recording = try RunRecording(bytes)
        } catch {
            try require(!error.sentence.isEmpty, "refused without words")
            return Trait("refused", String(error.sentence.prefix(20)))
        }
        let again = try? RunRecording(Array(recording.lines.joined(separator: "\n").utf8))
        try require(
            again?.events.map(\.body) == recording.events.map(\.body), "the events are not written as read")
        let made = RecordedFixture(recording, name: "Fuzz", source: "here")
        let document = JSON5Document(reading: Array(made.text.utf8))
        try require(document.root != nil, "the fixture is no JSON5: \(document.problems)")
        var trait = Trait("read")
        trait.add(roughly: recording.events.count)
        for event in recording.events.prefix(20) { trait.add(event.event.type) }
        trait.add(roughly: made.text.utf8.count)
        return trait
    }

    /// A patch that applies does so again in the same way; one that does not says where.
    static func patch(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        guard let document = try? JSONReader.read(input.line()) else { return Trait("no document") }
        let text = Array(#"{"type":"STATE_DELTA","delta":"#.utf8) + input.rest + [UInt8(ascii: "}")]
        guard case .stateDelta(let patch)? = (try? RunEventReader.read(text))?.kind else {
            return Trait("no patch")
        }
        let result: JSONValue
        do throws(JSONPatchError) {
            result = try JSONPatch.apply(patch, to: document)
        } catch {
            return Trait("failed", error.reason.rawValue)
        }
        try require((try? JSONPatch.apply(patch, to: document)) == result, "a patch applies in two ways")
        let way = JSONPatch.difference(from: document, to: result)
        let arrived = try? JSONPatch.apply(way, to: document)
        try require(arrived?.isSame(as: result) == true, "a difference leads elsewhere")
        var trait = Trait("applied")
        for operation in patch { trait.add(operation.verb.rawValue) }
        return trait
    }
}

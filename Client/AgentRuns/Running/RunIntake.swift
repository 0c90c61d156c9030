import Clocks
import RunWire
import Texts

/// Decoder of the bytes of one stream.
struct RunIntake: Sendable {
    private let verifies: Bool
    private let maxEventBytes: Int
    private var reader: EventStreamReader
    private var verifier: RunVerifier
    private var expander: RunExpander
    private var threadID: String
    private var runID: String
    private var count = 0
    private var lastType: String?
    private(set) var isComplete = false

    init(_ input: RunInput, profile: RunProfile, verifies: Bool, maxEventBytes: Int) {
        self.verifies = verifies
        self.maxEventBytes = maxEventBytes
        reader = EventStreamReader(limitBytes: maxEventBytes)
        verifier = RunVerifier(profile: profile, threadID: input.threadID, runID: input.runID)
        expander = RunExpander(profile: profile)
        threadID = input.threadID
        runID = input.runID
    }

    /// Decodes bytes and appends their events to `events`, also those before an error.
    mutating func receive(
        _ bytes: [UInt8], at now: Instant, into events: inout [AgentRunEvent]
    ) throws(AgentRunError) {
        for item in reader.receive(bytes) {
            switch item {
            case .data(let data): try decode(data, at: now, into: &events)
            case .tooLong(let limit):
                throw .decoding(eventType: nil, detail: "An event has more than \(limit) bytes.")
            }
        }
    }

    private mutating func decode(
        _ data: [UInt8], at now: Instant, into events: inout [AgentRunEvent]
    ) throws(AgentRunError) {
        let event: RunEvent
        do throws(RunFormatError) {
            event = try RunEventReader.read(data, maxBytes: maxEventBytes, manner: .lenient)
        } catch {
            throw .decoding(eventType: error.type, detail: error.description)
        }
        for event in try expanded(event) {
            if case .runStarted(let start) = event.kind {
                (threadID, runID, isComplete) = (start.threadID, start.runID, false)
            }
            if event.isTerminal { isComplete = true }
            events.append(
                AgentRunEvent(threadID: threadID, runID: runID, index: count, receivedAt: now, event))
            count += 1
        }
        lastType = event.type
    }

    private mutating func expanded(_ event: RunEvent) throws(AgentRunError) -> [RunEvent] {
        do throws(SequenceViolation) {
            return try verifies ? verifier.consume(event) : expander.expand(event)
        } catch {
            // Without verification, a chunk or thinking event that cannot be expanded is dropped.
            if !verifies { return [] }
            throw .sequence(error)
        }
    }

    func finish() throws(AgentRunError) {
        guard isComplete else { throw .truncated(lastEventType: lastType) }
    }
}

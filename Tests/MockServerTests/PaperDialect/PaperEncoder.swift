import Clocks
import ConversationEngine
import DialectKit

/// Encodes a room for its readers. It remembers who subscribed, how, and when somebody last did something.
final class PaperEncoder: SessionEncoder {
    private enum Reader { case waiting, quiet, loud, stream }

    private var readers: [(id: ConnectionID, reader: Reader)] = []
    private var nextDeadline: Instant?
    private let silence: Interval

    init(silence: Interval = .seconds(30)) {
        self.silence = silence
    }

    var memory: EncoderMemory? { EncoderMemory(nextDeadline: nextDeadline) }

    func attach(
        _ connection: ConnectionID, _ carrier: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput
    ) {
        readers.append((connection, carrier == .webSocket ? .waiting : .stream))
        nextDeadline = now + silence
    }

    func detach(_ connection: ConnectionID) {
        readers.removeAll { $0.id == connection }
        if readers.isEmpty { nextDeadline = nil }
    }

    func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput
    ) {
        for id in audience.connections { tell(entry, to: id, into: &output) }
        if case .userMessage(_, "knock") = entry.event, let first = readers.first {
            output.steps.append(.receive(ClientInput(.say("who is there")), from: first.id))
        }
    }

    func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput
    ) {
        for entry in page.entries { tell(entry, to: connection, into: &output) }
    }

    private func tell(_ entry: JournalEntry, to id: ConnectionID, into output: inout EncoderOutput) {
        guard let reader = readers.first(where: { $0.id == id })?.reader, reader != .waiting else { return }
        for line in Self.lines(entry) { send(line, reader, to: id, into: &output) }
    }

    /// None, one or two.
    private static func lines(_ entry: JournalEntry) -> [String] {
        let number = entry.sequence.map(String.init) ?? "-"
        switch entry.event {
        case .userMessage(_, let text): return ["\(number) user: \(text)"]
        case .liveAgentMessage(let message, let profile):
            return ["\(number) \(profile.name): \(message.text)"]
        case .agentMessage(let message):
            let choices = message.parts.suggestions.map(\.text).joined(separator: "|")
            return ["\(number) agent: \(message.text)"]
                + (choices.isEmpty ? [] : ["\(number) choices: \(choices)"])
        case .userTyping(let state): return ["- typing: \(state)"]
        case .receipt(let receipt, let id): return ["- \(receipt.rawValue): \(id)"]
        default: return []
        }
    }

    private func send(
        _ line: String, _ reader: Reader, to id: ConnectionID, into output: inout EncoderOutput
    ) {
        let text =
            switch reader {
            case .loud: line.uppercased()
            case .stream: "data: \(line)\n\n"
            case .quiet, .waiting: line
            }
        let type = line.split(separator: " ").dropFirst().first.map { String($0.dropLast()) } ?? "line"
        output.steps.append(.send(text: Array(text.utf8), type: type, to: id))
    }

    func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded {
        nextDeadline = now + silence
        let line = String(decoding: message, as: UTF8.self)
        let decoded = Decoded(ClientInput(.ignored), type: String(line.prefix { $0 != " " }))
        guard let place = readers.firstIndex(where: { $0.id == connection }) else { return decoded }
        switch line {
        case "ping": send("pong", .quiet, to: connection, into: &output)
        case "subscribe": readers[place].reader = .quiet
        case "subscribe loud": readers[place].reader = .loud
        case "bye": output.steps.append(.close(connection, code: 3_001, reason: "bye"))
        default: output.steps.append(.receive(ClientInput(.say(line)), from: connection))
        }
        return decoded
    }

    func advance(to now: Instant, into output: inout EncoderOutput) {
        guard let due = nextDeadline, due <= now else { return }
        nextDeadline = now + silence
        for (id, reader) in readers { send("still there?", reader, to: id, into: &output) }
    }
}

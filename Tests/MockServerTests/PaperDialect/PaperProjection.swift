import Clocks
import ConversationEngine
import DialectKit

/// What paper remembers of a room: who subscribed, how, and when somebody last did something.
struct PaperProjection: Projection {
    private enum Reader { case waiting, quiet, loud, stream }

    private var readers: [(id: ConnectionID, reader: Reader)] = []
    private(set) var nextDeadline: Instant?

    mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        readers.append((connection, outlet == .webSocket ? .waiting : .stream))
        nextDeadline = now + .seconds(30)
    }

    mutating func detach(_ connection: ConnectionID) {
        readers.removeAll { $0.id == connection }
        if readers.isEmpty { nextDeadline = nil }
    }

    mutating func tell(
        _ entry: JournalEntry, to connections: [ConnectionID], isHistory: Bool, at now: Instant,
        into steps: inout [ProjectionStep]
    ) {
        for id in connections {
            guard let place = readers.firstIndex(where: { $0.id == id }) else { continue }
            let reader = readers[place].reader
            guard reader != .waiting else { continue }
            for line in Self.lines(entry) { send(line, reader, to: id, into: &steps) }
        }
        if !isHistory, case .userMessage(_, "knock") = entry.event, let first = readers.first {
            steps.append(.hear(ClientInput(.say("who is there")), from: first.id))
        }
    }

    /// None, one or two.
    private static func lines(_ entry: JournalEntry) -> [String] {
        let number = entry.sequence.map(String.init) ?? "-"
        switch entry.event {
        case .userMessage(_, let text): return ["\(number) user: \(text)"]
        case .personMessage(let message, let profile): return ["\(number) \(profile.name): \(message.text)"]
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
        _ line: String, _ reader: Reader, to id: ConnectionID, into steps: inout [ProjectionStep]
    ) {
        let text =
            switch reader {
            case .loud: line.uppercased()
            case .stream: "data: \(line)\n\n"
            case .quiet, .waiting: line
            }
        let type = line.split(separator: " ").dropFirst().first.map { String($0.dropLast()) } ?? "line"
        steps.append(.send(text: Array(text.utf8), type: type, to: id))
    }

    mutating func receive(
        _ text: [UInt8], from connection: ConnectionID, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        nextDeadline = now + .seconds(30)
        guard let place = readers.firstIndex(where: { $0.id == connection }) else { return }
        let line = String(decoding: text, as: UTF8.self)
        switch line {
        case "ping": send("pong", .quiet, to: connection, into: &steps)
        case "subscribe": readers[place].reader = .quiet
        case "subscribe loud": readers[place].reader = .loud
        case "bye": steps.append(.close(connection, code: 3_001, reason: "bye"))
        default: steps.append(.hear(ClientInput(.say(line)), from: connection))
        }
    }

    mutating func advance(to now: Instant, into steps: inout [ProjectionStep]) {
        guard let due = nextDeadline, due <= now else { return }
        nextDeadline = now + .seconds(30)
        for (id, reader) in readers { send("still there?", reader, to: id, into: &steps) }
    }
}

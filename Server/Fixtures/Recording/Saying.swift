package import Clocks
import ConversationEngine

/// Event of a recording. For a message, the event has the message's chunks and cards.
struct Saying {
    var source: ConversationFixture.Moment
    var pieces: [String] = []
    var gaps: [Interval] = []
    var end: Instant
    /// Row of the last chunk.
    var lastRow: UInt64
    var isComplete = true
    /// Whether the user said it before the end of the agent's message that it now follows.
    var isEarly = false

    var isPassing: Bool {
        switch source.event {
        case .agentThinking, .liveAgentTyping, .liveAgentStatus, .receipt: true
        default: false
        }
    }

    /// Joins all events of one message (its chunks and cards) at the place of the first.
    static func joined(_ moments: [ConversationFixture.Moment]) -> [Saying] {
        var sayings: [Saying] = []
        var places: [String: Int] = [:]
        for item in moments {
            var message: Message
            var chunk: Chunk?
            var person: SpeakerProfile?
            switch item.event {
            case .agentChunk(let piece):
                message = Message(id: piece.messageID, text: piece.text, parts: piece.parts)
                chunk = piece
            case .agentMessage(let whole): message = whole
            case .liveAgentMessage(let whole, let speaker): (message, person) = (whole, speaker)
            default:
                sayings.append(Saying(source: item, end: item.time, lastRow: item.row))
                continue
            }
            guard let place = places[message.id] else {
                places[message.id] = sayings.count
                var first = item
                first.event = person.map { .liveAgentMessage(message, $0) } ?? .agentMessage(message)
                sayings.append(
                    Saying(
                        source: first, pieces: [message.text], end: item.time, lastRow: item.row,
                        isComplete: chunk?.isComplete ?? true))
                continue
            }
            sayings[place].add(message, chunk, at: item)
        }
        return sayings
    }

    /// Moves what the user says while the agent composes a message to the place after that message, where a fixture
    /// answers it.
    static func inTurn(_ sayings: consuming [Saying]) -> [Saying] {
        var (order, held): ([Int], [Int]) = ([], [])
        var (isComposing, last) = (false, UInt64(0))
        for place in sayings.indices {
            switch sayings[place].source.event {
            case .userMessage, .userFile:
                sayings[place].isEarly = isComposing || sayings[place].source.row < last
                if isComposing { held.append(place) } else { order.append(place) }
                continue
            case .agentMessage, .liveAgentMessage:
                last = sayings[place].lastRow
                order.append(place)
                order += held
                (held, isComposing) = ([], false)
                continue
            case .agentThinking, .liveAgentTyping(.started, _): isComposing = true
            case _ where sayings[place].isPassing: break
            default:
                order += held
                (held, isComposing) = ([], false)
            }
            order.append(place)
        }
        order += held
        return order.elementsEqual(sayings.indices) ? sayings : order.map { sayings[$0] }
    }

    private mutating func add(_ more: Message, _ chunk: Chunk?, at item: ConversationFixture.Moment) {
        func joined(_ message: Message) -> Message {
            var message = message
            message.text += more.text
            message.parts.attachments += more.parts.attachments
            message.parts.suggestions += more.parts.suggestions
            message.parts.calls += more.parts.calls
            return message
        }
        switch source.event {
        case .agentMessage(let message): source.event = .agentMessage(joined(message))
        case .liveAgentMessage(let message, let person):
            source.event = .liveAgentMessage(joined(message), person)
        default: break
        }
        guard let chunk else { return }
        if !more.text.isEmpty { pieces.append(more.text) }
        if item.time > end { gaps.append(item.time - end) }
        (end, lastRow) = (item.time, item.row)
        if chunk.isComplete { isComplete = true }
    }
}

extension Saying {
    /// Whether the text seems to have an e-mail address or a telephone number.
    static func hasAddress(_ text: String) -> Bool {
        var digits = 0
        return text.utf8.contains(UInt8(ascii: "@"))
            || text.unicodeScalars.contains { scalar in
                if "0"..."9" ~= scalar {
                    digits += 1
                } else if !" +-/().".unicodeScalars.contains(scalar) {
                    digits = 0
                }
                return digits >= 9
            }
    }
}

extension Interval {
    /// The interval as a pause: zero if it is negative, and ``FixtureLimits/jumpedPause`` if it is longer than
    /// ``FixtureLimits/recordedPause``.
    package var asPause: Interval {
        self > FixtureLimits.recordedPause ? FixtureLimits.jumpedPause : max(self, .zero)
    }
}

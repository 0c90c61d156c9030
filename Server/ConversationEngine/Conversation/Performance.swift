import Clocks

/// What a session's agent or person is about to do: turns in order, and the one activity under way.
struct Performance: Sendable {
    enum Activity: Sendable {
        /// Nothing under way; the next step may begin.
        case idle
        /// A `wait` or `think` step.
        case pausing
        /// Thinking or typing; the message comes when it is over.
        case composing(Utterance)
        /// Some chunks were sent; ``Performance/nextPiece`` comes next.
        case streaming(Utterance)
        /// A step of a run, of which more is to come.
        indirect case playing(Conversation.RunPlay)

        var isIdle: Bool {
            if case .idle = self { return true }
            return false
        }
    }

    var turns: [Turn] = []
    var activity = Activity.idle
    /// Index of the next chunk while a reply is streamed.
    var nextPiece = 0
    /// When the activity, or the queue of a handoff, goes on; nil when there is nothing to do.
    var dueAt: Instant?
}

/// The steps of one reply and what caused them.
struct Turn: Equatable, Sendable {
    var steps: [Step]
    var next = 0
    var origin: Origin
    /// The user message that is answered, for `{message}`.
    var message: String
    /// The metadata of that message; error notices echo it.
    var metadata: String?
    /// The rule is not that of ``origin`` where code answers in its place.
    var cause: Cause

    init(steps: [Step], origin: Origin, message: String, metadata: String?, mark: UInt32) {
        self.steps = steps
        self.origin = origin
        self.message = message
        self.metadata = metadata
        cause = Cause(mark: mark, part: ScriptPart(origin))
    }
}

/// Where in the script steps come from; identifies a rule without names.
enum Origin: Hashable, Sendable {
    case greeting
    case stage(Int, Int)
    case anywhere(Int)
    case otherwise(Int)
    case opening(Int)
    case handoffRule(Int, Int)
    case handoffOtherwise(Int, Int)
    /// By the number of its improvisation.
    case improvised(Int)
}

/// How often rules answered and texts were said.
struct UseCounts: Equatable, Sendable {
    private struct SpeechKey: Hashable, Sendable {
        var origin: Origin
        var step: Int
    }

    private var rules: [Origin: Int] = [:]
    private var speeches: [SpeechKey: Int] = [:]

    func rule(_ origin: Origin) -> Int { rules[origin] ?? 0 }

    var ofRules: [Origin: Int] { rules }

    mutating func useRule(_ origin: Origin) { rules[origin, default: 0] += 1 }

    /// The number of earlier uses.
    func speech(of origin: Origin, step: Int) -> Int { speeches[SpeechKey(origin: origin, step: step)] ?? 0 }

    /// The number of earlier uses; counts this one.
    mutating func useSpeech(of origin: Origin, step: Int) -> Int {
        let key = SpeechKey(origin: origin, step: step)
        let count = speeches[key] ?? 0
        speeches[key] = count + 1
        return count
    }
}

/// A message ready to be told, whole or in pieces. A class, because it is handed on with every piece.
final class Utterance: Sendable {
    let message: Message
    let pieces: [String]
    let every: Interval
    let jitter: Double
    /// Which reply of the session this is, from 1.
    let number: Int
    let metadata: String?

    init(
        message: Message, pieces: [String], every: Interval, jitter: Double, number: Int, metadata: String?
    ) {
        self.message = message
        self.pieces = pieces
        self.every = every
        self.jitter = jitter
        self.number = number
        self.metadata = metadata
    }
}

/// A handoff in its queue.
package struct HandoffRun: Equatable, Sendable {
    /// Index into the script's handoffs.
    package var index: Int
    /// How many positions were told.
    package var told: Int
    /// The rest of the turn that asked for the handoff, for when it fails.
    var rest: Turn
    /// The agent that passes the talk on, and stays when the handoff fails.
    var former: HandoffPerson?
}

/// The live person of a handoff.
package struct HandoffPerson: Equatable, Sendable {
    /// Index into the script's handoffs.
    package var handoff: Int
    /// The person who joined in place of the script's.
    var standIn: Profile?
}

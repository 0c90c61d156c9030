import Clocks

/// Player of the script's steps: queued turns, and the activity under way.
struct StepPlayer: Sendable {
    enum Activity: Sendable {
        /// Nothing under way; the next step may begin.
        case idle
        /// A `wait` or `think` step.
        case pausing
        /// Thinking or typing before a message.
        case composing(PendingReply)
        /// Some chunks were sent; ``StepPlayer/nextPiece`` comes next.
        case streaming(PendingReply)
        /// A step of a run that is partly done.
        indirect case playing(Conversation.RunPlayback)

        var isIdle: Bool {
            if case .idle = self { return true }
            return false
        }
    }

    var turns: [Turn] = []
    var activity = Activity.idle
    /// Index of the next chunk while a reply is streamed.
    var nextPiece = 0
    /// Deadline of the activity, or of the queue of a handoff; nil when there is nothing to do.
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

/// Position of steps in the script; identifies a rule without names.
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

/// Use counters of rules and texts.
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

/// A reply ready to be sent, whole or in chunks. A class, because it is passed on with every chunk.
final class PendingReply: Sendable {
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
    /// Number of positions recorded.
    package var told: Int
    /// The rest of the turn that asked for the handoff, for when it fails.
    var rest: Turn
    /// The live agent that transfers the conversation, and stays when the handoff fails.
    var former: HandoffPerson?
}

/// The live agent of a handoff.
package struct HandoffPerson: Equatable, Sendable {
    /// Index into the script's handoffs.
    package var handoff: Int
    /// The person who joined in place of the script's.
    var standIn: SpeakerProfile?
}

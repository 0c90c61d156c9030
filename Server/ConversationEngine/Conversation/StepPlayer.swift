import Clocks

/// Execution state of steps: queued turns and the current activity.
struct StepPlayer: Sendable {
    enum Activity: Sendable {
        /// The next step may begin.
        case idle
        /// A `wait` or `think` step.
        case pausing
        /// Thinking or typing before a message.
        case composing(PendingReply)
        /// Between chunks; ``StepPlayer/nextPiece`` is next.
        case streaming(PendingReply)
        /// Within a step of a run.
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
    /// Deadline of the activity or queue; nil if idle.
    var dueAt: Instant?
}

/// Steps of one reply and their cause.
struct Turn: Equatable, Sendable {
    var steps: [Step]
    var next = 0
    var origin: Origin
    /// The answered message, for `{message}`.
    var message: String
    /// Its metadata, echoed by error notices.
    var metadata: String?
    /// Differs from ``origin`` for overrides.
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
package enum Origin: Hashable, Sendable {
    case greeting
    case stage(Int, Int)
    case anywhere(Int)
    case otherwise(Int)
    case opening(Int)
    case handoffRule(Int, Int)
    case handoffOtherwise(Int, Int)
    /// Number of an override.
    case overridden(Int)
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

/// A reply to send, whole or in chunks. A class, since each chunk passes it on.
final class PendingReply: Sendable {
    let message: Message
    let pieces: [String]
    let every: Interval
    let jitter: Double
    /// Number in the session, from 1.
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
    /// Number of positions recorded so far.
    package var told: Int
    /// Rest of the turn, for a failed handoff.
    var rest: Turn
    /// The live agent who transfers the conversation, and who stays if the transfer fails.
    var former: HandoffLiveAgent?
}

/// The live agent of a handoff.
package struct HandoffLiveAgent: Equatable, Sendable {
    /// Index into the script's handoffs.
    package var handoff: Int
    /// A live agent who joined instead of the script's.
    var standIn: SpeakerProfile?
}

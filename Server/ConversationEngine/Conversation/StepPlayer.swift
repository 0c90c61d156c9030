import Clocks

/// The execution state of steps: the queued turns and the current activity.
struct StepPlayer: Sendable {
    enum Activity: Sendable {
        case idle
        /// A `wait` or `think` step.
        case pausing
        /// The thinking or typing time before a message.
        case composing(PendingReply)
        /// The pause before the next chunk of a reply. ``StepPlayer/nextPiece`` is the index of that chunk.
        case streaming(PendingReply)
        indirect case playing(Conversation.RunPlayback)

        var isIdle: Bool {
            if case .idle = self { return true }
            return false
        }
    }

    var turns: [Turn] = []
    var activity = Activity.idle
    var nextPiece = 0
    /// The deadline of the current activity or of the queue; nil if there is neither.
    var dueAt: Instant?
}

/// The steps of one reply, with their cause.
struct Turn: Equatable, Sendable {
    var steps: [Step]
    var next = 0
    var origin: Origin
    /// The message that the reply answers, for `{message}`.
    var message: String
    /// The metadata of the user's message. Error notices about the message return its metadata.
    var metadata: String?
    /// The cause of the turn's events. It names the rule of ``origin``, or the replaced rule if an override answers.
    var cause: Cause

    init(steps: [Step], origin: Origin, message: String, metadata: String?, mark: UInt32) {
        self.steps = steps
        self.origin = origin
        self.message = message
        self.metadata = metadata
        cause = Cause(mark: mark, part: ScriptPart(origin))
    }
}

/// The position of a list of steps in the script. Identifies rules that have no name.
package enum Origin: Hashable, Sendable {
    case greeting
    case stage(Int, Int)
    case anywhere(Int)
    case otherwise(Int)
    case opening(Int)
    case handoffRule(Int, Int)
    case handoffOtherwise(Int, Int)
    /// The number of an override.
    case overridden(Int)
}

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

    func speech(of origin: Origin, step: Int) -> Int { speeches[SpeechKey(origin: origin, step: step)] ?? 0 }

    /// Counts a use of the texts of a step. Returns the number of earlier uses, which selects the next alternating
    /// text.
    mutating func useSpeech(of origin: Origin, step: Int) -> Int {
        let key = SpeechKey(origin: origin, step: step)
        let count = speeches[key] ?? 0
        speeches[key] = count + 1
        return count
    }
}

/// A reply to send, whole or in chunks. A class, so that passing the reply on for each chunk copies only a reference.
final class PendingReply: Sendable {
    let message: Message
    let pieces: [String]
    let every: Interval
    let jitter: Double
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

/// A handoff in progress, with the user waiting in the queue.
package struct HandoffRun: Equatable, Sendable {
    /// The index in the script's handoffs.
    package var index: Int
    /// The number of queue positions recorded so far.
    package var positionsSent: Int
    /// The rest of the turn that began the handoff. It is played if the handoff fails.
    var rest: Turn
    /// In a transfer, the live agent who transfers the user; this live agent stays if the transfer fails.
    var former: HandoffLiveAgent?
}

package struct HandoffLiveAgent: Equatable, Sendable {
    /// The index in the script's handoffs.
    package var handoff: Int
    /// The profile of an operator who joined instead of the script's live agent.
    var standIn: SpeakerProfile?
}

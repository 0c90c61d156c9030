import Clocks

/// Execution state of steps: queued turns and the current activity.
struct StepPlayer: Sendable {
    enum Activity: Sendable {
        case idle
        case pausing
        case composing(PendingReply)
        /// Pause before the next chunk of a reply. ``StepPlayer/nextPiece`` is that chunk's index.
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
    /// Deadline of the current activity or of the queue.
    var dueAt: Instant?

    /// Removes the first turn. The only one is removed from the end, which moves no elements.
    mutating func dropTurn() {
        if turns.count > 1 { turns.removeFirst() } else { _ = turns.popLast() }
    }
}

struct Turn: Equatable, Sendable {
    var steps: [Step]
    var next = 0
    var origin: Origin
    /// The answered message, for `{message}`.
    var message: String
    /// Metadata of the user's message, for error notices about it.
    var metadata: String?
    /// Cause of the turn's events: the rule of ``origin``, or the rule that an override replaces.
    var cause: Cause
}

extension Turn {
    /// By the memberwise initializer, like ``ClientInput``.
    @inline(__always)
    init(steps: [Step], origin: Origin, message: String, metadata: String?, mark: UInt32) {
        self.init(
            steps: steps, origin: origin, message: message, metadata: metadata,
            cause: Cause(mark: mark, part: ScriptPart(origin)))
    }
}

/// Position of a list of steps in the script.
package enum Origin: Hashable, Sendable {
    case greeting
    case stage(Int, Int)
    case anywhere(Int)
    case otherwise(Int)
    case opening(Int)
    case handoffRule(Int, Int)
    case handoffOtherwise(Int, Int)
    case overridden(Int)
}

struct UseCounts: Equatable, Sendable {
    private struct SpeechKey: Hashable, Sendable {
        var origin: Origin
        var step: Int
    }

    private var rules: [Origin: Int] = [:]
    /// The rule used last, with its number of uses; ``rules`` may lack the latest of them. Saves 350 instructions when
    /// the rule is used again.
    private var last: (origin: Origin, count: Int)?
    private var speeches: [SpeechKey: Int] = [:]

    func rule(_ origin: Origin) -> Int {
        if let last, last.origin == origin { return last.count }
        return rules[origin] ?? 0
    }

    var ofRules: [Origin: Int] {
        var all = rules
        if let last { all[last.origin] = last.count }
        return all
    }

    mutating func useRule(_ origin: Origin) {
        let count = rule(origin) + 1
        if let last, last.origin != origin { rules[last.origin] = last.count }
        last = (origin, count)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.ofRules == right.ofRules && left.speeches == right.speeches
    }

    func speech(of origin: Origin, step: Int) -> Int { speeches[SpeechKey(origin: origin, step: step)] ?? 0 }

    /// Counts a use of a step's texts. Returns the number of earlier uses.
    mutating func useSpeech(of origin: Origin, step: Int) -> Int {
        let key = SpeechKey(origin: origin, step: step)
        let count = speeches[key] ?? 0
        speeches[key] = count + 1
        return count
    }
}

/// Reply to send, whole or in chunks. A class, so that each chunk copies only a reference.
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

/// Handoff in progress, with the user in the queue.
package struct HandoffRun: Equatable, Sendable {
    package var index: Int
    package var positionsSent: Int
    /// Remaining steps of the turn that began the handoff.
    var rest: Turn
    /// Live agent who transfers the user.
    var former: HandoffLiveAgent?
}

package struct HandoffLiveAgent: Equatable, Sendable {
    package var handoff: Int
    /// Profile of an operator who joined instead of the script's live agent.
    var standIn: SpeakerProfile?
}

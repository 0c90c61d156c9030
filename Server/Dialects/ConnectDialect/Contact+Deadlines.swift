import Clocks
import ConversationEngine
import DialectKit

/// Timers of participants (``Contact/restartTimers(at:)``): who has been silent for how long.
struct ParticipantTimers: Sendable {
    enum Side: Int, CaseIterable, Sendable {
        case customer
        case agent
    }

    /// In minutes.
    struct Setting: Equatable, Sendable {
        var idle: Int?
        var disconnect: Int?
    }

    struct Running: Sendable {
        var setting = Setting()
        var idleAt: Instant?
        var endsAt: Instant?
    }

    var settings = [Setting(), Setting()]
    /// Empty while nothing runs.
    var running: [Running] = []
    /// Who was told to be idle, and has not returned. It outlasts the timers.
    var idle: Set<Side> = []

    var next: Instant? {
        running.flatMap { [$0.idleAt, $0.endsAt] }.compactMap { $0 }.min()
    }
}

/// What happens by itself.
extension Contact {
    /// Who has not connected by then is given up.
    static let patience = Interval.minutes(5)

    private enum Due {
        case giveUp
        case stop
        case think
        case read
        case timers
        case verdict(String)
    }

    var nextDeadline: Instant? { nextDue?.at }

    private var nextDue: (at: Instant, Due)? {
        guard endedAt == nil, ending == nil, openedAt != .distantFuture else { return nil }
        var first: (at: Instant, Due) =
            isConnected ? (openedAt + start.duration, .stop) : (openedAt + Self.patience, .giveUp)
        func consider(_ at: Instant?, _ due: Due) {
            if let at, at < first.at { first = (at, due) }
        }
        consider(thinkingAgain, .think)
        consider(unread.first?.due, .read)
        if !timers.running.isEmpty { consider(timers.next, .timers) }
        for (id, upload) in uploads { consider(upload.verdictAt, .verdict(id)) }
        return first
    }

    mutating func advance(to now: Instant, into steps: inout [ProjectionStep]) {
        while let (at, due) = nextDue, at <= now {
            switch due {
            case .giveUp, .stop: stop(.abandoned, into: &steps)
            case .think: think(at: at, into: &steps)
            case .read:
                let (message, _) = unread.removeFirst()
                let place = place(of: message)
                guard let agent, place < items.count, items[place].id == message else { continue }
                mark(place, reader: agent, isRead: true, at: at, into: &steps)
            case .timers: runTimers(at: at, into: &steps)
            case .verdict(let id): conclude(id, at: at, into: &steps)
            }
        }
    }

    /// Ends the contact without a word of its participants.
    mutating func stop(_ reason: EndReason, into steps: inout [ProjectionStep]) {
        ending = .stopped
        steps.append(.push(.sessionEnded(reason), by: "contact"))
    }

    // MARK: - Silence

    /// Timers begin when a customer and somebody else are here, with the settings of that moment.
    mutating func restartTimers(at now: Instant) {
        guard hasCompany, endedAt == nil else {
            timers.running = []
            return
        }
        guard timers.running.isEmpty else { return }
        guard timers.settings.contains(where: { $0 != ParticipantTimers.Setting() }) else { return }
        timers.running = timers.settings.map { ParticipantTimers.Running(setting: $0) }
        for side in ParticipantTimers.Side.allCases { wind(side, at: now) }
    }

    private mutating func wind(_ side: ParticipantTimers.Side, at now: Instant) {
        let setting = timers.running[side.rawValue].setting
        timers.running[side.rawValue].idleAt = setting.idle.map { now + settings.minute * $0 }
        timers.running[side.rawValue].endsAt =
            setting.idle == nil ? setting.disconnect.map { now + settings.minute * $0 } : nil
    }

    /// A participant said something: their silence begins anew.
    mutating func noteWord(
        of participant: Participant, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        let side: ParticipantTimers.Side = participant.role == .customer ? .customer : .agent
        if timers.idle.remove(side) != nil {
            tell(.event(.returned), from: participant, at: now, into: &steps)
        }
        if !timers.running.isEmpty { wind(side, at: now) }
    }

    private mutating func runTimers(at now: Instant, into steps: inout [ProjectionStep]) {
        for side in ParticipantTimers.Side.allCases {
            let running = timers.running[side.rawValue]
            let silent = side == .customer ? customer : company
            if let due = running.idleAt, due <= now {
                timers.running[side.rawValue].idleAt = nil
                timers.idle.insert(side)
                timers.running[side.rawValue].endsAt = running.setting.disconnect.map {
                    due + settings.minute * $0
                }
                tell(.event(.idle), from: silent, at: now, into: &steps)
            } else if let due = running.endsAt, due <= now {
                tell(.event(.autoDisconnected), from: silent, at: now, into: &steps)
                timers.running = []
                return disconnectOthers(into: &steps)
            }
        }
    }

    private var company: Participant? { agent ?? connectedBots.min().map { participants[$0] } }

    /// All but the customer leave, and the contact ends.
    private mutating func disconnectOthers(into steps: inout [ProjectionStep]) {
        if let agent {
            steps.append(.push(.personLeft(Profile(name: agent.name), reason: nil), by: "contact"))
        }
        for place in connectedBots.sorted() {
            steps.append(.push(.personLeft(participants[place].profile, reason: nil), by: "contact"))
        }
        stop(.abandoned, into: &steps)
    }
}

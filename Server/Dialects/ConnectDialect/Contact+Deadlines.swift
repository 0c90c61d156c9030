import Clocks
import ConversationEngine
import DialectKit

/// Inactivity timers of participants (``Contact/restartTimers(at:)``).
struct ParticipantTimers: Sendable {
    /// Timeouts in minutes.
    struct Setting: Equatable, Sendable {
        var idle: Int?
        var disconnect: Int?
    }

    struct Running: Sendable {
        let place: Int
        let setting: Setting
        var idleAt: Instant?
        var endsAt: Instant?
    }

    /// Timer settings of the customer, and of all other participants.
    var settings = [Setting(), Setting()]
    /// The running timers.
    var running: [Running] = []
    /// Indices of the idle participants.
    var idle: Set<Int> = []

    var next: Instant? { running.flatMap { [$0.idleAt, $0.endsAt] }.compactMap { $0 }.min() }
}

extension Contact {
    /// Time within which the customer must connect.
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

    func advance(to now: Instant, into output: inout EncoderOutput) { advance(to: now, into: &output.steps) }

    private func advance(to now: Instant, into steps: inout Steps) {
        while let (at, due) = nextDue, at <= now {
            switch due {
            case .giveUp, .stop: stop(.abandoned, into: &steps)
            case .think: think(at: at, into: &steps)
            case .read:
                let (message, _) = unread.removeFirst()
                let place = items.place(of: message)
                guard let agent, place < items.count, items[place].id == message else { continue }
                mark(place, reader: agent, isRead: true, at: at, into: &steps)
            case .timers: runTimers(at: at, into: &steps)
            case .verdict(let id): conclude(id, at: at, into: &steps)
            }
        }
    }

    /// Ends the contact for another reason than the customer's leaving.
    func stop(_ reason: EndReason, into steps: inout Steps) {
        ending = .stopped
        steps.append(.push(.sessionEnded(reason), by: "contact"))
    }

    // MARK: - Silence

    /// Starts and stops timers as participants come and go.
    func restartTimers(at now: Instant) {
        guard hasCompany, endedAt == nil else {
            timers.running = []
            return
        }
        let here = [0] + (agent.map { [$0.place] } ?? []) + connectedBots.sorted()
        timers.running.removeAll { !here.contains($0.place) }
        guard timers.settings.contains(where: { $0 != ParticipantTimers.Setting() }) else { return }
        for place in here where !timers.running.contains(where: { $0.place == place }) {
            let setting = timers.settings[place == 0 ? 0 : 1]
            timers.running.append(ParticipantTimers.Running(place: place, setting: setting))
            wind(timers.running.count - 1, at: now)
        }
    }

    private func wind(_ index: Int, at now: Instant) {
        let setting = timers.running[index].setting
        timers.running[index].idleAt = setting.idle.map { now + settings.minute * $0 }
        timers.running[index].endsAt =
            setting.idle == nil ? setting.disconnect.map { now + settings.minute * $0 } : nil
    }

    /// Restarts the timer of a participant who has sent a message or a file.
    func noteWord(of participant: Participant, at now: Instant, into steps: inout Steps) {
        if timers.idle.remove(participant.place) != nil {
            deliver(.event(.returned), from: participant, at: now, into: &steps)
        }
        if let index = timers.running.firstIndex(where: { $0.place == participant.place }) {
            wind(index, at: now)
        }
    }

    private func runTimers(at now: Instant, into steps: inout Steps) {
        for (index, running) in timers.running.enumerated() {
            let silent = participants[running.place]
            if let due = running.idleAt, due <= now {
                timers.running[index].idleAt = nil
                timers.idle.insert(running.place)
                timers.running[index].endsAt = running.setting.disconnect.map {
                    due + settings.minute * $0
                }
                deliver(.event(.idle), from: silent, at: now, into: &steps)
            } else if let due = running.endsAt, due <= now {
                deliver(.event(.autoDisconnected), from: silent, at: now, into: &steps)
                timers.running = []
                return disconnectOthers(into: &steps)
            }
        }
    }

    private func disconnectOthers(into steps: inout Steps) {
        if let agent {
            steps.append(.push(.liveAgentLeft(SpeakerProfile(name: agent.name), reason: nil), by: "contact"))
        }
        for place in connectedBots.sorted() {
            steps.append(.push(.liveAgentLeft(participants[place].profile, reason: nil), by: "contact"))
        }
        stop(.abandoned, into: &steps)
    }
}

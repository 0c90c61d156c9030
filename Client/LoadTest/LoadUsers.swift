import ClientSupport
import Clocks
import PolyMessaging

/// State machine that combines the ``LoadCore`` with the SDK cores of all users.
struct LoadUsers: StateMachine {
    enum Input: Sendable {
        case start
        case event(LoadEvent)
        /// Ends the run.
        case interrupt
    }

    enum Output {
        case user(LoadUser.ID, ClientCore.Output)
        case progress(LoadSnapshot)
        case finished(LoadSummary)
    }

    private var core: LoadCore
    private var users: [LoadUser?]
    private var userCount = 0
    private var deadlines = DeadlineHeap()
    /// Inputs for ``core`` that wait until it has handled the current input.
    private var inputs: [(user: LoadUser.ID, LoadCore.Input)] = []
    private var outputs: [Output] = []
    private var departing: Set<LoadUser.ID> = []
    private var isInterrupted = false

    private let settings: ClientSettings
    private var generator: SeededGenerator
    private let progressInterval: Interval?
    private var meter: LoadMeter
    private var nextProgress: Instant?
    /// Instant at which the run stops waiting for the ``departing`` users, or nil.
    private var farewellUntil: Instant?

    init(_ plan: LoadPlan, _ settings: ClientSettings, progressInterval: Interval?, at now: Instant) {
        core = LoadCore(plan)
        users = Array(repeating: nil, count: plan.sessions)
        generator = SeededGenerator(seed: plan.seed).stream("users")
        self.settings = settings
        self.progressInterval = progressInterval
        meter = LoadMeter(start: now)
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, at now: Instant) -> [Output] {
        switch input {
        case .start:
            nextProgress = progressInterval.map { now + $0 }
            execute(core.start(at: now), at: now)
        case .event(let event): receive(event, at: now)
        case .interrupt:
            if farewellUntil != nil { farewellUntil = now }
            isInterrupted = true
            execute(core.interrupt(at: now), at: now)
        }
        settle(at: now)
        finishIfDone(at: now)
        defer { outputs = [] }
        return outputs
    }

    private mutating func receive(_ event: LoadEvent, at now: Instant) {
        if event.isEnd { departing.remove(event.user) }
        guard let user = user(event.user) else { return }
        if let error = LoadUser.fault(in: event.input, to: event.request) {
            inputs.append((event.user, .fault(error)))
        }
        if event.isEnd { user.attempts.removeAll { $0 == event.attempt } }
        handle(event.input, user, at: now)
    }

    private func user(_ id: LoadUser.ID) -> LoadUser? {
        users[id.slot].flatMap { $0.id == id ? $0 : nil }
    }

    private mutating func handle(_ input: ClientCore.Input, _ user: LoadUser, at now: Instant) {
        execute(user.handle(input, at: now), user)
    }

    // MARK: Outputs

    /// Passes the queued inputs to the core, except those of users who have left.
    private mutating func settle(at now: Instant) {
        while !inputs.isEmpty {
            let batch = inputs
            inputs = []
            for (id, input) in batch where user(id) != nil {
                execute(core.handle(input, slot: id.slot, at: now), at: now)
            }
        }
    }

    private mutating func execute(_ outputs: [LoadCore.Output], at now: Instant) {
        for output in outputs {
            switch output {
            case .open(let slot): open(slot, at: now)
            case .send(let slot, let text):
                guard let user = users[slot] else { continue }
                handle(.send(text: text, metadata: [:], user.nextCall()), user, at: now)
            case .leave(let slot): leave(slot, at: now)
            case .finished: farewellUntil = now + LoadLimits.farewell
            }
        }
    }

    private mutating func open(_ slot: Int, at now: Instant) {
        userCount += 1
        let user = LoadUser(
            id: LoadUser.ID(slot: slot, number: userCount),
            core: ClientCore(settings, seed: generator.next()))
        users[slot] = user
        handle(.start(stored: nil), user, at: now)
    }

    private mutating func leave(_ slot: Int, at now: Instant) {
        guard let user = users[slot] else { return }
        users[slot] = nil
        let farewell =
            user.handle(.end(reason: nil, user.nextCall()), at: now) + user.handle(.shutdown, at: now)
        for output in farewell {
            switch output {
            case .transmit: break
            case .close(let attempt, _, _) where user.attempts.contains(attempt): departing.insert(user.id)
            default: continue
            }
            outputs.append(.user(user.id, output))
        }
    }

    private mutating func execute(_ outputs: [ClientCore.Output], _ user: LoadUser) {
        for output in outputs {
            switch output {
            case .request, .open, .transmit, .close:
                if case .open(let attempt, _) = output { user.attempts.append(attempt) }
                self.outputs.append(.user(user.id, output))
            default:
                if let input = LoadUser.meaning(of: output) { inputs.append((user.id, input)) }
            }
        }
        if let next = user.nextDeadline { deadlines.arm(user.id.slot, at: next) }
    }

    // MARK: Time

    var nextDeadline: Instant? {
        let talks = min(deadlines.next ?? .distantFuture, core.nextDeadline ?? .distantFuture)
        let run = min(nextProgress ?? .distantFuture, farewellUntil ?? .distantFuture)
        let next = min(talks, run)
        return next == .distantFuture ? nil : next
    }

    mutating func advance(to now: Instant) -> [Output] {
        // The limit of 1,000 prevents an endless loop.
        for _ in 0..<1_000 {
            guard let due = nextDeadline, due <= now else { break }
            turn(at: now)
        }
        defer { outputs = [] }
        return outputs
    }

    private mutating func turn(at now: Instant) {
        for slot in deadlines.takeDue(by: now).map({ Int($0.slot) }) {
            guard let user = users[slot] else { continue }
            execute(user.core.advance(to: now), user)
        }
        execute(core.advance(to: now), at: now)
        if let due = nextProgress, due <= now, let progressInterval {
            outputs.append(.progress(meter.snapshot(core, at: now)))
            nextProgress = now + progressInterval
        }
        settle(at: now)
        finishIfDone(at: now)
    }

    private mutating func finishIfDone(at now: Instant) {
        guard let until = farewellUntil, departing.isEmpty || now >= until else { return }
        (farewellUntil, nextProgress) = (nil, nil)
        outputs.append(
            .finished(LoadSummary(core, elapsed: now - meter.start, isInterrupted: isInterrupted, at: now)))
    }
}

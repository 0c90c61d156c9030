import Clocks

/// State machine of a load test: decides when sessions open, send messages and leave, and counts the results.
///
/// A slot holds one session at a time:
///
/// | stage | input | next stage |
/// | --- | --- | --- |
/// | unused, failed | its turn to open | opening |
/// | opening | opened | greeting, or ready |
/// | opening | timeout | failed, for a pause |
/// | greeting | the greeting, or timeout | ready |
/// | ready | a message is due | saying |
/// | saying | all expected answers | ready, or opening for the next user |
/// | saying | timeout | ready, or opening for the next user |
/// | saying | the SDK gave up delivering | failed, for a pause |
/// | opening, greeting, ready before the talk's first line | the server ended the session | failed, for a pause |
/// | ready, saying | the server ended the session | opening for the next user |
/// | any | the SDK gave up connecting | failed, for a pause |
///
/// The run:
///
/// | phase | ends when |
/// | --- | --- |
/// | opening | every slot has been ready or has failed; with a ramp, this phase ends at once |
/// | talking | the duration is over, every message was sent, or no session could be opened |
/// | draining | no slot waits for an answer |
struct LoadCore: Sendable {
    enum Input: Equatable, Sendable {
        case opened
        /// The session could not be opened or kept, and the SDK has stopped retrying.
        case failed(String)
        case echoed
        /// A part of a reply arrived: the first part or a later one.
        case worded
        case replied
        case undelivered
        case ended
        /// An error to count.
        case fault(LoadError)
    }

    enum Output: Equatable, Sendable {
        case open(slot: Int)
        case send(slot: Int, String)
        /// Ends the user's session, and closes the connection normally.
        case leave(slot: Int)
        case finished
    }

    enum Phase: Equatable, Sendable {
        case idle, opening, talking, draining, over
    }

    struct Message: Equatable, Sendable {
        var due: Instant
        var repliesLeft: Int
        var ends: Bool
        var isEchoed = false
        var hasWords = false
    }

    enum Stage: Equatable, Sendable {
        case unused
        case opening(since: Instant)
        /// `left` is the number of replies still to come; nil if unknown.
        case greeting(left: Int?)
        case ready
        case saying(Message)
        case failed
        case over
    }

    struct Slot: Sendable {
        var stage = Stage.unused
        var talk: Int
        var line = 0
        var deadline: Instant?
        /// Whether the slot has been ready or has failed at least once.
        var isSettled = false
        var isListed = false
    }

    let plan: LoadPlan
    var tally = LoadTally()
    var phase = Phase.idle
    var slots: [Slot]
    var outputs: [Output] = []
    var deadlines = DeadlineHeap()
    /// Slots in the order in which they became ready. Some may not be ready any more.
    private var ready = SlotList()
    private let schedule: LoadSchedule?
    private var startedAt = Instant(nanosecondsSince1970: 0)
    private var talksSince: Instant?
    private var talkedUntil: Instant?
    private var echoedInTime = 0
    private var nextSlot = 0
    var openingCount = 0
    var settledCount = 0
    var sayingCount = 0

    init(_ plan: LoadPlan) {
        self.plan = plan
        schedule = plan.rate.map { LoadSchedule(rate: $0, ramp: plan.ramp) }
        var generator = SeededGenerator(seed: plan.seed).stream("talks")
        let first = Int.random(in: 0..<max(1, plan.talks.count), using: &generator)
        slots = (0..<plan.sessions).map { Slot(talk: (first + $0) % max(1, plan.talks.count)) }
    }

    // MARK: Reading

    var openCount: Int {
        slots.count { slot in
            switch slot.stage {
            case .greeting, .ready, .saying: true
            case .unused, .opening, .failed, .over: false
            }
        }
    }

    var isTalking: Bool { phase == .talking }

    func talkingTime(at now: Instant) -> Interval {
        talksSince.map { (talkedUntil ?? now) - $0 } ?? .zero
    }

    func messagesPerSecond(at now: Instant) -> Double {
        let time = talkingTime(at: now)
        guard time > .zero else { return 0 }
        return Double(talkedUntil == nil ? tally.echoed : echoedInTime) / (Double(time.nanoseconds) / 1e9)
    }

    // MARK: Running

    mutating func start(at now: Instant) -> [Output] {
        guard phase == .idle else { return [] }
        phase = .opening
        startedAt = now
        return pump(at: now)
    }

    /// Ends the run at once. Messages without an answer do not count as errors.
    mutating func interrupt(at now: Instant) -> [Output] {
        guard phase != .over else { return [] }
        endTalking(at: now)
        return finish()
    }

    mutating func handle(_ input: Input, slot: Int, at now: Instant) -> [Output] {
        guard phase != .over else { return [] }
        apply(input, slot: slot, at: now)
        return pump(at: now)
    }

    var nextDeadline: Instant? {
        guard phase != .over, phase != .idle else { return nil }
        var next = deadlines.next ?? .distantFuture
        if let opening = nextOpening { next = min(next, opening) }
        if phase == .talking, let talksSince {
            next = min(next, talksSince + plan.duration)
            if let due = nextDue, !ready.isEmpty { next = min(next, due) }
        }
        return next == .distantFuture ? nil : next
    }

    mutating func advance(to now: Instant) -> [Output] {
        guard phase != .over else { return [] }
        for slot in deadlines.takeDue(by: now).map({ Int($0.slot) }) {
            guard let deadline = slots[slot].deadline else { continue }
            if deadline > now {
                deadlines.arm(slot, at: deadline)
            } else {
                slots[slot].deadline = nil
                runOut(of: slot, at: now)
            }
        }
        return pump(at: now)
    }

    // MARK: Steps of the run

    private var nextOpening: Instant? {
        let isOpening = phase == .opening || phase == .talking
        guard isOpening, plan.ramp > .zero, nextSlot != slots.count else { return nil }
        return startedAt + plan.ramp.scaled(by: Double(nextSlot) / Double(slots.count))
    }

    private var nextDue: Instant? {
        guard let schedule, let talksSince, tally.sent < plan.messages ?? .max else { return nil }
        return talksSince + schedule.offset(of: tally.sent)
    }

    private mutating func pump(at now: Instant) -> [Output] {
        openSlots(at: now)
        startTalking(at: now)
        if phase == .talking {
            // Messages due before the end are sent first, even if the timer fires late.
            talk(at: now)
            let isOver = talksSince.map { now >= $0 + plan.duration } ?? false
            if isOver || tally.sent >= plan.messages ?? .max { endTalking(at: now) }
        }
        if phase == .draining, sayingCount == 0 { return finish() }
        defer { outputs = [] }
        return outputs
    }

    private mutating func openSlots(at now: Instant) {
        guard phase == .opening || phase == .talking else { return }
        if plan.ramp > .zero {
            while let due = nextOpening, due <= now { openNextSlot(at: now) }
        } else {
            while nextSlot != slots.count, openingCount < LoadLimits.openingAtOnce { openNextSlot(at: now) }
        }
    }

    private mutating func openNextSlot(at now: Instant) {
        nextSlot += 1
        open(nextSlot - 1, at: now)
    }

    private mutating func startTalking(at now: Instant) {
        let isSettled = settledCount == slots.count
        if phase == .opening, isSettled || plan.ramp > .zero {
            phase = .talking
            talksSince = now
        }
        if phase == .talking, isSettled, tally.opened == 0 { endTalking(at: now) }
    }

    private mutating func talk(at now: Instant) {
        let last = talksSince.map { $0 + plan.duration } ?? now
        while tally.sent < plan.messages ?? .max {
            let due = schedule == nil ? now : nextDue ?? .distantFuture
            guard due <= now, due < last, let slot = nextReady() else { return }
            send(slot, due: due, at: now)
        }
    }

    private mutating func endTalking(at now: Instant) {
        guard phase == .talking else {
            if phase == .opening { phase = .draining }
            return
        }
        phase = .draining
        talkedUntil = now
        echoedInTime = tally.echoed
        guard let schedule, let talksSince, tally.opened > 0 else { return }
        let due = min(schedule.count(before: min(now - talksSince, plan.duration)), plan.messages ?? .max)
        if due > tally.sent { tally.count(.neverSent, times: due - tally.sent) }
    }

    private mutating func finish() -> [Output] {
        phase = .over
        for slot in slots.indices {
            switch slots[slot].stage {
            case .unused, .failed, .over: break
            case .opening, .greeting, .ready, .saying: outputs.append(.leave(slot: slot))
            }
            slots[slot].stage = .over
        }
        outputs.append(.finished)
        defer { outputs = [] }
        return outputs
    }

    // MARK: Ready slots

    private mutating func nextReady() -> Int? {
        while let slot = ready.popFirst() {
            slots[slot].isListed = false
            if slots[slot].stage == .ready { return slot }
        }
        return nil
    }

    mutating func list(_ slot: Int) {
        guard !slots[slot].isListed else { return }
        slots[slot].isListed = true
        ready.append(slot)
    }
}

struct SlotList: Sendable {
    private var slots: [Int] = []
    private var start = 0

    var isEmpty: Bool { start == slots.count }

    mutating func append(_ slot: Int) {
        if start > 1_024, start * 2 > slots.count {
            slots.removeFirst(start)
            start = 0
        }
        slots.append(slot)
    }

    mutating func popFirst() -> Int? {
        guard start < slots.count else { return nil }
        start += 1
        return slots[start - 1]
    }
}

package import Clocks
import MockServer
import PolyMessaging

extension Mock {
    /// Waits until nothing is in transit and no timer is due now. Throws if the mock does not become idle.
    package func settle() async throws {
        let isStill = await Quiescence.reached(
            server: { server }, network: http, drivers: { drivers }, others: { contactInputs })
        if isStill { return }
        throw MockError("the mock never comes to rest: something answers itself again and again")
    }

    /// Runs everything that is due now, and lets the time requested by ``MockClock/advance(by:)`` pass.
    func catchUp() async throws {
        if let absence { throw absence }
        guard let virtual else { return }
        await gate.enter()
        defer { gate.leave() }
        try await settle()
        let target = target.withLock { $0 }
        var budget = MomentBudget(rounds: KitLimits.movesAtOneMoment)
        while virtual.now < target {
            guard budget.spend(at: virtual.now) else { throw Self.stuck }
            try await move(virtual, to: target)
        }
    }

    private static let stuck = MockError(
        "time stands still: something stays due however often it is dealt with")

    private func move(_ virtual: VirtualClock, to end: Instant) async throws {
        virtual.advance(to: min(virtual.nextDeadline ?? end, end))
        target.withLock { $0 = max($0, virtual.now) }
        try await settle()
    }

    /// Lets time pass until `condition` holds. Returns false if `interval` passes first.
    package func play(
        within interval: Interval, isolation: isolated (any Actor)? = #isolation,
        until condition: () async throws -> Bool
    ) async throws -> Bool {
        try await catchUp()
        let end = base.now + interval
        var budget = MomentBudget(rounds: KitLimits.movesAtOneMoment)
        while true {
            try Task.checkCancellation()
            if virtual != nil, !budget.spend(at: base.now) { throw Self.stuck }
            let count = alarm.count
            if try await condition() { return true }
            guard base.now < end else { return false }
            if virtual != nil {
                try await step(to: end)
            } else {
                // Chats send no signal for a new message, so they are polled.
                await alarm.wait(after: count, until: min(end, base.now + lookInterval), on: base)
            }
        }
    }

    private var lookInterval: Interval {
        guard case .scaled(let factor) = plan.time else { return KitLimits.lookInterval }
        return KitLimits.lookInterval.scaled(by: factor)
    }

    private func step(to end: Instant) async throws {
        guard let virtual else { return }
        await gate.enter()
        defer { gate.leave() }
        try await move(virtual, to: end)
    }

    /// Moves time to the next timer's deadline, however far away, and runs the timer. Returns false if there is no
    /// timer or no virtual clock.
    func runNextTimer() async throws -> Bool {
        try await catchUp()
        guard let virtual, let next = virtual.nextDeadline else { return false }
        await gate.enter()
        defer { gate.leave() }
        try await move(virtual, to: next)
        return true
    }

    func untilIdle() async throws {
        let isOver = try await play(within: KitLimits.quietTime) { await isQuiet }
        guard isOver else {
            throw MockError(
                "the mock is not quiet after \(KitLimits.quietTime): it talks on and on")
        }
    }

    private var isQuiet: Bool {
        get async {
            let isSilent = await server.inspect { $0.isQuiet }
            return isSilent && contacts.allSatisfy { $0.isCalm }
                && drivers.allSatisfy { driver in
                    switch driver.streams.statuses.latest ?? .idle {
                    case .connecting, .reconnecting, .closing: false
                    case .idle, .open, .closed, .failed: true
                    }
                }
        }
    }

    /// With ``MockPlan/Movement/atOnce`` and a virtual clock, lets time pass until the mock is idle.
    func afterAct() async throws {
        if plan.movement == .atOnce, virtual != nil { try await untilIdle() }
    }
}

import ClientSupport
import Clocks
import HTTPClient
import HTTPCore
import RunWire

final class RunFeed: Sendable {
    private typealias Waiter = CheckedContinuation<AgentRunEvent?, any Error>

    private struct State: Sendable {
        var intake: RunIntake
        var events: [AgentRunEvent] = []
        var first = 0
        /// Byte counts of body parts that are not yet reported as read (backpressure).
        var untaken: [Int] = []
        var end: Result<Void, AgentRunError>?
        var hasSentEnd = false
        var waiters: [Waiter] = []
        var connection: (any WebExchange)?
        var hasBegun = false
        var contentType: String?
        /// The run id in the agent's events.
        var runID: String?

        mutating func pop() -> AgentRunEvent? {
            guard first < events.count else { return nil }
            defer {
                first += 1
                if first == events.count { (events, first) = ([], 0) }
            }
            return events[first]
        }
    }

    /// Time limit for the server to close the connection after the event that ends the run.
    private static let grace = Interval.seconds(2)

    let input: RunInput
    let talk: Locked<RunReducer>
    private let clock: any EventClock
    private let idle: Interval?
    private let observer: (any RunObserver)?
    private let followers: ThreadFollowers?
    private let state: Locked<State>
    private let timer = Locked<(any EventTimer)?>(nil)

    init(
        _ input: RunInput, talk: Locked<RunReducer>, configuration: AGUIConfiguration, clock: any EventClock,
        observer: (any RunObserver)?, followers: ThreadFollowers? = nil
    ) {
        self.input = input
        self.talk = talk
        self.clock = clock
        (self.observer, self.followers) = (observer, followers)
        idle = configuration.idleTimeout.map { .seconds($0) }
        state = Locked(
            State(
                intake: RunIntake(
                    input, profile: configuration.profile.wire, verifies: configuration.verifiesSequence,
                    maxEventBytes: configuration.maxEventBytes)))
    }

    func start(_ request: HTTPClient.Request, over web: any WebTransport) {
        let timer = clock.makeTimer { [weak self] in self?.timerFired() }
        self.timer.withLock { $0 = timer }
        let connection = web.begin(request) { [weak self] report in self?.receive(report) }
        let isOver = state.withLock { state in
            state.connection = connection
            return state.end != nil
        }
        if isOver { connection.cut() }
    }

    // MARK: - Reports of the network

    func receive(_ report: HTTPClient.Report) {
        switch report {
        case .began(let answer):
            state.withLock {
                $0.hasBegun = true
                $0.contentType = answer.headers["Content-Type"]
            }
            armTimer()
        case .part(let bytes): receive(bytes)
        case .answered(let answer):
            let hasBegun = state.withLock { $0.hasBegun }
            guard hasBegun else {
                let body = String(decoding: answer.body, as: UTF8.self)
                return finish(.failure(.http(status: answer.status, body: body)))
            }
            streamEnded()
        case .failed(let failure): failed(failure)
        case .opened, .sent, .text, .binary, .closed: break
        }
    }

    private func receive(_ bytes: [UInt8]) {
        let now = clock.now
        let (events, error) = state.withLock { state -> ([AgentRunEvent], AgentRunError?) in
            guard state.end == nil else { return ([], nil) }
            var events: [AgentRunEvent] = []
            do throws(AgentRunError) {
                try state.intake.receive(bytes, at: now, into: &events)
                return (events, nil)
            } catch {
                return (events, error)
            }
        }
        // Arm the timer before the delivery: a receiver may immediately wait for the timeout.
        if error == nil { armTimer() }
        // Events after the end are dropped, because they would change the messages and state of the next run.
        let isHeard = talk.withLock { reducer in
            let isHeard = state.withLock { state in
                if let event = events.first { state.runID = event.runID.rawValue }
                return state.end == nil
            }
            if isHeard { for event in events { _ = reducer.apply(event.wire) } }
            return isHeard
        }
        guard isHeard else { return }
        for event in events {
            observer?.runDidReceive(event)
            followers?.notify(.event(event, at: now))
        }
        let (woken, taken, connection) = state.withLock { state in
            guard state.end == nil else { return ([(Waiter, AgentRunEvent)](), [Int](), state.connection) }
            state.events += events
            state.untaken.append(bytes.count)
            var woken: [(Waiter, AgentRunEvent)] = []
            while !state.waiters.isEmpty, let event = state.pop() {
                woken.append((state.waiters.removeFirst(), event))
            }
            return (woken, Self.dealtWith(&state), state.connection)
        }
        for (waiter, event) in woken { waiter.resume(returning: event) }
        for size in taken { connection?.taken(size) }
        if let error { finish(.failure(error)) }
    }

    /// Removes and returns the byte counts to report as read; an empty array while an event is undelivered.
    private static func dealtWith(_ state: inout State) -> [Int] {
        guard state.events.isEmpty else { return [] }
        defer { state.untaken = [] }
        return state.untaken
    }

    private func streamEnded() {
        let (intake, contentType) = state.withLock { ($0.intake, $0.contentType) }
        do throws(AgentRunError) {
            try intake.finish()
            finish(.success(()))
        } catch {
            // A response without events may be a web page, so the error names its content type.
            if case .truncated(nil) = error, let contentType, !contentType.hasPrefix("text/event-stream") {
                let detail =
                    "The answer is \(contentType), not text/event-stream. Is this the address of an agent?"
                return finish(.failure(.decoding(eventType: nil, detail: detail)))
            }
            finish(.failure(error))
        }
    }

    private func failed(_ failure: HTTPClient.Failure) {
        let (isComplete, hasBegun) = state.withLock { ($0.intake.isComplete, $0.hasBegun) }
        if isComplete { return finish(.success(())) }
        // A connection that closes before the end of the body counts as the end of the stream.
        if hasBegun, case .badAnswer(.incomplete, because: nil) = failure { return streamEnded() }
        finish(.failure(.transport(failure.description)))
    }

    private func armTimer() {
        let isComplete = state.withLock { $0.intake.isComplete }
        guard let length = isComplete ? Self.grace : idle else { return }
        let deadline = clock.now + length
        timer.withLock { $0 }?.arm(at: deadline)
    }

    private func timerFired() {
        let (isComplete, isWaitedFor) = state.withLock { ($0.intake.isComplete, !$0.events.isEmpty) }
        if isComplete { return finish(.success(())) }
        // The app has not read its events, so the client may have paused reading.
        if isWaitedFor { return armTimer() }
        finish(.failure(.transport("The agent has sent nothing for \(idle ?? .zero).")), .timedOut)
    }

    // MARK: - Calls of the client

    func next() async throws -> AgentRunEvent? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in wait(waiter) }
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ waiter: Waiter) {
        let (answer, taken, connection) = state.withLock {
            state -> (Result<AgentRunEvent?, any Error>?, [Int], (any WebExchange)?) in
            if let event = state.pop() {
                return (.success(event), Self.dealtWith(&state), state.connection)
            }
            guard let end = state.end else {
                state.waiters.append(waiter)
                return (nil, [], nil)
            }
            if case .failure(let error) = end, !state.hasSentEnd {
                state.hasSentEnd = true
                return (.failure(error), [], nil)
            }
            return (.success(nil), [], nil)
        }
        if let answer { waiter.resume(with: answer) }
        for size in taken { connection?.taken(size) }
    }

    /// Cancels the request, and drops undelivered events.
    func cancel() {
        state.withLock { if $0.end == nil { ($0.events, $0.first) = ([], 0) } }
        finish(.failure(.cancelled), .superseded)
    }

    var hasFailed: Bool {
        state.withLock { state in
            if case .failure? = state.end { true } else { false }
        }
    }

    func finish(_ end: Result<Void, AgentRunError>, _ interruption: AgentRunInterruption? = nil) {
        let done = state.withLock {
            state -> (waiters: [Waiter], connection: (any WebExchange)?, runID: String?)? in
            guard state.end == nil else { return nil }
            state.end = end
            if !state.waiters.isEmpty { state.hasSentEnd = true }
            defer { state.waiters = [] }
            return (state.waiters, state.connection, state.runID)
        }
        guard let done else { return }
        if case .failure = end { talk.withLock { $0.giveUp(runID: input.runID) } }
        var reason: AgentRunError?
        if case .failure(let error) = end { reason = error }
        followers?.notify(.ended(reason, at: clock.now))
        done.connection?.cut()
        timer.withLock { $0 }?.disarm()
        for (index, waiter) in done.waiters.enumerated() {
            switch end {
            case .failure(let error) where index == 0: waiter.resume(throwing: error)
            default: waiter.resume(returning: nil)
            }
        }
        guard let reason else { return }
        observer?.runWasInterrupted(done.runID ?? input.runID, interruption ?? AgentRunInterruption(reason))
    }

    func collect() async throws -> AgentRunSnapshot {
        while try await next() != nil {}
        return snapshot
    }

    var snapshot: AgentRunSnapshot {
        let end = state.withLock { $0.end }
        var interruption: AgentRunInterruption?
        if case .failure(let error)? = end { interruption = AgentRunInterruption(error) }
        let reducer = talk.withLock { $0 }
        return AgentRunSnapshot(reducer, input, interruption: interruption)
    }
}

/// Observer of an agent's runs. Events arrive in order, on the network thread; interruptions arrive on any thread.
protocol RunObserver: Sendable {
    func runDidReceive(_ event: AgentRunEvent)
    func runWasInterrupted(_ runID: String, _ reason: AgentRunInterruption)
}

extension AgentRunInterruption {
    init(_ error: AgentRunError) {
        self =
            switch error {
            case .truncated: .truncated
            case .cancelled: .superseded
            default: .connectionLost
            }
    }
}

package struct LoadTally: Equatable, Sendable {
    /// Sessions that received SESSION_START.
    package var opened = 0
    package var failed = 0
    package var sent = 0
    package var echoed = 0
    package var answered = 0
    package private(set) var errors: [LoadError: Int] = [:]
    /// Number of requests and WebSocket upgrades without a valid response.
    package var unanswered = 0
    /// Times from the first token request of a session to SESSION_START.
    package var connecting = LatencyHistogram()
    /// Times from the instant at which a message was due to its echo.
    package var echo = LatencyHistogram()
    /// Times from the instant at which a message was due to the first part of its reply.
    package var reply = LatencyHistogram()

    static var counters: [WritableKeyPath<LoadTally, Int>] {
        [\.opened, \.failed, \.sent, \.echoed, \.answered, \.unanswered]
    }
    static var histograms: [WritableKeyPath<LoadTally, LatencyHistogram>] { [\.connecting, \.echo, \.reply] }

    package var errorCount: Int { errors.values.reduce(0, +) }

    package mutating func count(_ error: LoadError, times: Int = 1) {
        note(error, times)
        if case .unanswered = error { unanswered += times }
    }

    package mutating func add(_ other: LoadTally) {
        for counter in Self.counters { self[keyPath: counter] += other[keyPath: counter] }
        for histogram in Self.histograms { self[keyPath: histogram].add(other[keyPath: histogram]) }
        for (error, times) in other.errorsByCount { note(error, times) }
    }

    private mutating func note(_ error: LoadError, _ times: Int) {
        let isRoom = errors[error] != nil || errors.count < LoadLimits.errorKinds
        errors[isRoom ? error : .other, default: 0] += times
    }

    package var errorsByCount: [(error: LoadError, count: Int)] {
        errors.map { (error: $0.key, count: $0.value) }.sorted { left, right in
            (right.count, left.error.description) < (left.count, right.error.description)
        }
    }
}

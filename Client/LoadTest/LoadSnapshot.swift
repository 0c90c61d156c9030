package import Clocks

package struct LoadSnapshot: Equatable, Sendable {
    package var elapsed: Interval
    package var sessions: Int
    package var wanted: Int
    package var rate: Double
    package var tally: LoadTally
    package var isTalking: Bool

    package mutating func add(_ other: LoadSnapshot) {
        elapsed = max(elapsed, other.elapsed)
        sessions += other.sessions
        wanted += other.wanted
        rate += other.rate
        tally.add(other.tally)
        isTalking = isTalking || other.isTalking
    }

    /// One line of text. The least important values are last, because a narrow terminal truncates it.
    package var line: String {
        let state = isTalking || tally.sent > 0 ? "" : "opening  "
        return "\(LoadText.seconds(elapsed))  \(state)\(sessions)/\(wanted) open  "
            + "\(LoadText.rate(rate)) messages/s  \(tally.errorCount) errors  "
            + "echo \(Self.middleAndEdge(tally.echo))  reply \(Self.middleAndEdge(tally.reply))  (p50/p99)"
    }

    private static func middleAndEdge(_ histogram: LatencyHistogram) -> String {
        "\(LoadText.short(histogram.percentile(0.5)))/\(LoadText.short(histogram.percentile(0.99)))"
    }
}

struct LoadMeter {
    let start: Instant
    private var last: Instant
    private var echoed = 0

    init(start: Instant) {
        self.start = start
        last = start
    }

    mutating func snapshot(_ core: LoadCore, at now: Instant) -> LoadSnapshot {
        let seconds = Double(max(1, (now - last).nanoseconds)) / 1e9
        let rate = Double(core.tally.echoed - echoed) / seconds
        (last, echoed) = (now, core.tally.echoed)
        return LoadSnapshot(
            elapsed: now - start, sessions: core.openCount, wanted: core.plan.sessions, rate: rate,
            tally: core.tally, isTalking: core.isTalking)
    }
}

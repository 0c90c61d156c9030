package import Clocks
package import Texts

package struct LoadSummary: Equatable, Sendable {
    package var plan: LoadPlan
    package var tally: LoadTally
    /// Time of the whole run, including the close of the connections.
    package var elapsed: Interval
    package var talked: Interval
    package var messagesPerSecond: Double
    package var isInterrupted: Bool
}

extension LoadSummary {
    init(_ core: LoadCore, elapsed: Interval, isInterrupted: Bool, at now: Instant) {
        self.init(
            plan: core.plan, tally: core.tally, elapsed: elapsed, talked: core.talkingTime(at: now),
            messagesPerSecond: core.messagesPerSecond(at: now), isInterrupted: isInterrupted)
    }

    /// Adds the results of another part of the load, which ran in parallel.
    package mutating func add(_ other: LoadSummary) {
        plan.sessions += other.plan.sessions
        plan.rate = plan.rate.flatMap { rate in other.plan.rate.map { rate + $0 } }
        plan.messages = plan.messages.flatMap { count in other.plan.messages.map { count + $0 } }
        tally.add(other.tally)
        elapsed = max(elapsed, other.elapsed)
        talked = max(talked, other.talked)
        messagesPerSecond += other.messagesPerSecond
        isInterrupted = isInterrupted || other.isInterrupted
    }

    /// Whether the run had no errors and no failures, and either sent a message or was interrupted.
    package var passes: Bool {
        tally.errorCount == 0 && tally.failed == 0 && (tally.sent > 0 || isInterrupted)
    }

    private static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
    ]

    private var histograms: [(name: String, histogram: LatencyHistogram)] {
        [("connect", tally.connecting), ("echo", tally.echo), ("reply", tally.reply)]
    }

    // MARK: For people

    package var lines: [String] {
        var lines = [
            "sessions   \(tally.opened) opened, \(tally.failed) failed",
            "messages   \(tally.sent) sent, \(tally.echoed) echoed, \(tally.answered) answered",
            "rate       \(LoadText.rate(messagesPerSecond)) messages/s over \(LoadText.seconds(talked))"
                + (plan.rate.map { ", \(LoadText.rate($0)) wanted" } ?? ""),
        ]
        lines.append(LoadText.row("latency", Self.shares.map(\.name) + ["max", "count"]))
        for (name, histogram) in histograms {
            let cells = Self.shares.map { LoadText.short(histogram.percentile($0.share)) }
            let edges = [LoadText.short(histogram.max), "\(histogram.count)"]
            lines.append(LoadText.row("  \(name)", cells + edges))
        }
        lines.append("errors     \(tally.errorCount)")
        for (error, count) in tally.errorsByCount { lines.append("  \(count) × \(error)") }
        if isInterrupted { lines.append("interrupted: what was not answered yet is no error") }
        return lines
    }

    // MARK: For programs

    package var json: JSONValue {
        var latencies = JSONObject([])
        for (name, histogram) in histograms {
            var members = [JSONObject.Member("count", .integer(Int64(histogram.count)))]
            if histogram.count > 0 {
                members.append(.init("mean", Self.milliseconds(histogram.mean)))
                for (name, share) in Self.shares {
                    members.append(.init(name, Self.milliseconds(histogram.percentile(share))))
                }
                members.append(.init("max", Self.milliseconds(histogram.max)))
            }
            latencies.members.append(.init(name, .object(JSONObject(members))))
        }
        let errors = tally.errorsByCount.map { error, count in
            JSONObject.Member(error.description, .integer(Int64(count)))
        }
        return .object([
            "sessions": .object([
                "wanted": .integer(Int64(plan.sessions)), "opened": .integer(Int64(tally.opened)),
                "failed": .integer(Int64(tally.failed)),
            ]),
            "messages": .object([
                "sent": .integer(Int64(tally.sent)), "echoed": .integer(Int64(tally.echoed)),
                "answered": .integer(Int64(tally.answered)),
                "per_second": .double((messagesPerSecond * 10).rounded() / 10),
                "wanted_per_second": plan.rate.map { .double($0) } ?? .null,
            ]),
            "seconds": .object([
                "talking": Self.seconds(talked), "total": Self.seconds(elapsed),
            ]),
            "latency_ms": .object(latencies),
            "errors": .object([
                "count": .integer(Int64(tally.errorCount)), "kinds": .object(JSONObject(errors)),
            ]),
            "interrupted": .bool(isInterrupted), "passed": .bool(passes),
        ])
    }

    private static func milliseconds(_ length: Interval) -> JSONValue {
        .double(Double(length.nanoseconds / 1_000) / 1_000)
    }

    private static func seconds(_ length: Interval) -> JSONValue {
        .double(Double(length.milliseconds) / 1_000)
    }
}

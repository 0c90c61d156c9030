import Clocks
package import Texts

/// Codec of the results that one process of a run sends to the main one: counts and whole histograms, as JSON.
extension LoadSummary {
    package var parcel: JSONValue {
        let errors = tally.errorsByCount.map { error, count in
            JSONObject.Member(error.description, .integer(Int64(count)))
        }
        return .object([
            "counts": .array(tally.counts.map { .integer(Int64($0)) }),
            "errors": .object(JSONObject(errors)),
            "histograms": .array([tally.connecting, tally.echo, tally.reply].map(\.parcel)),
            "elapsed": .integer(elapsed.nanoseconds), "talked": .integer(talked.nanoseconds),
            "per_1000_seconds": .integer(Int64(messagesPerSecond * 1_000)),
            "interrupted": .bool(isInterrupted),
        ])
    }

    /// Nil for any other JSON.
    ///
    /// - Parameters:
    ///   - parcel: what the other process wrote.
    ///   - plan: what it was asked for.
    package init?(parcel: JSONValue, plan: LoadPlan) {
        guard let counts = parcel["counts"]?.array?.compactMap({ $0.integer.map(Int.init) }),
            let errors = parcel["errors"]?.object,
            let histograms = parcel["histograms"]?.array?.compactMap({ LatencyHistogram(parcel: $0) }),
            histograms.count == 3, let tally = LoadTally(counts: counts, histograms),
            let elapsed = parcel["elapsed"]?.integer, let talked = parcel["talked"]?.integer,
            let rate = parcel["per_1000_seconds"]?.integer, let isInterrupted = parcel["interrupted"]?.bool
        else { return nil }
        self.init(
            plan: plan, tally: tally, elapsed: Interval(nanoseconds: elapsed),
            talked: Interval(nanoseconds: talked), messagesPerSecond: Double(rate) / 1_000,
            isInterrupted: isInterrupted)
        for member in errors.members {
            self.tally.count(.told(member.name), times: Int(member.value.integer ?? 0))
        }
    }
}

extension LoadTally {
    /// All that is no histogram and no error.
    fileprivate var counts: [Int] { [opened, failed, sent, echoed, answered, unanswered] }

    fileprivate init?(counts: [Int], _ histograms: [LatencyHistogram]) {
        guard counts.count == 6 else { return nil }
        (opened, failed, sent) = (counts[0], counts[1], counts[2])
        (echoed, answered, unanswered) = (counts[3], counts[4], counts[5])
        (connecting, echo, reply) = (histograms[0], histograms[1], histograms[2])
    }
}

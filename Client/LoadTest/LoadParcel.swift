import Clocks
package import Texts

extension LoadSummary {
    package var parcel: JSONValue {
        let errors = tally.errorsByCount.map { error, count in
            JSONObject.Member(error.description, .integer(Int64(count)))
        }
        return .object([
            "counts": .array(LoadTally.counters.map { .integer(Int64(tally[keyPath: $0])) }),
            "errors": .object(JSONObject(errors)),
            "histograms": .array(LoadTally.histograms.map { tally[keyPath: $0].parcel }),
            "elapsed": .integer(elapsed.nanoseconds), "talked": .integer(talked.nanoseconds),
            "per_1000_seconds": .integer(Int64(messagesPerSecond * 1_000)),
            "interrupted": .bool(isInterrupted),
        ])
    }

    package init?(parcel: JSONValue, plan: LoadPlan) {
        guard let counts = parcel["counts"]?.array?.compactMap({ $0.integer.map(Int.init) }),
            let errors = parcel["errors"]?.object,
            let histograms = parcel["histograms"]?.array?.compactMap({ LatencyHistogram(parcel: $0) }),
            let tally = LoadTally(counts: counts, histograms),
            let elapsed = parcel["elapsed"]?.integer, let talked = parcel["talked"]?.integer,
            let rate = parcel["per_1000_seconds"]?.integer, let isInterrupted = parcel["interrupted"]?.bool
        else { return nil }
        self.init(
            plan: plan, tally: tally, elapsed: Interval(nanoseconds: elapsed),
            talked: Interval(nanoseconds: talked), messagesPerSecond: Double(rate) / 1_000,
            isInterrupted: isInterrupted)
        for member in errors.members {
            self.tally.count(.reported(member.name), times: Int(member.value.integer ?? 0))
        }
    }
}

extension LoadTally {
    fileprivate init?(counts: [Int], _ histograms: [LatencyHistogram]) {
        guard counts.count == Self.counters.count, histograms.count == Self.histograms.count else {
            return nil
        }
        for (counter, count) in zip(Self.counters, counts) { self[keyPath: counter] = count }
        for (path, histogram) in zip(Self.histograms, histograms) { self[keyPath: path] = histogram }
    }
}

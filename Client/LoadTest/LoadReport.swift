package import Texts

package struct LoadReport: Equatable, Sendable {
    package struct Shard: Equatable, Sendable {
        package var url: String
        package var summary: LoadSummary
    }

    package private(set) var total: LoadSummary
    package private(set) var shards: [Shard]

    /// Adds up the summaries. `parts` must not be empty.
    package init(_ parts: [(url: String, summary: LoadSummary)]) {
        shards = []
        for part in parts {
            if let place = shards.firstIndex(where: { $0.url == part.url }) {
                shards[place].summary.add(part.summary)
            } else {
                shards.append(Shard(url: part.url, summary: part.summary))
            }
        }
        total = shards[0].summary
        for shard in shards.dropFirst() { total.add(shard.summary) }
    }

    package var passes: Bool { shards.allSatisfy(\.summary.passes) }

    package var lines: [String] {
        guard shards.count > 1 else { return total.lines }
        let width = 2 + (shards.map(\.url.count).max() ?? 0)
        let names = ["opened", "failed", "sent", "echoed", "answered", "errors", "echo p50", "p99"]
        var lines = total.lines + [LoadText.row("shard", to: width, names)]
        for shard in shards {
            let tally = shard.summary.tally
            let counts = [
                tally.opened, tally.failed, tally.sent, tally.echoed, tally.answered, tally.errorCount,
            ]
            let lengths = [0.5, 0.99].map { LoadText.short(tally.echo.percentile($0)) }
            lines.append(LoadText.row("  " + shard.url, to: width, counts.map(String.init) + lengths))
        }
        for shard in shards {
            let tally = shard.summary.tally
            for (error, count) in tally.errorsByCount { lines.append("\(shard.url): \(count) × \(error)") }
            if tally.unanswered > 0 { lines.append("\(shard.url) does not answer") }
        }
        return lines
    }

    package var json: JSONValue {
        guard shards.count > 1, case .object(var members) = total.json else { return total.json }
        let each = shards.map { shard -> JSONValue in
            guard case .object(let members) = shard.summary.json else { return .null }
            let head: JSONObject = [
                "url": .string(shard.url), "answers": .bool(shard.summary.tally.unanswered == 0),
            ]
            return .object(JSONObject(head.members + members.members))
        }
        members.members.append(.init("shards", .array(each)))
        return .object(members)
    }
}

import Clocks
import Fixtures
import HTTPCore
import Texts
import Timeline

enum ControlRows {
    /// Writes `{"rows":[…],"last":12,"dropped":0}`, with the hint if there is one.
    static func list(
        _ rows: [Row], _ timeline: Timeline, textBytes: Int? = nil, hint: String? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.literal("{\"rows\":", into: &bytes)
        append(rows, textBytes: textBytes, into: &bytes)
        JSONWriter.literal(",\"last\":", into: &bytes)
        JSONWriter.integer(timeline.lastNumber, into: &bytes)
        JSONWriter.literal(",\"dropped\":", into: &bytes)
        JSONWriter.integer(timeline.droppedCount, into: &bytes)
        append(hint: hint, into: &bytes)
        JSONWriter.literal("}\n", into: &bytes)
        return bytes
    }

    static func append(hint: String?, into bytes: inout [UInt8]) {
        guard let hint else { return }
        JSONWriter.literal(",\"hint\":", into: &bytes)
        JSONWriter.string(hint, into: &bytes)
    }

    static func append(_ rows: [Row], textBytes: Int? = nil, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            TimelineExport.appendJSON(row, into: &bytes, textBytes: textBytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

/// The answer of a wait whose time is over: matching rows, the newest rows, and near misses of the filter.
struct WaitReport {
    struct NearMiss {
        var row: Row
        var missing: [String]
    }

    let wait: RowWait
    let seen: [Row]
    let near: [NearMiss]
    let last: UInt64
    let hint: String?

    init(_ wait: RowWait, _ timeline: Timeline, now: Instant) {
        self.wait = wait
        last = timeline.lastNumber
        hint = wait.found.isEmpty ? wait.filter.hint(among: timeline) : nil
        let rows = timeline.rows(after: wait.after)
        seen = rows.suffix(ServerLimits.Control.shownRows)
        let terms = wait.filter.parts
        let misses = rows.compactMap { row -> NearMiss? in
            let missing = terms.filter { !$0.matches(row, now: now) }.map(\.text)
            return missing.isEmpty || missing.count == terms.count
                ? nil : NearMiss(row: row, missing: missing)
        }
        // Rows with fewer missing terms come first, then newer rows.
        near = Array(
            misses.sorted { left, right in
                (left.missing.count, right.row.number) < (right.missing.count, left.row.number)
            }.prefix(ServerLimits.Control.nearMisses))
    }

    private static let advice =
        ". Compare the rows seen, or wait longer with timeout=1m (polymock wait: --timeout 1m)."

    var response: Response {
        let sentence =
            "Waited \(ValueSyntax.text(wait.timeout)) for \(Counted.text(wait.count, "row")) "
            + "that \"\(wait.filter.text)\" takes; there were \(wait.found.count)"
            + (hint.map { ": " + $0 } ?? (wait.isClockStopped ? "" : Self.advice))
            + (wait.isClockStopped ? "; the clock is stopped: polymock clock until-idle" : "")
        var bytes: [UInt8] = []
        JSONWriter.literal("{\"error\":{\"message\":", into: &bytes)
        JSONWriter.string(sentence, into: &bytes)
        JSONWriter.literal("},\"rows\":", into: &bytes)
        ControlRows.append(wait.found, into: &bytes)
        JSONWriter.literal(",\"seen\":", into: &bytes)
        ControlRows.append(seen, into: &bytes)
        JSONWriter.literal(",\"near\":[", into: &bytes)
        for (index, miss) in near.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.literal("{\"row\":", into: &bytes)
            TimelineExport.appendJSON(miss.row, into: &bytes)
            JSONWriter.literal(",\"missing\":", into: &bytes)
            JSONWriter.value(ControlJSON.strings(miss.missing), into: &bytes)
            JSONWriter.literal("}", into: &bytes)
        }
        JSONWriter.literal("],\"last\":", into: &bytes)
        JSONWriter.integer(last, into: &bytes)
        ControlRows.append(hint: hint, into: &bytes)
        JSONWriter.literal("}\n", into: &bytes)
        return ControlJSON.response(bytes, status: 408)
    }
}

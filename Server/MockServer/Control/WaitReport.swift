import Clocks
import HTTPCore
import MessagingWire
import Timeline

/// Lists of rows in answers.
enum ControlRows {
    /// `{"rows":[…],"last":12,"dropped":0}`.
    static func list(_ rows: [Row], _ timeline: Timeline) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.literal("{\"rows\":", into: &bytes)
        append(rows, into: &bytes)
        JSONWriter.literal(",\"last\":", into: &bytes)
        JSONWriter.integer(timeline.lastNumber, into: &bytes)
        JSONWriter.literal(",\"dropped\":", into: &bytes)
        JSONWriter.integer(timeline.droppedCount, into: &bytes)
        JSONWriter.literal("}\n", into: &bytes)
        return bytes
    }

    static func append(_ rows: [Row], into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            TimelineExport.appendJSON(row, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

/// What a wait that found too little says: the rows that counted, the newest others, and those that miss the
/// filter by the fewest terms.
struct WaitReport {
    struct NearMiss {
        var row: Row
        /// The terms that do not hold.
        var missing: [String]
    }

    let wait: RowWait
    let seen: [Row]
    let near: [NearMiss]
    let last: UInt64

    init(_ wait: RowWait, _ timeline: Timeline, now: Instant) {
        self.wait = wait
        last = timeline.lastNumber
        let rows = timeline.rows(after: wait.after)
        seen = rows.suffix(ServerLimits.Control.toldRows)
        let terms = Self.terms(of: wait.filter.text)
        let misses = rows.compactMap { row -> NearMiss? in
            let missing = terms.filter { !$0.filter.matches(row, now: now) }.map(\.text)
            return missing.isEmpty || missing.count == terms.count
                ? nil : NearMiss(row: row, missing: missing)
        }
        // Of equal ones the newest first.
        near = Array(
            misses.sorted { left, right in
                (left.missing.count, right.row.number) < (right.missing.count, left.row.number)
            }.prefix(ServerLimits.Control.nearMisses))
    }

    var response: Response {
        let sentence =
            "Waited \(ControlJSON.length(wait.timeout)) for \(wait.count) \(wait.count == 1 ? "row" : "rows") "
            + "that \"\(wait.filter.text)\" takes; there were \(wait.found.count). Compare the rows seen, or "
            + "wait longer with timeout=1m."
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
        JSONWriter.literal("}\n", into: &bytes)
        return ControlJSON.response(bytes, status: 408)
    }

    /// The terms of a filter, each a filter of its own. Blanks inside quotes and patterns part nothing; what
    /// is no filter alone is left out.
    static func terms(of text: String) -> [(text: String, filter: RowFilter)] {
        var words: [String] = []
        var word = ""
        var closing: Character?
        for character in text {
            if let end = closing {
                if character == end, word.last != "\\" { closing = nil }
            } else if character == "\"" || character == "/" && (word.isEmpty || word == "-") {
                closing = character
            } else if character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words.compactMap { word in (try? RowFilter(word)).map { (word, $0) } }
    }
}

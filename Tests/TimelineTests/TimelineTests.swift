import Clocks
import Expectations
import Testing

@testable import Timeline

@Suite("Timeline")
struct TimelineTests {
    private func row(_ byteCount: Int = 10) -> Row {
        Row(
            time: Samples.start, direction: .inbound, kind: .ws,
            raw: [UInt8](repeating: UInt8(ascii: "x"), count: byteCount))
    }

    @Test("Rows are numbered from 1 for the whole server")
    func numbers() {
        var timeline = Timeline()
        #expect(timeline.lastNumber == 0 && timeline.firstNumber == 1 && timeline.rows().isEmpty)
        expectEqual((1...3).map { _ in timeline.append(row()) }, [1, 2, 3])
        expectEqual(timeline.rows().map(\.number), [1, 2, 3])
        for number: UInt64 in 0...4 {
            let isThere = (1...3).contains(number)
            expectEqual(timeline.row(number)?.number, isThere ? number : nil)
            expectEqual(timeline.origin(of: number)?.time, isThere ? Samples.start : nil)
            expectEqual(timeline.bytes(of: number), isThere ? 10 : 0)
        }
    }

    @Test(
        "A text that is kept as differences from another one reads back byte for byte",
        arguments: [1, 3, 50, 10_000] as [Int])
    func differences(_ capacity: Int) {
        var (timeline, texts) = (Timeline(capacity: capacity), [[UInt8]]())
        for number in 0..<600 {
            // 63 to 5,000 bytes, of which some or all differ from those of the earlier texts.
            let count = [63, 64, 65, 300, 700, 4_096, 5_000][number % 7] + number / 200
            var text = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
            for place in stride(from: number % 5, to: count, by: 1 + number % 19 * 15) {
                text[place] = UInt8(truncatingIfNeeded: number &* 31)
            }
            texts.append(text)
            timeline.append(
                time: Samples.start, wallTime: Samples.start, direction: .inbound, kind: .rest, socket: 7,
                type: "GET /ws", raw: text)
            if number % 3 == 0 { timeline.attribute(timeline.lastNumber, to: "\(number)") }
            if number % 4 == 0 { timeline.repeatLast(session: "", sockets: [8], reading: nil) }
            if number % 4 == 0 { texts.append(text) }
        }
        expectEqual(timeline.rows().map(\.raw), Array(texts.suffix(timeline.count)))
        expectEqual(timeline.heldBytes, texts.suffix(timeline.count).reduce(0) { $0 + $1.count })
        if capacity == 10_000 {
            let sessions = timeline.rows().filter { $0.socket == 7 }.map(\.session)
            #expect(sessions.enumerated().allSatisfy { $1 == ($0 % 3 == 0 ? "\($0)" : "") })
        }
    }

    private final class Source: RowSource {
        let text: String
        init(_ text: String) { self.text = text }
    }

    @Test(
        "A row that keeps what its text was made of reads like one with the text",
        arguments: [1, 3, 50] as [Int])
    func sources(_ capacity: Int) {
        let reading = RowReading(
            facts: { _ in RowIDs() }, text: { ($0 as? Source).map { Array($0.text.utf8) } ?? [] })
        var (timeline, plain) = (Timeline(capacity: capacity), Timeline(capacity: capacity))
        for number in 0..<120 {
            let text = String(repeating: "é", count: number % 7 * (number % 11 == 0 ? 8_000 : 1))
            let source = number % 3 == 0 ? nil : Source(text)
            func append(to timeline: inout Timeline, _ source: Source?) {
                timeline.append(
                    time: Samples.start, wallTime: Samples.start, direction: .outbound, kind: .ws,
                    raw: Array(text.utf8), reading: reading, source: source)
            }
            append(to: &timeline, source)
            append(to: &plain, nil)
            #expect(timeline.rows() == plain.rows() && timeline.heldBytes == plain.heldBytes)
        }
        timeline.removeAll()
        #expect(timeline.rows().isEmpty && timeline.heldBytes == 0)
    }

    private final class Words: RowSource {
        let text: [UInt8]
        private let bytes: [UInt8]
        private let hasMetadata: Bool

        init(_ text: String, _ metadata: String?) {
            self.text = Array(text.utf8)
            bytes = Array(("m-" + text + (metadata ?? "")).utf8)
            hasMetadata = metadata != nil
        }

        func lendWords(_ body: (RowWords) -> Bool) -> Bool {
            let (start, end) = (2, 2 + text.count)
            return bytes.withUnsafeBytes {
                body(RowWords($0, text: start..<end, metadata: hasMetadata ? end..<$0.count : nil))
            }
        }
    }

    /// Frames of a message with the text "text" and the metadata "{}", and frames in which they are not as they are.
    private static let frames = [
        #"{"text":"text","custom":{}}"#, #"{ "text" : "text", "custom": {} }"#,
        #"{"custom":{},"text":"text"}"#,
        #"{"text":"te\u0078t","custom":{}}"#, "text", #""text"{}"#, #""text"{"#, "text{}", "", #"text"{}"#,
        #"{"type":"text","text":"text","custom":{}}"#,
    ]

    @Test(
        "A row that refers to its words reads like one with the text, for one connection and for several",
        arguments: [1, 2, 3, 50, 10_000] as [Int])
    func words(_ capacity: Int) {
        var (timeline, plain) = (Timeline(capacity: capacity), Timeline(capacity: capacity))
        let texts =
            [("text", "{}"), ("text", nil), ("", "{}"), ("", nil), ("é\"", "{}")] as [(String, String?)]
        func append(_ frame: String, _ words: Words, to timeline: inout Timeline, _ refers: Bool) {
            let wall = Samples.start + (frame.isEmpty ? Interval.seconds(1) : .zero)
            timeline.append(
                time: Samples.start, wallTime: wall, direction: .inbound, kind: .ws, session: "s",
                socket: 7, raw: Array(frame.utf8))
            let heard = timeline.lastNumber
            if refers { timeline.refer(heard, to: words) }
            words.text.withUnsafeBytes {
                timeline.append(
                    lent: $0, time: Samples.start, wallTime: wall, direction: .inside, kind: .rule,
                    session: "s", type: "rule", rule: "rule", cause: heard)
            }
            for socket: UInt32 in 1...(refers ? 1 : 3) {
                timeline.append(
                    time: Samples.start, wallTime: wall, direction: .outbound, kind: .ws, session: "s",
                    socket: socket, raw: Array(frame.utf8), cause: heard)
            }
            if refers { timeline.repeatLast(session: "s", sockets: [2, 3], reading: nil) }
        }
        for number in 0..<400 {
            let (text, metadata) = texts[number / Self.frames.count % texts.count]
            let (frame, words) = (Self.frames[number % Self.frames.count], Words(text, metadata))
            append(frame, words, to: &timeline, true)
            append(frame, words, to: &plain, false)
            if number % 23 == 0 || number == 399 { expectEqual(timeline.rows(), plain.rows()) }
            #expect(timeline.heldBytes == plain.heldBytes && timeline.count == plain.count)
        }
    }

    @Test("Only the newest row can refer to its words")
    func newestRefers() {
        var timeline = Timeline()
        timeline.append(row())
        timeline.append(row())
        for number: UInt64 in [0, 1, 3] { timeline.refer(number, to: Words("x", nil)) }
        #expect(timeline.rows().allSatisfy { $0.raw == row().raw })
    }

    @Test("Rows of more sessions and kinds than are compared keep their own")
    func manyPeers() {
        var timeline = Timeline(capacity: 20_000)
        for index in 0..<9_000 {
            let sample = Samples.row("\(index)", index % 2 == 0 ? .inbound : .outbound)
            timeline.append(
                time: sample.time, wallTime: sample.time, direction: sample.direction, kind: .ws,
                session: "session \(index % 3_000)", socket: UInt32(index % 7 * 1_024),
                type: "TYPE_\(index % 500)")
        }
        for (index, row) in timeline.rows().enumerated() {
            #expect(row.session == "session \(index % 3_000)" && row.socket == UInt32(index % 7 * 1_024))
            #expect(
                row.type == "TYPE_\(index % 500)" && row.direction == (index % 2 == 0 ? .inbound : .outbound))
        }
        timeline.attribute(5, to: "another")
        #expect(timeline.row(5)?.session == "another" && timeline.row(3_005)?.session == "session 4")
    }

    @Test("A place is a file with a line; what is no line belongs to the file's name")
    func places() {
        expectEqual(RowPlace("booking.json5:12"), RowPlace(file: "booking.json5", line: 12))
        expectEqual(RowPlace("a:b.json5:3"), RowPlace(file: "a:b.json5", line: 3))
        for text in ["booking.json5", "booking.json5:", "booking.json5:12:", "a:0", "a:012", "a:+3", ""] {
            #expect(RowPlace(text) == RowPlace(file: text) && RowPlace(text).text == text)
        }
    }

    @Test(
        "Over its capacity the oldest rows go, and are counted", arguments: [1, 2, 3, 100, 200] as [Int])
    func capacity(_ capacity: Int) {
        var timeline = Timeline(capacity: capacity)
        for _ in 0..<300 { timeline.append(row()) }
        let first = UInt64(301 - capacity)
        expectEqual(timeline.rows().map(\.number), Array(first...300))
        #expect(timeline.droppedCount == UInt64(300 - capacity) && timeline.firstNumber == first)
        #expect(timeline.row(first - 1) == nil && timeline.row(first)?.number == first)
    }

    @Test("10,000 rows are kept unless told otherwise")
    func defaultCapacity() {
        var timeline = Timeline()
        for _ in 0...TimelineLimits.rows { timeline.append(row(0)) }
        #expect(timeline.count == 10_000 && timeline.droppedCount == 1 && timeline.firstNumber == 2)
    }

    @Test("Over the bound of bytes the oldest rows go; the newest stays, however large")
    func bytes() {
        var timeline = Timeline(capacity: 1_000, maxRawBytes: 100)
        for _ in 0..<200 { timeline.append(row(10)) }
        #expect(timeline.count == 10 && timeline.droppedCount == 190)
        var changed = row(15)
        changed.original = [UInt8](repeating: 0, count: 15)
        timeline.append(changed)
        expectEqual(timeline.rows().map(\.raw.count), Array(repeating: 10, count: 7) + [15])
        timeline.append(row(1_000))
        #expect(timeline.rows().map(\.raw.count) == [1_000] && timeline.droppedCount == 201)
        timeline.append(row(10))
        expectEqual(timeline.rows().map(\.raw.count), [10])
    }

    /// Short ones, some of a piece and more, and around the bound between them.
    private static func length(_ index: Int) -> Int {
        switch index % 16 {
        case 0, 5: 70_000
        case 8: 65_536
        case 10: 65_535
        case 13: 40_000
        case 14: 0
        default: index * 11
        }
    }

    @Test("A row comes back with everything it had, short and long, whatever was dropped before it")
    func fidelity() {
        var timeline = Timeline(capacity: 40)
        var sent: [Row] = []
        for index in 0..<200 {
            let begun = Instant(secondsSince1970: Int64(index))
            var row = Row(
                time: begun, wallTime: begun + .seconds(1), direction: Row.Direction.allCases[index % 3],
                kind: Row.Kind.allCases[index % Row.Kind.allCases.count], session: "session \(index % 5)",
                socket: UInt32(index), type: "TYPE_\(index)",
                raw: [UInt8](repeating: UInt8(index), count: Self.length(index)))
            row.size = index * 3
            row.sequence = index % 2 == 0 ? nil : UInt64(index)
            row.latency = index % 3 == 0 ? nil : .microseconds(Int64(index))
            row.status = index % 4 == 0 ? nil : index
            row.rule = index % 5 == 0 ? "" : "rule \(index)"
            row.fault = index % 6 == 0 ? "fault" : ""
            row.original = [nil, [], [7, UInt8(index)]][index % 3]
            row.flags = Row.Flags(rawValue: UInt8(index % 16))
            row.number = timeline.append(row)
            sent.append(row)
        }
        expectEqual(timeline.rows(), Array(sent.suffix(40)))
        expectEqual(timeline.row(190), sent[189])
        expectEqual(timeline.latest(3), Array(sent.suffix(3)))
    }

    @Test("What a row lacks is not what is nothing, and a cause too far to be counted is none")
    func extremes() {
        var timeline = Timeline()
        let empty = row(0)
        var zero = empty
        (zero.sequence, zero.latency, zero.status, zero.original) = (0, Interval.zero, 0, [])
        (zero.cause, zero.author, zero.timer) = (7, "Ada", "idle")
        zero.place = RowPlace(file: "a.json5", line: 4)
        var far = zero
        (far.sequence, far.latency, far.status) = (UInt64.max - 1, Interval.nanoseconds(-1), -1)
        (far.cause, far.size) = (UInt64(UInt32.max), 9)
        var lost = empty
        lost.cause = UInt64(UInt32.max) + 1
        for row in [empty, zero, far, lost] { timeline.append(row) }
        var kept = [empty, zero, far, empty]
        for index in kept.indices { kept[index].number = UInt64(index) + 1 }
        expectEqual(timeline.rows(), kept)
    }

    @Test("A ring that drops before it is full keeps its order while it grows")
    func growing() {
        var timeline = Timeline(capacity: 500, maxRawBytes: 1_000)
        for index in 0..<2_000 { timeline.append(row(index % 7 == 0 ? 90 : index % 3)) }
        let rows = timeline.rows()
        expectEqual(rows.map(\.number), Array(timeline.firstNumber...2_000))
        #expect(
            rows.allSatisfy { $0.raw.count == (($0.number - 1) % 7 == 0 ? 90 : Int(($0.number - 1) % 3)) })
        expectEqual(timeline.droppedCount, 2_000 - UInt64(rows.count))
    }

    @Test("A reader goes on behind the last number it saw, also when rows were dropped")
    func after() {
        var timeline = Timeline(capacity: 5)
        for _ in 0..<8 { timeline.append(row()) }
        expectEqual(timeline.rows(after: 0).map(\.number), [4, 5, 6, 7, 8])
        expectEqual(timeline.rows(after: 3).map(\.number), [4, 5, 6, 7, 8])
        expectEqual(timeline.rows(after: 6).map(\.number), [7, 8])
        #expect(timeline.rows(after: 8).isEmpty && timeline.rows(after: .max).isEmpty)
        expectEqual(timeline.rows(after: 4, limit: 2).map(\.number), [5, 6])
        #expect(timeline.latest(2).map(\.number) == [7, 8] && timeline.latest(0).isEmpty)
    }

    @Test("A filter is applied before the limit")
    func filtered() throws {
        var timeline = Timeline()
        for index in 0..<10 {
            timeline.append(Samples.row("", index % 2 == 0 ? .inbound : .outbound))
        }
        let filter = try RowFilter("dir:in")
        expectEqual(timeline.rows(limit: 2, matching: filter, now: Samples.start).map(\.number), [1, 3])
        expectEqual(timeline.latest(2, matching: filter, now: Samples.start).map(\.number), [7, 9])
    }

    @Test("Without a time of asking, filters count from the newest row")
    func newest() throws {
        var timeline = Timeline()
        for second in 0..<5 { timeline.append(Samples.row("", at: Int64(second) * 1_000)) }
        expectEqual(timeline.rows(matching: try RowFilter("since:2s")).map(\.number), [3, 4, 5])
        expectEqual(timeline.latest(2, matching: try RowFilter("-since:2s")).map(\.number), [1, 2])
    }

    @Test("A reset forgets the rows and the dropped ones, and goes on counting")
    func reset() {
        var timeline = Timeline(capacity: 2)
        for _ in 0..<3 { timeline.append(row()) }
        timeline.removeAll()
        #expect(timeline.rows().isEmpty && timeline.droppedCount == 0 && timeline.firstNumber == 4)
        expectEqual(timeline.append(row()), 4)
        expectEqual(timeline.rows(after: 3).map(\.number), [4])
    }
}

@Suite("Facts of a row")
struct RowFactsTests {
    /// protocol.md#server-envelope
    @Test("Id, type, sequence and correlation are read from an event")
    func event() {
        let row = Samples.talk[5]
        #expect(row.id == "e-2" && row.facts.type == "EVENT_TYPE_USER_MESSAGE" && row.facts.sequence == 2)
        #expect(row.correlation == "l-1" && row.facts.correlations == ["l-1", "m-1", "e-2"])
        expectEqual(Samples.row(#"{"metadata":{"custom":{"client_event_id":"c-1"}}}"#).correlation, "c-1")
        expectEqual(Samples.talk[7].correlation, "m-2")
    }

    @Test("Escapes are undone, and only the envelope's own members count")
    func places() {
        let facts = Samples.row(
            #"{"x":{"id":"no"},"list":[{"id":"no"},1,true],"id":"a\"\u00e9","payload":{"message_id":7}}"#
        ).facts
        #expect(facts.id == "a\"é" && facts.messageID == nil && facts.type == nil)
    }

    @Test("The correlation of a call is in its headers or its body")
    func rest() {
        let head = "POST /api HTTP/1.1\r\nX-Polyai-Correlation-Id: r-1\r\n\r\n{\"request_id\":"
        expectEqual(Samples.row(head + "7}", kind: .rest).correlation, "r-1")
        expectEqual(Samples.row("HTTP/1.1 200 OK\r\n\r\n{\"correlation_id\":\"r-2\"}").correlation, "r-2")
    }

    @Test(
        "Text that is no JSON has what could be read before it broke",
        arguments: [
            "", "{", "[[", "{\"a\"", "\"", "{\"id\":\"e-1\",\"type", "{\"id\":\"e-1\\", "}{", "{\"id\"",
        ] as [String])
    func broken(_ text: String) {
        let facts = Samples.row(text).facts
        expectEqual(facts.id, text.hasPrefix("{\"id\":\"e-1\",") ? "e-1" : nil)
        expectEqual(facts.type, nil)
    }

    @Test("Nesting beyond the limit ends the reading, not the server")
    func deep() {
        let deep = String(repeating: "[", count: 100_000)
        expectEqual(Samples.row("{\"id\":\"a\",\"x\":\(deep)").id, "a")
    }

    @Test(
        "Objects and lists may be 64 deep, the event among them",
        arguments: [("{\"y\":", "}"), ("[", "]")] as [(String, String)])
    func depth(_ open: String, _ close: String) {
        func facts(_ depth: Int) -> RowIDs {
            let nested =
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            return Samples.row("{\"x\":\(nested),\"id\":\"a\"}").facts
        }
        #expect(facts(63).id == "a" && facts(64).id == nil)
    }
}

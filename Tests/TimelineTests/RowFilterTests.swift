import Clocks
import Expectations
import PolyDialect
import TestSupport
import Testing

@testable import Timeline

@Suite("Filters of the timeline")
struct RowFilterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var filter: String
        var takes: Row
        var refuses: Row

        init(_ filter: String, _ takes: Row, not refuses: Row) {
            self.filter = filter
            self.takes = takes
            self.refuses = refuses
        }

        var testDescription: String { filter }
    }

    private static func row(_ change: (inout Row) -> Void) -> Row {
        var row = Row(time: Samples.start, direction: .outbound, kind: .ws, reading: PolyDialect.reading)
        change(&row)
        return row
    }

    private static func raw(_ text: String) -> Row { row { $0.raw = Array(text.utf8) } }
    private static let plain = row { _ in }
    private static let now = Samples.start + .seconds(60)

    static let texts = [
        Case("refund", raw("A REFUND, please"), not: raw("refun d")),
        Case("refund please", raw("please, a refund"), not: raw("a refund")),
        Case("\"order 42\"", raw("my Order 42!"), not: raw("42 order")),
        Case(#""say \"hi\"""#, raw("say \"hi\" now"), not: raw("say hi")),
        Case("größe", raw("Die GRÖSSE nicht, aber GRÖßE"), not: raw("grosse")),
        // The Kelvin sign, whose small letter is a plain k.
        Case("\u{212A}", raw("300 \u{212A}"), not: raw("300 C")),
        Case("-heartbeat", raw("x"), not: row { $0.type = "HEARTBEAT" }),
        Case("-\"order 42\"", raw("order 4"), not: raw("order 42")),
        Case("greet", row { $0.rule = "greet" }, not: plain),
        Case("s-9", row { $0.session = "S-9" }, not: plain),
        Case("cut", row { $0.fault = "cut-1" }, not: plain),
        Case("404", row { $0.status = 404 }, not: plain),
        Case("12:30", raw("at 12:30"), not: raw("at 12.30")),
        Case("/msg_[0-9]+/i", raw("the MSG_17"), not: raw("msg_x")),
        Case("/msg_[0-9]+/", raw("the msg_17"), not: raw("MSG_17")),
        Case(#"/a\/b c/"#, raw("a/b c"), not: raw("a/bc")),
        Case("-/x/", raw("y"), not: raw("x")),
    ]

    static let fields = [
        Case("dir:in", row { $0.direction = .inbound }, not: plain),
        Case("dir:int,out", plain, not: row { $0.direction = .inbound }),
        Case("-dir:out", row { $0.direction = .inside }, not: plain),
        Case("kind:rest", row { $0.kind = .rest }, not: plain),
        Case("KIND:violation,Clock", row { $0.kind = .violation }, not: plain),
        Case("type:USER_MESSAGE", row { $0.type = "USER_MESSAGE" }, not: row { $0.type = "USER_TYPING" }),
        Case("type:message,CHUNK", row { $0.type = "X_CHUNK" }, not: row { $0.type = "CHUNKS" }),
        Case("type:EVENT_TYPE_HEARTBEAT", row { $0.type = "HEARTBEAT" }, not: plain),
        Case("type:\"POST /a\"", row { $0.type = "POST /a" }, not: row { $0.type = "GET /a" }),
        Case("n:3", row { $0.number = 3 }, not: row { $0.number = 4 }),
        Case("seq:10..20", row { $0.sequence = 20 }, not: row { $0.sequence = 21 }),
        Case("seq:10..", row { $0.sequence = 10 }, not: row { $0.sequence = 9 }),
        Case("seq:..10,30", row { $0.sequence = 30 }, not: row { $0.sequence = 11 }),
        Case("-seq:..99", plain, not: row { $0.sequence = 11 }),
        Case("socket:2", row { $0.socket = 2 }, not: plain),
        Case("size:>1kb", row { $0.size = 1_025 }, not: row { $0.size = 1_024 }),
        Case("size:>=1.5kb", row { $0.size = 1_536 }, not: row { $0.size = 1_535 }),
        Case("size:<=1mb", row { $0.size = 1_048_576 }, not: row { $0.size = 1_048_577 }),
        Case("size:<2", row { $0.size = 1 }, not: row { $0.size = 2 }),
        Case(
            "lat:>200ms", row { $0.latency = .milliseconds(201) },
            not: row { $0.latency = .milliseconds(200) }),
        Case("lat:200", row { $0.latency = .milliseconds(200) }, not: plain),
        Case(
            "lat:100us..1.5s", row { $0.latency = .milliseconds(1_500) },
            not: row { $0.latency = .seconds(2) }),
        Case("status:4xx", row { $0.status = 404 }, not: row { $0.status = 500 }),
        Case("status:404,5xx", row { $0.status = 503 }, not: row { $0.status = 403 }),
        Case("close:4001", row { $0.status = 4_001 }, not: row { $0.status = 4_000 }),
        Case(
            "close:400..500", row { $0.status = 404 },
            not: row {
                $0.kind = .rest
                $0.status = 404
            }),
        Case("session:ab12", row { $0.session = "ab12-cd" }, not: row { $0.session = "cd-ab12" }),
        Case("session:\"s-1\"", row { $0.session = "s-1" }, not: row { $0.session = "s-10" }),
        Case("rule:greet", row { $0.rule = "greet" }, not: row { $0.rule = "bye" }),
        Case("fault:f-", row { $0.fault = "f-1" }, not: plain),
        Case("corr:m-2", Samples.talk[7], not: Samples.talk[5]),
        Case("corr:\"l-1\"", Samples.talk[4], not: Samples.talk[7]),
    ]

    static let rest = [
        Case("is:error", row { $0.flags = [.error] }, not: plain),
        Case(
            "is:error",
            row {
                $0.kind = .rest
                $0.status = 400
            }, not: row { $0.status = 4_001 }),
        Case("is:unmatched", row { $0.flags = [.unmatched] }, not: row { $0.flags = [.held] }),
        Case("is:faulted", row { $0.fault = "f" }, not: plain),
        Case("is:faulted", row { $0.original = [] }, not: plain),
        Case("is:replayed", row { $0.flags = [.replayed, .held] }, not: plain),
        Case("is:intercepted,error", row { $0.flags = [.held] }, not: row { $0.flags = [.replayed] }),
        Case("-is:intercepted", plain, not: row { $0.flags = [.held] }),
        Case(
            "$.payload.level=SYSTEM_MESSAGE_LEVEL_ERROR",
            raw(#"{"payload":{"level":"SYSTEM_MESSAGE_LEVEL_ERROR"}}"#),
            not: raw(#"{"payload":{"level":"X"}}"#)),
        Case("$.a[1].b=2", raw(#"{"a":[0,{"b":2.0}]}"#), not: raw(#"{"a":[{"b":2}]}"#)),
        Case("$[0]=true", raw("[true]"), not: raw("[]")),
        Case("$[\"a b\"]=\"c d\"", raw(#"{"a b":"c d"}"#), not: raw(#"{"a b":"c"}"#)),
        Case("$.a", raw(#"{"a":null}"#), not: raw(#"{"b":1}"#)),
        Case("$.a!=1", raw(#"{"a":2}"#), not: raw(#"{"a":1}"#)),
        Case("$.a>1", raw(#"{"a":1.5}"#), not: raw(#"{"a":1}"#)),
        Case("$.a>=2", raw(#"{"a":2}"#), not: raw(#"{"a":"3"}"#)),
        Case("$.a<2", raw(#"{"a":1}"#), not: raw(#"{"a":2}"#)),
        Case("$.a<=2", raw(#"{"a":2}"#), not: raw(#"{"a":3}"#)),
        Case("-$.a", raw("no JSON"), not: raw(#"{"a":1}"#)),
        Case("$.ok=1", raw("HTTP/1.1 200 OK\r\n\r\n{\"ok\":1}"), not: raw("HTTP/1.1 200 OK\r\n\r\n")),
        Case("since:30s", row { $0.time = now - .seconds(30) }, not: row { $0.time = now - .seconds(31) }),
        Case("since:1.5m", row { $0.time = now - .seconds(90) }, not: row { $0.time = now - .seconds(91) }),
        Case("after:09:30:01", row { $0.time = Samples.start + .seconds(1) }, not: plain),
        Case("after:09:31", row { $0.time = Samples.start + .seconds(60) }, not: plain),
        Case("before:09:30:00.5", plain, not: row { $0.time = Samples.start + .milliseconds(500) }),
        Case("after:2026-01-15T09:30:00Z", plain, not: row { $0.time = Samples.start - .milliseconds(1) }),
        Case(
            "dir:in -heartbeat seq:>3",
            row {
                $0.direction = .inbound
                $0.sequence = 4
            },
            not: row {
                $0.direction = .inbound
                $0.sequence = 4
                $0.type = "HEARTBEAT"
            }),
    ]

    @Test("Each term takes the rows it means and no others", arguments: texts + fields + rest)
    func term(_ example: Case) throws {
        let filter = try Samples.filter(example.filter)
        #expect(filter.matches(example.takes, now: Self.now))
        #expect(!filter.matches(example.refuses, now: Self.now))
    }

    @Test("An empty filter takes every row", arguments: ["", "  ", "\t\n"] as [String])
    func empty(_ text: String) throws {
        #expect(try Samples.filter(text).matches(Self.plain, now: Self.now))
    }

    @Test("A minus alone is text")
    func minus() throws {
        #expect(try Samples.filter("-").matches(Self.raw("a-b"), now: Self.now))
        #expect(try !Samples.filter("-").matches(Self.raw("ab"), now: Self.now))
    }

    @Test(
        "A malformed filter names the place, the reason and the fix",
        arguments: [
            ("knd:rest", 1, "there is no field \"knd\"", "write \"kind:rest\""),
            ("a  stauts:4xx", 4, "there is no field \"stauts\"", "write \"status:4xx\""),
            ("dir:inn", 5, "\"inn\" is no value of \"dir\"", "write \"dir:in\""),
            ("is:error,intercept", 10, "\"intercept\" is no value of \"is\"", "write \"is:intercepted\""),
            (
                "kind:qqqqqq", 6, "\"qqqqqq\" is no value of \"kind\"",
                "use one of rest, ws, stream, control, fault, rule, clock, violation"
            ),
            ("x seq:", 7, "\"seq\" needs a value", "write \"seq:10..20\""),
            (
                "seq:20..10", 5, "\"20..10\" is no number or range for \"seq\"",
                "write seq:10, seq:10..20 or seq:>10"
            ),
            (
                "size:>1parsec", 6, "\">1parsec\" is no number or range for \"size\"",
                "write size:>1kb, size:<=64kb or size:100..200"
            ),
            (
                "seq:99999999999999999999", 5, "\"99999999999999999999\" is no number or range for \"seq\"",
                "write seq:10, seq:10..20 or seq:>10"
            ),
            (
                "since:soon", 7, "\"soon\" is no time for \"since\"",
                "write a number with ms, s, m or h, such as since:30s"
            ),
            (
                "after:25:00", 7, "\"25:00\" is no time for \"after\"",
                "write a time of day such as after:12:00:00, or 2026-01-15T12:00:00Z"
            ),
            ("a \"b c", 3, "a quote is opened and never closed", "end the phrase with a quote"),
            (
                "/ab", 1, "a regular expression is opened and never closed",
                "end it with \"/\", or write the text in quotes to find it as it stands"
            ),
            ("/a/x", 4, "the regular expression has the flag \"x\"", "use \"i\" to ignore case, or no flag"),
            (
                #"/\/a(b/"#, 5, "the regular expression opens a group and never closes it",
                "end it with \")\""
            ),
            (
                "$.a..b=1", 1, "\"$.a..b=1\" is no path",
                "write names after dots and numbers in brackets, such as $.payload.events[0].type=X"
            ),
            (
                "https://a.b", 1, "there is no field \"https\"",
                "to search for it as text, write it in quotes: \"https://a.b\""
            ),
        ] as [(String, Int, String, String)])
    func malformed(_ text: String, _ position: Int, _ reason: String, _ fix: String) {
        let error = #expect(throws: FilterError.self) { try Samples.filter(text) }
        expectEqual(error?.position, position)
        expectEqual(error?.explanation, reason)
        expectEqual(error?.fix, fix)
        expectEqual(error?.description, "filter, character \(position): \(reason); fix: \(fix)")
    }

    @Test(
        "Whatever is typed becomes a filter or an error inside the text",
        arguments: 0..<Strength.of(75, full: 500) as Range<UInt64>)
    func anything(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "seq:", "/", "\"", "\\", "(", ")", "[", "]", "*", "{2,3}", "|", "$.", "a", "-", " ", ":", "=",
            ">", "..",
            "9", "lat:", "since:", "after:", "kb", "xx", ",", "ü", "e\u{301}", "^", "$", "is:", "\n", "\\/",
        ]
        for _ in 0..<20 {
            let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            do throws(FilterError) {
                let filter = try Samples.filter(text)
                for row in Samples.talk { _ = filter.matches(row, now: Self.now) }
            } catch {
                #expect(1...text.count + 1 ~= error.position, "\(text)")
                #expect(!error.fix.isEmpty)
            }
        }
    }

    @Test("A filter beyond the limit is refused")
    func tooLong() {
        let many = String(repeating: "ab ", count: TimelineLimits.filterSteps + 1)
        let costly = #expect(throws: FilterError.self) { try Samples.filter(many) }
        expectEqual(costly?.reason, .tooCostly(TimelineLimits.filterSteps + 1))
        expectEqual(costly?.position, 3 * TimelineLimits.filterSteps + 1)
        #expect(throws: Never.self) { try Samples.filter(String(many.dropLast(3))) }
        let longest = String(repeating: "a", count: TimelineLimits.filterBytes)
        #expect(throws: Never.self) { try Samples.filter(longest) }
        let error = #expect(throws: FilterError.self) { try Samples.filter(longest + "a") }
        expectEqual(error?.reason, .tooLong)
    }

    @Test("Bytes are found in one pass as they are found by comparing at each place")
    func soughtBytes() {
        // Two letters, so that beginnings come back inside.
        func word(_ bits: Int, _ length: Int) -> [UInt8] {
            (0..<length).map { UInt8(0x61 + (bits >> $0 & 1)) }
        }
        for (wanted, length) in [(0, 3), (0b0101, 4), (0b00100, 5), (0b011011, 6), (1, 1), (0b1010010, 7)] {
            let sought = word(wanted, length)
            for bits in 0..<(1 << 12) {
                let text = word(bits, 12)
                let place = (0...12 - length).first { Array(text[$0..<$0 + length]) == sought }
                let end = text.withUnsafeBufferPointer { SoughtBytes(sought).end(in: $0, from: 0) { $0 } }
                expectEqual(end, place.map { $0 + length })
            }
        }
    }
}

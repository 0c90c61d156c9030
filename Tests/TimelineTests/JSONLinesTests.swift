import Clocks
import Expectations
import PolyDialect
import TestSupport
import Testing
import Texts

@testable import Timeline

@Suite("The timeline as JSON lines")
struct JSONLinesTests {
    private let info = ExportInfo(
        exportedAt: Samples.start + .seconds(5), version: "0.9", details: ["seed": .integer(7)])

    private func json(_ row: Row, secrets: Secrets = .included) -> String {
        var bytes: [UInt8] = []
        TimelineExport.appendJSON(row, into: &bytes, secrets: secrets)
        return Samples.text(bytes)
    }

    @Test("The first line says what follows and who wrote it")
    func header() {
        expectEqual(
            Samples.text(TimelineExport.jsonLines([], info: info)),
            #"{"format":"polymock timeline","version":1,"exportedAt":"2026-01-15T09:30:05.000Z","#
                + #""server":{"name":"polymock","version":"0.9","seed":7}}"# + "\n")
    }

    @Test("A row has the fields of the model, those without a value left out")
    func row() {
        var row = Samples.row(
            #"{"id":"e","metadata":{"custom":{"local_id":"l"}}}"#, at: 250, type: "USER_MESSAGE", sequence: 3)
        row.number = 12
        row.wallTime = Instant(nanosecondsSince1970: 1_000_002_003)
        row.latency = .microseconds(1_500)
        row.status = 200
        row.rule = "greet"
        row.fault = "cut"
        row.original = Array("{}".utf8)
        row.flags = [.replayed, .error]
        expectEqual(
            json(row),
            #"{"n":12,"t":"1970-01-01T00:00:01.000002003Z","mt":"2026-01-15T09:30:00.250Z","#
                + #""dir":"out","kind":"ws","session":"s-1","socket":1,"type":"USER_MESSAGE","seq":3,"#
                + #""id":"e","corr":"l","size":49,"lat":1.5,"status":200,"rule":"greet","fault":"cut","#
                + #""flags":["replayed","error"],"#
                + #""raw":"{\"id\":\"e\",\"metadata\":{\"custom\":{\"local_id\":\"l\"}}}","mod":"{}"}"#)
        let bare = Row(time: Instant(nanosecondsSince1970: 0), direction: .inside, kind: .violation)
        let epoch = "1970-01-01T00:00:00.000Z"
        expectEqual(
            json(bare), #"{"n":0,"t":"\#(epoch)","mt":"\#(epoch)","dir":"int","kind":"violation","size":0}"#
        )
    }

    @Test("Bytes that are no text stand in Base64")
    func notText() throws {
        var row = Samples.row("")
        row.raw = [0xFF, 0x00, 0x41]
        row.original = [0xC0]
        #expect(json(row).hasSuffix(#","rawBase64":"/wBB","modBase64":"wA=="}"#))
        row.size = 3
        try expectEqual(TimelineImport.jsonLines(Array(json(row).utf8), as: row.reading), [row])
    }

    @Test("Rows come back equal")
    func roundTrip() throws {
        let bytes = TimelineExport.jsonLines(Samples.talk, info: info, secrets: .included)
        try expectEqual(TimelineImport.jsonLines(bytes, as: PolyDialect.reading), Samples.talk)
        try expectEqual(TimelineImport.rows(bytes, as: PolyDialect.reading), Samples.talk)
    }

    @Test("Rows of any contents come back equal", arguments: 0..<100 as Range<UInt64>)
    func randomRoundTrip(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<5).map { _ in Self.row(&random) }
        let bytes = TimelineExport.jsonLines(rows, info: info, secrets: .included)
        try expectEqual(TimelineImport.jsonLines(bytes), rows)
    }

    private static func row(_ random: inout SeededGenerator) -> Row {
        func text() -> String {
            let scalars = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                ["a", "\"", "\\", "\n", "ü", "🏊", "\u{0}", "\u{2028}", "\u{FFFD}"].randomElement(
                    using: &random) ?? ""
            }
            return scalars.joined()
        }
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        let isText = Bool.random(using: &random)
        let noise = (0..<Int.random(in: 0...9, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        return Row(
            number: UInt64.random(in: 0...1_000_000, using: &random),
            time: Instant(
                nanosecondsSince1970: Int64.random(in: -4_000_000_000...Int64.max / 2, using: &random)),
            wallTime: Instant(nanosecondsSince1970: Int64.random(in: 0...Int64.max / 2, using: &random)),
            direction: Row.Direction.allCases.randomElement(using: &random) ?? .inside,
            kind: Row.Kind.allCases.randomElement(using: &random) ?? .ws, session: text(),
            socket: UInt32.random(in: 0...3, using: &random), type: text(),
            sequence: maybe(UInt64.random(in: 0...1_000_000, using: &random)),
            size: Int.random(in: 0...1_000_000, using: &random),
            latency: maybe(
                Interval(nanoseconds: Int64.random(in: -1_000...4_000_000_000_000, using: &random))),
            status: maybe(Int.random(in: 0...4_999, using: &random)), rule: text(), fault: text(),
            raw: isText ? Array(text().utf8) : noise, original: maybe(isText ? noise : Array(text().utf8)),
            flags: Row.Flags(rawValue: UInt8.random(in: 0...15, using: &random)),
            place: maybe(RowPlace(file: "a.json5", line: UInt32.random(in: 0...900, using: &random)))
                ?? RowPlace(),
            cause: UInt64.random(in: 0...1_000_000, using: &random), author: text(), timer: text())
    }

    @Test("Unknown members, empty lines and a missing header are passed over")
    func tolerance() throws {
        let line =
            #"{"t":"2026-01-15T09:30:00Z","dir":"in","kind":"ws","new":[1],"flags":["later"],"seq":null}"#
        let rows = try TimelineImport.jsonLines(Array("\u{FEFF}\r\n\(line)\r\n\n\(line)".utf8))
        expectEqual(
            rows, Array(repeating: Row(time: Samples.start, direction: .inbound, kind: .ws), count: 2))
        #expect(try TimelineImport.jsonLines([]).isEmpty)
    }

    static let good = #"{"t":"2026-01-15T09:30:00Z","dir":"in","kind":"ws"}"#

    @Test(
        "A file that is no timeline is refused with line and reason",
        arguments: [
            ("\(good)\nx", 2, .json(.unexpectedByte)),
            ("\(good)\n\n[]", 3, .notAnObject),
            (#"{"format":"other"}"#, 1, .badValue(member: "format")),
            (#"{"format":"polymock timeline"}"#, 1, .missing(member: "version")),
            (#"{"format":"polymock timeline","version":2}"#, 1, .newerVersion(2)),
            (#"{"dir":"in","kind":"ws"}"#, 1, .missing(member: "t")),
            (#"{"t":"today","dir":"in","kind":"ws"}"#, 1, .badValue(member: "t")),
            (#"{"t":"2026-01-15T09:30:00Z","kind":"ws"}"#, 1, .missing(member: "dir")),
            (#"{"t":"2026-01-15T09:30:00Z","dir":"up","kind":"ws"}"#, 1, .badValue(member: "dir")),
            (#"{"t":"2026-01-15T09:30:00Z","dir":"in","kind":7}"#, 1, .badValue(member: "kind")),
            (good.dropLast() + #","socket":-1}"#, 1, .badValue(member: "socket")),
            (good.dropLast() + #","lat":"5"}"#, 1, .badValue(member: "lat")),
            (good.dropLast() + #","lat":1e300}"#, 1, .badValue(member: "lat")),
            (good.dropLast() + #","rawBase64":"A"}"#, 1, .badValue(member: "rawBase64")),
            (good.dropLast() + #","flags":3}"#, 1, .badValue(member: "flags")),
        ] as [(String, Int, ImportError.Reason)])
    func refused(_ text: String, _ line: Int, _ reason: ImportError.Reason) {
        let error = #expect(throws: ImportError.self) { try TimelineImport.jsonLines(Array(text.utf8)) }
        expectEqual(error, ImportError(reason, line: line))
        expectEqual(error?.description.hasPrefix("line \(line): "), true)
    }

    @Test(
        "A file cut or changed anywhere is read or refused, never fatal", arguments: 0..<30 as Range<UInt64>)
    func damaged(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for bytes in [
            TimelineExport.jsonLines(Samples.talk, info: info), TimelineExport.har(Samples.talk, info: info),
        ] {
            var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) where !damaged.isEmpty {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                damaged[index] = UInt8.random(in: 0...255, using: &random)
            }
            for read in [{ try TimelineImport.jsonLines($0) }, { try TimelineImport.har($0) }]
                as [([UInt8]) throws -> [Row]]
            {
                guard let rows = try? read(damaged) else { continue }
                _ = TimelineExport.har(rows, info: info)
                _ = Transcript(rows).json(exportedAt: info.exportedAt)
            }
            // Damaged frames of a timeline that is not.
            let row = Row(time: Samples.start, direction: .outbound, kind: .ws, raw: damaged)
            _ = TimelineExport.jsonLines([row], info: info) + Transcript([row]).text()
        }
    }

    @Test("An error says where, what and the fix")
    func prose() {
        expectEqual(
            ImportError(.missing(member: "dir"), line: 7).description,
            "line 7: \"dir\" is missing; fix: use \"in\", \"out\" or \"int\"")
    }

    @Test("A file with more bytes than the limit is refused before it is read")
    func tooLarge() {
        #expect(throws: ImportError(.tooLarge, line: 1)) {
            try TimelineImport.jsonLines([0x20, 0x20], maxBytes: 1)
        }
        #expect(throws: ImportError(.tooLarge, line: 1)) {
            try TimelineImport.har([0x20, 0x20], maxBytes: 1)
        }
    }

    @Test("A file with more rows than the limit is refused at that line")
    func tooManyRows() {
        let text = Array(String(repeating: "\(Self.good)\n", count: 4).utf8)
        #expect(throws: Never.self) { try TimelineImport.jsonLines(text, maxRows: 4) }
        let error = #expect(throws: ImportError.self) { try TimelineImport.jsonLines(text, maxRows: 3) }
        expectEqual(error, ImportError(.tooManyRows, line: 4))
    }
}

@Suite("Secrets in exports")
struct SecretsTests {
    @Test(
        "Tokens and secret headers are masked in every spelling",
        arguments: [
            ("GET /ws?access_token=a.b-c&cursor=1 HTTP/1.1", "GET /ws?access_token=***&cursor=1 HTTP/1.1"),
            ("GET /ws?x=1&ACCESS_TOKEN=abc", "GET /ws?x=1&ACCESS_TOKEN=***"),
            ("Authorization: Bearer abc\r\nHost: a", "Authorization: ***\r\nHost: a"),
            ("proxy-authorization:x y\nA: b", "proxy-authorization:***\nA: b"),
            ("X-Token: abc", "X-Token: ***"),
            (#"{"access_token":"a","expires_in":9}"#, #"{"access_token":"***","expires_in":9}"#),
            (#"{"access_token" : "a\"b" }"#, #"{"access_token" : "***" }"#),
            (
                #"{"body":"{\"access_token\":\"a\",\"b\":1}"}"#,
                #"{"body":"{\"access_token\":\"***\",\"b\":1}"}"#
            ),
            (#"{"url":"wss://a/ws?access_token=abc"}"#, #"{"url":"wss://a/ws?access_token=***"}"#),
            (
                #"{"h":{"Authorization":"Bearer a","X-Token":"t"}}"#,
                #"{"h":{"Authorization":"***","X-Token":"***"}}"#
            ),
            ("access_token=a access_token=b", "access_token=*** access_token=***"),
            (
                "Sec-WebSocket-Protocol: bearer, S\r\nHost: a",
                "Sec-WebSocket-Protocol: bearer, ***\r\nHost: a"
            ),
            ("Sec-WebSocket-Protocol: chat\r\nHost: a", "Sec-WebSocket-Protocol: chat\r\nHost: a"),
            ("GET /?accessToken=S&a=b", "GET /?accessToken=***&a=b"), ("GET /?bearer=S", "GET /?bearer=***"),
            ("GET /?key=S#x", "GET /?key=***#x"), ("GET /?x_token=S", "GET /?x_token=***"),
            ("GET /ws?%61ccess_token=S", "GET /ws?%61ccess_token=***"),
            ("GET /ws?access%5Ftoken=S", "GET /ws?access%5Ftoken=***"),
            (#"{"password":"S","user":"u"}"#, #"{"password":"***","user":"u"}"#),
            (#"{"clientSecret":"S"}"#, #"{"clientSecret":"***"}"#),
            (
                #"{"token":null,"token_type":"Bearer","key":"k"}"#,
                #"{"token":null,"token_type":"Bearer","key":"k"}"#
            ),
            ("X-Api-Key: S\nX-Mock-Token: T", "X-Api-Key: ***\nX-Mock-Token: ***"),
            ("monkey=1&tokens=2&keys=3", "monkey=1&tokens=2&keys=3"),
            (#"Authorization: Digest username="bob", response="S""#, "Authorization: ***"),
            ("A: b\r\nCookie: a=1; theme=\"x\"; session=S\r\nHost: a", "A: b\r\nCookie: ***\r\nHost: a"),
            (#"X-Token: ab\Se"#, "X-Token: ***"), ("X-Access-Key: S", "X-Access-Key: ***"),
            ("GET /ws?access_token=a,b;c'd&x=1 HTTP/1.1", "GET /ws?access_token=***&x=1 HTTP/1.1"),
            ("GET /?token[]=S&a=b", "GET /?token[]=***&a=b"),
            ("GET /?token%5B%5D=S", "GET /?token%5B%5D=***"),
            ("GET /?token%20=S", "GET /?token%20=***"),
            (
                "GET /?to=https%3A%2F%2Fa%3Faccess_token%3DS x",
                "GET /?to=https%3A%2F%2Fa%3Faccess_token%3D*** x"
            ),
            ("{\"password\" :\t\"S\",\"a\":1}", "{\"password\" :\t\"***\",\"a\":1}"),
            ("{\"password\":\n  \"S\"}", "{\"password\":\n  \"***\"}"),
            ("{'password':'S'}", "{'password':'***'}"),
            ("Sec-WebSocket-Protocol: a,", "Sec-WebSocket-Protocol: a,"),
            ("Sec-WebSocket-Protocol: a token=S", "Sec-WebSocket-Protocol: a token=***"),
            ("take eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl.", "take ***."),
            ("take eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl.5", "take ***"),
            (#"{"text":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl"}"#, #"{"text":"***"}"#),
            (#"{"text":"a eyJhbGciOiJkaXIifQ..c2lnbmF0dXJl.c2lnbmF0dXJl.c2ln b"}"#, #"{"text":"a *** b"}"#),
            (#"{"text":"mine:\nsk-proj-AbCd1234AbCd1234"}"#, #"{"text":"mine:\n***"}"#),
            (
                "AKIAIOSFODNN7EXAMPLE and AIzaSyD-9tSrke72PouQMnMX, ghp_16C7e42F292c6912E7710c83",
                "*** and ***, ***"
            ),
            ("say Bearer abcdef0123456789abcdef", "say ***"),
            ("see https://u:p4ss@example.com/x", "see https://u:***@example.com/x"),
            (
                #"{"text":"-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY----- x"}"#,
                #"{"text":"*** x"}"#
            ),
            (#"{"private_key":"S"}"#, #"{"private_key":"***"}"#),
        ] as [(String, String)])
    func masked(_ text: String, _ expected: String) {
        expectEqual(Secrets.masked.applied(to: text), expected)
        expectEqual(Secrets.included.applied(to: text), text)
    }

    @Test(
        "Other text stays as it is",
        arguments: [
            "", "a", "x-toke", "the access_token is gone", "access_token=&a=b", "the access_token = a",
            #"{"access_token":""}"#, "authorization", "Ünïcode access", "eyJ", "eyJhbGciOi.b.c",
            "heyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl", "ask-for-1234567890abcdefgh", "sk-12",
            "https://example.com:8080/a@b", "Bearer of news", "https://example.com/a:b@c",
        ] as [String])
    func untouched(_ text: String) {
        expectEqual(Secrets.masked.applied(to: text), text)
    }

    @Test(
        "A text full of names is masked in one pass",
        .timeLimit(.minutes(5)),
        arguments: [
            "Sec-WebSocket-Protocol:", "Sec-WebSocket-Protocol:,", "token=", "\"token\":", "token%3D", "\\\"",
            "token:\"", "%3D", "' : ",
        ] as [String])
    func longText(_ piece: String) {
        let text = String(repeating: piece, count: Strength.of(24, full: 256) << 10 / piece.utf8.count)
        let masked = Secrets.masked.applied(to: text)
        #expect(masked.utf8.count <= text.utf8.count + 3)
    }

    @Test("No export shows a token unless it is asked for")
    func exports() {
        let info = ExportInfo(exportedAt: Samples.start, version: "1")
        let masked = [
            TimelineExport.jsonLines(Samples.talk, info: info), TimelineExport.har(Samples.talk, info: info),
            Transcript(Samples.talk).json(exportedAt: info.exportedAt),
        ]
        for bytes in masked { #expect(!Samples.text(bytes).contains("abc.def")) }
        let shown = [
            TimelineExport.jsonLines(Samples.talk, info: info, secrets: .included),
            TimelineExport.har(Samples.talk, info: info, secrets: .included),
        ]
        for bytes in shown { #expect(Samples.text(bytes).contains("Bearer abc.def")) }
    }
}

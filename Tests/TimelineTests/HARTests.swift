import Clocks
import Expectations
import PolyDialect
import Testing
import Texts

@testable import Timeline

@Suite("The timeline as HAR")
struct HARTests {
    private let info = ExportInfo(exportedAt: Samples.start, version: "0.9")

    private func log(_ rows: [Row], secrets: Secrets = .included) throws -> [JSONValue] {
        let har = try JSONReader.read(TimelineExport.har(rows, info: info, secrets: secrets))
        #expect(har["log"]?["version"]?.string == "1.2")
        #expect(har["log"]?["creator"]?["version"]?.string == "0.9")
        return try #require(har["log"]?["entries"]?.array)
    }

    @Test("A call is one entry with request and response (HAR 1.2)")
    func call() throws {
        let entry = try #require(try log(Samples.talk).first)
        expectEqual(entry["startedDateTime"]?.string, "2026-01-15T09:30:00.000Z")
        #expect(entry["time"] == .integer(2) && entry["timings"]?["wait"] == .integer(2))
        #expect(entry["request"]?["method"]?.string == "POST")
        #expect(entry["request"]?["url"]?.string == "http://127.0.0.1:8080/api/v1/sessions")
        #expect(entry["request"]?["headers"]?.array?.count == 3)
        #expect(entry["request"]?["postData"]?["text"]?.string == "{\"language\":\"en\"}")
        #expect(entry["request"]?["postData"]?["mimeType"]?.string == "application/json")
        #expect(entry["response"]?["status"] == .integer(201))
        #expect(entry["response"]?["statusText"]?.string == "Created")
        #expect(entry["response"]?["content"]?["text"]?.string == "{\"session_id\":\"s-1\"}")
        #expect(entry["_webSocketMessages"] == nil && entry["cache"] != nil)
    }

    @Test("A socket is one entry with its messages; send means client to server")
    func socket() throws {
        let entries = try log(Samples.talk)
        expectEqual(entries.count, 3)
        let entry = entries[1]
        expectEqual(entry["_resourceType"]?.string, "websocket")
        #expect(entry["request"]?["url"]?.string == "ws://127.0.0.1:8080/ws?access_token=abc.def&cursor=0")
        #expect(entry["request"]?["queryString"]?.array?.last?["name"]?.string == "cursor")
        #expect(entry["response"]?["status"] == .integer(101))
        let messages = try #require(entry["_webSocketMessages"]?.array)
        expectEqual(messages.map { $0["type"]?.string }, ["send"] + Array(repeating: "receive", count: 4))
        expectEqual(messages.map { $0["data"]?.string }, Samples.talk[4...8].map { Samples.text($0.raw) })
        #expect(messages.allSatisfy { $0["opcode"] == .integer(1) })
        expectEqual(messages[0]["time"], .double(1_768_469_400.021))
        expectEqual(entries[2]["_webSocketMessages"]?.array?.count, 1)
    }

    @Test("Bytes that are no text are a binary message in Base64")
    func binary() throws {
        var row = Samples.row("")
        row.raw = [0xFF]
        let message = try log([row])[0]["_webSocketMessages"]?.array?.first
        #expect(message?["opcode"] == .integer(2) && message?["data"]?.string == "/w==")
        try expectEqual(TimelineImport.har(TimelineExport.har([row], info: info)).map(\.raw), [[0xFF]])
    }

    @Test("A byte order mark before HAR is no part of it")
    func byteOrderMark() throws {
        let file = TimelineExport.har(Samples.talk, info: info, secrets: .included)
        let rows = try TimelineImport.rows([0xEF, 0xBB, 0xBF] + file, as: PolyDialect.reading)
        expectEqual(rows.count, Samples.talk.count)
    }

    @Test("A call comes after the messages of the millisecond in which it began")
    func cutStart() throws {
        let file = #"""
            {"log": {"entries": [
              {"startedDateTime": "2026-01-15T09:30:00.000Z", "request": {"url": "ws://a/ws", "headers": []},
               "_webSocketMessages": [{"type": "receive", "time": 1768469400.5004, "opcode": 1, "data": "{}"}]},
              {"startedDateTime": "2026-01-15T09:30:00.500Z", "request": {"method": "POST", "url": "http://a/b"}}]}}
            """#
        let rows = try TimelineImport.rows(Array(file.utf8))
        expectEqual(rows.map(\.kind), [.ws, .rest])
    }

    @Test(
        "The times of messages are seconds or milliseconds",
        arguments: ["1768469400.5004", "1768469400500.4"])
    func units(_ time: String) throws {
        let file = #"""
            {"log": {"entries": [{"startedDateTime": "2026-01-15T09:30:00.000Z", "request": {"url": "ws://a/ws"},
              "_webSocketMessages": [{"type": "receive", "time": \#(time), "opcode": 1, "data": "{}"}]}]}}
            """#
        let rows = try TimelineImport.rows(Array(file.utf8))
        expectEqual(rows.map(\.time), [Instant(nanosecondsSince1970: 1_768_469_400_500_400_000)])
    }

    @Test("Rows come back in order, with direction, data and times to the microsecond")
    func roundTrip() throws {
        let rows = try TimelineImport.rows(
            TimelineExport.har(Samples.talk, info: info, secrets: .included), as: PolyDialect.reading)
        expectEqual(rows.map { Samples.text($0.raw) }, Samples.talk.map { Samples.text($0.raw) })
        expectEqual(rows.map(\.direction), Samples.talk.map(\.direction))
        expectEqual(rows.map(\.kind), Samples.talk.map(\.kind))
        expectEqual(rows.map(\.type), Samples.talk.map(\.type))
        expectEqual(rows.map(\.sequence), Samples.talk.map(\.sequence))
        expectEqual(rows.map(\.session), Samples.talk.map(\.session))
        expectEqual(rows.map(\.socket), Samples.talk.map(\.socket))
        expectEqual(rows.map(\.number), Samples.talk.map(\.number))
        expectEqual(rows.map(\.status), Samples.talk.map(\.status))
        // The answer to a handshake has no time of its own.
        let isTimed = Samples.talk.map { $0.status != 101 }
        #expect(zip(zip(rows, Samples.talk), isTimed).allSatisfy { $0.0.wallTime == $0.1.wallTime || !$1 })
    }

    @Test("Calls on several connections at once keep their own answers")
    func interleaved() throws {
        var rows: [Row] = []
        for socket in 1...2 as ClosedRange<UInt32> {
            rows.append(
                Samples.row("{\"q\":\(socket)}", .inbound, kind: .rest, socket: socket, type: "POST /a"))
        }
        for socket in 1...2 as ClosedRange<UInt32> {
            rows.append(Samples.row("{\"a\":\(socket)}", kind: .rest, socket: socket, type: "POST /a"))
        }
        let entries = try log(rows)
        expectEqual(entries.map { $0["request"]?["postData"]?["text"]?.string }, ["{\"q\":1}", "{\"q\":2}"])
        expectEqual(entries.map { $0["response"]?["content"]?["text"]?.string }, ["{\"a\":1}", "{\"a\":2}"])
        #expect(entries[0]["request"]?["url"]?.string == "http://localhost/a")
    }

    @Test("What happened inside the server, and control frames, have no place in HAR")
    func inside() throws {
        let rows = [
            Samples.row("x", kind: .control), Samples.row("x", .inside),
            Samples.row("x", .inside, kind: .rule),
        ]
        #expect(try log(rows).isEmpty)
    }

    @Test("A file as browsers write it is read; unknown members and kinds of messages are passed over")
    func browser() throws {
        let rows = try TimelineImport.har(try Samples.file("browser.har"), as: PolyDialect.reading)
        expectEqual(rows.map(\.kind), [.rest, .rest, .rest, .rest, .ws, .ws])
        expectEqual(rows.map(\.direction), [.inbound, .outbound, .inbound, .outbound, .inbound, .outbound])
        #expect(rows[0].type == "POST /api/v1/sessions" && rows[1].status == 201)
        #expect(Samples.text(rows[1].raw).hasSuffix("\r\n\r\n{\"session_id\":\"s-7\"}"))
        #expect(!Samples.text(rows[0].raw).contains(":authority"))
        expectEqual(rows[1].latency, Interval.microseconds(12_500))
        #expect(rows[4].type == "HEARTBEAT" && rows[5].sequence == nil && rows[5].socket == 2)
        expectEqual(rows[4].wallTime, Instant(nanosecondsSince1970: 1_768_469_401_250_500_000))
    }

    @Test(
        "A broken file is refused with line and reason",
        arguments: [
            ("{\"log\":\n{\"entries\":\n[x]}}", 3, .json(.unexpectedByte)),
            ("[]", 1, .notAnObject),
            ("{}", 1, .missing(member: "log")),
            ("{\"log\":{}}", 1, .missing(member: "log.entries")),
            ("{\"log\":{\"entries\":[\n7]}}", 1, .notAnObject),
            ("{\"log\":{\"pages\":[{}],\"entries\":[\n\n{}]}}", 3, .missing(member: "startedDateTime")),
            (
                "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-01-15T09:30:00Z\",\"request\":{}},\n"
                    + "{\"startedDateTime\":\"yesterday\"}]}}", 2, .badValue(member: "startedDateTime")
            ),
            (
                "{\"log\":{\"entries\":[\n{\"startedDateTime\":\"2026-01-15T09:30:00Z\",\"request\":{},\n"
                    + "\"_webSocketMessages\":[{\"type\":\"send\"}]}]}}", 2,
                .missing(member: "_webSocketMessages.data")
            ),
            (
                "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-01-15T09:30:00Z\",\"request\":{},"
                    + "\"_webSocketMessages\":[{\"type\":\"send\",\"opcode\":2,\"data\":\"?\"}]}]}}", 1,
                .badValue(member: "_webSocketMessages.data")
            ),
        ] as [(String, Int, ImportError.Reason)])
    func refused(_ text: String, _ line: Int, _ reason: ImportError.Reason) {
        let error = #expect(throws: ImportError.self) { try TimelineImport.har(Array(text.utf8)) }
        expectEqual(error, ImportError(reason, line: line))
    }

    @Test("More rows than the limit are refused")
    func tooManyRows() {
        let har = TimelineExport.har(Samples.talk, info: info)
        #expect(throws: Never.self) { try TimelineImport.har(har, maxRows: 10) }
        #expect(throws: ImportError.self) { try TimelineImport.har(har, maxRows: 9) }
    }
}

import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import SocketTransport
import Testing
import WebSocketCore

@testable import PolyMessaging

@Suite("What the SDK asks of plain connections, and what it makes of the outcome")
struct PlainRequestTests {
    private static let reset = SocketError(.read, .tooManySockets(limit: 1))

    @Test("A call is a POST with its headers, an answer of 1 MiB at most and 30 s")
    func post() throws {
        let call = RESTRequest(
            id: 1, endpoint: .sessions, headers: ["X-Token": "t", "Accept": "application/json"],
            body: Array("{}".utf8))
        let request = try HTTPClient.Request(
            call, at: try #require(URL(string: "http://h:81/api/v1/sessions?x=1")))
        #expect(request.method == "POST" && request.target == "/api/v1/sessions?x=1")
        expectEqual(request.endpoint, Endpoint(host: "h", port: 81))
        expectEqual(request.headers, ["X-Token": "t", "Accept": "application/json"])
        #expect(request.body == Array("{}".utf8) && request.webSocket == nil)
        #expect(request.answerBytes == 1 << 20 && request.timeout == .seconds(30))
    }

    @Test("A WebSocket names the SDK, takes messages of 16 MiB, and is read while 512 KiB wait at most")
    func dial() throws {
        let request = try HTTPClient.Request(dialling: try #require(URL(string: "ws://h/ws?x=1")))
        #expect(request.method == "GET" && request.target == "/ws?x=1")
        expectEqual(request.headers["User-Agent"]?.hasPrefix("PolyMessaging-"), true)
        expectEqual(
            request.webSocket,
            HTTPClient.WebSocketTerms(messageBytes: 16 << 20, unhandledBytes: 512 << 10))
        #expect(request.answerBytes == 0 && request.timeout == .seconds(30))
    }

    @Test("An answer keeps its status, its Retry-After and its body; a refusal of a WebSocket the first two")
    func answers() {
        let report = HTTPClient.Report.answered(
            HTTPClient.Answer(status: 429, headers: ["retry-after": "7"], body: [1]))
        expectEqual(RESTReply(report), .answered(status: 429, retryAfter: "7", body: [1]))
        expectEqual(
            input(report), .socketFailed(attempt: 1, .refused(status: 429, retryAfter: "7")))
    }

    private func input(_ report: HTTPClient.Report) -> ClientCore.Input {
        ClientCore.Input(report, attempt: 1)
    }

    @Test("Messages and ends of a WebSocket are told as they come; an end without a Close is 1006")
    func socket() {
        expectEqual(input(.opened), .socketOpened(attempt: 1))
        expectEqual(input(.text([1])), .socketText(attempt: 1, [1]))
        expectEqual(input(.binary([2])), .socketBinary(attempt: 1))
        expectEqual(
            input(.closed(WebSocketCore.CloseCode(rawValue: 4_001), reason: "bye")),
            .socketClosed(
                attempt: 1, ConnectionCloseEvent(code: 4_001, reason: "bye", wasClean: true)))
        expectEqual(
            input(.failed(.lost(because: Self.reset))),
            .socketClosed(
                attempt: 1,
                ConnectionCloseEvent(
                    code: 1_006, reason: "The connection ended without a Close frame.", wasClean: false)))
        expectEqual(
            input(.failed(.closeUnanswered)),
            .socketClosed(
                attempt: 1,
                ConnectionCloseEvent(
                    code: 1_006, reason: "The server did not answer the Close frame.", wasClean: false)))
    }

    @Test(
        "What the network did and what the server did wrong are told apart, each in a sentence",
        arguments: [
            (
                .timedOut(host: "h", seconds: 30), .network("h did not answer in 30 seconds.")
            ),
            (.shutDown, .network("The network was shut down.")),
            (
                .handshakeEnded(because: nil),
                .network("The server ended the connection during the handshake.")
            ),
            (.handshakeEnded(because: reset), .network("\(reset)")),
            (.unreachable(reset), .network("\(reset)")),
            (
                .badAnswer(.noResponse, because: reset),
                .network("The server closed the connection without an answer.")
            ),
            (
                .badAnswer(.incomplete, because: nil),
                .network("The connection ended in the middle of the response.")
            ),
            (
                .badAnswer(.unrequested, because: nil),
                .protocolViolation("The server sent a response that nothing asked for.")
            ),
            (
                .onlyInterimAnswers, .protocolViolation("The server sends interim responses and no answer.")
            ),
            (
                .tooLong(limitBytes: 1 << 20),
                .protocolViolation(
                    "The server's answer is larger than 1024 KiB. Is this the address of the Messaging API?")
            ),
            (
                .violation(.protocolError),
                .protocolViolation(
                    "The server broke the WebSocket protocol (closed with \(WebSocketCore.CloseCode.protocolError))."
                )
            ),
        ] as [(HTTPClient.Failure, TransportFault)])
    func faults(_ failure: HTTPClient.Failure, _ fault: TransportFault) {
        expectEqual(input(.failed(failure)), .socketFailed(attempt: 1, fault))
        expectEqual(RESTReply(.failed(failure)), .failed(fault))
    }

    // MARK: Redirects

    /// Answers each path with a status and a place.
    private struct Mover: WebTransport {
        let answers: [String: (status: Int, location: String?)]
        let asked = Locked<[HTTPClient.Request]>([])

        func begin(
            _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
        ) -> any WebExchange {
            asked.withLock { $0.append(request) }
            let (status, location) = answers[request.target] ?? (200, nil)
            let headers: HeaderFields = location.map { ["Location": $0] } ?? [:]
            report(.answered(HTTPClient.Answer(status: status, headers: headers, body: [1])))
            return NoExchange()
        }
    }

    private func post(_ mover: Mover) throws -> RESTReply? {
        let call = RESTRequest(id: 1, endpoint: .sessions, headers: ["X-Token": "t"], body: [2])
        let replies = Locked<[RESTReply]>([])
        mover.post(call, at: try #require(URL(string: "http://h:81/a"))) { reply in
            replies.withLock { $0.append(reply) }
        }
        expectEqual(replies.withLock { $0.count }, 1)
        return replies.withLock { $0.first }
    }

    @Test(
        "A request that moved on its host is made there whole, three times at most",
        arguments: ["/b", "b", "http://h:81/b", "http://H:82/b", "//h/b"] as [String], [307, 308] as [Int])
    func redirects(_ location: String, _ status: Int) throws {
        let mover = Mover(answers: ["/a": (status, location), "/b": (status, "/c"), "/c": (status, "/d?x=1")])
        try expectEqual(post(mover), .answered(status: 200, retryAfter: nil, body: [1]))
        let asked = mover.asked.withLock { $0 }
        expectEqual(asked.map(\.target), ["/a", "/b", "/c", "/d?x=1"])
        #expect(asked.allSatisfy { $0.method == "POST" && $0.body == [2] && $0.headers["X-Token"] == "t" })
        let endless = Mover(answers: ["/a": (status, "/a")])
        guard case .failed(.protocolViolation(let words)) = try post(endless) else {
            Issue.record("followed")
            return
        }
        expectEqual(endless.asked.withLock { $0.count }, 1 + MessagingLimits.maxRedirects)
        #expect(words.contains("HTTP \(status), a redirect to /a,"))
    }

    @Test(
        "Other redirects are answers that say where they led, and credentials stay",
        arguments: [
            (301, "/b"), (302, "/b"), (303, "/b"), (307, "http://other/b"), (308, "ftp://h/b"), (307, nil),
            (307, ""),
        ] as [(Int, String?)])
    func refusedRedirects(_ status: Int, _ location: String?) throws {
        let mover = Mover(answers: ["/a": (status, location)])
        guard case .failed(.protocolViolation(let words)) = try post(mover) else {
            Issue.record("followed")
            return
        }
        #expect(words.contains("http://h:81/a answered with HTTP \(status), a redirect"))
        if let location, !location.isEmpty { #expect(words.contains(location)) }
        expectEqual(mover.asked.withLock { $0.count }, 1)
    }
}

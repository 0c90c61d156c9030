import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import ConnectCore

/// Answers that fail, come late or say too little, at each request.
@Suite("ConnectChat: a service that fails")
struct ServiceFaultTests {
    private static let failures: [ConnectChatError] = [
        .network("gone"), .timedOut(seconds: 15), .unexpectedAnswer("HTML"), service(500), service(502),
        service(503), service(504), service(599),
    ]

    private static func service(_ status: Int) -> ConnectChatError {
        .service(ConnectChatError.ServiceError(type: "", status: status))
    }

    private func page(_ items: [WireItem], next: String? = nil) -> Reply {
        .page(Page(initialContactID: "contact", items: items, nextToken: next))
    }

    // MARK: - Messages

    @Test(
        "A message that was taken is one row that was sent, whatever the answer says, and whenever its item comes",
        arguments: failures)
    func taken(error: ConnectChatError) {
        for comesFirst in [true, false] {
            var bench = ChatBench.active()
            let call = bench.call()
            bench.give(.send(contentType: "text/plain", text: "Hi", call))
            let item = ChatBench.item("x", 1, "Hi", role: "CUSTOMER")
            if comesFirst { bench.hear(item) }
            bench.answer(.failed(error))
            if !comesFirst { bench.hear(item) }
            #expect(bench.ids == ["x"] && bench.rows.last?.status == .Sent, "\(error), first \(comesFirst)")
            expectEqual(bench.answers(call), [comesFirst ? .success : .failure(error)])
        }
    }

    @Test("A refusal behind a try that may have been carried out settles nothing; a refusal alone does")
    func unsettled() {
        for (reply, rows) in [
            (Reply.unsettled(Self.service(400)), 1), (.failed(Self.service(400)), 2),
        ] {
            var bench = ChatBench.active()
            bench.give(.send(contentType: "text/plain", text: "Hi", bench.call()))
            bench.hear(ChatBench.item("x", 1, "Hi", role: "CUSTOMER"))
            bench.answer(reply)
            expectEqual(bench.rows.count, rows, "\(reply)")
        }
        // A new token in between changes nothing.
        var bench = ChatBench.active()
        bench.give(.send(contentType: "text/plain", text: "Hi", bench.call()))
        bench.answer(.unsettled(Self.service(403)))
        bench.credentials()
        bench.hear(ChatBench.item("x", 1, "Hi", role: "CUSTOMER"))
        bench.answer(.failed(Self.service(403)))
        #expect(bench.ids == ["x"] && bench.rows.last?.status == .Sent)
    }

    @Test("A file whose item came is sent, whatever its last answer says", arguments: failures)
    func file(error: ConnectChatError) {
        for comesFirst in [true, false] {
            var bench = ChatBench.active()
            let file = ChatCore.File(name: "a.txt", contentType: "text/plain", byteCount: 1, copy: "/copy")
            bench.give(.attach(file, bench.call()))
            bench.answer(.upload(attachmentID: "f", url: "http://mock.test/f", headers: [:]))
            bench.answer(.done)
            let attachment: JSONValuePairs = [
                (
                    "Attachments",
                    .array([.object(["AttachmentId": .string("f"), "AttachmentName": .string("a.txt")])])
                )
            ]
            let item = ChatBench.item("x", 1, role: "CUSTOMER", type: "ATTACHMENT", more: attachment)
            if comesFirst { bench.hear(item) }
            bench.answer(.failed(error))
            if !comesFirst { bench.hear(item) }
            #expect(bench.ids == ["x"] && bench.rows.last?.status == .Sent, "\(error), first \(comesFirst)")
        }
    }

    @Test("What is said while the first connection is made is said when it is up, or failed with it")
    func early() {
        for isUp in [true, false] {
            var bench = ChatBench()
            bench.give(.connect(ChatBench.details, bench.call()))
            let calls = (0..<3).map { _ in bench.call() }
            for (index, call) in calls.enumerated() {
                bench.give(.send(contentType: "text/plain", text: "\(index)", call))
            }
            #expect(
                bench.rows.map(\.status) == [.Sending, .Sending, .Sending] && bench.operations.count == 1)
            if isUp {
                bench.credentials()
                bench.subscribe()
                bench.answer(page([]))
                for index in 0..<3 { bench.answer(.accepted(id: "m\(index)", time: "")) }
                expectEqual(bench.ids, ["m0", "m1", "m2"])
            } else {
                bench.refuse(400, "ValidationException")
                expectEqual(bench.rows.map(\.status), [.Failed, .Failed, .Failed])
            }
            for call in calls { expectEqual(bench.answers(call).count, 1) }
        }
    }

    // MARK: - Pages

    @Test("What was sent while a first connection failed is one row when the next one finds it")
    func foundByTheNext() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.credentials()
        bench.give(.send(contentType: "text/plain", text: "Hi", bench.call()))
        bench.advance(ConnectLimits.connect)
        expectEqual(bench.rows.map(\.status), [.Failed])
        bench.outputs = []
        bench.connect()
        let items = [ChatBench.item("m", 1, "Hi", role: "CUSTOMER")]
        bench.answer(.page(Page(initialContactID: "contact", items: items, nextToken: nil)))
        #expect(bench.ids == ["m"] && bench.rows.map(\.status) == [.Sent])
    }

    @Test("A page of a catch-up that fails is asked for again, after pauses that grow, until it is had")
    func catchUp() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        var times: [Instant] = []
        for index in 0..<12 {
            bench.answer(.failed(Self.failures[index % Self.failures.count]))
            times.append(bench.now)
            bench.hear(ChatBench.item("live\(index)", 100 + Double(index), "live"))
            guard let again = bench.core.catchUp.againAt else {
                return #expect(Bool(false), "no further try")
            }
            bench.keepAlive(until: again)
            expectEqual(bench.pages.last?.startID, "a")
        }
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(
            pauses[0] < .seconds(2) && pauses[4] > .seconds(10) && pauses.allSatisfy { $0 <= .seconds(36) })
        bench.answer(page([ChatBench.item("missed", 2, "missed")]))
        #expect(bench.ids.prefix(3) == ["a", "missed", "live0"] && bench.core.catchUp.againAt == nil)
    }

    @Test("Each page of several may fail: forward, backward, the first")
    func eachPage() {
        let all = (0..<5).map { ChatBench.item("m\($0)", Double($0 + 2), "\($0)") }
        for failing in 0..<4 {
            var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
            bench.reconnect()
            for number in 0..<failing { bench.answer(page([all[number]], next: "t\(number)")) }
            bench.answer(.failed(Self.service(500)))
            expectEqual(bench.ids, ["a"] + all.prefix(failing).map(\.id), "what was read is shown")
            bench.hear(ChatBench.item("live", 60, "live"))
            bench.keepAlive(until: bench.core.catchUp.againAt ?? bench.now)
            bench.answer(page(Array(all.dropFirst(failing))))
            expectEqual(bench.texts, ["One", "0", "1", "2", "3", "4", "live"], "page \(failing)")
        }
        for failing in 0..<2 {
            var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
            bench.reconnect()
            bench.answer(page([]))
            if failing == 1 { bench.answer(page([all[4]], next: "t")) }
            bench.answer(.failed(Self.service(500)))
            bench.hear(ChatBench.item("live", 60, "live"))
            bench.keepAlive(until: bench.core.catchUp.againAt ?? bench.now)
            bench.answer(page([]))
            bench.answer(page([all[3], all[4], ChatBench.item("live", 60, "live")], next: "t"))
            bench.answer(page([ChatBench.item("a", 1, "One"), all[0], all[1], all[2]]))
            expectEqual(bench.texts, ["One", "0", "1", "2", "3", "4", "live"], "backward page \(failing)")
        }
    }

    @Test("A first page that fails is asked for again, and read back to what came meanwhile")
    func firstPage() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(.failed(Self.service(503)))
        for index in 0..<3 { bench.hear(ChatBench.item("live\(index)", 50 + Double(index), "live")) }
        bench.keepAlive(until: bench.core.catchUp.againAt ?? bench.now)
        bench.answer(
            page([ChatBench.item("live1", 51, "live"), ChatBench.item("live2", 52, "live")], next: "t"))
        expectEqual(bench.pages.last?.nextToken, "t")
        bench.answer(
            page([ChatBench.item("old", 1, "old"), ChatBench.item("live0", 50, "live")], next: "older"))
        #expect(bench.ids == ["old", "live0", "live1", "live2"] && bench.core.previousToken == "older")
    }

    @Test("A beginning that the service knows no more is caught up with from the end")
    func unknownStart() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        bench.refuse(400, "ValidationException")
        bench.answer(page([ChatBench.item("a", 1, "One"), ChatBench.item("b", 2, "Two")]))
        expectEqual(bench.ids, ["a", "b"])
    }

    @Test("A token that never ends is followed while pages bring something new")
    func endlessToken() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        let items = [ChatBench.item("b", 2, "Two")]
        bench.answer(page(items, next: "again"))
        bench.answer(page(items, next: "again"))
        #expect(bench.pages.count == 2 && bench.core.catchUp.missedFrom == nil && bench.ids == ["a", "b"])
        bench.advance(.minutes(1))
        expectEqual(bench.pages.count, 2)
    }

    // MARK: - Renewals

    @Test(
        "Of whatever life, nothing is renewed before half of it, nor more often than twice a minute",
        arguments: [
            -7_200, -1, 0, 1, 5_000, 29_999, 59_999, 60_050, 60_300, 61_000, 75_000, 600_000, 3_600_000,
        ] as [Int])
    func renewals(milliseconds: Int) {
        let life = Interval.milliseconds(milliseconds)
        for (token, socket) in [(life, nil), (nil, life), (life, life)] as [(Interval?, Interval?)] {
            var bench = ChatBench()
            bench.give(.connect(ChatBench.details, bench.call()))
            bench.credentials(expiry: token, urlExpiry: socket)
            bench.subscribe()
            bench.answer(page([]))
            var times = [bench.now]
            for _ in 0..<600 {
                let before = bench.connections
                bench.keepAlive(until: bench.now + .milliseconds(500))
                guard bench.connections > before else { continue }
                times.append(bench.now)
                bench.answerConnection(expiry: token, urlExpiry: socket)
            }
            for (first, second) in zip(times, times.dropFirst()) {
                #expect(second - first >= max(.seconds(30), .milliseconds(milliseconds / 2)))
            }
            #expect(times.count <= 11)
        }
    }

    @Test("A chat that is not to reconnect waits for nothing")
    func halted() {
        var bench = ChatBench.active()
        bench.drop()
        bench.give(.stopReconnecting)
        expectEqual(bench.core.link.pausesUntil, nil)
        bench.advance(.minutes(5))
        #expect(bench.core.nextDeadline == nil && bench.connections == 0)
    }

    // MARK: - Handshakes

    @Test("What ends a first handshake for good ends connect at once; what may pass is tried again and named")
    func handshakes() {
        let final: [ConnectChatError] = [
            .invalidArgument("file://"), .encryptionUnavailable, Self.service(302), Self.service(401),
            Self.service(403), Self.service(404),
        ]
        for error in final {
            var bench = ChatBench()
            let call = bench.call()
            bench.give(.connect(ChatBench.details, call))
            bench.credentials()
            bench.give(.closed(bench.dialled.last ?? 0, because: error))
            #expect(bench.answers(call) == [.failure(error)] && bench.core.phase == .idle)
        }
        for error in [ConnectChatError.network("refused"), Self.service(500), Self.service(429)] {
            var bench = ChatBench()
            let call = bench.call()
            bench.give(.connect(ChatBench.details, call))
            while bench.answers(call).isEmpty {
                if case .requesting = bench.core.link.attempt { bench.credentials() }
                if case .dialling(let socket, _) = bench.core.link.attempt {
                    bench.give(.closed(socket, because: error))
                }
                bench.advance(.milliseconds(100))
            }
            #expect(bench.count(.connectionFailed(error)) > 3)
            expectEqual(bench.answers(call), [.failure(error)])
        }
    }

    @Test("A socket that is refused later is tried again, however it is refused")
    func laterHandshake() {
        var bench = ChatBench.active()
        bench.drop()
        bench.advance(.seconds(2))
        bench.credentials()
        bench.give(.closed(bench.dialled.last ?? 0, because: Self.service(403)))
        expectEqual(bench.count(.connectionFailed(Self.service(403))), 1)
        bench.advance(.seconds(4))
        bench.credentials()
        bench.subscribe()
        #expect(bench.core.link.live != nil)
    }

    @Test("Of a socket that is not read nothing is told by its silence")
    func unread() {
        var bench = ChatBench.active()
        bench.give(.unread(true))
        bench.advance(.minutes(2))
        #expect(bench.core.link.live != nil && bench.count(.connectionBroken) == 0)
        bench.give(.unread(false))
        bench.advance(.seconds(25))
        expectEqual(bench.count(.connectionBroken), 1)
    }
}

private typealias JSONValuePairs = [(String, JSONValue)]

extension ChatBench {
    /// Time passes on a connection whose heartbeats are answered.
    mutating func keepAlive(until end: Instant) {
        while now < end {
            advance(min(.seconds(1), end - now))
            guard core.link.live != nil else { continue }
            frame(#"{"topic":"aws/ping","statusCode":200,"statusContent":"OK"}"#)
            frame(#"{"topic":"aws/heartbeat"}"#)
        }
    }

    /// Answers a CreateParticipantConnection, and subscribes the socket where it leads to one.
    mutating func answerConnection(expiry: Interval?, urlExpiry: Interval?) {
        let before = dialled.count
        credentials(expiry: expiry, urlExpiry: urlExpiry)
        if dialled.count > before { subscribe() }
    }
}

import Clocks
import Expectations
import Testing

@testable import ConnectChat
@testable import ConnectCore

@Suite("ConnectChat: connecting")
struct ConnectingTests {
    @Test("CC-20 Connect asks, dials, subscribes, succeeds, is active, tells it, and reads the first page")
    func connects() {
        var bench = ChatBench()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        expectEqual(bench.operations, [.createConnection(participantToken: "secret-p")])
        bench.credentials()
        #expect(bench.answers(call) == [] && !bench.core.isActive)
        bench.subscribe()
        #expect(bench.answers(call) == [.success] && bench.core.isActive)
        expectEqual(bench.events, [.connecting, .connectionEstablished])
        expectEqual(bench.pages, [PageRequest()])
        let items = [ChatBench.item("a", 1, "Hello"), ChatBench.item("b", 2, "Hi")]
        let before = bench.updates
        bench.answer(.page(Page(initialContactID: "contact", items: items, nextToken: "older")))
        #expect(bench.texts == ["Hello", "Hi"] && bench.updates == before + 1)
        expectEqual(bench.core.previousToken, "older")
    }

    @Test("CC-21 The subscribe frame is valid JSON and the first on its socket")
    func subscribeFrame() {
        let bench = ChatBench.active()
        var whole = ChatBench()
        whole.connect()
        let frames = whole.outputs.compactMap { output -> String? in
            if case .transmit(_, let bytes) = output { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        expectEqual(frames, [#"{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}"#])
        #expect(bench.core.isActive)
    }

    @Test(
        "CC-22 A socket that never opens fails connect within 30 s; nothing goes on, and connect works again")
    func neverOpens() {
        var bench = ChatBench()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        bench.credentials()
        for _ in 0..<3 {
            bench.advance(.seconds(10))
            bench.advance(.seconds(3))
            if case .requesting = bench.core.link.attempt { bench.credentials() }
        }
        expectEqual(bench.answers(call), [.failure(.timedOut(seconds: 30))])
        #expect(bench.core.nextDeadline == nil && bench.core.link.attempt == nil)
        expectEqual(Set(bench.closed.keys), Set(bench.dialled))
        bench.outputs = []
        let again = bench.connect()
        expectEqual(bench.answers(again), [.success])
    }

    @Test("CC-23 The subscription is asked for again after 1, 2 and 3 s; after 4 s the next attempt begins")
    func subscribesAgain() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.credentials()
        let socket = bench.dialled[0]
        bench.give(.opened(socket))
        bench.frame(#"{"topic":"aws/subscribe","content":{"status":"failure"}}"#, on: socket)
        for count in 1...4 {
            let asked = bench.outputs.count { $0 == .transmit(socket, WireFrame.subscribe) }
            expectEqual(asked, count)
            bench.advance(.seconds(1))
        }
        expectEqual(bench.closed[socket], 1_000)
        bench.advance(.seconds(2))
        expectEqual(bench.connections, 2)
    }

    @Test("CC-24 A 403 on the first CreateParticipantConnection fails connect, and ends nothing")
    func refused() {
        var bench = ChatBench()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        bench.refuse(403, "AccessDeniedException")
        expectEqual(
            bench.answers(call), [.failure(.service(.init(type: "AccessDeniedException", status: 403)))])
        #expect(bench.count(.chatEnded) == 0 && !bench.core.isActive && bench.core.nextDeadline == nil)
    }

    @Test("CC-25 Two bad answers are tried again, with pauses; Retry-After wins up to 10 s; the third ends")
    func retries() {
        var generator = SeededGenerator(seed: 1)
        var plan = RetryPlan()
        let busy = ConnectChatError.service(.init(type: "ThrottlingException", status: 429, retryAfter: 60))
        expectEqual(plan.pause(after: busy, &generator), .seconds(10))
        let pause = plan.pause(after: .network("gone"), &generator)
        expectEqual(pause.map { $0 >= .milliseconds(800) && $0 <= .milliseconds(1_200) }, true)
        expectEqual(plan.pause(after: busy, &generator), nil)
        var other = RetryPlan()
        expectEqual(other.pause(after: .service(.init(type: "", status: 400)), &generator), nil)
    }

    @Test("CC-26 An answer without address or token is an unexpected one")
    func lacking() {
        let operation = ServiceOperation.createConnection(participantToken: "p")
        for body in [
            #"{"Websocket":{"Url":"ws://x"}}"#, #"{"ConnectionCredentials":{"ConnectionToken":"x"}}"#, "[]",
        ] {
            guard case .failed(.unexpectedAnswer) = operation.read(Array(body.utf8)) else {
                Issue.record("\(body)")
                continue
            }
        }
        var bench = ChatBench()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        bench.answer(.failed(.unexpectedAnswer("lacks")))
        expectEqual(bench.answers(call), [.failure(.unexpectedAnswer("lacks"))])
    }

    @Test("CC-27 Connect with the same token joins what is there, at any stage")
    func joins() {
        var bench = ChatBench()
        let first = bench.call()
        let second = bench.call()
        bench.give(.connect(ChatBench.details, first))
        bench.give(.connect(ChatBench.details, second))
        bench.credentials()
        bench.subscribe()
        let third = bench.call()
        bench.give(.connect(ChatBench.details, third))
        expectEqual([first, second, third].map(bench.answers), [[.success], [.success], [.success]])
        #expect(bench.dialled.count == 1 && bench.count(.connectionEstablished) == 1)
    }

    @Test("CC-28 Another token takes the chat's place: superseded, closed 1000, emptied, then the new chat")
    func supersedes() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "Old")])
        let socket = bench.core.link.live?.socket ?? 0
        bench.connect(ChatDetails(participantToken: "other"))
        #expect(bench.closed[socket] == 1_000 && bench.rows == [])
        #expect(bench.count(.connectionEstablished) == 1 && bench.core.isActive)

        var early = ChatBench()
        let call = early.call()
        early.give(.connect(ChatBench.details, call))
        early.give(.connect(ChatDetails(participantToken: "other"), early.call()))
        expectEqual(early.answers(call), [.failure(.superseded)])
    }

    @Test(
        "CC-28 Rows of a chat that could not be joined anew go when another takes its place, and its participant too"
    )
    func supersedesEnded() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "Old")])
        bench.hear(ChatBench.event("e", 2, "chat.ended"))
        let refused = bench.call()
        bench.give(.connect(ChatBench.details, refused))
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.answers(refused) != [] && bench.texts.contains("Old"), "the same chat keeps its rows")
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.texts.contains("Old"))
        bench.give(.connect(ChatDetails(participantToken: "other"), bench.call()))
        #expect(bench.rows == [] && bench.core.transcript.ownID == "")
    }

    @Test("The participant of a chat that was never joined is not that of the next")
    func neverJoined() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.core.transcript.ownID != "")
        bench.give(.connect(ChatDetails(participantToken: "other"), bench.call()))
        expectEqual(bench.core.transcript.ownID, "")
    }

    @Test(
        "CC-29 Reset or disconnect during connect: its completion gets reset, nothing is told",
        arguments: [true, false] as [Bool])
    func interrupted(isReset: Bool) {
        var bench = ChatBench()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        bench.credentials()
        let leaving = bench.call()
        bench.give(isReset ? .reset : .disconnect(leaving))
        expectEqual(bench.answers(call), [.failure(.reset)])
        if !isReset { expectEqual(bench.answers(leaving), [.success]) }
        bench.subscribe()
        #expect(bench.events == [.connecting] && bench.core.nextDeadline == nil)
    }

    @Test("CC-30 The first page and live items overlap without doubles")
    func overlap() {
        var bench = ChatBench()
        bench.connect()
        bench.hear(ChatBench.item("b", 2, "Two"))
        bench.hear(ChatBench.item("c", 3, "Three"))
        let page = [ChatBench.item("a", 1, "One"), ChatBench.item("b", 2, "Two")]
        bench.answer(.page(Page(initialContactID: "contact", items: page, nextToken: nil)))
        expectEqual(bench.texts, ["One", "Two", "Three"])
    }

    @Test("Live items that wait for the first page are shown without it once they are as many as may wait")
    func heldItems() {
        var bench = ChatBench()
        bench.connect()
        for number in 1..<ConnectLimits.heldItems {
            bench.hear(ChatBench.item("m\(number)", Double(number), "x"))
        }
        #expect(bench.rows.isEmpty)
        bench.hear(ChatBench.item("m0", 0, "x"))
        expectEqual(bench.rows.count, ConnectLimits.heldItems)
    }

    @Test("CC-31 A failed first page leaves the chat connected; the next reconnect fills the list")
    func failedPage() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(.failed(.network("gone")))
        #expect(bench.core.isActive && bench.core.link.live != nil)
        bench.reconnect()
        expectEqual(bench.pages, [PageRequest(), PageRequest()])
        bench.answer(
            .page(Page(initialContactID: "", items: [ChatBench.item("a", 1, "One")], nextToken: nil)))
        expectEqual(bench.texts, ["One"])
    }

    @Test("CC-32 An address that is older than 85 s is not dialled; a new one is asked for")
    func oldAddress() {
        var bench = ChatBench.active()
        bench.drop()
        bench.advance(.seconds(2))
        bench.now = bench.now + .seconds(86)
        bench.credentials()
        #expect(bench.dialled == [] && bench.connections == 2)
        bench.credentials()
        expectEqual(bench.dialled.count, 1)
    }

    @Test("CC-17 Active from the first subscription to the end, also without a connection")
    func activity() {
        var bench = ChatBench.active()
        bench.drop()
        #expect(bench.core.isActive)
        bench.give(.suspend)
        #expect(bench.core.isActive)
        bench.give(.resume)
        bench.refuse(403, "AccessDeniedException")
        #expect(!bench.core.isActive)
    }

    @Test("CC-8 A custom client that never answers is waited for 60 s; what it says later is ignored")
    func silentClient() {
        var bench = ChatBench.active()
        bench.core.settings.answersWithin = ConnectLimits.customAnswer
        let call = bench.call()
        bench.give(.address(attachmentID: "f", call))
        let number = bench.core.lastNumber
        for _ in 0..<6 {
            bench.frame(ReconnectingTests.pong)
            bench.frame(ReconnectingTests.beat)
            bench.advance(.seconds(10))
        }
        expectEqual(bench.answers(call), [.failure(.timedOut(seconds: 60))])
        bench.give(.answered(number, .address("http://late.test")))
        expectEqual(bench.answers(call).count, 1)
    }
}

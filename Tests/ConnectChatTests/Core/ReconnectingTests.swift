import Clocks
import Expectations
import Testing

@testable import ConnectChat
@testable import ConnectCore

@Suite("ConnectChat: heartbeats and reconnecting")
struct ReconnectingTests {
    static let pong = #"{"topic":"aws/ping","statusCode":200,"statusContent":"OK"}"#
    static let beat = #"{"topic":"aws/heartbeat"}"#

    @Test("CC-33 Ping and heartbeat leave 10 s after opening, then every 10 s; only their answers count")
    func heartbeats() {
        var bench = ChatBench.active()
        bench.advance(.seconds(9))
        expectEqual(bench.outputs, [])
        for round in 1...3 {
            bench.advance(.seconds(round == 1 ? 1 : 10))
            let sent = bench.outputs.compactMap {
                if case .transmit(_, let bytes) = $0 { bytes } else { nil }
            }
            #expect(
                sent.count == 2 * round && sent.suffix(2) == [WireFrame.pingFrame, WireFrame.heartbeatFrame])
            bench.frame(Self.pong)
            bench.frame(Self.beat)
        }
        bench.advance(.seconds(10))
        bench.hear(ChatBench.item("a", 1, "No answer"))
        bench.advance(.seconds(10))
        expectEqual(bench.count(.deepHeartbeatFailure), 1)
    }

    @Test("CC-34 An unanswered ping: deep failure, broken, new connection")
    func noPing() {
        var bench = ChatBench.active()
        bench.advance(.seconds(10))
        bench.frame(Self.beat)
        bench.advance(.seconds(10))
        expectEqual(bench.events, [.deepHeartbeatFailure, .connectionBroken, .connecting])
        #expect(bench.connections == 1 && bench.closed.values.first == 1_006)
    }

    @Test("CC-35 An unanswered heartbeat: broken and new connection, no deep failure")
    func noHeartbeat() {
        var bench = ChatBench.active()
        bench.advance(.seconds(10))
        bench.frame(Self.pong)
        bench.advance(.seconds(10))
        expectEqual(bench.events, [.connectionBroken, .connecting])
    }

    @Test("CC-36 A bad answer to a ping is told, and the connection kept; the second in a row ends it")
    func badPing() {
        var bench = ChatBench.active()
        let bad = #"{"topic":"aws/ping","statusCode":500,"statusContent":"no"}"#
        bench.advance(.seconds(10))
        bench.frame(bad)
        bench.frame(Self.beat)
        #expect(bench.events == [.deepHeartbeatFailure] && bench.core.link.live != nil)
        bench.advance(.seconds(10))
        bench.frame(bad)
        #expect(bench.count(.deepHeartbeatFailure) == 2 && bench.count(.connectionBroken) == 1)
    }

    @Test("CC-37 No heartbeat while connecting, suspended, in the background or after the end")
    func noTimers() {
        var bench = ChatBench()
        bench.connect()
        bench.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
        bench.give(.suspend)
        expectEqual(bench.core.nextDeadline, nil)
        bench.give(.resume)
        bench.credentials()
        bench.subscribe()
        bench.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
        bench.give(.front(false))
        expectEqual(bench.core.nextDeadline, nil)
        bench.give(.front(true))
        bench.credentials()
        bench.subscribe()
        bench.hear(ChatBench.event("e", 1, "chat.ended"))
        #expect(bench.core.nextDeadline == nil && !bench.core.isActive)
    }

    @Test("What comes on a new socket before its subscription is answered is shown")
    func earlyItem() {
        var bench = ChatBench.active()
        bench.drop()
        bench.advance(.seconds(2))
        bench.credentials()
        let socket = bench.dialled.last ?? 0
        bench.give(.opened(socket))
        bench.hear(ChatBench.item("a", 1, "Early"), on: socket)
        #expect(bench.texts == ["Early"] && bench.core.link.live == nil)
    }

    @Test("A first connection that the background ended is tried again in the foreground")
    func frontWhileConnecting() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.give(.front(false))
        #expect(bench.connections == 1 && bench.core.link.attempt == nil)
        bench.give(.front(true))
        expectEqual(bench.connections, 2)
    }

    @Test("A connection that lasted 10 s is made anew at once, a shorter one after a pause")
    func settled() {
        for isSettled in [true, false] {
            var bench = ChatBench.active()
            bench.advance(isSettled ? ConnectLimits.settled : ConnectLimits.settled - .milliseconds(1))
            bench.drop()
            expectEqual(bench.connections, isSettled ? 1 : 0)
            expectEqual(bench.core.link.pausesUntil == nil, isSettled)
        }
    }

    @Test("CC-38 CC-39 Any close while active leads to a reconnect, which asks for a connection first")
    func reconnects() {
        var bench = ChatBench.active()
        bench.advance(.seconds(5))
        bench.drop()
        bench.advance(.seconds(2))
        expectEqual(bench.operations, [.createConnection(participantToken: "secret-p")])
        bench.credentials()
        bench.give(.closed(bench.dialled.last ?? 0))
        bench.advance(.seconds(3))
        expectEqual(bench.connections, 2)
        bench.credentials()
        bench.subscribe()
        #expect(bench.count(.connectionBroken) == 1 && bench.count(.connectionReEstablished) == 1)
    }

    @Test(
        "CC-40 A server that accepts and closes at once is asked at most 8 times in the first minute",
        arguments: 1...20)
    func storm(seed: UInt64) {
        var bench = ChatBench.active(seed: seed)
        bench.advance(.seconds(12))
        let end = bench.now + .minutes(1)
        bench.drop()
        while bench.now < end {
            if case .requesting = bench.core.link.attempt {
                bench.credentials()
                bench.subscribe()
                bench.drop()
            }
            bench.advance(.milliseconds(100))
        }
        #expect(bench.connections <= 8 && bench.connections >= 4)
    }

    @Test("CC-41 Access denied: an item, inactive, ended once, no further attempt")
    func denied() {
        var bench = ChatBench.active()
        bench.drop()
        bench.advance(.seconds(2))
        bench.refuse(403, "AccessDeniedException")
        #expect(bench.ids == ["chat-ended-event"] && !bench.core.isActive)
        bench.advance(.minutes(5))
        #expect(bench.count(.chatEnded) == 1 && bench.connections == 1)
    }

    @Test(
        "CC-42 Another refusal: no further attempt until resume, foreground, network or connect",
        arguments: 0...3)
    func halted(way: Int) {
        var bench = ChatBench.active()
        bench.drop()
        bench.advance(.seconds(2))
        bench.refuse(way == 0 ? 403 : 400, way == 0 ? "ExpiredTokenException" : "ValidationException")
        bench.advance(.minutes(5))
        #expect(bench.connections == 1 && bench.core.isActive)
        switch way {
        case 0: bench.give(.resume)
        case 1:
            bench.give(.front(false))
            bench.give(.front(true))
        case 2:
            bench.give(.reachable(false))
            bench.give(.reachable(true))
        default: bench.give(.connect(ChatBench.details, bench.call()))
        }
        expectEqual(bench.connections, 2)
    }

    @Test("CC-43 429, 5xx and no answer lead to the next pause")
    func pauses() {
        var bench = ChatBench.active()
        bench.advance(.seconds(12))
        bench.drop()
        bench.refuse(429, "ThrottlingException")
        bench.advance(.seconds(2))
        bench.refuse(503, "")
        bench.advance(.seconds(3))
        bench.answer(.failed(.network("gone")))
        bench.advance(.seconds(5))
        expectEqual(bench.connections, 4)
        let attempts = bench.events.compactMap {
            if case .waiting(_, let attempt) = $0 { attempt } else { nil }
        }
        expectEqual(attempts, [1, 2, 3])
    }

    @Test("CC-44 Without a network no attempts; with one again, one at once, and the pauses start anew")
    func path() {
        var bench = ChatBench.active()
        bench.drop()
        for _ in 1...4 {
            if let pause = bench.core.link.pausesUntil { bench.advance(pause - bench.now) }
            bench.refuse(500, "InternalServerException")
        }
        expectEqual(
            bench.core.link.pausesUntil.map { $0 - bench.now > .seconds(6) }, true, "the pauses have grown")
        bench.give(.reachable(false))
        let before = bench.connections
        bench.advance(.minutes(3))
        #expect(bench.connections == before && bench.core.link.pausesUntil == nil)
        bench.give(.reachable(true))
        expectEqual(bench.connections, before + 1, "at once")
        bench.refuse(500, "InternalServerException")
        let pause = bench.core.link.pausesUntil.map { $0 - bench.now } ?? .hours(1)
        #expect(
            pause >= .milliseconds(800) && pause <= .milliseconds(1_200), "the first pause again: \(pause)")
    }

    @Test("CC-44 An attempt that the path's loss overtakes is not repeated before it is back")
    func pathDuringAttempt() {
        var bench = ChatBench.active()
        bench.drop()
        if let pause = bench.core.link.pausesUntil { bench.advance(pause - bench.now) }
        let before = bench.connections
        bench.give(.reachable(false))
        bench.refuse(500, "InternalServerException")
        bench.advance(.minutes(3))
        expectEqual(bench.connections, before)
        bench.give(.reachable(true))
        expectEqual(bench.connections, before + 1)
    }

    @Test("CC-45 CC-46 Broken, re-established, a catch-up from what the server keeps, one update")
    func order() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.give(.send(contentType: "text/plain", text: "Mine", bench.call()))
        bench.hear(ChatBench.event("t", 2, "typing"))
        bench.hear(ChatBench.event("i", 3, "participant.idle"))
        bench.drop()
        bench.advance(.seconds(2))
        bench.answer(.failed(.network("gone"))) {
            if case .request(_, .sendMessage, _) = $0 { true } else { false }
        }
        bench.credentials()
        bench.outputs.removeAll { if case .dial = $0 { false } else { true } }
        bench.subscribe()
        expectEqual(bench.events, [.connectionReEstablished])
        #expect(
            bench.pages.map(\.startID) == ["a"] && bench.pages[0].isForward
                && bench.pages[0].maxResults == 100)
        let before = bench.updates
        let missed = [ChatBench.item("a", 1, "One"), ChatBench.item("b", 4, "Two")]
        bench.answer(.page(Page(initialContactID: "", items: missed, nextToken: nil)))
        expectEqual(bench.updates, before + 1)
        expectEqual(bench.ids.filter { $0 == "b" }.count, 1)
    }

    @Test("CC-47 250 missed items: all there, in order, once, in three requests")
    func manyMissed() {
        var bench = ChatBench.active(items: [ChatBench.item("m0", 0, "0")])
        bench.reconnect()
        let all = (0...250).map { ChatBench.item("m\($0)", Double($0), "\($0)") }
        for start in [0, 100, 200] {
            let items = Array(all[start..<min(start + 100, 251)])
            bench.answer(
                .page(Page(initialContactID: "", items: items, nextToken: start == 200 ? nil : "t\(start)")))
        }
        expectEqual(bench.texts, (0...250).map(String.init))
        expectEqual(bench.pages.map(\.nextToken), [nil, "t0", "t100"])
    }

    @Test("CC-48 An empty answer for a known item: pages backwards until one overlaps, at most 10")
    func backwards() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        bench.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
        expectEqual(bench.pages.last?.isForward, false)
        bench.answer(
            .page(Page(initialContactID: "", items: [ChatBench.item("c", 3, "Three")], nextToken: "x")))
        let last = [ChatBench.item("a", 1, "One"), ChatBench.item("b", 2, "Two")]
        bench.answer(.page(Page(initialContactID: "", items: last, nextToken: "y")))
        #expect(bench.texts == ["One", "Two", "Three"] && bench.pages.count == 3)
    }

    @Test("CC-49 Live items during a catch-up come after it, and wait at most 5 s")
    func held() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        bench.hear(ChatBench.item("c", 3, "Three"))
        expectEqual(bench.texts, ["One"])
        bench.answer(
            .page(Page(initialContactID: "", items: [ChatBench.item("b", 2, "Two")], nextToken: nil)))
        expectEqual(bench.texts, ["One", "Two", "Three"])
        bench.reconnect()
        bench.hear(ChatBench.item("d", 4, "Four"))
        bench.advance(.seconds(5))
        expectEqual(bench.texts, ["One", "Two", "Three", "Four"])
    }

    @Test("CC-50 A failed catch-up is repeated from the same item; live items go on")
    func failedCatchUp() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        bench.reconnect()
        bench.answer(.failed(.network("gone")))
        bench.hear(ChatBench.item("z", 9, "Nine"))
        expectEqual(bench.texts, ["One", "Nine"])
        bench.reconnect()
        expectEqual(bench.pages.map(\.startID), ["a", "a"])
        bench.answer(
            .page(Page(initialContactID: "", items: [ChatBench.item("b", 2, "Two")], nextToken: nil)))
        expectEqual(bench.texts, ["One", "Two", "Nine"])
    }

    @Test("CC-51 A renewal subscribes a second socket, then closes the first with 1000; nothing is told")
    func renewal() {
        var bench = ChatBench.active()
        let first = bench.core.link.live?.socket ?? 0
        for _ in 0..<354 {
            bench.advance(.seconds(10))
            bench.frame(Self.pong, on: bench.core.link.live?.socket)
            bench.frame(Self.beat, on: bench.core.link.live?.socket)
        }
        #expect(bench.connections == 1 && bench.core.link.live?.socket == first)
        bench.credentials()
        bench.subscribe()
        #expect(bench.closed == [first: 1_000] && bench.events == [] && bench.pages == [])
        bench.hear(ChatBench.item("a", 1, "Still here"))
        expectEqual(bench.texts, ["Still here"])
    }

    @Test("CC-51 A receipt that comes on both sockets of a renewal is told once")
    func receiptTwice() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        for _ in 0..<2 { bench.hear(ChatBench.receipt("a")) }
        bench.hear(ChatBench.receipt("a", by: "another"))
        let told = bench.events.count { if case .readReceipt = $0 { true } else { false } }
        expectEqual(told, 2)
    }

    @Test("A chat that is suspended stays so, whatever comes back, until it is resumed")
    func suspendedThroughout() {
        var bench = ChatBench.active()
        bench.give(.suspend)
        for input: ChatCore.Input in [.reachable(false), .reachable(true), .front(false), .front(true)] {
            bench.give(input)
        }
        bench.advance(.minutes(5))
        #expect(bench.connections == 0 && bench.core.nextDeadline == nil)
        bench.give(.resume)
        expectEqual(bench.connections, 1)
    }

    @Test("A chat that is suspended while it connects dials nothing, and begins again when it is resumed")
    func suspendedEarly() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.give(.suspend)
        bench.credentials()
        #expect(bench.dialled == [] && bench.connections == 1)
        bench.give(.resume)
        expectEqual(bench.connections, 2)
        bench.credentials()
        bench.subscribe()
        #expect(bench.core.isActive)
    }

    @Test("A renewal that is refused for good is the last attempt, also when the connection is lost later")
    func refusedRenewal() {
        var bench = ChatBench()
        bench.give(.connect(ChatBench.details, bench.call()))
        bench.credentials(urlExpiry: .minutes(5))
        bench.subscribe()
        bench.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
        for _ in 0..<60 where bench.connections == 1 {
            bench.advance(.seconds(10))
            bench.frame(Self.pong)
            bench.frame(Self.beat)
        }
        bench.refuse(400, "ValidationException")
        bench.drop()
        bench.advance(.minutes(5))
        #expect(bench.connections == 2 && bench.count(.connectionBroken) == 1)
    }

    @Test(
        "A call to connect that meets a reconnect ends with it, or after 30 s",
        arguments: [false, true] as [Bool])
    func connectMeanwhile(isRefused: Bool) {
        var bench = ChatBench.active()
        bench.drop()
        let call = bench.call()
        bench.give(.connect(ChatBench.details, call))
        bench.advance(.milliseconds(29_999))
        expectEqual(bench.answers(call), [])
        if isRefused {
            bench.advance(.milliseconds(1))
            #expect(
                bench.answers(call).count == 1 && bench.core.isActive && bench.core.connectDeadline == nil)
        } else {
            bench.credentials()
            bench.subscribe()
            #expect(bench.answers(call) == [.success] && bench.count(.connectionReEstablished) == 1)
        }
    }

    @Test("CC-52 Never two attempts at once, whatever comes together")
    func oneAttempt() {
        var bench = ChatBench.active()
        bench.advance(.seconds(20))
        bench.drop()
        for input: ChatCore.Input in [
            .reachable(false), .reachable(true), .front(false), .front(true), .resume, .resume,
        ] {
            bench.give(input)
        }
        let asked = bench.connections
        expectEqual(bench.core.pending.values.filter { $0.purpose == .attempt }.count, 1)
        bench.advance(.minutes(1))
        expectEqual(bench.connections, asked)
    }

    @Test("CC-53 1,000 reconnects leave one socket, one set of timers and no waste")
    func thousand() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        for _ in 0..<1_000 {
            bench.reconnect()
            bench.answer(.page(Page(initialContactID: "", items: [], nextToken: nil)))
            bench.answer(
                .page(Page(initialContactID: "", items: [ChatBench.item("a", 1, "One")], nextToken: nil)))
            bench.outputs = []
            bench.advance(.seconds(1))
        }
        #expect(bench.core.pending.isEmpty && bench.core.refused.isEmpty && bench.rows.count == 1)
        #expect(bench.core.catchUp.items.isEmpty && bench.core.catchUp.held.isEmpty)
    }

    @Test("CC-119 Suspended: closed 1001, no attempts, nothing told; resumed: at once, and re-established")
    func suspended() {
        var bench = ChatBench.active(items: [ChatBench.item("a", 1, "One")])
        let socket = bench.core.link.live?.socket ?? 0
        bench.give(.suspend)
        bench.give(.suspend)
        bench.advance(.minutes(5))
        #expect(bench.closed == [socket: 1_001] && bench.connections == 0 && bench.events == [])
        bench.give(.resume)
        bench.credentials()
        bench.subscribe()
        #expect(bench.events == [.connecting, .connectionReEstablished] && bench.pages.count == 1)
        bench.outputs = []
        bench.give(.resume)
        expectEqual(bench.outputs, [])
    }

    @Test("CC-120 The background acts as suspended, the foreground as resumed unless the app suspended")
    func background() {
        var bench = ChatBench.active()
        bench.give(.front(false))
        expectEqual(bench.closed.values.first, 1_001)
        bench.give(.front(true))
        expectEqual(bench.connections, 1)
        bench.credentials()
        bench.subscribe()
        bench.give(.suspend)
        bench.give(.front(false))
        bench.give(.front(true))
        expectEqual(bench.connections, 1)
        bench.give(.resume)
        expectEqual(bench.connections, 2)
    }
}

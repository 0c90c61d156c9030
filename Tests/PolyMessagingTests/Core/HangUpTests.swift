import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing
import Texts

/// What an app brings about that closes the socket itself, by code: the escape hatch's `disconnect`.
@Suite("Hanging up by hand")
struct HangUpTests {
    @Test(
        "1006, 4002 and codes of the app's own come back to the session, with the cursor",
        arguments: [1006, 4002, 1001, 3001] as [Int])
    func reconnects(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.give(.rawDisconnect(code: code, reason: "by hand"))
        expectEqual(outputs.closes.map(\.code), [code])
        expectEqual(outputs.rawCloses.map(\.code), [code])
        expectEqual(outputs.rawCloses.map(\.wasClean), [code != 1006])
        expectEqual(outputs.statuses, [.reconnecting(attempt: 1)])
        bench.reconnect()
        #expect(bench.transcript.isReady && bench.dialled.count == 2)
        expectEqual(bench.outputs.queries.last?.contains("cursor=3"), true)
        expectEqual(bench.outputs.queries.last?.contains("session_id=s-1"), true)
        expectEqual(bench.requests.count, 2)
    }

    @Test(
        "4001 makes a new session, while open and while waiting for the next try",
        arguments: [true, false] as [Bool])
    func replaces(_ isOpen: Bool) {
        var bench = Bench()
        bench.startAndJoin()
        if !isOpen { bench.close(1006) }
        bench.give(.rawDisconnect(code: 4001, reason: ""))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        bench.open()
        expectEqual(bench.outputs.sessions, ["s-1", "s-2"])
        #expect(bench.transcript.isReady)
        expectEqual(bench.outputs.queries.last?.contains("cursor"), false)
    }

    @Test("4000 is an end that the app's return takes back", arguments: [true, false] as [Bool])
    func pauses(_ isResumed: Bool) {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.rawDisconnect(code: 4000, reason: ""))
        bench.advance(.minutes(5))
        expectEqual(bench.dialled.count, 1)
        bench.give(isResumed ? .resume(bench.call()) : .foregrounded)
        bench.open()
        #expect(bench.transcript.isReady && bench.outputs.sessions == ["s-1"])
    }

    @Test("What the app gives up itself was not refused: 4001 may come as often as it likes")
    func oftenReplaced() {
        var bench = Bench()
        bench.startAndOpen()
        for number in 2...(3 * MessagingLimits.maxRefusals) {
            bench.give(.rawDisconnect(code: 4001, reason: ""))
            bench.advance(.milliseconds(300))
            bench.answer()
            bench.answer(session: "s-\(number)")
            bench.open()
            #expect(bench.transcript.isReady && bench.outputs.sessions.last == "s-\(number)")
        }
        // The server's refusals count as before.
        var refusals = 0
        while !bench.transcript.connection.isFailed, refusals < 20 {
            refusals += 1
            bench.close(4001)
            bench.advance(.milliseconds(300))
            bench.answer()
            bench.answer()
            bench.open()
        }
        expectEqual(refusals, MessagingLimits.maxRefusals + 1)
    }

    @Test("A new session that cannot be had takes back no refusal of the server's")
    func failedReplacement() {
        var bench = Bench()
        bench.startAndOpen()
        for _ in 0..<MessagingLimits.maxRefusals {
            bench.close(4001)
            bench.advance(.milliseconds(300))
            bench.answer()
            bench.answer()
            bench.open()
        }
        bench.give(.rawDisconnect(code: 4001, reason: ""))
        bench.advance(.milliseconds(300))
        bench.reply(400)
        bench.advance(.seconds(2))
        bench.answer()
        bench.answer()
        bench.open()
        #expect(bench.transcript.isReady)
        bench.close(4001)
        #expect(bench.transcript.connection.isFailed)
    }

    @Test(
        "Codes that no Close frame may carry cut the connection and come back to the session",
        arguments: [1005, 1004, 1015, 5000, 999, 0, -1, 1_000_000] as [Int])
    func unsendable(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.give(.rawDisconnect(code: code, reason: "by hand"))
        expectEqual(outputs.closes.map(\.code), [1006])
        expectEqual(outputs.rawCloses.map(\.wasClean), [false])
        bench.reconnect()
        #expect(bench.transcript.isReady && bench.outputs.sessions == ["s-1"])
    }

    @Test(
        "A connection that ends without a Close frame of the server is not closed cleanly",
        arguments: [.network("gone"), .refused(status: 503, retryAfter: nil), .protocolViolation("odd")]
            as [TransportFault])
    func unclean(_ fault: TransportFault) {
        var bench = Bench()
        bench.startAndJoin()
        expectEqual(bench.fail(fault).rawCloses.map(\.wasClean), [false])
        bench.advance(.seconds(2))
        let late = bench.advance(.minutes(1)).rawCloses
        #expect(late.contains { $0.reason == "The connection took too long" })
        #expect(late.allSatisfy { !$0.wasClean })
    }

    @Test(
        "1000 while a session is being made holds: nothing dials until resume()",
        arguments: [true, false] as [Bool])
    func endsWhileMaking(_ isReplacement: Bool) {
        var bench = Bench()
        if isReplacement {
            bench.startAndJoin()
            bench.close(4001)
        } else {
            bench.give(.start(stored: nil))
        }
        let dialCount = bench.dialled.count
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-9")
        bench.advance(.minutes(5))
        bench.give(.networkRestored)
        bench.give(.foregrounded)
        #expect(bench.dialled.count == dialCount && bench.outputs.sessions.last == "s-9")
        expectEqual(
            bench.transcript.connection,
            .closed(ConnectionCloseEvent(code: 1000, reason: "", wasClean: true)))
        let call = bench.call()
        bench.give(.resume(call))
        bench.open()
        #expect(bench.transcript.isReady && bench.outputs.result(call) == .some(nil))
    }

    @Test(
        "resume() and a new session take the end back while the session is still being made",
        arguments: [true, false] as [Bool])
    func takenBack(_ isResumed: Bool) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        bench.give(isResumed ? .resume(bench.call()) : .startNewSession(bench.call()))
        expectEqual(bench.transcript.connection, .connecting)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer()
        bench.open()
        #expect(bench.transcript.isReady)
    }

    @Test("The end holds when the session cannot be made: the network's return begins nothing, resume() does")
    func endsWhileFailing() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        bench.reply(400)
        let count = bench.requests.count
        bench.give(.networkRestored)
        expectEqual(bench.requests.count, count)
        bench.give(.resume(bench.call()))
        bench.answer()
        bench.answer()
        bench.open()
        #expect(bench.transcript.isReady)
    }

    @Test("1000 is the end: nothing dials, a message waits and then fails; resume() comes back")
    func ends() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.rawDisconnect(code: 1000, reason: ""))
        expectEqual(bench.transcript.connection, .closing)
        bench.close(1000)
        bench.send("anybody there?")
        bench.advance(.minutes(5))
        expectEqual(bench.dialled.count, 1)
        expectEqual(bench.userBubbles.map(\.delivery), [.failed])
        bench.give(.resume(bench.call()))
        bench.open()
        #expect(bench.transcript.isReady && bench.outputs.sessions == ["s-1"])
    }

    @Test(
        "Hanging up twice, or while the client is waiting anyway, changes nothing",
        arguments: [1006, 4002] as [Int])
    func twice(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.rawDisconnect(code: code, reason: ""))
        let outputs = bench.give(.rawDisconnect(code: code, reason: ""))
        #expect(outputs.isEmpty)
        bench.close(code)
        expectEqual(bench.outputs.rawCloses.count, 1)
        bench.reconnect()
        #expect(bench.transcript.isReady)
    }

    @Test("No code brings a chat back that is over", arguments: [1000, 1006, 4001, 4002] as [Int])
    func over(_ code: Int) {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        bench.give(.rawDisconnect(code: code, reason: ""))
        bench.advance(.minutes(5))
        #expect(bench.dialled.count == 1 && bench.requests.count == 2)
        #expect(bench.transcript.hasEnded)
    }

    @Test("A dial under way is cut and made again")
    func whileDialling() {
        var bench = Bench()
        bench.start()
        bench.give(.rawDisconnect(code: 1006, reason: ""))
        bench.reconnect()
        #expect(bench.dialled.count == 2 && bench.transcript.isReady)
        expectEqual(bench.requests.count, 2)
    }
}

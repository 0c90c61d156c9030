import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

@Suite("Sending")
struct DeliveryTests {
    @Test("CHAT-115 A draft is pending first, then goes out with an id of its own")
    func pending() {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.send("Hi")
        expectEqual(outputs.pending.count, 1)
        expectEqual(outputs.pending.first?.isEmpty, false)
        expectEqual(outputs.sentMessages.first?.localID.isEmpty, false)
        #expect(outputs.pending.first != outputs.sentMessages.first?.localID)
        let pendingIndex = outputs.firstIndex {
            if case .notify(.event(.messagePending)) = $0 { true } else { false }
        }
        let sentIndex = outputs.firstIndex { if case .transmit = $0 { true } else { false } }
        #expect((pendingIndex ?? .max) < (sentIndex ?? .min))
    }

    /// protocol.md#empty-text
    @Test("CHAT-116 Blank text does nothing", arguments: ["", "  ", "\n\t"] as [String])
    func blank(_ text: String) {
        var bench = Bench()
        bench.startAndJoin()
        let outputs = bench.send(text)
        expectEqual(outputs.count, 1)
    }

    @Test("CHAT-117 The limit counts the frame, not the text; 0 does not limit")
    func tooLarge() throws {
        let text = String(repeating: "x", count: 50)
        var probe = Bench()
        probe.startAndJoin()
        let sent = probe.send(text)
        let frame = try #require(sent.frames.last)
        for (limit, fits) in [(frame.count, true), (frame.count - 1, false), (0, true)] {
            var bench = Bench()
            bench.startAndOpen()
            let capabilities = WireCapabilities(maxMessageSizeBytes: limit)
            bench.batch([
                bench.journaled(.sessionStart(capabilities, contextID: nil)),
                bench.journaled(.agentJoined(name: nil, avatarURL: nil)),
            ])
            let outputs = bench.send(text)
            expectEqual(outputs.sentMessages.count, fits ? 1 : 0)
        }
    }

    @Test("CHAT-117 A draft that turns out too large once the limit is known fails")
    func tooLargeLater() {
        var bench = Bench()
        bench.startAndOpen()
        bench.send(String(repeating: "x", count: 200))
        let capabilities = WireCapabilities(maxMessageSizeBytes: 150)
        bench.batch([bench.journaled(.sessionStart(capabilities, contextID: nil))])
        #expect(bench.outputs.sentMessages.isEmpty)
        expectEqual(bench.outputs.failed, bench.outputs.pending)
    }

    @Test("CHAT-117 A draft that waits for the first connection leaves when the server sets no limit")
    func unlimitedLater() {
        var bench = Bench()
        bench.startAndOpen()
        bench.send(String(repeating: "x", count: 200))
        let capabilities = WireCapabilities(maxMessageSizeBytes: 0)
        bench.batch([
            bench.journaled(.sessionStart(capabilities, contextID: nil)),
            bench.journaled(.agentJoined(name: nil, avatarURL: nil)),
        ])
        expectEqual(bench.outputs.sentMessages.count, 1)
        #expect(bench.outputs.failed.isEmpty)
    }

    @Test("CHAT-118 An echo by text confirms the draft with the server's id")
    func echoByText() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.receive(bench.echo(withID: false))
        let confirmed = bench.outputs.events.last
        expectEqual(confirmed, .messageConfirmed(draftId: bench.outputs.pending[0], messageId: "m-4"))
    }

    @Test("CHAT-119 An echo of nothing we sent is a user message", arguments: [true, false] as [Bool])
    func foreignEcho(_ hasID: Bool) {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        let custom = hasID ? ["local_id": "of another device"] : nil
        let text = hasID ? "Hi" : "Something else"
        let outputs = bench.receive(bench.journaled(.userMessage(messageID: "m", text: text), custom: custom))
        #expect(outputs.confirmed.isEmpty)
        guard case .userMessage? = outputs.events.last else {
            Issue.record("\(outputs.events)")
            return
        }
    }

    @Test("CHAT-119 Text alone does not confirm what was never sent")
    func unsentDraft() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        bench.send("Hi")
        bench.advance(.seconds(2))
        bench.open()
        bench.batch([bench.journaled(.userMessage(messageID: "m", text: "Hi"))])
        #expect(bench.outputs.confirmed.isEmpty)
        expectEqual(bench.outputs.sentMessages.count, 1)
    }

    @Test("CHAT-127 A second copy goes out only after a new open connection and its replay")
    func retryAfterOpen() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.close(1006)
        bench.advance(.seconds(2))
        expectEqual(bench.sentMessages.count, 1)
        bench.open()
        bench.batch([])
        let early = bench.advance(.milliseconds(499))
        let due = bench.advance(.milliseconds(1))
        #expect(early.sentMessages.isEmpty)
        expectEqual(due.sentMessages.count, 1)
        let ids = Set(bench.sentMessages.map(\.localID))
        expectEqual(ids.count, 1)
    }

    @Test("CHAT-127 Without a batch the first frame alone is the replay: the copy goes out 500 ms later")
    func retryAfterFrame() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.close(1006)
        bench.reconnect()
        bench.receive(bench.transient(.systemMessage(.info, message: "Here")))
        let early = bench.advance(.milliseconds(499))
        let due = bench.advance(.milliseconds(1))
        #expect(early.sentMessages.isEmpty && due.sentMessages.count == 1)
    }

    @Test("CHAT-127 While events before a frame are missing, the echo may be among them: no second copy")
    func echoInHole() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        let echo = bench.echo()
        bench.close(1006)
        bench.reconnect()
        // The history is lost.
        bench.receive(bench.message("Hello", id: "1"))
        bench.advance(MessagingLimits.holeWait - .milliseconds(1))
        expectEqual(bench.sentMessages.count, 1)
        bench.advance(.seconds(2))
        bench.reconnect()
        bench.batch([echo])
        bench.advance(.seconds(20))
        #expect(bench.sentMessages.count == 1 && bench.outputs.confirmed.count == 1)
    }

    @Test(
        "CHAT-127 An echo in the replay, or in its next part, makes a second copy needless",
        arguments: [1, 2] as [Int])
    func echoInReplay(_ part: Int) {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.close(1006)
        bench.reconnect()
        if part == 2 { bench.batch([bench.journaled(.joinRequest)]) }
        bench.advance(.milliseconds(400))
        bench.batch([bench.echo()])
        bench.advance(.seconds(20))
        expectEqual(bench.sentMessages.count, 1)
        expectEqual(bench.outputs.confirmed.count, 1)
        #expect(bench.outputs.failed.isEmpty)
    }

    @Test("CHAT-127 A server that replays nothing gets the copy after 3 s")
    func noReplay() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.close(1006)
        bench.reconnect()
        let early = bench.advance(.milliseconds(2_900))
        let due = bench.advance(.milliseconds(100))
        #expect(early.sentMessages.isEmpty && due.sentMessages.count <= 1)
        expectEqual(bench.sentMessages.count, 2)
    }

    @Test(
        "CHAT-128, CHAT-130 Equal drafts are confirmed in order by echoes without ids",
        arguments: [2, 3] as [Int])
    func equalDrafts(_ count: Int) {
        var bench = Bench()
        bench.startAndJoin()
        for _ in 1...count { bench.send("same") }
        for _ in 1...count { bench.receive(bench.echo(withID: false)) }
        expectEqual(bench.outputs.confirmed, bench.outputs.pending)
        expectEqual(bench.userBubbles.map(\.delivery), Array(repeating: .sent, count: count))
    }

    @Test("CHAT-129 Of drafts with different texts each is confirmed once")
    func interleaved() {
        var bench = Bench()
        bench.startAndJoin()
        for text in ["a", "b", "a", "c"] { bench.send(text) }
        for text in ["b", "a", "c", "a"] {
            bench.receive(bench.journaled(.userMessage(messageID: "m-\(text)", text: text)))
        }
        expectEqual(Set(bench.outputs.confirmed), Set(bench.outputs.pending))
        expectEqual(bench.outputs.confirmed.count, 4)
    }

    @Test("CHAT-130 Echoes with ids pair in any order")
    func reversedEchoes() {
        var bench = Bench()
        bench.startAndJoin()
        for _ in 1...3 { bench.send("same") }
        let sent = bench.sentMessages
        for message in sent.reversed() {
            bench.receive(
                bench.journaled(
                    .userMessage(messageID: "m", text: "same"), custom: ["local_id": message.localID]))
        }
        expectEqual(bench.outputs.confirmed, bench.outputs.pending.reversed())
    }

    @Test("CHAT-138 A draft nobody echoes fails once, and is sent once for each of four connections")
    func neverEchoed() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        for _ in 1...6 {
            bench.close(1006)
            bench.reconnect()
            bench.batch([])
            bench.advance(MessagingLimits.goodConnection)
        }
        bench.advance(.minutes(3))
        expectEqual(bench.sentMessages.count, 4)
        expectEqual(bench.outputs.failed, bench.outputs.pending)
        #expect(bench.outputs.confirmed.isEmpty)
    }

    @Test("CHAT-145 A slow echo on a healthy socket is no reason for a second copy; 12 s without one fail")
    func slowEcho() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        let early = bench.advance(.milliseconds(11_999))
        #expect(early.failed.isEmpty && early.sentMessages.isEmpty)
        let due = bench.advance(.milliseconds(1))
        expectEqual(due.failed.count, 1)
        expectEqual(bench.sentMessages.count, 1)
        // The echo that comes after all corrects the bubble.
        bench.receive(bench.echo())
        expectEqual(bench.userBubbles.map(\.delivery), [.sent])
    }

    /// protocol.md#resends
    @Test("CHAT-145 With copies on an open connection asked for, they go out at 3, 6 and 9 s")
    func resendsWhenAsked() {
        var bench = Bench { $0.resendsOnOpenConnection = true }
        bench.startAndJoin()
        bench.send("Hi")
        var counts: [Int] = []
        for _ in 1...4 {
            bench.advance(.seconds(3))
            counts.append(bench.sentMessages.count)
        }
        expectEqual(counts, [2, 3, 4, 4])
        expectEqual(bench.outputs.failed.count, 1)
    }

    @Test("CHAT-146 A draft written offline is sent when there is a connection")
    func offlineDraft() {
        var bench = Bench()
        bench.startAndJoin()
        bench.fail()
        bench.send("one")
        bench.send("two")
        bench.advance(.seconds(10))
        bench.open()
        bench.batch([])
        expectEqual(bench.sentMessages.map(\.text), ["one", "two"])
    }

    @Test(
        "CHAT-146 A draft written offline fails after 120 s, when reconnecting fails, and when nobody tries")
    func offlineDraftFails() {
        var waiting = Bench { $0.reconnectAttempts = 0 }
        waiting.startAndJoin()
        waiting.close(1006)
        waiting.send("Hi")
        for _ in 1...40 {
            waiting.advance(.seconds(3))
            if waiting.core.openSince == nil { waiting.fail() }
        }
        expectEqual(waiting.outputs.failed.count, 1)
        var limited = Bench { $0.reconnectAttempts = 1 }
        limited.startAndJoin()
        limited.close(1006)
        limited.send("Hi")
        limited.advance(.seconds(2))
        limited.fail()
        expectEqual(limited.outputs.failed.count, 1)
        var idle = Bench()
        idle.startAndJoin()
        idle.close(4000)
        idle.send("Hi")
        idle.advance(.seconds(12))
        expectEqual(idle.outputs.failed.count, 1)
    }

    @Test("CHAT-146 After the connection has failed a draft fails at once, and the call says so")
    func failedConnection() {
        var bench = Bench.failed()
        let call = bench.call()
        let outputs = bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(outputs.result(call), .message(.deliveryFailed(draftId: outputs.pending[0])))
        expectEqual(outputs.failed, outputs.pending)
    }

    @Test("CHAT-146 What failed at once can be said again, with its metadata and as a new draft")
    func retryOfRefused() {
        var bench = Bench.failed()
        bench.give(.send(text: "Hi", metadata: ["screen": "home"], bench.call()))
        let failed = bench.outputs.failed
        bench.give(.resume(bench.call()))
        bench.open()
        bench.batch([])
        let outputs = bench.give(.retry(draftID: failed[0], bench.call()))
        expectEqual(outputs.first, .draftRemoved(failed[0]))
        #expect(outputs.pending.count == 1 && outputs.pending != failed)
        expectEqual(outputs.sent.map(\.content), [.message(text: "Hi")])
        guard
            case .transmit(_, let frame)? = outputs.first(where: {
                if case .transmit = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was sent")
            return
        }
        #expect(String(decoding: frame, as: UTF8.self).contains(#""screen":"home""#))
        let again = bench.call()
        expectEqual(
            bench.give(.retry(draftID: failed[0], again)).result(again),
            .message(.deliveryFailed(draftId: failed[0])))
    }

    @Test("CHAT-146 Drafts wait for the start, and for the join")
    func draftBeforeStart() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        let call = bench.call()
        let outputs = bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(outputs.pending.count, 1)
        expectEqual(outputs.result(call), nil)
        bench.answer()
        bench.answer()
        expectEqual(bench.outputs.result(call), .some(nil))
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        expectEqual(bench.outputs.sent.map(\.content), [.join(greeting: nil), .message(text: "Hi")])
        expectEqual(bench.userBubbles.count, 1)
    }

    @Test("CHAT-146 A removed draft has no more copies and no more news")
    func removed() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("Hi")
        bench.give(.removeDraft(bench.outputs.pending[0]))
        bench.close(1006)
        bench.reconnect()
        bench.batch([])
        bench.advance(.minutes(3))
        expectEqual(bench.sentMessages.count, 1)
        #expect(bench.outputs.failed.isEmpty)
    }

    @Test("CHAT-146 After a close with 1009 the message that was too large is not sent again")
    func closedAsTooLarge() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("big")
        bench.close(1009)
        bench.reconnect()
        bench.batch([])
        bench.advance(.seconds(5))
        expectEqual(bench.sentMessages.count, 1)
        expectEqual(bench.outputs.failed.count, 1)
    }

    @Test("CHAT-146 A draft that never left goes out in the session that replaces a refused one")
    func replacedSession() {
        var bench = Bench()
        bench.start()
        bench.send("Hi")
        bench.close(1006)
        bench.advance(.milliseconds(300))
        bench.answer()
        bench.answer(session: "s-2")
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        expectEqual(bench.sentMessages.map(\.text), ["Hi"])
        expectEqual(bench.userBubbles.map(\.delivery), [.pending])
    }

    @Test("CHAT-146 Pending drafts are bounded, and so is the memory of failed ones")
    func bounds() {
        var bench = Bench()
        bench.startAndJoin()
        for index in 1...(MessagingLimits.maxPendingDrafts + 1) { bench.send("\(index)") }
        expectEqual(bench.outputs.failed.count, 1)
        expectEqual(bench.sentMessages.count, MessagingLimits.maxPendingDrafts)
        var delivery = DeliveryCore()
        let now = Instant(secondsSince1970: 0)
        for index in 0..<(3 * MessagingLimits.maxFailedDrafts) {
            let draft = DeliveryCore.Draft(id: "\(index)", localID: "\(index)", text: "", frame: [])
            _ = delivery.add(draft, at: now)
            if index % 50 == 49 { _ = delivery.giveUp() }
        }
        expectEqual(delivery.failedCount, MessagingLimits.maxFailedDrafts)
        expectEqual(delivery.pendingCount, 0)
    }

    @Test("CHAT-146 The end fails what never left, and waits for the echo of what did")
    func end() {
        var bench = Bench()
        bench.startAndJoin()
        bench.send("out")
        bench.give(.end(reason: "user_ended", bench.call()))
        #expect(bench.outputs.failed.isEmpty)
        bench.receive(bench.echo())
        expectEqual(bench.outputs.confirmed.count, 1)
        bench.advance(.seconds(2))
        #expect(bench.outputs.failed.isEmpty)
    }
}

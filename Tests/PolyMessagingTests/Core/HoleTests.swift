import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import TestSupport
import Testing

/// Events after a hole in the sequence, and events that cannot be used.
@Suite("Nothing that was received is lost")
struct HoleTests {
    /// The news that follows on a message after a hole.
    enum Aftermath: String, CaseIterable, Sendable {
        case silence, unavailable, networkFault, noSuchSession, refusedToken, otherSession, cleanClose,
            replaced
        case sessionEnd, networkLost, expiry, endByUser, newSession, shutdown, hangUp, giveUp, lateReplay
        case anotherHole, heartbeats, unusable
    }

    private func play(_ aftermath: Aftermath, _ bench: inout Bench, missing: Bench.ServerEvent) {
        switch aftermath {
        case .silence:
            bench.advance(.seconds(4))
            bench.open()
            bench.advance(MessagingLimits.replayWait)
        case .unavailable, .networkFault:
            bench.advance(.seconds(2))
            for _ in 0..<3 {
                bench.advance(.seconds(10))
                bench.fail(
                    aftermath == .unavailable ? .refused(status: 503, retryAfter: nil) : .network("gone"))
            }
        case .noSuchSession, .refusedToken:
            bench.close(1006)
            bench.advance(.seconds(1.3))
            bench.fail(.refused(status: aftermath == .noSuchSession ? 404 : 401, retryAfter: nil))
            remake(&bench)
        case .otherSession:
            bench.advance(.milliseconds(500))
            bench.close(4001)
            remake(&bench)
        case .cleanClose: bench.close(1000)
        case .replaced:
            bench.close(4000)
            bench.advance(.seconds(2))
        case .sessionEnd:
            bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
            bench.advance(.seconds(2) + MessagingLimits.replayHold)
        case .networkLost:
            bench.give(.networkLost)
            bench.advance(MessagingLimits.replayHold)
        case .expiry: bench.advance(.minutes(11))
        case .endByUser: bench.give(.end(reason: nil, bench.call()))
        case .newSession: bench.give(.startNewSession(bench.call()))
        case .shutdown: bench.give(.shutdown)
        case .hangUp:
            bench.give(.rawDisconnect(code: 1000, reason: ""))
            bench.advance(.seconds(2))
        case .giveUp:
            for _ in 0..<12 {
                bench.close(1006)
                bench.advance(.seconds(40))
                bench.open()
            }
        case .lateReplay:
            bench.close(1006)
            bench.advance(.seconds(30))
            bench.open()
            bench.batch([missing])
        case .anotherHole:
            _ = bench.journaled(.agentThinking)
            bench.receive(bench.message("later", id: "3"))
            bench.advance(.seconds(4))
            bench.open()
            bench.advance(MessagingLimits.replayWait)
        case .heartbeats:
            for _ in 0..<18 {
                bench.receive(bench.transient(.heartbeat))
                bench.advance(.seconds(1))
            }
        case .unusable:
            bench.receiveText(Array(#"{"type":7,"sequence":\#(bench.sequence + 2)}"#.utf8))
            bench.advance(.seconds(2) + MessagingLimits.replayHold)
        }
    }

    private func remake(_ bench: inout Bench) {
        bench.advance(.seconds(1))
        bench.answer(session: "s-2")
        bench.answer(session: "s-2")
    }

    @Test("A message after a hole is shown once, whatever comes next", arguments: Aftermath.allCases)
    func aftermath(_ aftermath: Aftermath) {
        var bench = Bench()
        bench.startAndJoin()
        let missing = bench.message("missing", id: "1")
        let held = bench.message("behind", id: "2")
        bench.receive(held)
        #expect(bench.outputs.agentMessages.isEmpty)
        play(aftermath, &bench, missing: missing)
        let texts = bench.outputs.agentMessages.map(\.text)
        expectEqual(texts.filter { $0 == "behind" }.count, 1, "\(texts)")
        if let place = bench.outputs.firstIndex(where: { $0.isSession("s-2") }) {
            #expect(bench.outputs[..<place].contains { $0.isReply("behind") }, "told of another session")
        }
        if aftermath == .sessionEnd { expectEqual(bench.outputs.ends, ["REASON_NATURAL_END"]) }
        if aftermath == .lateReplay { expectEqual(texts, ["behind", "missing"]) }
        if aftermath == .anotherHole { expectEqual(texts, ["behind", "later"]) }
        guard ![.noSuchSession, .refusedToken, .otherSession, .newSession].contains(aftermath) else { return }
        bench.close(1006)
        bench.advance(.seconds(40))
        bench.open()
        bench.batch([held])
        expectEqual(bench.outputs.agentMessages.filter { $0.text == "behind" }.count, 1, "told again")
    }

    @Test("A half streamed reply is shown before its session is replaced")
    func replacedInTheMiddle() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.chunk("half a re", 1))
        bench.close(4001)
        expectEqual(bench.outputs.agentMessages.map(\.text), ["half a re"])
    }

    @Test(
        "A late chunk completes the reply in its row, shown before without it",
        arguments: [false, true] as [Bool])
    func lateChunk(isProgressive: Bool) {
        var bench = Bench(progressive: isProgressive)
        bench.startAndJoin()
        let late = [bench.chunk("Hello ", 1), bench.chunk("and ", 2)]
        let rest = [
            bench.chunk("welcome ", 3), bench.chunk("here", 4, last: true), bench.message("next", id: "n"),
        ]
        for event in rest { bench.receive(event) }
        bench.close(1006)
        bench.advance(.seconds(20))
        expectEqual(bench.texts, ["welcome here", "next"])
        bench.open()
        bench.batch(late + rest)
        expectEqual(
            bench.texts, ["Hello and welcome here", "next"])
    }

    /// One event that no client can use, for each reason.
    static let unusableEvents: [String] = [
        #""id":"x","type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{"text":"bad"}"#,
        #""timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{"text":"bad"}"#,
        #""id":"x","timestamp":"t","type":7"#, #""id":"x","timestamp":"t""#,
        #""id":7,"timestamp":8,"type":"x""#,
        #""id":"x","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":"x""#,
        #""id":"x","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":null"#,
        #""id":"x","timestamp":"t","type":"EVENT_TYPE_UNKNOWN","payload":{"n":1e999}"#,
        #""id":"e-1","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{"text":"bad"}"#,
        #""id":"","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_THINKING""#,
        #""id":"x","timestamp":"\ud83d","type":"EVENT_TYPE_POLY_AGENT_THINKING\udc00""#,
        #""id":"x","timestamp":"t","type":"EVENT_TYPE_UNKNOWN","payload":\#(deep)"#,
        #""id":"x","timestamp":"t","type":"EVENT_TYPE_SESSION_START","payload":{"capabilities":[]}"#,
    ]
    private static let deep: String = String(repeating: "[", count: 90) + String(repeating: "]", count: 90)

    @Test("An unusable event costs itself alone: live, in a batch, behind a hole", arguments: unusableEvents)
    func unusable(_ members: String) {
        var bench = Bench()
        bench.startAndJoin()
        bench.sequence += 1
        bench.receiveText(Array(#"{"sequence":\#(bench.sequence),\#(members)}"#.utf8))
        bench.receive(bench.message("good", id: "1"))
        #expect(bench.texts == ["good"] && bench.outputs.closes.isEmpty)
        let element = #"{"sequence":\#(bench.sequence + 1),\#(members)}"#
        bench.sequence += 1
        let next =
            #"{"sequence":\#(bench.sequence + 1),"id":"n","timestamp":"t","type":"EVENT_TYPE_POLY_AGENT_MESSAGE""#
        bench.sequence += 1
        let batch =
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(element),5,\#(next),"payload":{"text":"two"}}]}}"#
        bench.receiveText(Array(batch.utf8))
        bench.receive(bench.message("three", id: "3"))
        #expect(bench.texts == ["good", "two", "three"] && bench.core.cursor == bench.sequence)
        bench.advance(.seconds(10))
        #expect(bench.outputs.closes.isEmpty)
    }

    @Test("An unusable echo is a receipt all the same: live, in a batch, also without a sequence")
    func unusableEchoes() throws {
        for (isInBatch, hasSequence) in [(false, true), (false, false), (true, true), (true, false)] {
            var bench = Bench()
            bench.startAndJoin()
            bench.send("Hi")
            bench.send("Still there?")
            let localID = try #require(bench.outputs.sentMessages.first?.localID)
            if hasSequence { bench.sequence += 1 }
            let place = hasSequence ? #""sequence":\#(bench.sequence),"# : ""
            let echo =
                #"{\#(place)"id":"u","type":"EVENT_TYPE_USER_MESSAGE","payload":{"message_id":"m-1"},"#
                + #""metadata":{"custom":{"local_id":"\#(localID)"}}}"#
            let batch = #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(echo)]}}"#
            bench.receiveText(Array((isInBatch ? batch : echo).utf8))
            let confirmed = bench.outputs.events.compactMap { event in
                if case .messageConfirmed(_, let messageID) = event { messageID } else { nil }
            }
            expectEqual(confirmed, ["m-1"])
            bench.advance(.seconds(15))
            let failedCount = bench.outputs.events.count {
                if case .messageFailed = $0 { true } else { false }
            }
            // The other one.
            expectEqual(failedCount, 1)
        }
    }

    @Test("Half a surrogate pair costs at most its own characters: in chunks, names, histories")
    func halves() {
        var bench = Bench()
        bench.startAndJoin()
        func event(_ type: String, _ payload: String) -> String {
            bench.sequence += 1
            return #"{"id":"h-\#(bench.sequence)","sequence":\#(bench.sequence),"timestamp":"t","#
                + #""type":"EVENT_TYPE_POLY_AGENT_\#(type)","payload":\#(payload)}"#
        }
        let frames = [
            event("MESSAGE_CHUNK", #"{"message_id":"m","chunk_index":1,"text":"Hi \ud83d"}"#),
            event(
                "MESSAGE_CHUNK",
                #"{"message_id":"m","chunk_index":2,"is_complete":true,"text":"\ude00 there"}"#),
            event("MESSAGE", #"{"text":"a","response_suggestions":[{"message_text":"Yes \udc4d"}]}"#),
            event("JOINED", #"{"agent_name":"\ud83dPoly"}"#),
        ]
        for frame in frames { bench.receiveText(Array(frame.utf8)) }
        let batch =
            #"{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[\#(event("MESSAGE", #"{"text":"\udc4db"}"#))]}}"#
        bench.receiveText(Array(("\u{FEFF}" + batch).utf8))
        let texts = bench.texts
        #expect(texts.count == 3 && texts[0].hasPrefix("Hi ") && texts[0].hasSuffix(" there"))
        #expect(texts.dropFirst() == ["a", "\u{FFFD}b"] && bench.outputs.closes.isEmpty)
        expectEqual(bench.agentBubbles[1].suggestions.map(\.messageText), ["Yes \u{FFFD}"])
    }

    @Test("A byte order mark before the answers that make a session costs nothing")
    func marks() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(200, "\u{FEFF}{\"access_token\":\"\(Bench.token)\",\"expires_in\":60}")
        bench.reply(200, "\u{FEFF}{\"session_id\":\"s\"}")
        expectEqual(bench.dialled.count, 1)
    }
}

extension ClientCore.Output {
    fileprivate func isSession(_ id: String) -> Bool { self == .notify(.sessionChanged(id)) }

    fileprivate func isReply(_ text: String) -> Bool {
        if case .notify(.event(.agentMessage(_, let payload))) = self { payload.text == text } else { false }
    }
}

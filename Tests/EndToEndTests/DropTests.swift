import Clocks
import Expectations
import Foundation
import MockKit
import MockServer
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("Lost connections", .timeLimit(.minutes(5)))
struct DropTests {
    static let talk = fixture(
        #"""
        { hears: "count", replies: [ { say: "one two three four five" } ] },
        { hears: "person", replies: [ { say: "One moment." }, { handoff: "team" } ] }
        """#,
        rest: #"""
            handoffs: { team: {
              queue: { name: "Support", positions: [2, 1], every: "2s", waitPerPlace: "30s" },
              liveAgent: { id: "p-7", name: "Robin" },
              opens: [ { think: "500ms" }, { say: "Hello, this is Robin." } ],
              otherwise: [ { replies: [ { say: "I see." } ] } ] } }
            """#, pace: #"{ think: "100ms", chunk: "1 word", every: "100ms" }"#)

    /// The whole talk: greeting, two replies, a handoff, a word with a person.
    private func play(_ stage: Stage, progressively: Bool) async throws -> ChatSession {
        let chat = try await stage.greetedChat(progressively: progressively)
        for (text, last) in [
            ("count", "one two three four five"), ("hello", "You said hello."),
            ("person", "Hello, this is Robin."), ("help", "I see."),
        ] {
            try await chat.send(text)
            try await stage.play("the answer to \(text)", chat) { chat in
                chat.lastAgentMessage?.text == last && chat.userMessages.allSatisfy { $0.delivery == .sent }
            }
        }
        try await stage.play("an open connection", chat) { $0.isReady }
        return chat
    }

    private static let said = ["count", "hello", "person", "help"]
    private static let shown = [
        "poly: Welcome.", "me: count", "poly: one two three four five", "me: hello", "poly: You said hello.",
        "me: person", "poly: One moment.", "* handoffStarted", "* handoffAccepted", "* queueStatus(",
        "* queueStatus(", "* liveAgentJoined(", "live: Hello, this is Robin.", "me: help", "live: I see.",
    ]

    private func check(_ chat: ChatSession, _ stage: Stage, _ when: String) async throws {
        let lines = chat.messages.lines
        let isComplete =
            lines.count == Self.shown.count && zip(lines, Self.shown).allSatisfy { $0.hasPrefix($1) }
        #expect(isComplete, "\(when): \(lines)")
        try await expectEqual(stage.heard(in: stage.sessionID(chat)), Self.said, "\(when)")
    }

    @Test(
        "A connection lost before each frame: nothing is lost, doubled or out of order",
        arguments: [true, false] as [Bool])
    func everyInboundFrame(progressively: Bool) async throws {
        // Every day every second frame.
        let step = Strength.of(2, full: 1)
        var count = try await Stage.run(fixture: Self.talk) { stage in
            let chat = try await play(stage, progressively: progressively)
            try await check(chat, stage, "without a loss")
            return stage.tap.receivedCount
        }
        #expect(count > 15)
        // The other half with the other way to show replies.
        if step > 1, progressively { count -= 1 }
        while count > 0 {
            let number = count
            try await Stage.run(fixture: Self.talk) { stage in
                stage.tap.cutInbound { $0 == number }
                let chat = try await play(stage, progressively: progressively)
                try await check(chat, stage, "without frame \(number)")
                expectEqual(stage.tap.dialled.count, 2, "frame \(number)")
            }
            count -= step
        }
    }

    @Test("A connection lost with each frame of ours: every message arrives exactly once")
    func everyOutboundFrame() async throws {
        var count = try await Stage.run(fixture: Self.talk) { stage in
            _ = try await play(stage, progressively: false)
            return stage.tap.sent.count
        }
        #expect(count >= 5)
        while count > 0 {
            let number = count
            try await Stage.run(fixture: Self.talk) { stage in
                stage.tap.cutOutbound { $0 == number }
                let chat = try await play(stage, progressively: false)
                try await check(chat, stage, "frame \(number) of ours lost")
            }
            count -= 1
        }
    }

    @Test("A connection lost after every second frame: the talk is whole in the end")
    func again() async throws {
        try await Stage.run(fixture: Self.talk) { stage in
            stage.tap.cutInbound { $0 % 3 == 0 }
            let chat = try await play(stage, progressively: true)
            try await check(chat, stage, "losses all the time")
            #expect(stage.tap.dialled.count > 5)
        }
    }

    @Test("UI-251, CONN-158 A drop heals: reconnecting, connecting, open; never closed, never failed")
    func heals() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let statuses = Gathering<ConnectionStatus>()
            let stream = chat.client.connectionStatus
            let following = Task { for await status in stream { statuses.append(status) } }
            stage.tap.cutAll()
            try await stage.play("the drop", chat) { !$0.isReady }
            expectEqual(chat.connection, .reconnecting(attempt: 1))
            try await stage.play("the recovery", chat) { $0.isReady }
            #expect(chat.messages.lines == ["poly: Welcome."] && chat.failureReason == nil)
            _ = try await statuses.wait(count: 4)
            expectEqual(statuses.all, [.open, .reconnecting(attempt: 1), .connecting, .open])
            let url = try #require(stage.tap.dialled.last)
            #expect(url.contains("cursor=4"))
            following.cancel()
        }
    }

    @Test("A message said while the connection is down leaves with the next one, once")
    func saidWhileDown() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            stage.tap.cutAll()
            try await stage.play("the drop", chat) { !$0.isReady }
            try await chat.send("later")
            expectEqual(chat.userMessages.map(\.delivery), [.pending])
            try await stage.play("the answer", chat) { $0.agentMessages.count == 2 }
            expectEqual(chat.messages.lines, ["poly: Welcome.", "me: later", "poly: You said later."])
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["later"])
        }
    }

    @Test("CHAT-145 A slow echo on a healthy connection does not cause a second copy")
    func slowEcho() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.replies.echoDelay = .seconds(10)
        } _: { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("slow")
            try await stage.play("the answer", chat) { $0.agentMessages.count == 2 }
            expectEqual(stage.tap.sent("USER_MESSAGE").count, 1)
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["slow"])
        }
    }

    @Test("A message that leaves no trace fails after its time, and a retry says it again as a new draft")
    func retry() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            stage.tap.loseOutbound { $0.contains("USER_MESSAGE") }
            try await chat.send("unheard", metadata: ["screen": "home"])
            let sent = stage.clock.now
            let pending = try #require(chat.userMessages.first?.draftId)
            await #expect(throws: PolyError.message(.deliveryFailed(draftId: pending))) {
                try await chat.retry(draftId: pending)
            }
            expectEqual(chat.userMessages.map(\.delivery), [.pending])
            try await stage.play("the failure", chat) { $0.userMessages.first?.delivery == .failed }
            expectEqual(stage.clock.now - sent, .seconds(12))
            let draft = try #require(chat.userMessages.first?.draftId)
            stage.tap.loseOutbound { _ in false }
            try await chat.retry(draftId: draft)
            expectEqual(chat.userMessages.map(\.text), ["unheard"])
            #expect(chat.userMessages.first?.draftId != draft)
            try await stage.play("the echo", chat) { $0.userMessages.last?.delivery == .sent }
            #expect(stage.tap.sent("USER_MESSAGE").allSatisfy { $0.contains(#""screen":"home""#) })
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["unheard"])
            await #expect(throws: PolyError.message(.deliveryFailed(draftId: draft))) {
                try await chat.retry(draftId: draft)
            }
        }
    }

    @Test("A retry that is refused leaves the failed row for another one")
    func refusedRetry() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            stage.tap.loseOutbound { $0.contains("USER_MESSAGE") }
            try await chat.send("unheard")
            try await stage.play("the failure", chat) { $0.userMessages.first?.delivery == .failed }
            try await stage.during { try await chat.end() }
            let draft = try #require(chat.userMessages.first?.draftId)
            for _ in 0..<2 {
                await #expect(throws: PolyError.session(.sessionEnded(reason: "user_ended"))) {
                    try await chat.retry(draftId: draft)
                }
            }
            expectEqual(chat.userMessages.map(\.delivery), [.failed])
        }
    }

    @Test("UI-242 A row that is taken away is sent no more, and late listeners do not see it")
    func removed() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            stage.tap.cutAll()
            try await stage.play("the drop", chat) { !$0.isReady }
            try await chat.send("never mind")
            chat.removeMessage(draftId: try #require(chat.userMessages.first?.draftId))
            #expect(chat.userMessages.isEmpty)
            try await stage.play("the recovery", chat) { $0.isReady }
            try await stage.pass(.seconds(5))
            #expect(try await stage.heard(in: stage.sessionID(chat)).isEmpty)
            expectEqual(chat.client.snapshot().messages.lines, ["poly: Welcome."])
        }
    }

    @Test("An echo that is lost on a healthy connection is asked for again")
    func lostEcho() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.replies.droppedEchoes = [1]
        } _: { stage in
            let chat = try await stage.greetedChat()
            try await chat.send("heard")
            try await stage.play("the echo", chat) { $0.userMessages.first?.delivery == .sent }
            try await stage.play("the answer", chat) { $0.agentMessages.count == 2 }
            expectEqual(chat.messages.lines, ["poly: Welcome.", "me: heard", "poly: You said heard."])
            #expect(stage.tap.sent("USER_MESSAGE").count == 1 && stage.tap.dialled.count == 2)
        }
    }
}

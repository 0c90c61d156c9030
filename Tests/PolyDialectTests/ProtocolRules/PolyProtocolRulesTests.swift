import Clocks
import DialectKit
import Expectations
import PolyDialect
import Testing

@Suite("Protocol rules of the Messaging API")
struct PolyProtocolRulesTests {
    /// protocol.md#cursor-ahead, protocol.md#server-fields, protocol.md#metadata-strings,
    /// protocol.md#join-once, protocol.md#typing-is-a-state, protocol.md#refusals-are-final,
    /// protocol.md#retry-after, protocol.md#local-id, protocol.md#user-ends-once,
    /// protocol.md#close-codes-of-clients, protocol.md#echo-is-receipt
    @Test(
        "A client that breaks a protocol rule once is told of that protocol rule alone, once",
        arguments: ProtocolRuleCase.all)
    func breaking(_ protocolRule: ProtocolRuleCase) {
        var watch = Watch()
        protocolRule.breaks(&watch)
        expectEqual(watch.protocolRules, [protocolRule.protocolRule])
    }

    /// protocol.md#retry-after-cap, protocol.md#resume-window
    @Test(
        "A client that comes as near to it as a correct one can is told nothing",
        arguments: ProtocolRuleCase.all)
    func keeping(_ protocolRule: ProtocolRuleCase) {
        var watch = Watch()
        protocolRule.keeps(&watch)
        expectEqual(watch.told, [])
        expectEqual(watch.rules.unreportedViolations, 0)
    }

    @Test("Each of at least 20 protocol rules has an id of its own, a title, a statement, advice and a case")
    func table() {
        #expect(PolyProtocolRules.every.count >= 20)
        let ids = PolyProtocolRules.every.map(\.id)
        expectEqual(Set(ids).count, ids.count)
        expectEqual(Set(ids), Set(ProtocolRuleCase.all.map(\.protocolRule)))
        for protocolRule in PolyProtocolRules.every {
            #expect(protocolRule.id.allSatisfy { $0.isLowercase || $0 == "-" }, "\(protocolRule.id)")
            #expect(
                !protocolRule.title.isEmpty && protocolRule.source.hasPrefix("protocol.md#"),
                "\(protocolRule.id)")
            #expect(protocolRule.advice.hasSuffix("."), "\(protocolRule.id)")
        }
    }

    @Test("A whole talk with a drop, a resume, a resend and an end breaks nothing")
    func wholeTalk() {
        var watch = Watch()
        watch.token(call: "1")
        watch.session(expiry: watch.now + .hours(24), call: "2")
        watch.connect(1)
        watch.join()
        watch.tell(.other, nil)
        watch.tell(.other, 4)
        watch.hear(.typing)
        watch.turn("A table, please", id: "a")
        watch.idle(4)
        watch.tell(.other, 6)
        watch.say("For two", id: "b")
        watch.drop(1, .fault(code: nil))
        watch.wait(.seconds(1))
        watch.connect(2, cursor: 6)
        watch.tell(.messageEcho(localID: "b"), 7, on: 2, isReplay: true)
        watch.idle(20, on: 2)
        watch.turn("Thank you", id: "c", on: 2)
        watch.drop(2, .server(code: 1001))
        watch.wait(.seconds(1))
        // Cold start of the app: no cursor, the whole history, no join.
        watch.connect(3)
        watch.tell(.joinEcho, 2, on: 3, isReplay: true)
        watch.tell(.agentJoined, 3, on: 3, isReplay: true)
        for id in ["a", "b", "c"] { watch.tell(.messageEcho(localID: id[...]), 8, on: 3, isReplay: true) }
        watch.turn("Bye", id: "d", on: 3)
        watch.hear(.end, on: 3)
        watch.tell(.endEcho, 10, on: 3)
        watch.end(on: 3)
        watch.drop(3, .client(code: 1000))
        watch.see(.forgotten(session: "s"))
        watch.session("t")
        watch.connect(4, session: "t")
        watch.wait(.seconds(60))
        expectEqual(watch.told, [])
    }

    @Test("A violation names the session, the connection, the message and the moment")
    func wording() throws {
        var watch = Watch()
        watch.begin()
        watch.wait(.milliseconds(1_500))
        watch.hear(.join)
        let violation = try #require(watch.told.first)
        #expect(violation.session == "s" && violation.connection == 1 && violation.event == 2)
        expectEqual(violation.at, watch.now)
        expectEqual(violation.protocolRule.title, "join once per session")
        expectEqual(violation.detail, "the agent had joined 1.5 s before")
    }

    @Test(
        "A violation shows the field and value that were sent, on one line of few characters",
        arguments: [
            (#"{"type":"EVENT_TYPE_HEARTBEAT","id":"abc"}"#, #"the message carried "id": "abc""#),
            (
                #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"txt":"Hi"}}"#,
                #"the payload of "USER_MESSAGE" is not what the type asks: {"txt":"Hi"}"#
            ),
            (
                #"{"type":"EVENT_TYPE_USER_MESSAGE"}"#,
                #"the payload of "USER_MESSAGE" is not what the type asks: no "payload""#
            ),
            (
                #"{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"a":"b","count":5}}}"#,
                #"metadata.custom held a value that is no string: "count": 5"#
            ), ("no JSON,\nnone", "the message could not be read: no JSON, none"),
            (
                "{" + String(repeating: "x", count: 500),
                "the message could not be read: {" + String(repeating: "x", count: 59) + "…"
            ),
        ])
    func sent(_ message: String, _ detail: String) {
        var watch = Watch()
        watch.begin()
        let bytes = Array(message.utf8)
        var place = 0
        let told = watch.rules.judge(
            Exchange().dialect.encoder.decode(text: bytes), bytes, of: "s", on: 1, at: watch.now,
            place: &place)
        expectEqual(told.map(\.detail), [detail])
    }

    /// protocol.md#join-once
    @Test("A join that was echoed is not repeated, though the agent is slow to come")
    func slowAgent() {
        var watch = Watch()
        watch.session()
        watch.connect(1)
        watch.hear(.join)
        watch.wait(.seconds(3))
        watch.hear(.join)
        expectEqual(watch.told, [])
        watch.tell(.joinEcho, 2)
        watch.wait(.seconds(10))
        watch.hear(.join)
        expectEqual(watch.protocolRules, ["join-once"])
        expectEqual(watch.told.first?.detail, "it had asked on this connection 10 s before")
    }

    /// protocol.md#heartbeat-interval
    @Test("Silence is told once, and again only after another heartbeat")
    func silence() {
        var watch = Watch()
        watch.begin()
        watch.wait(.seconds(1_000))
        expectEqual(watch.protocolRules, ["heartbeat-kept"])
        expectEqual(watch.rules.nextCheck, nil)
        watch.hear(.heartbeat)
        watch.wait(.seconds(1_000))
        expectEqual(watch.protocolRules, ["heartbeat-kept", "heartbeat-kept"])
        expectEqual(watch.told.first?.detail, "no heartbeat for 90 s, one is due every 30 s")
    }

    @Test("A check that comes late accuses nobody: heartbeats may be on their way")
    func jumpedClock() {
        var watch = Watch()
        watch.begin()
        watch.now = watch.now + .minutes(10)
        expectEqual(watch.rules.check(at: watch.now), [])
        watch.idle(5)
        expectEqual(watch.told, [])
    }

    /// protocol.md#zero-capabilities
    @Test("A heartbeat interval of 0 expects none and wants none")
    func heartbeatsOff() {
        var watch = Watch()
        watch.session()
        watch.connect(1, isStartTold: false)
        watch.tell(.sessionStart(heartbeat: .zero, maxMessageBytes: 0, maxReconnectAttempts: 0), 1)
        watch.wait(.seconds(600))
        #expect(watch.told == [] && watch.rules.nextCheck == nil)
        for _ in 1...6 { watch.hear(.heartbeat) }
        expectEqual(watch.protocolRules, ["heartbeat-rate"])
    }

    @Test("Sessions and connections that were not seen to begin are not judged")
    func strangers() {
        var watch = Watch()
        watch.connect(1, session: "unseen", cursor: 99)
        watch.hear(.binary, in: "unseen")
        watch.session()
        watch.hear(.binary, on: 7)
        watch.drop(7, .client(code: 1006))
        expectEqual(watch.told, [])
    }
}

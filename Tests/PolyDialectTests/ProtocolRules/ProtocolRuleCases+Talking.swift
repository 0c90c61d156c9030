import Clocks
import DialectKit
import PolyDialect

extension ProtocolRuleCase {
    static let joining: [ProtocolRuleCase] = [
        ProtocolRuleCase("join-once") { watch in
            watch.begin()
            watch.drop()
            watch.wait(.seconds(1))
            watch.connect(2, cursor: 3)
            watch.hear(.join, on: 2)
        } keeps: { watch in
            watch.begin()
            watch.drop()
            watch.wait(.seconds(1))
            watch.connect(2, cursor: 3)
            watch.turn("Hi", id: "a", on: 2)
        },
        ProtocolRuleCase("join-once") { watch in
            watch.begin()
            watch.hear(.join)
        } keeps: { watch in
            // Two clients of one session, and each joins before it hears of the other.
            watch.session()
            watch.connect(1)
            watch.connect(2)
            watch.hear(.join, on: 1)
            for connection in [1, 2] as [UInt64] { watch.tell(.agentJoined, 3, on: connection) }
            watch.hear(.join, on: 2)
        },
        ProtocolRuleCase("join-once") { watch in
            // The history had the agent's arrival.
            watch.begin()
            watch.drop()
            watch.connect(2)
            watch.tell(.agentJoined, 3, on: 2, isReplay: true)
            watch.hear(.join, on: 2)
        } keeps: { watch in
            // The first join was never answered, and then an error asks for another.
            watch.session()
            watch.connect(1)
            watch.hear(.join)
            watch.drop()
            watch.connect(2)
            watch.hear(.join, on: 2)
            watch.tell(.joinEcho, 2, on: 2)
            watch.tell(.joinInvitation, nil, on: 2)
            watch.hear(.join, on: 2)
            // The agent comes, goes, and is asked back.
            watch.tell(.agentJoined, 3, on: 2)
            watch.tell(.agentLeft, 4, on: 2)
            watch.wait(.seconds(5))
            watch.hear(.join, on: 2)
        },
        ProtocolRuleCase("join-first") { watch in
            watch.session()
            watch.connect(1)
            watch.wait(.seconds(1))
            watch.say("Hi")
        } keeps: { watch in
            watch.session()
            watch.connect(1)
            // Held back until the connection opened.
            watch.say("Hi")
            watch.wait(.seconds(1))
            watch.join()
            watch.say("Hi")
        },
        ProtocolRuleCase("join-loop") { watch in
            watch.session()
            watch.connect(1)
            for _ in 1...11 {
                watch.hear(.join)
                watch.tell(.joinInvitation, nil)
            }
        } keeps: { watch in
            watch.session()
            watch.connect(1)
            for _ in 1...20 {
                watch.hear(.join)
                watch.tell(.joinInvitation, nil)
                watch.wait(.seconds(1))
            }
        },
    ]

    static let talking: [ProtocolRuleCase] = [
        ProtocolRuleCase("allowed-types") { watch in
            watch.begin()
            watch.hear(.serverOnly(type: "EVENT_TYPE_POLY_AGENT_MESSAGE"))
        } keeps: { watch in
            watch.begin()
            for heard in [.typing, .heartbeat, .control, .rateLimited] as [HeardMessage] { watch.hear(heard) }
        },
        ProtocolRuleCase("known-types") { watch in
            watch.begin()
            watch.hear(.unknown(type: "event_type_user_message"))
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("readable-messages") { watch in
            watch.begin()
            watch.hear(.unreadable())
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("payload-shape") { watch in
            watch.begin()
            watch.hear(.badPayload(type: "EVENT_TYPE_USER_MESSAGE"))
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("server-fields") { watch in
            watch.begin()
            watch.hear(.serverField(name: "id"))
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("metadata-strings") { watch in
            watch.begin()
            watch.hear(.metadataNotStrings())
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("text-frames") { watch in
            watch.begin()
            watch.hear(.binary)
        } keeps: {
            $0.begin()
        },
        ProtocolRuleCase("message-size") { watch in
            watch.begin()
            watch.say("Long", bytes: 1_001)
        } keeps: { watch in
            // The limit was not announced yet, and then it is met.
            watch.session()
            watch.connect(1, isStartTold: false)
            watch.hear(.oversized(bytes: 5_000))
            watch.tell(.sessionStart(heartbeat: .zero, maxMessageBytes: 1_000, maxReconnectAttempts: 0), 1)
            watch.join()
            watch.say("Long", bytes: 1_000)
        },
        ProtocolRuleCase("message-not-empty") { watch in
            watch.begin()
            watch.say(" \n")
        } keeps: { watch in
            watch.begin()
            watch.say(" . ")
        },
        ProtocolRuleCase("echo-is-receipt") { watch in
            watch.begin()
            watch.turn("Hi", id: "a")
            watch.wait(.seconds(3))
            watch.say("Hi", id: "a")
        } keeps: { watch in
            watch.begin()
            // No echo, so it is sent again; then the echo and a further copy cross.
            watch.say("Hi", id: "a")
            watch.wait(.seconds(3))
            watch.say("Hi", id: "a")
            watch.wait(.seconds(3))
            watch.tell(.messageEcho(localID: "a"), 4)
            watch.say("Hi", id: "a")
            // The echo of this one went down with its connection.
            watch.turn("Ho", id: "b")
            watch.drop()
            watch.wait(.seconds(3))
            watch.connect(2, cursor: 4)
            watch.say("Ho", id: "b", on: 2)
        },
        ProtocolRuleCase("local-id-unique") { watch in
            watch.begin()
            watch.say("Hi", id: "a")
            watch.say("Ho", id: "a")
        } keeps: { watch in
            watch.begin()
            watch.say("Hi", id: "a")
            watch.say("Hi", id: "b")
            watch.say("Ho")
            watch.say("Hi")
        },
        ProtocolRuleCase("typing-rate") { watch in
            watch.begin()
            for _ in 1...201 { watch.hear(.typing) }
        } keeps: { watch in
            watch.begin()
            for _ in 1...1_500 {
                watch.wait(.milliseconds(50))
                watch.hear(.typing)
            }
        },
    ]

    static let staying: [ProtocolRuleCase] = [
        ProtocolRuleCase("heartbeat-kept") { watch in
            watch.begin()
            watch.idle(3)
            watch.wait(.seconds(600))
        } keeps: { watch in
            watch.begin()
            watch.wait(.seconds(89))
            watch.hear(.heartbeat)
            watch.idle(20)
            // A fault held its bytes back.
            watch.see(.stalled(session: "s", connection: 1, isStalled: true))
            watch.wait(.seconds(600))
            watch.see(.stalled(session: "s", connection: 1, isStalled: false))
            watch.idle(2)
            // Nothing is due without a connection, nor after the end.
            watch.drop()
            watch.wait(.seconds(200))
            watch.connect(2, cursor: 3)
            watch.end(on: 2)
            watch.wait(.seconds(200))
        },
        ProtocolRuleCase("heartbeat-rate") { watch in
            watch.begin()
            for _ in 1...6 { watch.hear(.heartbeat) }
        } keeps: { watch in
            watch.begin()
            watch.idle(10)
            // Held up on the way and delivered together.
            watch.wait(.seconds(85))
            for _ in 1...3 { watch.hear(.heartbeat) }
        },
        ProtocolRuleCase("end-once") { watch in
            watch.begin()
            watch.hear(.end)
            watch.tell(.endEcho, 4)
            watch.wait(.seconds(5))
            watch.hear(.end)
        } keeps: { watch in
            watch.begin()
            watch.connect(2)
            watch.hear(.end)
            watch.hear(.end, on: 2)
            // Never echoed, so it may have been lost.
            watch.wait(.seconds(3))
            watch.hear(.end)
        },
        ProtocolRuleCase("talk-after-end") { watch in
            watch.begin()
            watch.end()
            watch.wait(.seconds(1))
            watch.say("Hello?")
        } keeps: { watch in
            watch.begin()
            watch.end()
            // It crosses the end; and the heartbeat's timer stops with the connection.
            watch.wait(.milliseconds(900))
            watch.say("Hello?")
            watch.wait(.seconds(1))
            watch.hear(.heartbeat)
        },
        ProtocolRuleCase("talk-after-end") { watch in
            watch.begin()
            watch.hear(.end)
            watch.hear(.typing)
        } keeps: { watch in
            // A fault held the message back until the session was over.
            watch.begin()
            watch.see(.stalled(session: "s", connection: 1, isStalled: true))
            watch.end()
            watch.wait(.seconds(5))
            watch.see(.stalled(session: "s", connection: 1, isStalled: false))
            watch.say("Hello?")
        },
        ProtocolRuleCase("close-code") { watch in
            watch.begin()
            watch.drop(1, .client(code: 1006))
        } keeps: { watch in
            watch.session()
            for code in [1000, 1001, 3000, 4000, 4999] as [UInt16] {
                watch.connect(UInt64(code))
                watch.drop(UInt64(code), .client(code: code))
            }
            watch.connect(2)
            watch.drop(2, .client(code: nil))
            watch.connect(3)
            watch.drop(3, .fault(code: 1006))
        },
    ]
}

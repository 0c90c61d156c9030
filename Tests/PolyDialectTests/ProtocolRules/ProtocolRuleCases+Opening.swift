import Clocks
import DialectKit
import PolyDialect

extension ProtocolRuleCase {
    static let all = requests + connecting + joining + talking + staying

    /// Tokens and sessions.
    static let requests: [ProtocolRuleCase] = [
        ProtocolRuleCase("token-headers") {
            $0.token(401, origin: "")
        } keeps: {
            $0.token()
        },
        ProtocolRuleCase("token-retry-after") { watch in
            watch.token(429, retryAfter: .seconds(10), call: "a")
            watch.wait(.seconds(9))
            watch.token(call: "a")
        } keeps: { watch in
            watch.token(429, retryAfter: .seconds(10), call: "a")
            watch.token(call: "b", client: "another person of this connector")
            watch.wait(.seconds(10))
            watch.token(429, retryAfter: .seconds(3_600), call: "a")
            watch.wait(.seconds(30))
            watch.token(call: "a")
        },
        ProtocolRuleCase("refusal-is-final") { watch in
            watch.token(401, call: "a")
            watch.wait(.seconds(60))
            watch.token(401, call: "a")
        } keeps: { watch in
            watch.token(401, call: "a")
            watch.token(401, call: "b")
            watch.token(500, call: "c")
            watch.token(500, call: "c")
        },
        ProtocolRuleCase("session-retry-after") { watch in
            watch.session(status: 429, retryAfter: .seconds(5))
            watch.session()
        } keeps: { watch in
            watch.session(status: 429, retryAfter: .seconds(5))
            watch.session(subject: "bob")
            watch.wait(.seconds(5))
            watch.session()
        },
        ProtocolRuleCase("token-expired") { watch in
            watch.session(expiry: watch.now - .seconds(60))
        } keeps: { watch in
            watch.session(expiry: watch.now - .seconds(5))
            watch.handshake(expiry: watch.now + .seconds(1))
        },
        ProtocolRuleCase("resume-after-drop") { watch in
            watch.session(client: "phone")
            watch.connect(1)
            watch.drop()
            watch.wait(.seconds(1))
            watch.session("t", subject: "a new token", client: "phone")
        } keeps: { watch in
            // It tried, and was refused.
            watch.begin()
            watch.drop()
            watch.handshake(cursor: "3", status: 503)
            watch.session("t")
            // It was told that the session is no more (close code 4001).
            watch.connect(2, session: "t")
            watch.drop(2, .server(code: 4001), in: "t")
            watch.session("u")
            // It ended the session, and closed its connection itself.
            watch.connect(3, session: "u")
            watch.hear(.end, on: 3, in: "u")
            watch.drop(3, .lost, in: "u")
            watch.session("v")
            // Another person's session was lost meanwhile.
            watch.connect(4, session: "v")
            watch.drop(4, .fault(code: nil), in: "v")
            watch.session("w", subject: "bob")
            // Too long ago to be resumed.
            watch.wait(.seconds(600))
            watch.session("x")
        },
    ]

    /// Handshakes.
    static let connecting: [ProtocolRuleCase] = [
        ProtocolRuleCase("connect-parameters") { watch in
            watch.session()
            watch.handshake("", status: 400)
        } keeps: { watch in
            watch.session()
            watch.handshake("s", subject: "", status: 401)
        },
        ProtocolRuleCase("session-token") { watch in
            watch.session()
            watch.handshake(subject: "bob", status: 401)
        } keeps: { watch in
            watch.session()
            watch.handshake()
        },
        ProtocolRuleCase("cursor-number") { watch in
            watch.begin()
            watch.handshake(cursor: "-1")
        } keeps: { watch in
            watch.begin()
            for cursor in [nil, "", "0", "3", "seq:3"] {
                watch.wait(.seconds(1))
                watch.handshake(cursor: cursor)
            }
        },
        ProtocolRuleCase("cursor-ahead") { watch in
            watch.begin()
            watch.handshake(cursor: "4")
        } keeps: { watch in
            watch.begin()
            watch.handshake(cursor: "3")
        },
        ProtocolRuleCase("connect-retry-after") { watch in
            watch.begin()
            watch.drop()
            watch.handshake(cursor: "3", status: 429, retryAfter: .seconds(5))
            watch.wait(.seconds(4))
            watch.handshake(cursor: "3")
        } keeps: { watch in
            watch.begin()
            watch.drop()
            watch.handshake(cursor: "3", status: 429, retryAfter: .seconds(5))
            watch.handshake()
            watch.handshake(cursor: "3", status: 429, retryAfter: .seconds(5))
            watch.wait(.seconds(5))
            watch.handshake(cursor: "3")
        },
        ProtocolRuleCase("connect-after-end") { watch in
            watch.begin()
            watch.end()
            watch.drop(1, .client(code: 1000))
            watch.handshake(cursor: "4", status: 404)
        } keeps: { watch in
            // It was away when the session ended.
            watch.begin()
            watch.drop()
            watch.see(.ended(session: "s"))
            watch.see(.forgotten(session: "s"))
            watch.handshake(cursor: "3", status: 404)
        },
        ProtocolRuleCase("connect-after-end") { watch in
            watch.begin()
            watch.hear(.end)
            watch.drop(1, .client(code: 1000))
            watch.see(.ended(session: "s"))
            watch.handshake(cursor: "3", status: 404)
        } keeps: { watch in
            // Its connection was lost behind the end it sent, and another tab opens for the first time.
            watch.begin()
            watch.hear(.end)
            watch.drop()
            watch.see(.ended(session: "s"))
            watch.handshake(cursor: "3", status: 404)
            watch.handshake(status: 404)
        },
        ProtocolRuleCase("connection-limit") { watch in
            watch.session()
            for connection in 1...10 { watch.connect(UInt64(connection)) }
            watch.handshake(status: 429)
        } keeps: { watch in
            watch.session()
            for connection in 1...10 { watch.connect(UInt64(connection), isStartTold: false) }
            // Nothing was heard from them for so long that they may be dead.
            watch.wait(.seconds(91))
            watch.handshake(status: 429)
        },
        ProtocolRuleCase("reconnect-backoff") { watch in
            watch.begin()
            for connection in 2...6 {
                watch.drop(UInt64(connection) - 1)
                watch.connect(UInt64(connection), cursor: 3)
            }
        } keeps: { watch in
            watch.begin()
            for connection in 2...20 {
                watch.drop(UInt64(connection) - 1)
                watch.wait(.milliseconds(800))
                watch.connect(UInt64(connection), cursor: 3)
            }
        },
        ProtocolRuleCase("reconnect-budget") { watch in
            watch.begin()
            watch.drop()
            for _ in 1...7 {
                watch.wait(.seconds(4))
                watch.handshake(cursor: "3", status: 503)
            }
        } keeps: { watch in
            watch.begin()
            watch.drop()
            for _ in 1...4 {
                for wait in [1, 2, 4] {
                    watch.wait(.seconds(Int64(wait)))
                    watch.handshake(cursor: "3", status: 503)
                }
                // A person comes back later and tries again.
                watch.wait(.seconds(60))
            }
        },
    ]
}

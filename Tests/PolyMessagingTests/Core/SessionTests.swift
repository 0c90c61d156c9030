import Clocks
import Expectations
import HTTPCore
import MessagingWire
import Testing
import Texts

@testable import PolyMessaging

@Suite("Session")
struct SessionTests {
    /// A record that can be resumed.
    static func record(in bench: Bench, age: Interval = .seconds(60)) -> StoredSession {
        StoredSession(
            sessionID: "s-old", accessToken: Bench.token, tokenIssuedAt: bench.now - .hours(1),
            tokenExpiresAt: bench.now + .hours(2), lastActivity: bench.now - age)
    }

    @Test("SESS-171 A session is one token call, then one session call")
    func calls() {
        var bench = Bench()
        bench.start()
        expectEqual(bench.requests.map(\.endpoint), [.accessToken, .sessions])
    }

    /// protocol.md#device-type
    @Test("SESS-172 The session call says platform, device and streaming", arguments: DeviceType.allCases)
    func body(_ device: DeviceType) throws {
        var bench = Bench { $0.deviceType = device }
        bench.start()
        let request = try #require(bench.requests.last)
        let body = try JSONReader.read(request.body)
        expectEqual(body["platform"]?.string, "ios")
        expectEqual(body["device_type"]?.string, device.rawValue)
        expectEqual(body["streaming_enabled"]?.bool, true)
        expectEqual(request.headers["Authorization"], "Bearer \(Bench.token)")
        expectEqual(request.headers["User-Agent"], "Test/1")
        expectEqual(request.headers["X-Host"], nil)
    }

    @Test("SESS-171 The token call says connector and host, and keeps its correlation id over attempts")
    func tokenHeaders() throws {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(500)
        bench.advance(.seconds(1))
        let headers = bench.requests.map(\.headers)
        expectEqual(headers.count, 2)
        expectEqual(headers.first, headers.last)
        #expect(headers.first?["X-Token"] == "connector-secret")
        #expect(headers.first?["X-Host"] == "app.test")
        let id = try #require(headers.first?["X-Polyai-Correlation-Id"])
        #expect(id == id.uppercased() && id.count == 36)
    }

    @Test("SESS-173, SESS-174 A session just made is active, has its id, no error, and is not loading")
    func created() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        #expect(bench.core.sessionState.isLoading)
        bench.answer()
        bench.answer()
        let state = bench.core.sessionState
        expectEqual(
            state,
            SessionState(
                sessionId: "s-1", status: .active, isReady: false, isLoading: false, error: nil))
    }

    @Test(
        "SESS-175 An unauthorized token call sets the error and blames the key",
        arguments: [401, 403] as [Int])
    func unauthorized(_ status: Int) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        let outputs = bench.reply(status)
        #expect(bench.core.sessionState.hasInvalidApiKey)
        expectEqual(bench.core.sessionState.error, .unknown)
        expectEqual(outputs.statuses, [.failed(reason: .auth(.unauthorized))])
        expectEqual(bench.requests.count, 1)
    }

    @Test("The server's own text about a refusal is kept, at most 500 characters of it")
    func serverMessage() {
        for (body, kept) in [
            (#"{"error_message":"unknown fixture \"bokking\""}"#, #"unknown fixture "bokking""#),
            (#"{"error_message":""}"#, nil), ("no JSON", nil),
            (
                #"{"error_message":"\#(String(repeating: "x", count: 600))"}"#,
                String(repeating: "x", count: 500)
            ),
        ] as [(String, String?)] {
            let reply = RESTReply.answered(status: 401, retryAfter: nil, body: Array(body.utf8))
            expectEqual(RESTCall.reason(reply), kept)
        }
        expectEqual(RESTCall.reason(.failed(.network("x"))), nil)
    }

    @Test(
        "Tokens in the server's own text are hidden, but not a scenario's names where the likely spelling is shown",
        arguments: [
            ("key-123", "key-123 is unknown", "… is unknown"),
            ("mock:bokking", "no fixture \\\"bokking\\\"", "no fixture \"bokking\""),
            (
                "mock:hello+tunel@pace=instnt@tag=mine@memory.code=1234",
                "\\\"hello\\\" has no \\\"tunel\\\", \\\"instnt\\\", \\\"mine\\\", \\\"1234\\\"; did you mean x?",
                "\"hello\" has no \"tunel\", \"instnt\", …, …; did you mean x?"
            ),
            ("mock:hello+secret", "\\\"hello\\\" has no \\\"secret\\\"", "\"hello\" has no …"),
        ] as [(String, String, String)])
    func hiddenTokens(_ token: String, _ text: String, _ shown: String) {
        let body = Array("{\"error_message\":\"\(text)\"}".utf8)
        let reply = RESTReply.answered(status: 401, retryAfter: nil, body: body)
        expectEqual(RESTCall.reason(reply, hiding: [token]), shown)
    }

    @Test("SESS-176 A second session has a token of its own")
    func secondToken() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.startNewSession(bench.call()))
        bench.advance(.milliseconds(300))
        expectEqual(bench.requestCount(.accessToken), 2)
    }

    @Test("SESS-177, SESS-185 Idle for longer than the window expires; activity moves the window")
    func idleness() {
        var bench = Bench()
        bench.startAndJoin()
        bench.advance(.seconds(599))
        bench.receive(bench.message("still there?"))
        bench.advance(.seconds(600))
        expectEqual(bench.core.sessionState.status, .active)
        let outputs = bench.advance(Interval(nanoseconds: 1))
        expectEqual(outputs.states.last?.status, .expired)
        expectEqual(outputs.states.last?.sessionId, nil)
    }

    @Test("SESS-178, SESS-179 Ready follows the socket")
    func ready() {
        var bench = Bench()
        bench.startAndOpen()
        #expect(bench.core.sessionState.isReady)
        expectEqual(bench.core.sessionState.error, nil)
        bench.close(1006)
        #expect(!bench.core.sessionState.isReady)
    }

    @Test("SESS-180 An ended session has no id")
    func ended() {
        var bench = Bench()
        bench.startAndJoin()
        bench.give(.end(reason: "user_ended", bench.call()))
        expectEqual(bench.core.sessionState.status, .ended)
        expectEqual(bench.core.sessionState.sessionId, nil)
    }

    @Test("SESS-181, SESS-189 A refused session is replaced after 300 ms")
    func refetch() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(4001)
        let early = bench.advance(.milliseconds(299))
        let due = bench.advance(.milliseconds(1))
        #expect(early.requests.isEmpty)
        expectEqual(due.requests.count, 1)
        bench.answer()
        bench.answer(session: "s-2")
        expectEqual(bench.core.sessionState.sessionId, "s-2")
        expectEqual(bench.outputs.sessions, ["s-1", "s-2"])
    }

    @Test("SESS-182, CO-219 Failing replacements stop after three, visibly")
    func failingRefetches() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(4001)
        for _ in 1...3 {
            bench.advance(.seconds(3))
            bench.reply(400)
        }
        let later = bench.advance(.minutes(10))
        expectEqual(bench.requestCount(.accessToken), 4)
        #expect(later.requests.isEmpty)
        expectEqual(bench.transcript.connection, .failed(reason: .auth(.tokenAcquisitionFailed)))
        expectEqual(bench.transcript.failureReason, .auth(.tokenAcquisitionFailed))
    }

    @Test("SESS-182 A replacement refused for the key is not tried again")
    func refetchUnauthorized() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(4001)
        bench.advance(.seconds(1))
        bench.reply(401)
        let later = bench.advance(.minutes(1))
        #expect(later.requests.isEmpty)
        expectEqual(bench.transcript.failureReason, .auth(.unauthorized))
    }

    @Test("SESS-183, SESS-195 Reconnects use the session's token as long as it is good")
    func tokenReuse() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        bench.reconnect()
        expectEqual(bench.requestCount(.accessToken), 1)
    }

    @Test("SESS-195 A token in its last minutes still brings the session back, and the answer under way")
    func lastMinutes() {
        var bench = Bench { $0.sessionTimeout = .hours(5) }
        bench.give(.start(stored: nil))
        bench.answer(lifetime: 1_000)
        bench.answer()
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        bench.receive(bench.journaled(.joinRequest))
        bench.send("still there?")
        bench.advance(.seconds(990))
        bench.close(1006)
        bench.reconnect()
        bench.receive(bench.message("Yes."))
        #expect(bench.transcript.isReady && bench.outputs.sessions == ["s-1"])
        expectEqual(bench.texts, ["still there?", "Yes."])
    }

    @Test("SESS-195 A token that is over is not renewed: the session is replaced")
    func expiredToken() {
        var bench = Bench { $0.sessionTimeout = .hours(5) }
        bench.give(.start(stored: nil))
        bench.answer(lifetime: 1_000)
        bench.answer()
        bench.open()
        bench.batch([bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))])
        bench.receive(bench.journaled(.joinRequest))
        bench.advance(.seconds(1_001))
        bench.close(1006)
        let fine = bench.advance(.milliseconds(700))
        #expect(fine.dialled.isEmpty)
        let outputs = bench.advance(.seconds(1))
        #expect(outputs.dialled.isEmpty)
        expectEqual(outputs.stores, [nil])
        expectEqual(outputs.requests.map(\.endpoint), [.accessToken])
    }

    /// protocol.md#token-renewal
    @Test("SESS-195 A token made for less than 300 s can be used until it ends")
    func shortToken() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.answer(lifetime: 60)
        bench.answer()
        expectEqual(bench.dialled.count, 1)
        bench.open()
        bench.close(1006)
        bench.reconnect()
        expectEqual(bench.dialled.count, 2)
    }

    @Test("SESS-184 Without a stored session one is made")
    func nothingStored() {
        var bench = Bench()
        bench.start()
        expectEqual(bench.outputs.states.map(\.status), [.unknown, .active])
        #expect(bench.outputs.stores.last??.sessionID == "s-1")
    }

    @Test("SESS-186 Each call wants JSON")
    func jsonHeaders() {
        var bench = Bench()
        bench.start()
        for request in bench.requests {
            expectEqual(request.headers["Content-Type"], "application/json")
            expectEqual(request.headers["Accept"], "application/json")
        }
    }

    @Test("SESS-187 A 1006 not healed in 500 ms shows until something is said")
    func abnormalClose() {
        var bench = Bench()
        bench.startAndJoin()
        bench.close(1006)
        bench.advance(.milliseconds(499))
        expectEqual(bench.core.sessionState.error, nil)
        bench.advance(.milliseconds(1))
        expectEqual(bench.core.sessionState.error, .connectionClosedAbnormally)
        bench.reconnect()
        expectEqual(bench.core.sessionState.error, nil)
    }

    @Test(
        "SESS-188 The server's word for a bad connector is kept, and the key blamed",
        arguments: [
            SessionErrorCode.errorParsingRequest, .missingAuthHeaders, .connectorLookupFailed,
            .connectorValidationFailed,
        ] as [SessionErrorCode])
    func connectorCodes(_ code: SessionErrorCode) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.answer()
        let call = bench.call()
        bench.give(.resume(call))
        bench.reply(400, "{\"message\":\"\(code.rawValue)\"}")
        expectEqual(bench.core.sessionState.error, code)
        #expect(bench.core.sessionState.hasInvalidApiKey)
        expectEqual(bench.outputs.result(call), .session(.sessionCreationFailed(code)))
    }

    @Test("SESS-188 The body of a 401 still names the check that failed")
    func bodyOf401() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(401, "{\"error\":\"Failed to validate connector\"}")
        expectEqual(bench.core.sessionState.error, .connectorValidationFailed)
        expectEqual(bench.transcript.failureReason, .auth(.unauthorized))
    }

    /// protocol.md#resume-window
    @Test("SESS-190 A stored session in its window is resumed without a call")
    func resumed() {
        var bench = Bench()
        bench.give(.start(stored: SessionTests.record(in: bench)))
        expectEqual(bench.outputs.states.map(\.status), [.restored, .active])
        #expect(bench.requests.isEmpty)
        expectEqual(bench.outputs.queries, ["access_token=\(Bench.token)&session_id=s-old"])
    }

    @Test("SESS-191 A stale record, or one with a useless token, is cleared and a session made")
    func notResumable() {
        var bench = Bench()
        var stale = SessionTests.record(in: bench, age: .seconds(600))
        #expect(!stale.isResumable(window: .seconds(600), at: bench.now))
        stale.lastActivity = bench.now - .seconds(600) + Interval(nanoseconds: 1)
        #expect(stale.isResumable(window: .seconds(600), at: bench.now))
        stale.accessToken = "no token"
        #expect(!stale.isResumable(window: .seconds(600), at: bench.now))
        bench.give(.start(stored: stale))
        expectEqual(bench.outputs.stores, [nil])
        expectEqual(bench.requests.map(\.endpoint), [.accessToken])
        var ending = SessionTests.record(in: bench)
        ending.tokenExpiresAt = bench.now + .seconds(299)
        #expect(!ending.isResumable(window: .seconds(600), at: bench.now))
    }

    @Test(
        "SESS-191 Times out of all bounds in a record do no harm",
        arguments: [Int64.min, .max, 0, -1] as [Int64])
    func absurdTimes(_ nanoseconds: Int64) {
        let absurd = Instant(nanosecondsSince1970: nanoseconds)
        var bench = Bench()
        for path in [\StoredSession.lastActivity, \.tokenIssuedAt, \.tokenExpiresAt] {
            var record = SessionTests.record(in: bench)
            record[keyPath: path] = absurd
            bench = Bench()
            bench.give(.start(stored: record))
            expectEqual(bench.requests.count + bench.dialled.count, 1)
        }
    }

    /// protocol.md#retry-after-cap
    @Test(
        "SESS-192 A 429 waits as long as it says, 5 s when it does not, 30 s at most",
        arguments: [
            ("2", 2_000), ("1.5", 1_500), (nil, 5_000), ("soon", 5_000), ("99", 30_000), ("-3", 5_000),
        ]
            as [(String?, Int64)])
    func rateLimit(_ header: String?, _ milliseconds: Int64) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(429, retryAfter: header)
        let early = bench.advance(.milliseconds(milliseconds - 1))
        let due = bench.advance(.milliseconds(1))
        #expect(early.requests.isEmpty)
        expectEqual(due.requests.count, 1)
    }

    /// protocol.md#server-errors
    @Test(
        "SESS-192 A 5xx or no network is tried again after 1 s, four times in all",
        arguments: [true, false] as [Bool])
    func attempts(_ isNetwork: Bool) {
        var bench = Bench()
        bench.give(.start(stored: nil))
        for _ in 1...4 {
            let early = bench.advance(.milliseconds(999))
            #expect(early.requests.isEmpty)
            if isNetwork { bench.replyNothing() } else { bench.reply(503) }
            bench.advance(.seconds(1))
        }
        expectEqual(bench.requests.count, 4)
        expectEqual(
            bench.transcript.failureReason,
            .transport(.networkError(isNetwork ? "no network" : "HTTP 503")))
    }

    @Test(
        "An outage of either call can be tried again later, and is nobody's fault",
        arguments: [429, 500, 503] as [Int], [false, true] as [Bool])
    func outage(_ status: Int, hasToken: Bool) throws {
        var bench = Bench()
        bench.give(.start(stored: nil))
        if hasToken { bench.answer() }
        for _ in 1...4 {
            bench.reply(status, #"{"message":"Failed to validate connector"}"#)
            bench.advance(.seconds(30))
        }
        let error = try #require(bench.transcript.failureReason)
        expectEqual(error, .transport(.networkError("HTTP \(status)")))
        #expect(error.isRetryable && error.isTransportError && !error.isAuthError && !error.isSessionError)
        #expect(!bench.core.sessionState.hasInvalidApiKey)
        let call = bench.call()
        bench.give(.resume(call))
        bench.answer()
        bench.answer()
        bench.open()
        #expect(bench.transcript.isReady && bench.transcript.failureReason == nil)
        expectEqual(bench.outputs.result(call), .some(nil))
    }

    @Test("SESS-193 A token without a lifetime lives an hour")
    func lifetime() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(200, "{\"access_token\":\"\(Bench.token)\"}")
        bench.answer()
        let record = bench.outputs.stores.last ?? nil
        expectEqual(record?.tokenExpiresAt, bench.now + .seconds(3_600))
    }

    @Test("SESS-194 The configured timeout counts for expiry and for resuming")
    func configuredTimeout() {
        let settings = Bench.settings { $0.sessionTimeoutSeconds = 60 }
        expectEqual(settings.sessionTimeout, .seconds(60))
        expectEqual(Bench.settings { $0.sessionTimeoutSeconds = 0 }.sessionTimeout, .seconds(600))
        var bench = Bench { $0.sessionTimeout = .seconds(60) }
        bench.give(.start(stored: SessionTests.record(in: bench, age: .seconds(60))))
        expectEqual(bench.requests.count, 1)
        bench.answer()
        bench.answer()
        bench.open()
        bench.advance(.seconds(61))
        expectEqual(bench.core.sessionState.status, .expired)
    }

    @Test("SESS-175 An answer that is no object, or has no token, is not tried again")
    func badAnswers() {
        var bench = Bench()
        bench.give(.start(stored: nil))
        bench.reply(200, "[]")
        guard case .failed(.transport(.protocolError)?) = bench.transcript.connection else {
            Issue.record("\(bench.transcript.connection)")
            return
        }
        bench.give(.resume(bench.call()))
        bench.reply(200, "{}")
        expectEqual(bench.transcript.failureReason, .auth(.tokenAcquisitionFailed))
        bench.give(.resume(bench.call()))
        bench.answer()
        bench.reply(200, "{\"session_id\":\"\"}")
        expectEqual(bench.transcript.failureReason, .session(.sessionCreationFailed(.unknown)))
        expectEqual(bench.requests.count, 4)
    }

    @Test("SESS-190 Activity is written at most once a second, and the last of it is not lost")
    func writes() {
        var bench = Bench()
        bench.startAndJoin()
        bench.advance(.seconds(5))
        var outputs: [ClientCore.Output] = []
        for index in 0..<20 {
            outputs += bench.receive(bench.chunk("x", index, last: index == 19))
        }
        expectEqual(outputs.stores.count, 1)
        let late = bench.advance(.seconds(1))
        expectEqual(late.stores.count, 1)
        bench.receive(bench.message("one"))
        bench.receive(bench.message("two", id: "n"))
        let last = bench.give(.shutdown)
        expectEqual(last.stores.count, 1)
        expectEqual((last.stores.first ?? nil)?.lastActivity, bench.now)
    }
}

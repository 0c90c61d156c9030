import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing

/// Faults at `request <Operation> N`, as clients of the Messaging API see them.
@Suite("Faults at requests", .timeLimit(.minutes(5)))
struct RequestFaultTests {
    private func run(
        _ fault: String, _ body: (World) async throws -> Void
    ) async throws {
        try await World.run {
            $0.fixtureText = fixture("", rest: "faults: { t: { \(fault) } },")
        } _: { world in
            try await body(world)
        }
    }

    private func open(_ world: World, token: String) async throws -> Int {
        try await world.client.request(
            "POST", "/api/v1/sessions", ["Authorization": "Bearer \(token)"], body: "{}"
        ).status
    }

    @Test("A fixture's fault counts the sessions of its line, as those at \"session\" do")
    func createSession() async throws {
        try await run("at: 'request CreateSession 2', do: { refuse: 503 }, times: 2") { world in
            let token = try await world.client.token(connector: "mock:webchat+t")
            let other = try await world.client.token(connector: "mock:webchat@seed=2")
            var statuses: [Int] = []
            for _ in 0..<4 {
                statuses.append(try await open(world, token: token))
                try await expectEqual(open(world, token: other), 200)
            }
            expectEqual(statuses, [200, 503, 503, 200])
        }
    }

    @Test("So do its tokens")
    func createToken() async throws {
        try await run("at: 'request CreateAccessToken 2', do: { refuse: 429, retryAfter: '2s' }") { world in
            var answers: [String] = []
            for _ in 0..<3 {
                let answer = try await world.client.request(
                    "POST", "/api/v1/access-token", ["X-Token": "mock:webchat+t", "X-Host": "a.example"],
                    body: "{}")
                answers.append("\(answer.status) \(answer.headers["Retry-After"] ?? "-")")
            }
            expectEqual(answers, ["200 -", "429 2", "200 -"])
        }
    }

    @Test("One that was added for a tag counts the requests of its lines alone")
    func tag() async throws {
        try await run("at: 'token', do: { delay: '1ms' }") { world in
            let control = try await ControlClient(world)
            let body = #"{"at":"request CreateSession 2","do":{"refuse":500},"tag":"checkout"}"#
            try await expectEqual(control.post("faults", body).status, 200)
            let tagged = try await world.client.token(connector: "mock:webchat@tag=checkout")
            let other = try await world.client.token(connector: "mock:webchat")
            var statuses: [Int] = []
            for _ in 0..<3 {
                try await expectEqual(open(world, token: other), 200)
                statuses.append(try await open(world, token: tagged))
            }
            expectEqual(statuses, [200, 500, 200])
        }
    }

    @Test("The second connection of a session is refused", arguments: [true, false] as [Bool])
    func connectRefused(isAdded: Bool) async throws {
        try await run("at: 'request Connect 2', do: { refuse: 503, retryAfter: '3s' }") { world in
            let line = isAdded ? "mock:webchat" : "mock:webchat+t"
            let session = try await world.client.session(
                token: try await world.client.token(connector: line))
            if isAdded {
                let added = try await ControlClient(world).post("faults", #"{"name":"t"}"#)
                expectEqual(added.status, 200)
            }
            _ = try await world.client.connect(session)
            let refused = try await world.client.upgrade(APIClient.target(session)).answer(0)
            expectEqual(refused.status, 503)
            expectEqual(refused.headers["Retry-After"], "3")
            #expect(refused.message != nil)
            _ = try await world.client.connect(session)
        }
    }

    @Test(
        "A handshake, accepted or refused, waits for a delay and is cut by a drop",
        arguments: [true, false] as [Bool])
    func connectHeld(isAccepted: Bool) async throws {
        try await run("at: 'request Connect 1', do: { delay: '3s' }") { world in
            let session = try await world.client.session(
                token: try await world.client.token(connector: "mock:webchat+t"))
            if !isAccepted {
                let added = try await ControlClient(world).post(
                    "faults", #"{"at":"handshake 1","do":{"refuse":503}}"#)
                expectEqual(added.status, 200)
            }
            let line = try await world.client.upgrade(APIClient.target(session))
            _ = try await world.log.wait(for: "the request") { lines in
                lines.first { $0.contains("fault t fired") }
            }
            await world.pass(.milliseconds(2_900))
            #expect(line.items.all.isEmpty)
            await world.pass(.milliseconds(200))
            try await expectEqual(line.answer(0).status, isAccepted ? 101 : 503)
        }
    }

    @Test("A handshake is cut by a drop")
    func connectCut() async throws {
        try await run("at: 'request Connect 1', do: { drop: 'connection' }") { world in
            let session = try await world.client.session(
                token: try await world.client.token(connector: "mock:webchat+t"))
            let line = try await world.client.upgrade(APIClient.target(session))
            _ = try await line.ended()
            #expect(line.answers.all.isEmpty)
            _ = try await world.client.connect(session)
        }
    }
}

import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts
import Timeline

@testable import MockServer

/// Effects of requests of the control API within one turn of the server's loop.
@Suite("The control API within a turn", .timeLimit(.minutes(5)))
struct ControlTurnTests {
    @Test("Advancing the clock names what was due before, and what falls due behind it")
    func overdue() async throws {
        try await World.run {
            $0.fixtureText = fixture("", pace: #"{ think: "5s", every: "0ms" }"#)
        } _: { world in
            let (session, _) = try await world.greeted()
            let ran = await world.server.inspect { server -> [String] in
                server.receive(ClientInput(.say("Hello")), in: session.id)
                // Time goes on before the server has looked at its timers.
                world.clock.advance(by: .seconds(6))
                let body = try? ControlBody(Array(#"{"advance":"1h"}"#.utf8))
                guard let answer = try? ControlAPI(server: server, body: body).setClock() else { return [] }
                let ran = (try? JSONReader.read(answer.body))?["ran"]?.array ?? []
                return ran.compactMap(\.string)
            }
            #expect(ran.contains { $0.hasPrefix("thinking") }, "\(ran)")
            #expect(ran.contains { $0.hasPrefix("idle timeout") }, "\(ran)")
        }
    }

    @Test(
        "A feed that has nothing to tell wakes the server at no time",
        arguments: ["clock", "faults"] as [String])
    func quietFeed(topic: String) async throws {
        try await World.run { world in
            let line = try await world.client.upgrade("/_mock/feed?rows=none&also=\(topic)")
            try await expectEqual(line.answer(0).status, 101)
            if topic != "clock" {
                let control = try await ControlClient(world)
                try await expectEqual(control.post("clock", #"{"advance":"1s"}"#).status, 200)
            }
            await world.server.inspect { _ in }
            let due = await world.server.inspect { $0.controls.realDeadline }
            expectEqual(due, nil)
            line.drop()
        }
    }

    @Test("A row that is being compared away from the loop is not compared on it, and counts once for a wait")
    func comparedOnce() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let line = try await world.client.open()
            line.send(
                Line.bytes("GET", "/_mock/wait?filter=kind:clock&count=3&timeout=1h"), requests: ["GET"])
            try await control.until(pending: "wait for rows")
            let found = await world.server.inspect { server -> Int? in
                server.record(Row(time: server.now, direction: .inside, kind: .clock, type: "tick"))
                let waiting = server.controls.watching.compactMap { server.connection(of: $0) }.first
                guard let waiting, let comparison = waiting.leave(for: server.timeline) else { return nil }
                server.serveWatchers()
                var comparisons = [comparison]
                RowComparison.advance(&comparisons, in: server.timeline, now: server.now)
                waiting.apply(comparisons[0])
                guard case .waiting(let wait) = waiting.stage else { return nil }
                return wait.found.count
            }
            expectEqual(found, 1)
            line.drop()
        }
    }

    @Test("So many long answers are made at once; one more is refused, with the time to ask again")
    func longAnswers() async throws {
        for free in [0, 1] {
            try await World.run { world in
                await world.server.inspect { server in
                    for number in 0..<server.mostWorks - free {
                        server.controls.works[ConnectionID(1_000_000 + UInt64(number))] = { _ in .more }
                    }
                }
                let answer = try await world.client.request("GET", "/_mock/fixtures/webchat")
                expectEqual(answer.status, free == 0 ? 503 : 200, "\(answer.text)")
                expectEqual(answer.headers["Retry-After"] != nil, free == 0)
            }
        }
    }
}

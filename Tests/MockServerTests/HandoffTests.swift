import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Handoff", .timeLimit(.minutes(5)))
struct HandoffTests {
    static let rule = #"{ hears: "person", replies: [ { say: "One moment." }, { handoff: "team" } ] }"#

    /// protocol.md#handoff-by-server, protocol.md#person-speaks, protocol.md#person-leaves
    @Test("A live agent takes over after the queue, talks, and ends the session by leaving")
    func serverManaged() async throws {
        try await World.run { world in
            let (session, talk) = try await world.greeted()
            talk.say("I want a human!")
            let ladder = try await world.play(talk, through: "LIVE_AGENT_JOINED")
            expectEqual(
                ladder.types,
                [
                    "USER_MESSAGE", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE",
                    "POLY_AGENT_TRIGGERED_HANDOFF", "POLY_AGENT_LEFT", "HANDOFF_ACCEPTED",
                    "HANDOFF_QUEUE_STATUS", "HANDOFF_QUEUE_STATUS", "HANDOFF_QUEUE_STATUS",
                    "LIVE_AGENT_JOINED",
                ])
            let queue = ladder.filter { $0.type == "HANDOFF_QUEUE_STATUS" }
            expectEqual(queue.map { $0.payload["position_in_queue"]?.integer }, [3, 2, 1])
            expectEqual(queue.map { $0.payload["estimated_wait_seconds"]?.integer }, [90, 60, 30])
            #expect(queue.allSatisfy { $0.payload["queue_name"] == .string("Support") })
            #expect(ladder.last?.payload["agent"]?["name"] == .string("Robin"))

            let opening = try await world.play(talk, through: "LIVE_AGENT_MESSAGE")
            expectEqual(opening.last?.text, "Hello, this is Robin. How can I help?")
            talk.say("my screen is blank")
            let turn = try await world.play(talk, through: "LIVE_AGENT_MESSAGE")
            expectEqual(
                turn.types,
                [
                    "USER_MESSAGE", "LIVE_AGENT_TYPING", "LIVE_AGENT_TYPING", "LIVE_AGENT_MESSAGE",
                ])
            expectEqual(
                turn[1...2].map { $0.payload["state"]?.string },
                [
                    "TYPING_STATE_STARTED", "TYPING_STATE_STOPPED",
                ])
            talk.say("thank you")
            let end = try await world.play(talk, through: "SESSION_END")
            expectEqual(end.types.suffix(3), ["LIVE_AGENT_MESSAGE", "LIVE_AGENT_LEFT", "SESSION_END"])
            expectEqual(end.last?.payload["reason"], .string("REASON_NATURAL_END"))
            expectEqual(talk.events.sequences, Array(1...Int64(talk.events.sequences.count)))
            await world.pass(.seconds(2))
            try await expectEqual(talk.closeCode, 1000)
            let again = try await world.client.upgrade(APIClient.target(session))
            try await expectEqual(again.answer(0).status, 404)
        }
    }

    /// protocol.md#handoff-by-client
    @Test("A client-managed handoff sends the user away and leaves the session open")
    func clientManaged() async throws {
        let handoff =
            #"handoffs: { team: { mode: "client", reason: "POLICY", route: "https://example.com/help", queue: { name: "Desk" } } }"#
        try await World.run {
            $0.fixtureText = fixture(Self.rule, rest: handoff)
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("person")
            let events = try await world.play(talk, through: "POLY_AGENT_LEFT")
            expectEqual(
                events.types.suffix(3),
                [
                    "POLY_AGENT_TRIGGERED_HANDOFF", "CLIENT_HANDOFF_REQUIRED", "POLY_AGENT_LEFT",
                ])
            let required = try #require(events.dropLast().last?.payload)
            expectEqual(required["reason"], .string("POLICY"))
            expectEqual(required["route"], .string("https://example.com/help"))
            expectEqual(required["queue_name"], .string("Desk"))
            talk.say("anybody?")
            try await talk.settle()
            expectEqual(talk.rest().types, ["USER_MESSAGE"])
            #expect(!talk.isClosed)
        }
    }

    /// protocol.md#handoff-fails
    @Test(
        "A handoff that fails or times out gives the user back to the agent, unless told otherwise",
        arguments: [("fails", "HANDOFF_FAILED"), ("times out", "HANDOFF_TIMEOUT")]
            as [(name: String, event: String)], [true, false] as [Bool])
    func unsuccessful(_ outcome: (name: String, event: String), agentReturns: Bool) async throws {
        let handoff = #"""
            handoffs: { team: { queue: { positions: [2, 1], every: "3s" }, outcome: "\#(outcome.name)",
                                reason: "nobody is there" } }
            """#
        try await World.run {
            $0.fixtureText = fixture(Self.rule, rest: handoff)
            $0.replies.agentReturnsAfterFailedHandoff = agentReturns
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("person")
            let events = try await world.play(talk, through: outcome.event)
            expectEqual(
                events.types.suffix(6),
                [
                    "POLY_AGENT_TRIGGERED_HANDOFF", "POLY_AGENT_LEFT", "HANDOFF_ACCEPTED",
                    "HANDOFF_QUEUE_STATUS", "HANDOFF_QUEUE_STATUS", outcome.event,
                ])
            expectEqual(events.last?.payload["reason"], .string("nobody is there"))
            talk.say("hello?")
            try await talk.settle()
            let answer = agentReturns ? ["POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE"] : []
            expectEqual(talk.rest().types, ["USER_MESSAGE"] + answer)
        }
    }

    /// protocol.md#message-in-the-queue
    @Test("Who waits in the queue is echoed and not answered")
    func waiting() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            talk.say("I want a human!")
            try await world.play(talk, through: "HANDOFF_QUEUE_STATUS")
            talk.say("are you there?")
            try await talk.settle()
            expectEqual(talk.rest().types, ["USER_MESSAGE"])
        }
    }
}

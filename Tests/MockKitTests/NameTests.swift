import Expectations
import MockServer
import PolyMessaging
import Testing

@testable import MockKit

@Suite("Names that a test writes", .timeLimit(.minutes(5)))
struct NameTests {
    @Test(
        "A fault or a pace that the fixture has not keeps the mock from starting, with the likely spelling",
        arguments: [
            (["tunel"], nil, #"fixture "booking" has no fault "tunel": did you mean "tunnel"?"#),
            (
                ["busy-agnet"], nil,
                #"fixture "booking" has no fault "busy-agnet": did you mean "busy-agent"?"#
            ),
            ([], "instnt", #"fixture "booking" has no pace "instnt": did you mean "instant"?"#),
            (
                ["lift", "lift"], nil,
                #""mock:booking+lift+lift@seed=1" asks for the fault "lift" twice"#
            ),
        ] as [([String], String?, String)])
    func atTheStart(_ faults: [String], _ pace: String?, _ sentence: String) async throws {
        let error = await #expect(throws: ServerError.self) {
            try await withMock {
                $0.faults = faults
                $0.pace = pace
            } _: { _ in
            }
        }
        expectEqual(error?.description, sentence)
    }

    @Test(
        "What can never be seen fails at once, whether it is expected or ruled out",
        arguments: [
            (.fault("tunel"), #"no fault is called "tunel": did you mean "tunnel"?"#),
            (.fault("busy-agnet"), #"no fault is called "busy-agnet": did you mean "busy-agent"?"#),
            (.fault("lift (dors)"), #"no fault is called "lift (dors)": there are "#),
            (.fault("reply 2: dorp: 'connection'"), #"no fault is called "reply 2: dorp"#),
            (.violation("join-onse"), #"no protocol rule is called "join-onse": did you mean "join-once"?"#),
            (
                .violation("no-such-rule"),
                #"no protocol rule is called "no-such-rule": Shared/Docs/protocol-rules.md names all 35"#
            ),
            (
                .event("SYSTEM_MESAGE"),
                #"no event has the type "SYSTEM_MESAGE": did you mean "SYSTEM_MESSAGE"?"#
            ),
            (.agentError("hihg load"), #"no error is called "hihg load": did you mean "high load"?"#),
            (.queue(0), "but the front of a queue is 1"),
            (.reply("?!"), "which has no letter or digit to look for"),
        ] as [(Pattern, String)])
    func inExpectations(_ pattern: Pattern, _ words: String) async throws {
        try await withMock { mock in
            _ = try await mock.chat()
            let began = mock.clock.elapsed
            let checks: [@Sendable (Mock) async throws -> Void] = [
                { try await $0.expect(never: pattern) }, { try await $0.expect(pattern) },
                { try await $0.expect(pattern, exactly: 0) }, { try await $0.expect(pattern, atLeast: 2) },
                { try await $0.expectInOrder([.join, pattern]) },
            ]
            for check in checks {
                let failure = await #expect(throws: ExpectationFailure.self) { try await check(mock) }
                expectEqual(failure?.text.contains(words), true, "\(failure?.text ?? "")")
            }
            expectEqual(mock.clock.elapsed, began)
        }
    }

    @Test(
        "Names that something goes by are taken",
        arguments: [
            .fault("lift"), .fault("lift (doors)"), .fault("busy-agent"),
            .fault("reply 9: drop: 'connection'"), .violation("join-once"),
            .violation("join once per session"),
            .violation("resend"), .event("EVENT_TYPE_SYSTEM_MESSAGE"), .event("MY_OWN_TYPE"),
            .agentError("high load"), .agentError("cannot respond"), .system("closed"),
        ] as [Pattern])
    func known(_ pattern: Pattern) async throws {
        try await withMock { mock in
            _ = try await mock.chat()
            try await mock.expect(never: pattern)
        }
    }

    @Test("A fault keeps its name when it is in force no more")
    func removed() async throws {
        try await withMock { mock in
            let added = try await mock.inject(at: "any event", do: "delay: '1ms'", times: 2)
            try await added.remove()
            try await mock.expect(never: .fault(added.name))
        }
    }

    @Test("Counts that always hold, or never, are refused, and so is an empty sequence")
    func counts() async throws {
        try await withMock { mock in
            await #expect(throws: ExpectationFailure.self) { try await mock.expect(.join, atLeast: 0) }
            await #expect(throws: ExpectationFailure.self) { try await mock.expect(.join, exactly: -1) }
            await #expect(throws: ExpectationFailure.self) { try await mock.expectInOrder([]) }
            mock.network.refuse(-1)
        }
    }

    @Test("A rule that no fixture has cannot be answered in place of")
    func rules() async throws {
        try await withMock { mock in
            let error = await #expect(throws: MockError.self) {
                try await mock.override(rule: "hurs") { _ in
                    nil
                } during: {
                }
            }
            expectEqual(error?.description, #"no rule is called "hurs": did you mean "hours"?"#)
            for rule in ["hours", "otherwise 1", "*"] {
                try await mock.override(rule: rule) { _ in
                    nil
                } during: {
                }
            }
        }
    }

    @Test("A chat that the server refuses throws the server's sentence, unless the test asks for it")
    func refusedChat() async throws {
        try await withMock { mock in
            let error = await #expect(throws: MockError.self) {
                _ = try await mock.chat { $0.connectorToken = "mock:boking" }
            }
            expectEqual(
                error?.description,
                "the chat could not connect: POST /api/v1/access-token was answered with 401:"
                    + " Connector token does not exist: unknown fixture \"boking\": did you mean \"booking\"?"
            )
            let chat = try await mock.chat(mustConnect: false) { $0.connectorToken = "mock:boking" }
            await expectEqual(chat.session.failureReason, .auth(.unauthorized))
            _ = try await mock.chat()
        }
    }
}

@Suite("Faults that a test adds", .timeLimit(.minutes(5)))
struct ArmingTests {
    @Test("A preset, and a fault of the fixture, are added by their name, for one chat or for all")
    func byName() async throws {
        try await withMock { mock in
            let (one, other) = (try await mock.chat(), try await mock.chat())
            let lift = try await mock.inject("lift", in: one)
            expectEqual(lift.name, "lift")
            try await one.say("a table")
            try await other.say("a table")
            try await mock.expect(.fault("lift"), exactly: 1, within: .seconds(20))
            try await mock.expect(never: .fault("lift"), in: other)
            try await mock.inject("busy-agent")
            try await other.say("four")
            try await mock.expect(.agentError("high load"))
        }
    }

    @Test("Removing a preset removes each of its parts")
    func remove() async throws {
        try await withMock { mock in
            let train = try await mock.inject("train")
            await expectEqual(mock.server.inspect { $0.faultNames }, ["train (late)", "train (break)"])
            try await train.remove()
            await expectEqual(mock.server.inspect { $0.faultNames }, [])
        }
    }

    @Test("The words of an effect may have their braces, quotes and comments")
    func words() async throws {
        try await withMock { mock in
            let effects = [
                "drop: 'connection'", "{ drop: \"connection\" }", " { drop: 'connection', } ",
                "drop: 'connection' // once",
            ]
            for effect in effects { try await mock.inject(at: "reply 9", do: effect).remove() }
            for effect in ["", "{", "drop", "dorp: 'connection'"] {
                await #expect(throws: MockError.self) { try await mock.inject(at: "reply 9", do: effect) }
            }
            await #expect(throws: MockError.self) {
                try await mock.inject(at: "reply \"9", do: "close: 1011")
            }
        }
    }

    @Test("Time that the test let pass before is over when a fault comes into force")
    func afterTime() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            mock.clock.advance(by: .minutes(1))
            try await mock.inject(at: "heartbeat 1", do: "drop: 'connection'")
            mock.clock.advance(by: .seconds(29))
            try await mock.expect(.heartbeat, exactly: 2, in: chat)
            try await mock.expect(never: .disconnection)
        }
    }
}

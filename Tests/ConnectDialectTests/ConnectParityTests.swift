import Clocks
import ConversationEngine
import Expectations
import Fixtures
import MockServer
import TestSupport
import Testing
import Texts

@Suite("One fixture over two protocols", .timeLimit(.minutes(10)))
struct ConnectParityTests {
    private static let words = ["hello", "I want to talk to a person", "a table for 3", "thanks, goodbye"]

    private struct Pair {
        let session: String
        let guest: Guest
    }

    @Test("Its journals are equal but for ids of entries, streamed and whole", arguments: Embedded.names)
    func journals(_ fixture: String) async throws {
        try await Desk.run { desk in
            var pairs: [Pair] = []
            for seed in 1...Strength.of(4, full: 20) {
                let isStreaming = seed % 2 == 0
                let line = "mock:\(fixture)@seed=\(seed)"
                let token = try await desk.client.token(connector: line)
                let session = try await desk.client.session(streaming: isStreaming, token: token)
                let mode = isStreaming ? "INCREMENTAL" : "COMPLETE"
                let guest = try await desk.start(
                    ["ParticipantConfiguration": .object(["ResponseMode": .string(mode)])], flow: line)
                pairs.append(Pair(session: session.id, guest: guest))
            }
            for pair in pairs {
                let answer = try await desk.ask(
                    "POST", "/participant/connection", ["ConnectParticipant": .bool(true)],
                    bearer: pair.guest.token)
                expectEqual(answer.text, "{}")
                await desk.server.inspect { $0.receive(ClientInput(.join(greeting: nil)), in: pair.session) }
            }
            await desk.pass(.seconds(3))
            for word in Self.words {
                for pair in pairs {
                    _ = try await pair.guest.say(word)
                    await desk.server.inspect { $0.receive(ClientInput(.say(word)), in: pair.session) }
                }
                await desk.pass(.seconds(3))
            }
            for pair in pairs {
                let (ours, theirs) = await desk.server.inspect {
                    ($0.session(pair.guest.contact)?.journal, $0.session(pair.session)?.journal)
                }
                let (contact, session) = (try #require(ours), try #require(theirs))
                #expect(contact.count > 3)
                expectEqual(contact.map(\.event), session.map(\.event))
                expectEqual(contact.map(\.time), session.map(\.time))
            }
        }
    }
}

import Clocks
import ConversationEngine
import MockServer
import TestSupport
import Testing

@Suite("One line, one journal", .timeLimit(.minutes(5)))
struct RepeatTests {
    private static let lines = [
        "mock:booking+tunnel@seed=7", "mock:storyteller@seed=3", "mock:webchat+train@seed=11",
    ]

    @Test("Many runs of one line give byte-equal journals, in whatever order the connections open")
    func hundredRuns() async throws {
        var first: [String: [[UInt8]]] = [:]
        for run in 0..<Strength.of(6, full: 100) {
            var shuffled = Self.lines
            var generator = SeededGenerator(seed: UInt64(run))
            shuffled.shuffle(using: &generator)
            let journals = try await journals(of: shuffled)
            for line in Self.lines {
                let journal = try #require(journals[line])
                #expect(journal.count > 5)
                if let known = first[line] {
                    guard journal == known else {
                        Issue.record("run \(run) of \(line) tells something else than the first")
                        return
                    }
                } else {
                    first[line] = journal
                }
            }
        }
    }

    private func journals(of lines: [String]) async throws -> [String: [[UInt8]]] {
        try await World.run { world in
            var sessions: [(line: String, id: String)] = []
            for line in lines {
                let token = try await world.client.token(connector: line)
                let session = try await world.client.session(streaming: true, token: token)
                _ = try await world.client.connect(session)
                sessions.append((line, session.id))
            }
            for word in ["", "a table, please", "four of us", "show me everything"] {
                let input: ClientInput.Word = word.isEmpty ? .join(greeting: nil) : .say(word)
                await world.server.inspect { [sessions] server in
                    for session in sessions { server.receive(ClientInput(input), in: session.id) }
                }
                await world.pass(.seconds(15))
            }
            return await world.server.inspect { [sessions] server in
                Dictionary(
                    uniqueKeysWithValues: sessions.map { ($0.line, server.journalBytes(of: $0.id)) })
            }
        }
    }
}

import Clocks
import ConnectCore
import Expectations
import MockKit
import MockServer
import TestSupport
import Testing

/// Many contacts of Amazon Connect chat that lose connections, frames and answers all the time, are refused and answered
/// twice, and every fourth is connected twice: as ``StormTests``, with its strengths.
@MainActor
@Suite("A storm of contacts", .serialized, .timeLimit(.minutes(10)))
struct ContactStormTests {
    private static let script = """
        {
          fixture: 1, name: "Test", agent: { name: "Ada" },
          pace: "p", paces: { p: { think: "50ms", chunk: "1 word", every: "20ms" } },
          greeting: [ { say: "Welcome to the storm." } ],
          stages: { start: [] }, otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
        }
        """

    @Test(
        "Every message of a customer arrives once, every message of an agent shows once",
        arguments: StormTests.seeds)
    func storm(seed: UInt64) async throws {
        try await Stage.run(fixture: Self.script) {
            $0.connections.perSession = 100
        } _: { stage in
            let isStormy = Locked(false)
            let step = Interval.milliseconds(200)
            var contacts: [Storming] = []
            for number in 0..<StormTests.clients {
                // Chances of its own for every client and direction: the seed decides, not the threads.
                let tap = WebTap(stage.network)
                let chance = SeededGenerator(seed: seed << 32 | UInt64(number))
                let cuts = StormTests.firings(chance.stream("in"), while: isStormy)
                let loses = StormTests.firings(chance.stream("lost"), while: isStormy, every: 2)
                let swallows = StormTests.firings(chance.stream("out"), while: isStormy)
                let answers = StormTests.firings(chance.stream("answers"), while: isStormy)
                // A frame is lost with its connection only.
                tap.judgeInbound { frame in
                    let isCut = cuts(0)
                    return WebTap.Delivery(isCut && loses(0) ? [] : [frame], isCut: isCut)
                }
                tap.cutOutbound(when: swallows)
                let fates = Self.fates(chance.stream("fates"))
                tap.judgeRequests(on: stage.clock) { _ in answers(0) ? fates() : .passes }
                let (session, details) = try await stage.contact(number, streaming: number % 2 == 0, tap: tap)
                var contact = Storming(session: session, id: details.contactId ?? "")
                if number % 4 == 0 {
                    contact.second = try await stage.join(details, 1_000 + number, tap: tap)
                }
                contacts.append(contact)
            }
            isStormy.withLock { $0 = true }
            try await stage.stride(.seconds(3), by: step)
            var pauses = SeededGenerator(seed: seed)
            for number in 1...StormTests.messages {
                for contact in contacts {
                    contact.session.sendMessage(contentType: .plainText, message: "message \(number)") {
                        result in
                        contact.answers.withLock { $0.append((try? result.get()) != nil) }
                    }
                }
                try await stage.stride(step * Int(1 + pauses.next() % 4), by: step)
            }
            isStormy.withLock { $0 = false }
            // A refused reconnect is not tried again by itself: the user comes back to the app.
            for contact in contacts {
                contact.session.resumeWebSocketConnection()
                contact.second?.resumeWebSocketConnection()
            }
            for _ in 0..<900 {
                if contacts.allSatisfy(\.isCalm) { break }
                try await stage.stride(step, by: step)
            }
            var givenUp = 0
            for (number, contact) in contacts.enumerated() {
                givenUp += try await check(contact, stage, "seed \(seed), contact \(number)")
            }
            #expect(givenUp <= 1 + StormTests.clients * StormTests.messages / 1_000, "seed \(seed)")
            for contact in contacts {
                contact.session.shutDown()
                contact.second?.shutDown()
            }
        }
    }

    /// What becomes of a request that is hit: what a service, a network and a gateway do, each as often.
    private static func fates(_ generator: SeededGenerator) -> @Sendable () -> WebTap.Fate {
        let all: [WebTap.Fate] = [
            .lost, .unsent, .missing, .doubled, .late(.seconds(2)), .late(.seconds(20)), .refused(403),
            .refused(503), .replaced(503), .replaced(500),
        ]
        let generator = Locked(generator)
        return { all[generator.withLock { Int($0.next() % UInt64(all.count)) }] }
    }

    /// One customer.
    private struct Storming {
        var session: ChatSession
        var id: String
        /// A second connection of the same customer.
        var second: ChatSession?
        /// What became of each call.
        let answers = Locked<[Bool]>([])

        var messages: [TranscriptRow] { session.latestTranscript.rows.filter { $0.kind == .message } }
        var own: [TranscriptRow] { messages.filter { $0.direction == .Outgoing } }
        var heard: [TranscriptRow] { messages.filter { $0.direction == .Incoming } }

        /// Nothing is under way: what was heard is answered, and the greeting comes on top.
        var isCalm: Bool {
            guard session.isCalmHere, second?.isCalmHere ?? true else { return false }
            // Asked in every step: the transcript is copied once.
            let messages = messages
            let own = messages.filter { $0.direction == .Outgoing }
            let heard = messages.filter { $0.direction == .Incoming }
            return own.allSatisfy { $0.status != .Sending } && heard.allSatisfy(\.isComplete)
                && heard.count > own.count { $0.status != .Failed }
        }
    }

    /// - Returns: how many messages were given up. That is honest when all three answers are lost, and rare.
    private func check(_ contact: Storming, _ stage: Stage, _ which: String) async throws -> Int {
        let facts = try #require(try await stage.facts(of: contact.id), "\(which)")
        let said = (1...StormTests.messages).map { "message \($0)" }
        #expect(
            Set(contact.own.map(\.text)) == Set(said) && contact.own.count == said.count, "\(which): own rows"
        )
        let arrived = contact.own.filter { $0.status != .Failed && $0.status != .Sending }
        expectEqual(facts.heard, arrived.map(\.text), "\(which): the server heard")
        expectEqual(contact.heard.map(\.text), facts.told, "\(which): the agent's rows")
        expectEqual(Set(contact.messages.map(\.id)).count, contact.messages.count, "\(which): ids")
        if let second = contact.second {
            let rows = second.latestTranscript.rows.filter { $0.kind == .message }
            let known = contact.messages.filter { $0.status != .Failed }
            expectEqual(
                Set(rows.map(\.id)), Set(known.map(\.id)), "\(which): a second connection has the same rows"
            )
            expectEqual(rows.count, known.count, "\(which): and each once")
        }
        let answers = contact.answers.withLock { $0 }
        expectEqual(answers.count, said.count, "\(which): every call ends once")
        #expect(answers.count { $0 } <= arrived.count, "\(which): what succeeded has arrived")
        return contact.own.count - arrived.count
    }
}

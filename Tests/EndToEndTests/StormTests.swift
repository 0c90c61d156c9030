import Clocks
import Expectations
import Foundation
import MockKit
import MockServer
import PolyMessaging
import TestSupport
import Testing

/// Many clients that lose their connections all the time.
///
/// By default two seeds run with a few clients. `POLYMOCK_ALL_SEEDS=1` runs 20 seeds with more of them,
/// `POLYMOCK_STORM=full` runs the 20 with 200 clients and 50 messages each (a minute or so per seed), and
/// `POLYMOCK_STORM=7` does that for the seed 7 alone. One seed after the other, for the memory's sake.
@MainActor
@Suite("A storm", .serialized, .timeLimit(.minutes(10)))
struct StormTests {
    private nonisolated static let environment = ProcessInfo.processInfo.environment
    private nonisolated static let wish = environment["POLYMOCK_STORM"]
    private nonisolated static let runsAllSeeds = environment["POLYMOCK_ALL_SEEDS"] != nil || wish == "full"
    nonisolated static let seeds: [UInt64] =
        wish.flatMap { UInt64($0) }.map { [$0] } ?? Array(1...(runsAllSeeds ? 20 : 2))
    static let clients = wish != nil ? 200 : runsAllSeeds ? 40 : 12
    static let messages = wish != nil ? 50 : runsAllSeeds ? 20 : 10

    @Test("Every message of a user arrives once, every message of an agent shows once", arguments: seeds)
    func storm(seed: UInt64) async throws {
        try await Stage.run(
            fixture: fixture("", pace: #"{ think: "50ms", chunk: "1 word", every: "20ms" }"#)
        ) {
            $0.sessions.maxReconnectAttempts = 0
            $0.connections.perSession = 100
        } _: { stage in
            let isStormy = Locked(true)
            let step = Interval.milliseconds(200)
            var taps: [WebTap] = []
            let lostEchoes = (0..<Self.clients).map { _ in Locked<Set<String>>([]) }
            let clients = try (0..<Self.clients).map { number in
                // Chances of its own for every client and direction: the seed decides, not the threads.
                let tap = WebTap(stage.network)
                let chance = SeededGenerator(seed: seed << 32 | UInt64(number))
                let cuts = Self.firings(chance.stream("in"), while: isStormy)
                let damage = Self.damage(chance.stream("damage"), while: isStormy, lostEchoes[number])
                tap.judgeInbound { message in
                    cuts(0) ? WebTap.Delivery([], isCut: true) : WebTap.Delivery(damage(message))
                }
                tap.cutOutbound(when: Self.firings(chance.stream("out"), while: isStormy))
                tap.decide(Self.faults(chance.stream("dials")))
                for path in ["access-token", "sessions"] {
                    tap.decide(Self.fates(chance.stream(path)), for: path)
                }
                taps.append(tap)
                return try stage.client(store: MemorySessionStore(), tap: tap) {
                    $0.streamingEnabled = number % 2 == 0
                }
            }
            try await stage.settle()
            // Words wait for their session, and only this test lets time pass.
            for _ in 0..<300 where clients.contains(where: { $0.snapshot().session.sessionId == nil }) {
                try await stage.stride(step, by: step)
            }
            try await stage.stride(.seconds(3), by: step)
            var pauses = SeededGenerator(seed: seed)
            for number in 1...Self.messages {
                for client in clients { try await client.send("message \(number)") }
                try await stage.stride(step * Int(1 + pauses.next() % 4), by: step)
            }
            isStormy.withLock { $0 = false }
            // A hole at the very end shows when the client comes back.
            for tap in taps { tap.cutAll() }
            for _ in 0..<900 {
                if clients.allSatisfy({ Self.isCalm($0.snapshot()) }) { break }
                try await stage.stride(step, by: step)
            }
            var givenUp = 0
            var lateCount = 0
            var doubledCount = 0
            for (number, client) in clients.enumerated() {
                let lost = lostEchoes[number].withLock { $0 }
                let exceptions = try await check(client, stage, lost, "seed \(seed), client \(number)")
                doubledCount += exceptions.doubledCount
                givenUp += exceptions.givenUp
                if exceptions.isLate { lateCount += 1 }
            }
            #expect(givenUp <= 1 + Self.clients * Self.messages / 1_000, "seed \(seed)")
            #expect(doubledCount <= 1 + Self.clients * Self.messages / 100, "seed \(seed)")
            #expect(lateCount <= 1 + Self.clients * Self.messages / 100, "seed \(seed)")
        }
    }

    static func firings(
        _ generator: SeededGenerator, while isStormy: Locked<Bool>, every count: UInt64 = 16
    ) -> @Sendable (Int) -> Bool {
        let generator = Locked(generator)
        return { _ in generator.withLock { $0.next() % count == 0 } && isStormy.withLock { $0 } }
    }

    /// Some of the first handshakes find a server that is away, or no network; three in a row at most, with the longest
    /// pauses between them: messages are given up after 120 s (``MessagingLimits/offlineHold``).
    private static func faults(_ generator: SeededGenerator) -> [WebTap.Fate] {
        var generator = generator
        var inRow = 0
        return (0..<20).map { number in
            let chance = inRow < 3 ? generator.next() % 8 : 7
            inRow = chance < (number == 0 ? 4 : 2) ? inRow + 1 : 0
            return switch chance {
            case 0: .refused(503)
            case 1: .unsent
            // Nobody has said anything yet that a new session would forget.
            case 2 where number == 0: .refused(404)
            case 3 where number == 0: .refused(403)
            default: .passes
            }
        }
    }

    /// Some of the first requests are refused, lost, or answered too late; the fourth attempt is the last.
    private static func fates(_ generator: SeededGenerator) -> [WebTap.Fate] {
        var generator = generator
        return (0..<3).map { _ in
            switch generator.next() % 8 {
            case 0: .refused(503)
            case 1: .unsent
            case 2: .lost
            case 3: .replaced(502)
            default: .passes
            }
        }
    }

    /// Some messages are missing although the connection goes on, come twice, or with half characters.
    ///
    /// `lostEchoes`: the texts of the user's messages in a history that is missing, or in events before the first history.
    /// If nothing else comes, the client cannot know of them, and sends them again.
    private static func damage(
        _ generator: SeededGenerator, while isStormy: Locked<Bool>, _ lostEchoes: Locked<Set<String>>
    ) -> @Sendable ([UInt8]) -> [[UInt8]] {
        let generator = Locked(generator)
        let hasHistory = Locked(false)
        return { message in
            let chance = generator.withLock { $0.next() % 24 }
            guard isStormy.withLock({ $0 }) else { return [message] }
            if chance == 0 { return lose(message, isFirst: !hasHistory.withLock { $0 }, lostEchoes) }
            if events(of: message) != nil { hasHistory.withLock { $0 = true } }
            return switch chance {
            case 1: [message, message]
            case 2: [FrameFault.halved(message)]
            case 3: [Array("{\"type\":7}".utf8), message]
            default: [message]
            }
        }
    }

    private nonisolated static func lose(
        _ message: [UInt8], isFirst: Bool, _ lostEchoes: Locked<Set<String>>
    ) -> [[UInt8]] {
        for event in events(of: message) ?? (isFirst ? [object(message)] : [])
        where event["type"] as? String == "EVENT_TYPE_USER_MESSAGE" {
            guard let text = (event["payload"] as? [String: Any])?["text"] as? String else { continue }
            lostEchoes.withLock { _ = $0.insert(text) }
        }
        return []
    }

    private nonisolated static func object(_ message: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(message)) as? [String: Any]) ?? [:]
    }

    /// Those of a history; nil for any other message.
    private nonisolated static func events(of message: [UInt8]) -> [[String: Any]]? {
        (object(message)["payload"] as? [String: Any])?["events"] as? [[String: Any]]
    }

    /// Nothing is under way: what was heard is answered, and the greeting comes on top.
    private static func isCalm(_ chat: ClientSnapshot) -> Bool {
        let heard = chat.messages.filter { $0.delivery == .sent }.count
        return chat.connection == .open && !chat.isAgentTyping
            && chat.messages.filter(\.isAgent).count >= heard + 1
            && chat.messages.allSatisfy { $0.delivery != .pending }
    }

    /// Rare exceptions: a message that is given up, which is honest when all four copies are lost; one that is sent
    /// twice, only where its echo was in a history that got lost; and a reply that comes late, which happens where a
    /// replay is damaged as well: what has arrived does not wait for ever.
    private func check(
        _ client: PolyMessagingClient, _ stage: Stage, _ lostEchoes: Set<String>, _ which: String
    ) async throws -> (givenUp: Int, doubledCount: Int, isLate: Bool) {
        let chat = client.snapshot()
        let id = try #require(chat.session.sessionId, "\(which)")
        let facts = try #require(try await stage.facts(of: id), "\(which)")
        let users = chat.messages.filter(\.isUser)
        let said = (1...Self.messages).map { "message \($0)" }
        let rows = Self.doubled(users.compactMap(\.text).map(Self.whole))
        expectEqual(rows.first, said, "\(which): the user's rows")
        #expect(users.allSatisfy { $0.delivery != .pending }, "\(which): pending rows")
        let arrived = users.filter { $0.delivery == .sent }
        let heard = Self.doubled(facts.heard)
        expectEqual(
            heard.first, Self.doubled(arrived.compactMap(\.text).map(Self.whole)).first, "\(which): heard")
        // An echo before the first history is not asked for again.
        #expect(Set(rows.again).isSubset(of: heard.again), "\(which): heard again")
        #expect(
            Set(heard.again).isSubset(of: lostEchoes), "\(which): \(heard.again) doubled without a reason")
        let replies = chat.messages.filter(\.isAgent).compactMap(\.text).map(Self.whole)
        expectEqual(replies.sorted(), facts.told.sorted(), "\(which): the agent's rows")
        return (users.count - arrived.count, heard.again.count, replies != facts.told)
    }

    private static func whole(_ text: String) -> String { text.filter { $0 != "\u{FFFD}" } }

    private static func doubled(_ texts: [String]) -> (first: [String], again: [String]) {
        var known: Set<String> = []
        var again: [String] = []
        let first = texts.filter { text in
            let isNew = known.insert(text).inserted
            if !isNew { again.append(text) }
            return isNew
        }
        return (first, again)
    }
}

import Clocks
import Expectations
import Foundation
import MessagingWire
import PolyMessaging
import TestSupport
import Testing

/// A client, a model server, and a network between them that does its worst.
struct World {
    var bench: Bench
    var server: ModelServer
    private let skipsNumbers: Bool
    /// No outage lasts longer than held events wait, and no attempt fails while they do.
    private let healsInTime: Bool
    /// The first loss since the last replay.
    private var outageSince: Instant?
    private var generator: SeededGenerator
    private var seenOutputs = 0
    private var sentCount = 0

    /// The dial that is not answered yet, with its cursor.
    private var dial: (attempt: Int, cursor: UInt64)?
    /// The open connection, as the server sees it.
    private var attempt: Int?
    private var toServer: [[UInt8]] = []
    private var toClient: [Parcel] = []

    private enum Parcel {
        case history([Bench.ServerEvent])
        case live(Bench.ServerEvent)

        var isHistory: Bool {
            if case .history = self { true } else { false }
        }
    }

    init(seed: UInt64, progressive: Bool, skipsNumbers: Bool, healsInTime: Bool = true) {
        self.skipsNumbers = skipsNumbers
        self.healsInTime = healsInTime
        let generator = SeededGenerator(seed: seed)
        bench = Bench(progressive: progressive, seed: seed) {
            $0.sessionTimeout = .hours(100)
            $0.reconnectAttempts = 0
        }
        server = ModelServer(skipsNumbers: skipsNumbers, generator: generator.stream("server"), at: bench.now)
        self.generator = generator
        bench.start()
        look()
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    // MARK: Steps

    /// Something happens, perhaps something bad.
    mutating func step() {
        heal()
        switch Int.random(in: 0..<16, using: &generator) {
        case 0..<4: deliverToServer()
        case 4..<9: deliverToClient(faithfully: chance(3))
        case 9..<11: answerDial(well: !chance(3))
        case 11: say()
        case 12: if chance(4) { cut() }
        case 13: if chance(8) { loseNetwork() }
        default: pass()
        }
        look()
    }

    /// Everything goes well for long enough.
    mutating func settle() {
        for _ in 0..<400 {
            heal()
            for _ in 0..<20 {
                answerDial(well: true)
                deliverToServer()
                deliverToClient(faithfully: true)
                look()
            }
            bench.advance(.milliseconds(400))
            look()
        }
    }

    private mutating func heal() {
        guard healsInTime, let outageSince, bench.now > outageSince + .seconds(3) else { return }
        bench.give(.networkRestored)
        look()
        answerDial(well: true)
        deliverToClient(faithfully: true)
        look()
    }

    private mutating func say() {
        guard sentCount < 30 else { return }
        sentCount += 1
        bench.send(chance(3) ? "same" : "text \(sentCount)")
    }

    /// Time passes: little while a history is on its way, as its parts follow one another.
    private mutating func pass() {
        let isBusy = toClient.contains(where: \.isHistory)
        let span = isBusy ? 20 : Int64.random(in: 10...2_500, using: &generator)
        bench.advance(.milliseconds(span))
        if isBusy { deliverToClient(faithfully: true) }
    }

    private mutating func deliverToServer() {
        guard attempt != nil, !toServer.isEmpty else { return }
        hear(toServer.removeFirst())
    }

    private mutating func hear(_ frame: [UInt8]) {
        let said = server.hear(ClientEventReader.read(frame), at: bench.now)
        toClient += said.map { .live($0) }
    }

    /// Live events may be doubled, and where the numbers tell, lost or swapped; a history is only shuffled and
    /// cut in parts.
    private mutating func deliverToClient(faithfully: Bool) {
        guard attempt != nil, !toClient.isEmpty else { return }
        let mayLose = !faithfully && !skipsNumbers
        if mayLose, toClient.count > 1, !toClient[0].isHistory, !toClient[1].isHistory, chance(3) {
            toClient.swapAt(0, 1)
        }
        switch toClient.removeFirst() {
        case .history(let events):
            outageSince = nil
            bench.batch(events)
        case .live(let event):
            if mayLose, chance(5) { return }
            bench.receive(event)
            if !faithfully, chance(4) { bench.receive(event) }
        }
    }

    private mutating func answerDial(well: Bool) {
        guard let dial else { return }
        self.dial = nil
        guard well || healsInTime && bench.core.waitsForReplay else {
            let faults: [TransportFault] = [.network("no route"), .refused(status: 503, retryAfter: nil)]
            bench.give(.socketFailed(attempt: dial.attempt, faults[chance(2) ? 0 : 1]))
            return
        }
        attempt = dial.attempt
        toServer = []
        toClient = server.replay(after: dial.cursor, &generator).map { .history($0) }
        bench.open()
    }

    /// The connection breaks; some of what is under way still arrives.
    private mutating func cut() {
        guard attempt != nil, !(healsInTime && bench.core.waitsForReplay) else { return }
        flushSome()
        let codes = [1001, 1005, 1006, 1011, 1012, 4002]
        bench.close(codes[Int.random(in: 0..<codes.count, using: &generator)])
    }

    private mutating func loseNetwork() {
        guard !(healsInTime && bench.core.waitsForReplay) else { return }
        bench.give(.networkLost)
        look()
        bench.advance(.milliseconds(Int64.random(in: 0...4_000, using: &generator)))
        look()
        bench.give(.networkRestored)
    }

    private mutating func flushSome() {
        let count = Int.random(in: 0...toServer.count, using: &generator)
        for frame in toServer.prefix(count) { hear(frame) }
        attempt = nil
        outageSince = outageSince ?? bench.now
        toServer = []
        toClient = []
    }

    /// Does what the client asks for.
    private mutating func look() {
        while seenOutputs < bench.outputs.count {
            let output = bench.outputs[seenOutputs]
            seenOutputs += 1
            switch output {
            case .open(let attempt, let url):
                let cursor = url.query?.split(separator: "&").first { $0.hasPrefix("cursor=") }?.dropFirst(7)
                dial = (attempt, cursor.flatMap { UInt64($0) } ?? 0)
            case .transmit(let attempt, let frame): if attempt == self.attempt { toServer.append(frame) }
            case .close(let attempt, _, _):
                if attempt == self.attempt { flushSome() }
                if attempt == dial?.attempt { dial = nil }
            default: break
            }
        }
    }

    // MARK: What the client saw

    var story: [String] {
        bench.outputs.events.compactMap { event in
            switch event {
            case .messageConfirmed(_, let messageID): messageID
            case .userMessage(_, let payload): payload.messageId
            case .agentMessage(_, let payload): "\(payload.messageId): \(payload.text)"
            default: nil
            }
        }
    }
}

@Suite("Client against a model server")
struct ModelTests {
    @Test(
        "UI-268, CO-210 Whatever the network does, nothing is lost, doubled or out of order",
        arguments: Array(1...Strength.of(18, full: 60)) as [UInt64])
    func everythingOnce(_ seed: UInt64) {
        var world = World(seed: seed, progressive: seed % 2 == 0, skipsNumbers: seed % 3 == 0)
        play(&world, seed)
        expectEqual(world.story, world.server.story, "seed \(seed)")
        let replies = world.server.story.filter { $0.hasPrefix("r-") }
        let bubbles = world.bench.agentBubbles.map { "\($0.messageId): \($0.text)" }
        expectEqual(bubbles, replies, "seed \(seed)")
    }

    /// What fills a hole after a failed attempt comes late: in another place, and perhaps in a row of its own.
    @Test(
        "UI-268, CO-210 Outages with attempts that fail cost the order at most",
        arguments: Array(1...Strength.of(18, full: 60)) as [UInt64])
    func longOutages(_ seed: UInt64) {
        var world = World(
            seed: seed, progressive: seed % 2 == 0, skipsNumbers: seed % 3 == 0, healsInTime: false)
        play(&world, seed)
        let replies = world.server.story.filter { $0.hasPrefix("r-") }.map { $0.split(separator: " ") }
        let words = replies.flatMap { $0.dropFirst() }.sorted()
        let shown = world.bench.agentBubbles.flatMap { $0.text.split(separator: " ") }.sorted()
        expectEqual(shown, words, "seed \(seed)")
    }

    private func play(_ world: inout World, _ seed: UInt64) {
        for _ in 0..<1_500 { world.step() }
        world.settle()
        expectEqual(world.bench.transcript.connection, .open, "seed \(seed)")

        let drafts = world.bench.outputs.pending
        expectEqual(world.bench.userBubbles.map(\.draftId), drafts, "seed \(seed)")
        let counts = world.server.acceptedCounts
        #expect(counts.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        let sent = world.bench.userBubbles.filter { $0.delivery == .sent }
        expectEqual(sent.count, counts.count, "seed \(seed)")
        let pending = world.bench.userBubbles.filter { $0.delivery == .pending }
        #expect(pending.isEmpty, "seed \(seed)")
        #expect(world.server.story.count > 10, "seed \(seed): too little happened")
    }
}

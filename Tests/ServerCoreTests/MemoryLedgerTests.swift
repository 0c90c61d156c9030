import ConversationEngine
import Expectations
import ServerCore
import Testing

@Suite("What is held for clients")
struct MemoryLedgerTests {
    @Test("Each kind has a number of its own; sessions have three together")
    func kinds() {
        var ledger = MemoryLedger(limits: .init(sessions: 100, bodies: 100))
        for (place, kind) in MemoryLedger.Kind.allCases.enumerated() { ledger.charge(place + 1, as: kind) }
        for (place, kind) in MemoryLedger.Kind.allCases.enumerated() { expectEqual(ledger[kind], place + 1) }
        expectEqual(ledger.sessionBytes, ledger[.journals] + ledger[.runs] + ledger[.contacts])
        for kind in MemoryLedger.Kind.allCases { ledger.release(ledger[kind], as: kind) }
        expectEqual(ledger, MemoryLedger(limits: ledger.limits))
    }

    @Test("Sessions have room up to their limit, and not a byte beyond it")
    func sessions() {
        var ledger = MemoryLedger(limits: .init(sessions: 100, bodies: 0))
        ledger.charge(40, as: .runs)
        #expect(ledger.hasRoomInSessions(for: 60) && !ledger.hasRoomInSessions(for: 61))
    }

    @Test("Large bodies leave a quarter of the room to small ones")
    func bodies() {
        var ledger = MemoryLedger(limits: .init(sessions: 0, bodies: 400))
        #expect(ledger.hasRoomInBodies(for: 300, isLarge: true))
        #expect(!ledger.hasRoomInBodies(for: 301, isLarge: true))
        ledger.charge(300, as: .bodies)
        #expect(!ledger.hasRoomInBodies(for: 1, isLarge: true))
        #expect(ledger.hasRoomInBodies(for: 100, isLarge: false))
        #expect(!ledger.hasRoomInBodies(for: 101, isLarge: false))
    }

    @Test(
        "By default holders share what the process may use, whatever that is",
        arguments: [nil, 1, 1 << 28, 1 << 30, 1 << 40] as [Int?])
    func shares(memory: Int?) {
        let shares = MemoryShares(memory: memory)
        let sum = shares.sessions + shares.bodies + shares.files + shares.output + shares.compression
        #expect(sum > 0 && sum <= max(memory ?? .max, 5 << 20))
        #expect(shares.sessions <= 1 << 30 && shares.bodies <= 192 << 20)
    }

    @Test("A session settles what its parts hold, and gives all of it back")
    func session() {
        var ledger = MemoryLedger(limits: .init(sessions: 1_000, bodies: 0))
        let outbox = DeliveryLog(
            handle: .init(slot: 1, generation: 1), id: "s", dialect: 0, encoder: SilentEncoder(), file: "")
        #expect(outbox.settle(runs: 10, contact: 5, in: &ledger))
        #expect(!outbox.settle(runs: 3, contact: 6, in: &ledger))
        #expect((ledger[.runs], ledger[.contacts], outbox.heldBytes) == (3, 6, 9))
        #expect(outbox.settle(runs: 3, contact: 8, in: &ledger))
        #expect((ledger[.runs], ledger[.contacts], outbox.heldBytes) == (3, 8, 11))
        outbox.release(from: &ledger)
        outbox.release(from: &ledger)
        #expect(ledger.sessionBytes == 0 && outbox.heldBytes == 0)
    }
}

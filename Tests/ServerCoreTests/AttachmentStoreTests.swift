import Clocks
import DialectKit
import Expectations
import Testing

@Suite("Files of sessions")
struct AttachmentStoreTests {
    private let now = Instant(secondsSince1970: 1_000)

    private func shelf(_ change: (inout AttachmentStore.Limits) -> Void = { _ in }) -> AttachmentStore {
        var limits = AttachmentStore.Limits()
        change(&limits)
        return AttachmentStore(key: SigningKey([UInt8](repeating: 7, count: 32)), limits: limits)
    }

    private func filled(_ ids: [String], in session: String = "s") throws -> AttachmentStore {
        var shelf = shelf()
        for id in ids {
            try shelf.announce(id, name: "\(id).txt", type: "text/plain", size: 2, session: session)
            try shelf.receive([1, 2], of: id)
            try shelf.judge(id)
        }
        return shelf
    }

    @Test("A file is announced, received, accepted, and opened by its link until that ends")
    func life() throws {
        let shelf = try filled(["a"])
        let link = shelf.link(to: "a", until: now + .seconds(1))
        try expectEqual(shelf.open(link, at: now).file.bytes, [1, 2])
        #expect(throws: AttachmentStore.Refusal.expiredLink) { try shelf.open(link, at: now + .seconds(1)) }
        expectEqual(shelf.files(of: "s").map(\.state), [.accepted])
    }

    @Test(
        "A link that was changed, cut or made up opens nothing",
        arguments: ["", ".", "a", "a.5", "a.5.", "a.x.y", "b.1001000000000.AAAA"] as [String])
    func badLinks(_ link: String) throws {
        let shelf = try filled(["a", "b"])
        #expect(throws: AttachmentStore.Refusal.badLink) { try shelf.open(link, at: now) }
        let good = shelf.link(to: "a", until: now + .seconds(1))
        #expect(throws: AttachmentStore.Refusal.badLink) { try shelf.open("b" + good.dropFirst(), at: now) }
        #expect(throws: AttachmentStore.Refusal.badLink) { try shelf.open(String(good.dropLast()), at: now) }
    }

    @Test("Each step has its turn: bytes come once and as many as announced, a verdict behind them")
    func order() throws {
        var shelf = shelf()
        try shelf.announce("a", name: "a", type: "t", size: 2, session: "s")
        expectEqual(shelf["a"]?.state, .announced)
        #expect(throws: AttachmentStore.Refusal.notExpected) {
            var copy = shelf
            try copy.judge("a")
        }
        #expect(throws: AttachmentStore.Refusal.otherSize(announced: 2)) {
            var copy = shelf
            try copy.receive([1], of: "a")
        }
        #expect(throws: AttachmentStore.Refusal.unknownFile) {
            var copy = shelf
            try copy.receive([1], of: "b")
        }
        #expect(throws: AttachmentStore.Refusal.notExpected) {
            var copy = shelf
            try copy.announce("a", name: "a", type: "t", size: 1, session: "s")
        }
        try shelf.receive([1, 2], of: "a")
        #expect(throws: AttachmentStore.Refusal.notExpected) {
            var copy = shelf
            try copy.receive([1, 2], of: "a")
        }
        try shelf.judge("a", rejected: "virus")
        expectEqual(shelf["a"]?.state, .rejected(reason: "virus"))
        expectEqual(shelf["a"]?.bytes, [])
        let link = shelf.link(to: "a", until: now + .seconds(1))
        #expect(throws: AttachmentStore.Refusal.unknownFile) { try shelf.open(link, at: now) }
    }

    @Test("Files whose bytes do not come in time, and files that are dropped, give their room back")
    func room() throws {
        var shelf = shelf { $0.totalBytes = 20 }
        for (id, end) in [("late", now + .seconds(1)), ("here", now + .seconds(1)), ("open", .distantFuture)]
        {
            try shelf.announce(id, name: id, type: "t", size: 2, session: "s", until: end)
        }
        try shelf.receive([1, 2], of: "here")
        shelf.expire(at: now + .milliseconds(999))
        expectEqual(shelf.byteCount, 6)
        shelf.expire(at: now + .seconds(1))
        expectEqual(shelf.files(of: "s").map(\.id), ["here", "open"])
        expectEqual(shelf.byteCount, 4)
        #expect(shelf.holds([1, 2], of: "here") && !shelf.holds([1, 3], of: "here"))
        shelf.drop("here")
        shelf.drop("here")
        #expect(shelf.byteCount == 2 && !shelf.holds([1, 2], of: "here"))
        expectEqual(
            AttachmentStore.Refusal.noRoom(limit: 20).words,
            "there is room for 20 bytes, and others have it")
    }

    @Test("A file, a session and the server have their bounds; a session that is gone gives its room back")
    func limits() throws {
        var shelf = shelf {
            $0.fileBytes = 10
            $0.sessionBytes = 15
            $0.totalBytes = 20
            $0.sessionFiles = 2
        }
        func refusal(_ id: String, _ size: Int, _ session: String) -> AttachmentStore.Refusal? {
            do throws(AttachmentStore.Refusal) {
                try shelf.announce(id, name: "", type: "", size: size, session: session)
                return nil
            } catch {
                return error
            }
        }
        expectEqual(refusal("a", 11, "s"), .tooLarge(limit: 10))
        expectEqual(refusal("a", -1, "s"), .tooLarge(limit: 10))
        expectEqual(refusal("a", 10, "s"), nil)
        expectEqual(refusal("b", 6, "s"), .noRoom(limit: 15))
        expectEqual(refusal("b", 5, "s"), nil)
        expectEqual(refusal("c", 0, "s"), .tooMany(limit: 2))
        expectEqual(refusal("c", 6, "other"), .noRoom(limit: 20))
        expectEqual(shelf.byteCount, 15)
        shelf.drop(session: "s")
        expectEqual(shelf.byteCount, 0)
        expectEqual(shelf["a"], nil)
        expectEqual(refusal("c", 10, "other"), nil)
    }
}

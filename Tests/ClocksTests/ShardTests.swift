import Clocks
import Expectations
import TestSupport
import Testing

@Suite("Shards")
struct ShardTests {
    @Test("The text names a shard from 1 on, of 256 at most; nothing else is one")
    func text() throws {
        expectEqual(Shard("2/4"), Shard(2, of: 4))
        try expectEqual(#require(Shard("256/256")).description, "256/256")
        for text in [
            "", "2", "/", "2/", "0/4", "5/4", "-1/4", "+1/4", "1/257", "1/0", "1/2/3", "a/b", " 1/2", "01/04",
            "1/04",
            "00/4", "1/004",
        ] {
            expectEqual(Shard(text), nil, "\(text)")
        }
    }

    @Test(
        "Each pair of digits belongs to one shard, and the shards share them evenly",
        arguments: Strength.of(Array(stride(from: 1, through: 256, by: 5)), full: Array(1...256)))
    func shares(count: Int) throws {
        let shards = try (1...count).map { try #require(Shard($0, of: count)) }
        expectEqual(shards.flatMap { Array($0.digits) }, Array(0...255))
        let sizes = shards.map(\.digits.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        // One expectation: each costs more than what it looks at.
        let owners = shards.flatMap { shard in shard.digits.map { _ in shard.number } }
        expectEqual(Self.ids.map { shards[0].owner(of: $0) }, owners)
    }

    /// One for each pair of digits, in their order.
    private static let ids = (0...255).map { UniqueID(high: 1, low: 0xAB00 | $0).text }

    @Test("Four shards are told apart by one digit")
    func fourShards() throws {
        let names = try (1...4).map { try #require(Shard($0, of: 4)).digitNames }
        expectEqual(names.map(\.first), ["00", "40", "80", "c0"])
        expectEqual(names.map(\.last), ["3f", "7f", "bf", "ff"])
    }

    @Test("An id becomes the shard's own by its last digits alone", arguments: [1, 3, 4, 7, 256] as [Int])
    func own(count: Int) throws {
        var generator = SeededGenerator(seed: 7)
        for number in 1...count {
            let shard = try #require(Shard(number, of: count))
            let id = UniqueID.version4(from: &generator)
            let own = shard.own(id)
            expectEqual(shard.owner(of: own.text), number)
            expectEqual(own.text.dropLast(2), id.text.dropLast(2))
            expectEqual(shard.stranger(own.text), nil)
        }
        let all = try #require(Shard(1, of: 1))
        for low in 0...255 as ClosedRange<UInt64> {
            let id = UniqueID(high: 1, low: low)
            expectEqual(all.own(id), id)
        }
    }

    @Test("A shard says who owns the id of another, and nothing of what is no id")
    func strangers() throws {
        let shard = try #require(Shard(2, of: 4))
        let id = "01234567-89ab-4def-8123-4567890123bF"
        expectEqual(shard.stranger(id), "session \(id) belongs to shard 3 of 4, this is shard 2")
        for text in ["", "bf", "a thread of a client", id + "0", String(id.dropLast(2)) + "+f"] {
            expectEqual(shard.stranger(text), nil, "\(text)")
        }
        expectEqual(
            shard.stranger(digits: "c0", called: "a link"),
            "a link belongs to shard 4 of 4, this is shard 2")
        for digits in ["7f", "", "c", "c00", "xy", "+f"] as [Substring] {
            expectEqual(shard.stranger(digits: digits, called: "a link"), nil, "\(digits)")
        }
    }
}

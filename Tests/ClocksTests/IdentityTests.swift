import Clocks
import Expectations
import Testing

@Suite("Seeded generator")
struct SeededGeneratorTests {
    @Test("The numbers are those of SplitMix64 for seed 0")
    func knownNumbers() {
        var generator = SeededGenerator(seed: 0)
        expectEqual(generator.next(), 0xE220_A839_7B1D_CDAF)
        expectEqual(generator.next(), 0x6E78_9E6A_A1B9_65F4)
        expectEqual(generator.next(), 0x06C4_5D18_8009_454F)
    }

    @Test("One seed gives one sequence, another seed another")
    func repeatable() {
        var first = SeededGenerator(seed: 7)
        var second = SeededGenerator(seed: 7)
        var third = SeededGenerator(seed: 8)
        let numbers = (0..<50).map { _ in first.next() }
        expectEqual(numbers, (0..<50).map { _ in second.next() })
        #expect(numbers != (0..<50).map { _ in third.next() })
    }

    @Test("Streams differ by purpose, repeat by name and take nothing from their origin")
    func streams() {
        let origin = SeededGenerator(seed: 7)
        var masks = origin.stream("masks")
        var again = origin.stream("masks")
        var jitter = origin.stream("jitter")
        var plain = origin
        let drawn = masks.next()
        expectEqual(drawn, again.next())
        #expect(drawn != jitter.next())
        #expect(drawn != plain.next())
        expectEqual(origin, SeededGenerator(seed: 7))
    }

    @Test("A unit number lies in 0..<1 and is spread evenly")
    func unit() {
        var generator = SeededGenerator(seed: 1)
        let numbers = (0..<10_000).map { _ in generator.unit() }
        #expect(numbers.allSatisfy { (0..<1).contains($0) })
        let mean = numbers.reduce(0, +) / 10_000
        #expect((0.48...0.52).contains(mean))
    }
}

@Suite("Unique ids")
struct UniqueIDTests {
    @Test("The text is the lower-case canonical form (RFC 9562 §4)")
    func canonicalForm() {
        let id = UniqueID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        expectEqual(id.text, "01234567-89ab-cdef-fedc-ba9876543210")
        var bytes = Array("id=".utf8)
        id.write(to: &bytes)
        expectEqual(bytes, Array("id=01234567-89ab-cdef-fedc-ba9876543210".utf8))
    }

    @Test("Version and variant are in their places (RFC 9562 §5.4, §5.7)", arguments: 0..<20 as Range<UInt64>)
    func versions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let four = Array(UniqueID.version4(from: &generator).text)
        let instant = Instant(secondsSince1970: 1_768_469_400)
        let seven = Array(UniqueID.version7(at: instant, from: &generator).text)
        #expect(four[14] == "4" && seven[14] == "7")
        #expect("89ab".contains(four[19]) && "89ab".contains(seven[19]))
    }

    @Test("Version 7 begins with the milliseconds and sorts by them (RFC 9562 §5.7)")
    func timeOrder() {
        var generator = SeededGenerator(seed: 3)
        // The example of RFC 9562 appendix A.6: 2022-02-22T19:22:22Z is 017F22E279B0.
        let instant = Instant(nanosecondsSince1970: 0x017F_22E2_79B0 * 1_000_000)
        let first = UniqueID.version7(at: instant, from: &generator).text
        let second = UniqueID.version7(at: instant + .milliseconds(1), from: &generator).text
        #expect(first.hasPrefix("017f22e2-79b0-7"))
        #expect(first < second)
    }

    @Test("Ids of one generator do not repeat, and a seed repeats them")
    func repeatable() {
        var first = SeededGenerator(seed: 5)
        var second = SeededGenerator(seed: 5)
        let ids = (0..<1_000).map { _ in UniqueID.version4(from: &first) }
        expectEqual(Set(ids).count, 1_000)
        expectEqual(ids, (0..<1_000).map { _ in UniqueID.version4(from: &second) })
    }
}

@Suite("Locked value")
struct LockedTests {
    @Test("No change is lost when many tasks change it at once", .timeLimit(.minutes(5)))
    func contention() async {
        let total = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<5_000 { total.withLock { $0 += 1 } }
                }
            }
        }
        expectEqual(total.withLock { $0 }, 40_000)
    }

    @Test("An error leaves the lock open")
    func errors() {
        struct Refusal: Error {}
        let value = Locked(1)
        #expect(throws: Refusal.self) { try value.withLock { _ in throw Refusal() } }
        expectEqual(value.withLock { $0 }, 1)
    }
}

import Expectations
import RunWire
import TestSupport
import Testing
import Texts

@Suite("The patch that leads from one document to another")
struct JSONPatchDifferenceTests {
    private func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    }

    /// SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
    private struct Chance {
        var state: UInt64

        mutating func below(_ count: UInt64) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % count)
        }
    }

    /// A document of few names and values, so that two of them have much in common.
    private func document(_ chance: inout Chance, depth: Int = 0) -> JSONValue {
        switch chance.below(depth < 3 ? 7 : 4) {
        case 0: return .integer(Int64(chance.below(3)))
        case 1: return .double(Double(chance.below(3)))
        case 2: return .string(["", "a", "b"][chance.below(3)])
        case 3: return [.null, .bool(true), .bool(false)][chance.below(3)]
        case 4: return .array((0..<chance.below(5)).map { _ in document(&chance, depth: depth + 1) })
        default:
            var names = ["a", "b", "a/b", "m~n", "", "ä", "0"]
            let count = chance.below(5)
            var members: [JSONObject.Member] = []
            for _ in 0..<count {
                let name = names.remove(at: chance.below(UInt64(names.count)))
                members.append(.init(name, document(&chance, depth: depth + 1)))
            }
            return .object(JSONObject(members))
        }
    }

    @Test(
        "Applied, it gives the target; nothing is changed where both are the same",
        arguments: 0..<Strength.of(40, full: 200) as Range<UInt64>)
    func leadsThere(_ seed: UInt64) throws {
        var chance = Chance(state: seed)
        for _ in 0..<20 {
            let (old, new) = (document(&chance), document(&chance))
            let patch = JSONPatch.difference(from: old, to: new)
            let result = try JSONPatch.apply(patch, to: old)
            #expect(result.isSame(as: new), "\(text(old)) to \(text(new))")
            expectEqual(patch.isEmpty, old.isSame(as: new))
            expectEqual(JSONPatch.difference(from: result, to: new), [])
        }
    }

    @Test("A list that gains or loses very many elements is sent anew")
    func longLists() throws {
        let (one, many): (JSONValue, JSONValue) = (
            .array([.integer(5)]), .array((0..<1_002).map { .integer($0) })
        )
        let few: JSONValue = .array((0..<1_001).map { .integer($0) })
        for (old, new) in [(one, many), (many, one)] {
            let patch = JSONPatch.difference(from: old, to: new)
            #expect(patch.count == 1 && patch.first?.verb == .replace && patch.first?.value == new)
        }
        expectEqual(JSONPatch.difference(from: few, to: .array([.integer(0)])).count, 1_000)
    }

    @Test(
        "What stays is not touched",
        arguments: [
            (#"{"a":1,"b":{"c":2}}"#, #"{"b":{"c":3},"a":1.0}"#, "replace /b/c"),
            (#"{"a":1}"#, #"{"b":1}"#, "remove /a, add /b"),
            (#"[1,2,3]"#, #"[1,9,2,3]"#, "add /1"), (#"[1,2,3,4]"#, #"[1,4]"#, "remove /2, remove /1"),
            (#"[1,{"a":1},3]"#, #"[1,{"a":2},3,4]"#, "replace /1/a, add /3"), ("[1,1]", "[1,1,1]", "add /2"),
            (#"{"a/b":{"m~n":1}}"#, #"{"a/b":{"m~n":2}}"#, "replace /a~1b/m~0n"), ("{}", "[]", "replace "),
            (#"{"a":1,"a":2}"#, #"{"a":3}"#, "replace "),
        ] as [(String, String, String)])
    func small(_ old: String, _ new: String, _ told: String) throws {
        let (old, new) = (try JSONReader.read(Array(old.utf8)), try JSONReader.read(Array(new.utf8)))
        let patch = JSONPatch.difference(from: old, to: new)
        expectEqual(patch.map { "\($0.verb.rawValue) \($0.path)" }.joined(separator: ", "), told)
        #expect(try JSONPatch.apply(patch, to: old).isSame(as: new))
    }
}

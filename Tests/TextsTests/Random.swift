import Texts

/// Repeatable random JSON values (xorshift64*).
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }

    mutating func string() -> String {
        var text = ""
        for _ in 0..<below(12) {
            let ranges: [ClosedRange<Int>] = [
                0...0x1F, 0x20...0x7E, 0xA0...0x7FF, 0x800...0xD7FF, 0x1F300...0x1F6FF,
            ]
            let range = ranges[below(ranges.count)]
            if let scalar = Unicode.Scalar(range.lowerBound + below(range.count)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth < 5 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(next() % 2 == 0)
        case 2: return .integer(Int64(bitPattern: next()) >> Int64(below(60)))
        case 3:
            let number = Double(bitPattern: next())
            return .double(number.isFinite ? number : 0.1)
        case 4, 5: return .string(string())
        case 6: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
        default:
            let members = (0..<below(5)).map { _ in JSONObject.Member(string(), value(depth: depth + 1)) }
            return .object(JSONObject(members))
        }
    }
}

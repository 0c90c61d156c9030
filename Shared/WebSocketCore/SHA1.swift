/// SHA-1 (RFC 3174), only for the opening handshake, which does not depend on its security (RFC 6455 §10.8).
package enum SHA1 {
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var schedule = [UInt32](repeating: 0, count: 80)
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            absorb(padded, at: start, &state, &schedule)
        }
        var digest: [UInt8] = []
        digest.reserveCapacity(20)
        for word in state {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return digest
    }

    /// Appends a bit with the value 1, zeros, and the length in bits (RFC 3174 §4).
    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.reserveCapacity(message.count + 72)
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        return padded
    }

    private static func absorb(
        _ bytes: [UInt8], at start: Int, _ state: inout [UInt32], _ schedule: inout [UInt32]
    ) {
        for index in 0..<16 {
            let at = start + index * 4
            schedule[index] =
                UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
                | UInt32(bytes[at + 3])
        }
        for index in 16..<80 {
            let mixed =
                schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
            schedule[index] = rotate(mixed, 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let choice: UInt32
            let constant: UInt32
            switch index {
            case 0..<20: (choice, constant) = ((b & c) | (~b & d), 0x5A82_7999)
            case 20..<40: (choice, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case 40..<60: (choice, constant) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
            default: (choice, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = rotate(a, 5) &+ choice &+ e &+ constant &+ schedule[index]
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }
}

import CSHA256

/// SHA-256 hash (FIPS 180-4 §6.2), by the processor's own instructions where it has them (decision record 0025).
package struct SHA256: Sendable {
    private static let blockBytes = 64
    package static let digestBytes = 32
    package static let hasInstructions = polymock_sha256_is_there()

    private var state = Words(
        a: 0x6a09_e667, b: 0xbb67_ae85, c: 0x3c6e_f372, d: 0xa54f_f53a, e: 0x510e_527f, f: 0x9b05_688c,
        g: 0x1f83_d9ab, h: 0x5be0_cd19)
    /// The last `byteCount % 64` bytes. Not an array, whose memory took 4,000 of the 25,000 instructions of a token.
    private var pending: Block = (0, 0, 0, 0, 0, 0, 0, 0)
    private var byteCount: UInt64 = 0
    private let usesInstructions: Bool

    private typealias Block = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    package init() { usesInstructions = Self.hasInstructions }

    /// - Parameter portably: whether the hash is computed without special instructions.
    package init(portably: Bool) { usesInstructions = !portably && Self.hasInstructions }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Returns the digest, or its first bytes, as lower-case hexadecimal digits.
    package static func hex(of bytes: [UInt8], bytes count: Int = 32) -> String {
        bytes.withUnsafeBytes { hex(of: $0, bytes: count) }
    }

    /// `prefix` comes before the digits.
    package static func hex(
        of bytes: UnsafeRawBufferPointer, bytes count: Int = 32, after prefix: StaticString = ""
    ) -> String {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? value &+ 0x30 : value &+ 0x57 }
        var hash = SHA256()
        hash.update(bytes)
        return hash.withDigest { digest in
            let start = prefix.utf8CodeUnitCount
            return String(unsafeUninitializedCapacity: start + 2 * count) { text in
                prefix.withUTF8Buffer { _ = text.initialize(from: $0) }
                for index in 0..<min(count, digest.count) {
                    text[start + index * 2] = digit(digest[index] >> 4)
                    text[start + index * 2 + 1] = digit(digest[index] & 0xF)
                }
                return start + 2 * count
            }
        }
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let held = Int(byteCount % UInt64(Self.blockBytes))
        byteCount += UInt64(bytes.count)
        var start = 0
        if held > 0 {
            start = min(Self.blockBytes - held, bytes.count)
            keep(UnsafeRawBufferPointer(rebasing: bytes[..<start]), from: held)
            guard held + start == Self.blockBytes else { return }
            compressPending()
        }
        let whole = (bytes.count - start) / Self.blockBytes * Self.blockBytes
        if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: bytes[start..<start + whole])) }
        keep(UnsafeRawBufferPointer(rebasing: bytes[(start + whole)...]), from: 0)
    }

    package consuming func finish() -> [UInt8] { withDigest { Array($0) } }

    /// Calls `body` with the 32 bytes of the digest.
    package consuming func withDigest<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Padding: a one bit, zeros, and the length in bits at a block's end (FIPS 180-4 §5.1.1).
        let held = Int(byteCount % UInt64(Self.blockBytes))
        let bits = (byteCount &* 8).bigEndian
        Swift.withUnsafeMutableBytes(of: &pending) { block in
            block[held] = 0x80
            UnsafeMutableRawBufferPointer(rebasing: block[(held + 1)...]).initializeMemory(
                as: UInt8.self, repeating: 0)
        }
        if held + 9 > Self.blockBytes {
            compressPending()
            pending = (0, 0, 0, 0, 0, 0, 0, 0)
        }
        pending.7 = bits
        compressPending()
        let words = state
        return withUnsafeBytes(
            of: (
                words.a.bigEndian, words.b.bigEndian, words.c.bigEndian, words.d.bigEndian,
                words.e.bigEndian, words.f.bigEndian, words.g.bigEndian, words.h.bigEndian
            ), body)
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer, from place: Int) {
        guard !bytes.isEmpty else { return }
        Swift.withUnsafeMutableBytes(of: &pending) {
            UnsafeMutableRawBufferPointer(rebasing: $0[place...]).copyMemory(from: bytes)
        }
    }

    private mutating func compressPending() {
        let block = pending
        withUnsafeBytes(of: block) { compress($0) }
    }

    /// Processes whole blocks.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        guard usesInstructions, let first = blocks.baseAddress else {
            for start in stride(from: 0, to: blocks.count, by: Self.blockBytes) {
                state.compress(UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockBytes]))
            }
            return
        }
        Swift.withUnsafeMutableBytes(of: &state) { state in
            Self.constants.withUnsafeBufferPointer { constants in
                polymock_sha256(
                    state.baseAddress?.assumingMemoryBound(to: UInt32.self), constants.baseAddress,
                    first.assumingMemoryBound(to: UInt8.self), blocks.count / Self.blockBytes)
            }
        }
    }

    private struct Words {
        var a, b, c, d, e, f, g, h: UInt32

        /// Processes one block of 64 bytes (FIPS 180-4 §6.2.2).
        mutating func compress(_ block: UnsafeRawBufferPointer) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                for index in 0..<16 {
                    schedule.initializeElement(
                        at: index,
                        to: UInt32(
                            bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
                }
                for index in 16..<64 {
                    let (early, late) = (schedule[index - 15], schedule[index - 2])
                    let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early &>> 3)
                    let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late &>> 10)
                    schedule.initializeElement(
                        at: index, to: schedule[index - 16] &+ first &+ schedule[index - 7] &+ second)
                }
                SHA256.constants.withUnsafeBufferPointer { mix(UnsafeBufferPointer(schedule), $0) }
            }
        }

        private mutating func mix(
            _ schedule: UnsafeBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
        ) {
            var (a, b, c, d) = (a, b, c, d)
            var (e, f, g, h) = (e, f, g, h)
            // Eight rounds return the words to their names, which saves moving them: 900 of 3,300 instructions per block.
            for index in stride(from: 0, to: 64, by: 8) {
                func word(_ round: Int) -> UInt32 { constants[index + round] &+ schedule[index + round] }
                Self.round(a, b, c, &d, e, f, g, &h, word(0))
                Self.round(h, a, b, &c, d, e, f, &g, word(1))
                Self.round(g, h, a, &b, c, d, e, &f, word(2))
                Self.round(f, g, h, &a, b, c, d, &e, word(3))
                Self.round(e, f, g, &h, a, b, c, &d, word(4))
                Self.round(d, e, f, &g, h, a, b, &c, word(5))
                Self.round(c, d, e, &f, g, h, a, &b, word(6))
                Self.round(b, c, d, &e, f, g, h, &a, word(7))
            }
            self = Words(
                a: self.a &+ a, b: self.b &+ b, c: self.c &+ c, d: self.d &+ d, e: self.e &+ e,
                f: self.f &+ f, g: self.g &+ g, h: self.h &+ h)
        }

        @inline(__always)
        private static func round(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
            _ h: inout UInt32, _ word: UInt32
        ) {
            let mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let first = h &+ mixE &+ (g ^ (e & (f ^ g))) &+ word
            let mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            d = d &+ first
            h = first &+ mixA &+ ((a & b) ^ (c & (a ^ b)))
        }

        @inline(__always)
        private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word &>> count | word &<< (32 &- count)
        }
    }

    /// Fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2).
    fileprivate static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
        0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
        0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
        0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
        0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
        0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
        0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

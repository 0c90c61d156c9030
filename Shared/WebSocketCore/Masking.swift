/// Masking and unmasking of payloads (RFC 6455 §5.3). The lowest byte of a key is the first one in the frame.
enum Masking {
    /// Copies and masks, 32 or eight bytes at a time. `target` must be at least as long as `source`.
    /// Both may be the same memory.
    static func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, key: UInt32)
    {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        precondition(target.count >= source.count)
        if key == 0 {
            if from != UnsafeRawPointer(to) { to.copyMemory(from: from, byteCount: source.count) }
            return
        }
        let wide = (UInt64(key) << 32 | UInt64(key)).littleEndian
        var offset = 0
        let widest = SIMD4(repeating: wide)
        while offset + 32 <= source.count {
            let words = from.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self) ^ widest
            to.storeBytes(of: words, toByteOffset: offset, as: SIMD4<UInt64>.self)
            offset += 32
        }
        while offset + 8 <= source.count {
            let word = from.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ wide
            to.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        // The offset is a multiple of eight, so the next byte is masked with the first byte of the key.
        var rest = UInt64(key) << 32 | UInt64(key)
        while offset < source.count {
            let byte = from.load(fromByteOffset: offset, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            to.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest >>= 8
            offset += 1
        }
    }

    static func append(_ source: UnsafeRawBufferPointer, to target: inout [UInt8], key: UInt32) {
        let start = target.count
        target.append(contentsOf: source)
        guard key != 0 else { return }
        target.withUnsafeMutableBytes { bytes in
            let added = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            copy(UnsafeRawBufferPointer(added), to: added, key: key)
        }
    }

    /// Returns the key for the rest of a payload, after its first `count` bytes.
    static func rotated(_ key: UInt32, by count: Int) -> UInt32 {
        let bits = UInt32(truncatingIfNeeded: count & 3) * 8
        return bits == 0 ? key : key >> bits | key << (32 - bits)
    }
}

/// Generator of masking keys (SplitMix64). The seed must be random outside tests (RFC 6455 §10.3).
struct MaskGenerator: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt32 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
}

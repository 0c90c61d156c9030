/// Masking and unmasking, which are the same operation (RFC 6455 §5.3).
///
/// A key is a `UInt32` whose lowest byte is the first on the wire.
enum Masking {
    /// Copies `source` to `target` under `key`, eight bytes at a time. Both may be the same memory; `target` has
    /// room for all of `source`.
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
        while offset + 8 <= source.count {
            let word = from.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ wide
            to.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        // The loop advances by multiples of four, so the rest starts at the key's first byte again.
        var rest = UInt64(key) << 32 | UInt64(key)
        while offset < source.count {
            let byte = from.load(fromByteOffset: offset, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            to.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest >>= 8
            offset += 1
        }
    }

    /// Appends `source` to `target` under `key`.
    static func append(_ source: UnsafeRawBufferPointer, to target: inout [UInt8], key: UInt32) {
        let start = target.count
        target.append(contentsOf: source)
        guard key != 0 else { return }
        target.withUnsafeMutableBytes { bytes in
            let added = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            copy(UnsafeRawBufferPointer(added), to: added, key: key)
        }
    }

    /// The key for what follows the first `count` bytes of a payload.
    static func rotated(_ key: UInt32, by count: Int) -> UInt32 {
        let bits = UInt32(truncatingIfNeeded: count & 3) * 8
        return bits == 0 ? key : key >> bits | key << (32 - bits)
    }
}

/// Masking keys of a client, repeatable from a seed (SplitMix64).
///
/// RFC 6455 §10.3 wants keys that nobody who chooses the payload can predict: outside tests, seed it from the
/// system's random numbers.
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

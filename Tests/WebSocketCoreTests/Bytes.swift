import WebSocketCore

/// A frame as raw bytes, legal or not, built without the code under test.
func rawFrame(
    _ opcode: UInt8, _ payload: [UInt8] = [], fin: Bool = true, reserved: UInt8 = 0,
    mask: [UInt8]? = [0x11, 0x22, 0x33, 0x44], form: Int? = nil, announced: UInt64? = nil
) -> [UInt8] {
    let length = announced ?? UInt64(payload.count)
    let bit: UInt8 = mask == nil ? 0 : 0x80
    var bytes: [UInt8] = [(fin ? 0x80 : 0) | reserved | opcode]
    switch form ?? (length < 126 ? 7 : length < 65536 ? 16 : 64) {
    case 7: bytes.append(bit | UInt8(length))
    case 16: bytes += [bit | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default: bytes += [bit | 127] + (0..<8).map { UInt8(length >> UInt64(56 - 8 * $0) & 0xFF) }
    }
    guard let mask else { return bytes + payload }
    bytes += mask + payload
    // Without a closure for each byte: the longest payloads have 128 KiB.
    var place = bytes.count - payload.count
    let start = place
    while place < bytes.count {
        bytes[place] ^= mask[(place - start) % 4]
        place += 1
    }
    return bytes
}

func text(_ string: String) -> [UInt8] { Array(string.utf8) }

func closeBody(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
    [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
}

/// The close codes of the Close frames a server wrote, and what it delivered besides.
struct Account: Equatable {
    var messages: [[UInt8]] = []
    var closeCodes: [UInt16] = []
    var finished: [UInt16] = []

    init(_ outputs: [WebSocketConnection.Output]) {
        for output in outputs {
            switch output {
            case .text(let bytes), .binary(let bytes): messages.append(bytes)
            case .write(let bytes) where bytes[0] == 0x88:
                closeCodes.append(bytes.count >= 4 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 1005)
            case .finished(let code): finished.append(code.rawValue)
            default: break
            }
        }
    }
}

/// A small repeatable generator (xorshift64*).
struct Dice: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }
}

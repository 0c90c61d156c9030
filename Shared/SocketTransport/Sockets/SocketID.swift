/// Identifier of one connection of a ``SocketPool``. Slots are reused, but identifiers are not.
package struct SocketID: Hashable, Sendable, CustomStringConvertible {
    /// Index in the pool's table.
    package let slot: UInt32
    package let generation: UInt32

    package var description: String { "socket \(slot).\(generation)" }
}

/// Identifier of one `listen` call of a ``SocketPool``. A listener on "localhost" has two addresses and one identifier.
package struct ListenerID: Hashable, Sendable {
    package let index: UInt32

    package init(index: UInt32) {
        self.index = index
    }
}

/// User data of a kernel report. It identifies a socket, or one descriptor of a listener.
struct Token: Equatable {
    let bits: UInt64

    private static let listenerMark: UInt64 = 1 << 31

    init(bits: UInt64) {
        self.bits = bits
    }

    /// Token of ``WakeUp``. All bits are set, which no other token has.
    static let bell = Token(bits: .max)

    init(slot: UInt32, generation: UInt32) {
        bits = UInt64(generation) << 32 | UInt64(slot)
    }

    init(listener: UInt32, descriptorIndex: Int) {
        bits = UInt64(descriptorIndex) << 32 | Self.listenerMark | UInt64(listener)
    }

    var isListener: Bool { bits & Self.listenerMark != 0 }
    var listener: Int { Int(bits & 0x7FFF_FFFF) }
    var descriptorIndex: Int { Int(bits >> 32) }
    var slot: Int { Int(bits & 0x7FFF_FFFF) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
}

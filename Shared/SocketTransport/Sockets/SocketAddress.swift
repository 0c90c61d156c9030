#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    package let isIPv6: Bool
    package let port: UInt16
    /// Interface of a link-local IPv6 address (RFC 4007), otherwise 0. The order of the properties keeps the size at 24
    /// bytes.
    private let scope: UInt32
    /// The address as a number. IPv4 uses the lower 32 bits of `low`.
    private let high: UInt64
    private let low: UInt64

    private init(isIPv6: Bool, high: UInt64, low: UInt64, scope: UInt32, port: UInt16) {
        self.isIPv6 = isIPv6
        self.high = high
        self.low = low
        self.scope = scope
        self.port = port
    }

    /// Reads a numeric address such as "127.0.0.1", "::1" or "[::1]". Nil for anything else.
    package init?(host: String, port: UInt16) {
        let text = Self.withoutBrackets(host)
        var small = in_addr()
        if inet_pton(AF_INET, text, &small) == 1 {
            let number = UInt64(UInt32(bigEndian: small.s_addr))
            self.init(isIPv6: false, high: 0, low: number, scope: 0, port: port)
            return
        }
        var large = in6_addr()
        guard inet_pton(AF_INET6, text, &large) == 1 else { return nil }
        self.init(large, scope: 0, port: port)
    }

    /// Removes the brackets of an IPv6 address in a URL (RFC 3986 §3.2.2). Returns other hosts unchanged.
    package static func withoutBrackets(_ host: String) -> String {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return host }
        return String(host.dropFirst().dropLast())
    }

    package static func loopbackIPv4(port: UInt16) -> SocketAddress {
        SocketAddress(isIPv6: false, high: 0, low: 0x7F00_0001, scope: 0, port: port)
    }

    package static func loopbackIPv6(port: UInt16) -> SocketAddress {
        SocketAddress(isIPv6: true, high: 0, low: 1, scope: 0, port: port)
    }

    package func with(port: UInt16) -> SocketAddress {
        SocketAddress(isIPv6: isIPv6, high: high, low: low, scope: scope, port: port)
    }

    /// Whether this is a loopback address: in 127.0.0.0/8 (RFC 1122 §3.2.1.3), or ::1 (RFC 4291 §2.5.3).
    package var isLoopback: Bool {
        isIPv6 ? high == 0 && low == 1 : low >> 24 == 127
    }

    /// Whether the address is 0.0.0.0 or ::, which mean all addresses of the machine.
    package var isUnspecified: Bool { high == 0 && low == 0 }

    /// Address without the port: "127.0.0.1", "::1".
    package var host: String {
        guard isIPv6 else {
            return "\(low >> 24 & 0xFF).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).\(low & 0xFF)"
        }
        var raw = in6Address
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let base = text.baseAddress, inet_ntop(AF_INET6, &raw, base, 64) != nil else { return "?" }
            return String(cString: base)
        }
    }

    /// Address as in a URL: "127.0.0.1:8787" or "[::1]:8787" (RFC 3986 §3.2.2). With port 0: ``host``.
    package var description: String {
        guard port > 0 else { return host }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

// MARK: - The system's form

extension SocketAddress {
    private init(_ raw: in6_addr, scope: UInt32, port: UInt16) {
        let (high, low) = withUnsafeBytes(of: raw) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        if high == 0, low >> 32 == 0xFFFF {
            // On a listener on "::", an IPv4 peer has the address ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
            self.init(isIPv6: false, high: 0, low: low & 0xFFFF_FFFF, scope: 0, port: port)
        } else {
            self.init(isIPv6: true, high: high, low: low, scope: scope, port: port)
        }
    }

    init?(_ raw: UnsafePointer<sockaddr>) {
        switch Int32(raw.pointee.sa_family) {
        case AF_INET:
            let inner = UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in.self)
            self.init(
                isIPv6: false, high: 0, low: UInt64(UInt32(bigEndian: inner.sin_addr.s_addr)), scope: 0,
                port: UInt16(bigEndian: inner.sin_port))
        case AF_INET6:
            let inner = UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in6.self)
            self.init(
                inner.sin6_addr, scope: inner.sin6_scope_id, port: UInt16(bigEndian: inner.sin6_port))
        default:
            return nil
        }
    }

    var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

    private var in6Address: in6_addr {
        var raw = in6_addr()
        withUnsafeMutableBytes(of: &raw) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return raw
    }

    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isIPv6 {
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_addr = in6Address
            raw.sin6_scope_id = scope
            #if canImport(Darwin)
                raw.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
            #endif
            return Self.lend(&raw, body)
        }
        var raw = sockaddr_in()
        raw.sin_family = sa_family_t(AF_INET)
        raw.sin_port = port.bigEndian
        raw.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
        #if canImport(Darwin)
            raw.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        return Self.lend(&raw, body)
    }

    private static func lend<Raw, Result>(
        _ raw: inout Raw, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &raw) { pointer in
            let address = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return body(address, socklen_t(MemoryLayout<Raw>.size))
        }
    }
}

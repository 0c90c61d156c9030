import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum Resolver {
    /// Returns the addresses of `host`, in the order to try. A look-up can take many seconds and cannot be interrupted,
    /// so it runs outside Swift concurrency. "localhost" is always loopback (RFC 6761 §6.3).
    package static func resolve(
        host: String, port: UInt16
    ) async throws(SocketError) -> [SocketAddress] {
        if let address = SocketAddress(host: host, port: port) { return [address] }
        let name = host.lowercased()
        if name == "localhost" || name == "localhost." || name.hasSuffix(".localhost") {
            return [.loopbackIPv4(port: port), .loopbackIPv6(port: port)]
        }
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: lookUp(host, port))
            }
        }
        return try result.get()
    }

    private static func lookUp(_ host: String, _ port: UInt16) -> Result<[SocketAddress], SocketError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return .failure(SocketError(.resolve(host: host), .unknownHost(code))) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
            if let raw = current.pointee.ai_addr, let address = SocketAddress(UnsafePointer(raw)) {
                let complete = address.with(port: port)
                if !addresses.contains(complete) { addresses.append(complete) }
            }
            entry = current.pointee.ai_next
        }
        guard !addresses.isEmpty else {
            return .failure(SocketError(.resolve(host: host), .unknownHost(EAI_NONAME)))
        }
        return .success(addresses)
    }
}

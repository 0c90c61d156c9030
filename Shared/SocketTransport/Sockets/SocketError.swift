#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Failure of a socket operation: the attempt and the reason.
package struct SocketError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Attempt: Equatable, Sendable {
        case listen(host: String, port: UInt16)
        case connect(SocketAddress)
        case accept
        case read
        case write
        case resolve(host: String)
        case watch(path: String)
        /// Creating the epoll or kqueue descriptor, or changing its set.
        case prepare
    }

    package enum Reason: Equatable, Sendable {
        case system(Int32)
        /// The socket's unsent output exceeds ``SocketLimits/writeBufferBytes``.
        case tooMuchOutput(limitBytes: Int)
        /// The unsent output of all sockets exceeds ``SocketLimits/outputTotalBytes``, and that of this connection
        /// takes the most memory.
        case tooMuchOutputOfAll(limitBytes: Int)
        case tooManySockets(limit: Int)
        /// The host is neither a numeric address nor "localhost".
        case notAnAddress
        case shutDown
        /// The name could not be resolved. The value is the error code of `getaddrinfo`.
        case unknownHost(Int32)
    }

    package let attempt: Attempt
    package let reason: Reason

    package init(_ attempt: Attempt, _ reason: Reason) {
        self.attempt = attempt
        self.reason = reason
    }

    init(_ attempt: Attempt, errno code: Int32) {
        self.init(attempt, .system(code))
    }

    /// The system's error number. Nil for errors of this module.
    package var code: Int32? {
        guard case .system(let code) = reason else { return nil }
        return code
    }

    package var isPortTaken: Bool { code == EADDRINUSE }

    package var isRefused: Bool { code == ECONNREFUSED }

    /// Whether the machine lacks this address, or any address of its family.
    var isFamilyMissing: Bool {
        code == EAFNOSUPPORT || code == EADDRNOTAVAIL || code == EPROTONOSUPPORT
    }
}

// MARK: - In words

extension SocketError {
    package var description: String {
        switch (attempt, reason) {
        case (.listen(let host, let port), _): listenText(host, port)
        case (.connect(let address), .system(ECONNREFUSED)):
            "nothing listens on \(address); start the server first, or check the port"
        case (.connect(let address), .system(ETIMEDOUT)):
            "\(address) did not answer; check the address and the network"
        case (.connect(let address), _): "could not connect to \(address): \(reasonText)"
        case (.accept, .system(EMFILE)), (.accept, .system(ENFILE)):
            "no descriptors left for more connections; raise the limit with \"ulimit -n\", or close some"
        case (.accept, _): "could not accept a connection: \(reasonText)"
        case (.read, _), (.write, .system(EPIPE)): "the connection was lost: \(reasonText)"
        case (.write, .tooMuchOutput(let limit)):
            "the peer does not read: the connection was closed with more than \(limit >> 10) KiB unsent"
        case (.write, .tooMuchOutputOfAll(let limit)):
            "more than \(limit >> 10) KiB were unsent on all connections, most of it on this one"
        case (.write, _): "could not write to the connection: \(reasonText)"
        case (.resolve(let host), _):
            "\"\(host)\" has no address: \(reasonText); check the spelling and the network"
        case (.watch(let path), _): "could not watch \(path) for changes: \(reasonText)"
        case (.prepare, _): "the system gave no descriptor: \(reasonText); raise the limit with \"ulimit -n\""
        }
    }

    private func listenText(_ host: String, _ port: UInt16) -> String {
        switch reason {
        case .system(EADDRINUSE):
            "port \(port) on \(host) is taken; choose another with --port, or 0 for any free one"
        case .system(EACCES), .system(EPERM):
            "port \(port) on \(host) needs administrator rights; choose one above 1023 with --port"
        case .system(EADDRNOTAVAIL):
            "\(host) is not an address of this machine; listen on 127.0.0.1, or on 0.0.0.0 for all of them"
        case .notAnAddress:
            "cannot listen on \"\(host)\"; use localhost, 127.0.0.1, ::1, 0.0.0.0 or :: instead"
        default:
            "could not listen on \(host), port \(port): \(reasonText)"
        }
    }

    private var reasonText: String {
        switch reason {
        case .system(let code): "\(Self.words(for: code)) (errno \(code))"
        case .tooMuchOutput(let limit): "more than \(limit) bytes wait to be sent"
        case .tooMuchOutputOfAll(let limit): "more than \(limit) bytes wait to be sent to all peers"
        case .tooManySockets(let limit): "\(limit) connections are open, which is the limit"
        case .notAnAddress: "not an address"
        case .shutDown: "all sockets were closed for good"
        case .unknownHost(let code): gai_strerror(code).map { String(cString: $0) } ?? "code \(code)"
        }
    }

    private static func words(for code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "unknown error"
    }
}

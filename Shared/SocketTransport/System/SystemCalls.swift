#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CEpoll
    import Glibc
#elseif canImport(Musl)
    import CEpoll
    import Musl
#endif

struct SystemFailure: Error {
    let code: Int32

    init(code: Int32) {
        self.code = code
    }

    static var last: SystemFailure { SystemFailure(code: errno) }
}

package enum AcceptOutcome: Sendable {
    case accepted(descriptor: Int32, peer: SocketAddress)
    case failed(errno: Int32)
}

/// Socket calls, alike on all systems. Descriptors are non-blocking and closed on exec. Interrupted calls are repeated;
/// SIGPIPE is not raised. Reads and writes return a negated `errno` on failure.
enum SystemCalls {
    #if canImport(Darwin)
        private static let sendFlags: Int32 = 0  // SO_NOSIGPIPE is set on the socket instead
        private static let sendMoreFlags: Int32 = 0
    #else
        private static let sendFlags = Int32(MSG_NOSIGNAL)
        private static let sendMoreFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_MORE)
    #endif

    /// Returns the number of bytes in the kernel's buffer that the peer has not acknowledged (SO_NWRITE on Apple
    /// systems; SIOCOUTQ, tcp(7)).
    static func unacknowledged(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
            var count: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : 0
        #else
            return Int(polymock_unacknowledged(descriptor))
        #endif
    }

    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let mine = left.baseAddress, let theirs = right.baseAddress else { return true }
        return memcmp(mine, theirs, left.count) == 0
    }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            let code = errno
            if code != EINTR { return -Int(code) }
        }
    }

    /// Sends bytes. With `moreFollows`, Linux delays a partial segment until the rest follows (MSG_MORE, send(2)).
    static func transmit(
        _ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int, moreFollows: Bool
    ) -> Int {
        while true {
            let sent = send(descriptor, start, count, moreFollows ? sendMoreFlags : sendFlags)
            if sent >= 0 { return sent }
            let code = errno
            if code != EINTR { return -Int(code) }
        }
    }

    /// Duplicates a descriptor. Nil if no more descriptors can be opened.
    static func copyDescriptor(_ descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    static func makeSocket(family: Int32) throws(SystemFailure) -> Int32 {
        #if canImport(Darwin)
            let descriptor = socket(family, SOCK_STREAM, 0)
            guard descriptor >= 0 else { throw .last }
            prepare(descriptor)
            return descriptor
        #else
            #if canImport(Glibc)
                let stream = Int32(SOCK_STREAM.rawValue)
            #else
                let stream = SOCK_STREAM
            #endif
            // On Linux, SOCK_NONBLOCK and SOCK_CLOEXEC equal O_NONBLOCK and O_CLOEXEC.
            let descriptor = socket(family, stream | O_NONBLOCK | O_CLOEXEC, 0)
            guard descriptor >= 0 else { throw .last }
            return descriptor
        #endif
    }

    static func acceptOne(_ listener: Int32) -> AcceptOutcome {
        var storage = sockaddr_storage()
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            while true {
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                #if canImport(Darwin)
                    let descriptor = accept(listener, raw, &length)
                    if descriptor >= 0, !prepare(descriptor) {
                        _ = close(descriptor)
                        return .failed(errno: ECONNABORTED)
                    }
                #else
                    let descriptor = accept4(listener, raw, &length, O_NONBLOCK | O_CLOEXEC)
                #endif
                if descriptor >= 0 {
                    // On some systems, a peer that has already disconnected has no address.
                    let peer = SocketAddress(UnsafePointer(raw)) ?? .loopbackIPv4(port: 0)
                    return .accepted(descriptor: descriptor, peer: peer)
                }
                let code = errno
                if code != EINTR { return .failed(errno: code) }
            }
        }
    }

    #if canImport(Darwin)
        /// - Returns: false if SIGPIPE could not be disabled. The system refuses that for a peer that has disconnected
        ///   (EINVAL).
        @discardableResult
        private static func prepare(_ descriptor: Int32) -> Bool {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        }
    #endif

    static func bindAndListen(
        _ descriptor: Int32, _ address: SocketAddress, backlog: Int
    ) throws(SystemFailure) {
        // Allows a port whose earlier connections are still in TIME_WAIT.
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isIPv6 {
            // A listener on "::" also accepts IPv4. Other IPv6 listeners do not, so IPv4 can have its own.
            setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isUnspecified ? 0 : 1)
        }
        guard address.withSystemAddress({ bind(descriptor, $0, $1) }) == 0 else { throw .last }
        guard listen(descriptor, Int32(clamping: backlog)) == 0 else { throw .last }
    }

    /// Starts to connect. Returns true if the connection is already open, and false while it is being established.
    static func startConnecting(
        _ descriptor: Int32, to address: SocketAddress
    ) throws(SystemFailure) -> Bool {
        if address.withSystemAddress({ connect(descriptor, $0, $1) }) == 0 { return true }
        let failure = SystemFailure.last
        // A connect that a signal interrupts continues in the background (POSIX connect).
        if failure.code == EINPROGRESS || failure.code == EINTR { return false }
        throw failure
    }

    static func setNoDelay(_ descriptor: Int32) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    /// Limits the unsent bytes in the kernel's buffer (TCP_NOTSENT_LOWAT, tcp(7)). On Apple systems, the limit only
    /// changes when the socket is reported as writable.
    static func limitUnsent(_ descriptor: Int32, bytes: Int) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(bytes))
    }

    static func pendingError(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code
    }

    static func shutDownOutput(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    static func closeDescriptor(_ descriptor: Int32) {
        // An interrupted close is not repeated: the descriptor is closed anyway (Linux close(2)).
        _ = close(descriptor)
    }

    static func closeWithReset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        closeDescriptor(descriptor)
    }

    static func localAddress(_ descriptor: Int32) -> SocketAddress? {
        readAddress { getsockname(descriptor, $0, $1) }
    }

    static func peerAddress(_ descriptor: Int32) -> SocketAddress? {
        readAddress { getpeername(descriptor, $0, $1) }
    }

    private static func readAddress(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return call(raw, &length) == 0 ? SocketAddress(UnsafePointer(raw)) : nil
        }
    }

    @discardableResult
    private static func setOption(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32
    ) -> Bool {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    #if !canImport(Darwin)
        /// Lowers the priority of the calling thread. On Linux, each thread has its own nice value (setpriority(2)).
        static func lowerPriority(by niceness: Int32) {
            #if canImport(Glibc)
                let kind = Int32(PRIO_PROCESS.rawValue)
            #else
                let kind = PRIO_PROCESS
            #endif
            _ = setpriority(kind, 0, min(19, getpriority(kind, 0) + niceness))
        }
    #endif

    /// Whether a call with the error `code` is retried later, because it would have blocked or the kernel had no
    /// buffers.
    static func isRetriedLater(_ code: Int32) -> Bool {
        code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS
    }

    static func acceptVerdict(_ code: Int32) -> AcceptVerdict {
        switch code {
        case EAGAIN, EWOULDBLOCK: .noneWaiting
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .noResources
        case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP: .noResources
        // Other errors, such as ECONNABORTED, concern only the new connection (accept(2)).
        default: .tryNext
        }
    }

    enum AcceptVerdict {
        case noneWaiting
        case noResources
        case tryNext
    }
}

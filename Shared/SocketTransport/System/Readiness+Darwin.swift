// Linux compiles this file too with POLYMOCK_KQUEUE=1 (Package.swift) and Tests/CKqueue, as bash .ci/apple does.
#if canImport(Darwin) || KQUEUE
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import CKqueue
        import Glibc
    #endif

    /// Level-triggered kqueue with the interface of the epoll implementation. Input and output are watched separately,
    /// so a socket can appear twice in a batch. Tested on Linux, not yet on XNU.
    struct Readiness {
        /// Whether a loop may wait on its own thread. Not with kqueue: that is untested.
        static let canWait = false

        let descriptor: Int32
        private let reports: UnsafeMutablePointer<kevent>
        private let capacity: Int

        init(capacity: Int) throws(SystemFailure) {
            descriptor = kqueue()
            guard descriptor >= 0 else { throw .last }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.capacity = capacity
            reports = .allocate(capacity: capacity)
        }

        /// Frees the memory. The pool closes the descriptor.
        func freeMemory() {
            reports.deallocate()
        }

        /// Changes the directions in which a descriptor is watched. `previous` is nil if it is not watched yet.
        func set(
            _ target: Int32, _ token: Token, from previous: Interest?, to interest: Interest
        ) throws(SystemFailure) {
            let before = previous ?? []
            try change(target, token, .input, EVFILT_READ, before, interest)
            try change(target, token, .output, EVFILT_WRITE, before, interest)
        }

        func remove(_ target: Int32, from previous: Interest) {
            try? set(target, Token(bits: 0), from: previous, to: [])
        }

        private func change(
            _ target: Int32, _ token: Token, _ which: Interest, _ filter: Int32, _ before: Interest,
            _ after: Interest
        ) throws(SystemFailure) {
            guard before.contains(which) != after.contains(which) else { return }
            var request = kevent()
            request.ident = UInt(target)
            request.filter = Int16(filter)
            request.flags = UInt16(after.contains(which) ? EV_ADD : EV_DELETE)
            request.udata = UnsafeMutableRawPointer(bitPattern: UInt(token.bits))
            while kevent(descriptor, &request, 1, nil, 0, nil) != 0 {
                let failure = SystemFailure.last
                if failure.code != EINTR { throw failure }
            }
        }

        func wait(nanoseconds: Int64) -> Bool { false }

        /// Fetches reports without waiting. Returns their number.
        func poll() -> Int {
            var noWait = timespec(tv_sec: 0, tv_nsec: 0)
            while true {
                let count = kevent(descriptor, nil, 0, reports, Int32(capacity), &noWait)
                if count >= 0 { return Int(count) }
                if errno != EINTR { return 0 }
            }
        }

        /// Returns a report of the last ``poll()``. The end of input counts as readiness for input; the read returns
        /// zero bytes.
        func report(at index: Int) -> ReadinessReport {
            let raw = reports[index]
            let isInput = raw.filter == Int16(EVFILT_READ)
            return ReadinessReport(
                token: Token(bits: UInt64(UInt(bitPattern: raw.udata))), input: isInput, output: !isInput,
                hungUp: false)
        }
    }
#endif

// With POLYMOCK_KQUEUE=1 (see Package.swift) Linux uses this form too, over Tests/CKqueue: bash .ci/apple runs the tests so.
#if canImport(Darwin) || KQUEUE
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import CKqueue
        import Glibc
    #endif

    /// A set of descriptors and what the kernel reports about them: level-triggered kqueue.
    ///
    /// Interface as in the epoll form. Input and output are two filters, so a socket may appear twice in one batch.
    /// Its logic is tested on Linux; XNU itself has not run it yet.
    struct Readiness {
        /// Waiting on the loop's own thread has not been tried on these systems: loops go back to Dispatch at once.
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

        /// Frees the memory; the descriptor is closed by ``SystemCalls/closeDescriptor(_:)`` in its own time.
        func freeMemory() {
            reports.deallocate()
        }

        /// Updates the interest set of a descriptor. `previous` nil means that the descriptor is new to the set.
        func set(
            _ target: Int32, _ token: Token, from previous: Interest?, to interest: Interest
        ) throws(SystemFailure) {
            let before = previous ?? []
            try change(target, token, .input, EVFILT_READ, before, interest)
            try change(target, token, .output, EVFILT_WRITE, before, interest)
        }

        /// Takes a descriptor out of the set. Closing it does the same.
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

        /// Not called, see ``canWait``.
        func wait(nanoseconds: Int64) -> Bool { false }

        /// Fetches what is ready, without waiting.
        func poll() -> Int {
            var noWait = timespec(tv_sec: 0, tv_nsec: 0)
            while true {
                let count = kevent(descriptor, nil, 0, reports, Int32(capacity), &noWait)
                if count >= 0 { return Int(count) }
                if errno != EINTR { return 0 }
            }
        }

        /// Report `index` of the last ``poll()``. The end of input arrives as input that reads zero bytes.
        func report(at index: Int) -> ReadinessReport {
            let raw = reports[index]
            let isInput = raw.filter == Int16(EVFILT_READ)
            return ReadinessReport(
                token: Token(bits: UInt64(UInt(bitPattern: raw.udata))), input: isInput, output: !isInput,
                hungUp: false)
        }
    }
#endif

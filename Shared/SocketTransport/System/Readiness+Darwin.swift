// Linux uses this file too if POLYMOCK_KQUEUE=1 is set (see Package.swift), with Tests/CKqueue. bash .ci/apple does
// that.
#if canImport(Darwin) || KQUEUE
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import CKqueue
        import Glibc
    #endif

    /// A set of watched descriptors, as a level-triggered kqueue. It has the same interface as the epoll
    /// implementation. Input and output are watched separately, so a socket can appear twice in a batch. Tested on
    /// Linux, not yet on XNU.
    struct Readiness {
        /// Whether a loop may wait on its own thread. This is untested with kqueue, so loops wait in Dispatch instead.
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

        /// Frees the memory. The descriptor stays open; the pool closes it.
        func freeMemory() {
            reports.deallocate()
        }

        /// Changes what the kernel watches on a descriptor. `previous` is nil if the descriptor is not in the set.
        func set(
            _ target: Int32, _ token: Token, from previous: Interest?, to interest: Interest
        ) throws(SystemFailure) {
            let before = previous ?? []
            try change(target, token, .input, EVFILT_READ, before, interest)
            try change(target, token, .output, EVFILT_WRITE, before, interest)
        }

        /// Removes a descriptor from the set. Closing the descriptor would remove it too.
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

        /// Not called; see ``canWait``.
        func wait(nanoseconds: Int64) -> Bool { false }

        /// Fetches the reports of ready descriptors, without waiting. Returns their number.
        func poll() -> Int {
            var noWait = timespec(tv_sec: 0, tv_nsec: 0)
            while true {
                let count = kevent(descriptor, nil, 0, reports, Int32(capacity), &noWait)
                if count >= 0 { return Int(count) }
                if errno != EINTR { return 0 }
            }
        }

        /// Returns the report at `index` of the last ``poll()``. The end of input is reported as readiness for input;
        /// the read then returns zero bytes.
        func report(at index: Int) -> ReadinessReport {
            let raw = reports[index]
            let isInput = raw.filter == Int16(EVFILT_READ)
            return ReadinessReport(
                token: Token(bits: UInt64(UInt(bitPattern: raw.udata))), input: isInput, output: !isInput,
                hungUp: false)
        }
    }
#endif

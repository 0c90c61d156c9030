#if os(Linux) && !KQUEUE
    import CEpoll
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A set of watched descriptors, as a level-triggered epoll. The pool frees its memory, and closes its descriptor.
    struct Readiness {
        /// Whether a loop may wait on its own thread.
        static let canWait = true

        let descriptor: Int32
        private let reports: UnsafeMutablePointer<epoll_event>
        private let capacity: Int

        // These values are those of <sys/epoll.h>. One C library has them as an enumeration and the other as macros, so
        // they are repeated here.
        private static let inputBit: UInt32 = 0x001
        private static let outputBit: UInt32 = 0x004
        private static let errorBit: UInt32 = 0x008
        private static let hangUpBit: UInt32 = 0x010

        init(capacity: Int) throws(SystemFailure) {
            descriptor = epoll_create1(O_CLOEXEC)
            guard descriptor >= 0 else { throw .last }
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
            var wanted: UInt32 = 0
            if interest.contains(.input) { wanted |= Self.inputBit }
            if interest.contains(.output) { wanted |= Self.outputBit }
            var report = epoll_event()
            report.events = wanted
            report.data.u64 = token.bits
            let operation = previous == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
            guard epoll_ctl(descriptor, operation, target, &report) == 0 else { throw .last }
        }

        /// Removes a descriptor from the set. Closing the descriptor would remove it too.
        func remove(_ target: Int32, from previous: Interest) {
            var unused = epoll_event()
            _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, target, &unused)
        }

        /// Waits until a descriptor is ready or the wake-up rings, but at most `nanoseconds`.
        ///
        /// - Returns: whether ``poll()`` has something to fetch.
        func wait(nanoseconds: Int64) -> Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var time = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            return ppoll(&watched, 1, &time, nil) > 0
        }

        /// Fetches the reports of ready descriptors, without waiting. Returns their number.
        func poll() -> Int {
            while true {
                let count = epoll_wait(descriptor, reports, Int32(capacity), 0)
                if count >= 0 { return Int(count) }
                if errno != EINTR { return 0 }
            }
        }

        func report(at index: Int) -> ReadinessReport {
            let bits = reports[index].events
            return ReadinessReport(
                token: Token(bits: reports[index].data.u64), input: bits & Self.inputBit != 0,
                output: bits & Self.outputBit != 0, hungUp: bits & (Self.errorBit | Self.hangUpBit) != 0)
        }
    }
#endif

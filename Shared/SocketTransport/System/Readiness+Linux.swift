#if os(Linux) && !KQUEUE
    import CEpoll
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Level-triggered epoll.
    struct Readiness {
        static let canWait = true

        let descriptor: Int32
        private let reports: UnsafeMutablePointer<epoll_event>
        private let capacity: Int

        // Values of <sys/epoll.h>, an enumeration in one C library and macros in the other.
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

        /// Frees the memory. The pool closes the descriptor.
        func freeMemory() {
            reports.deallocate()
        }

        /// Changes the directions in which a descriptor is watched. `previous` is nil if it is not watched yet.
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

        func remove(_ target: Int32, from previous: Interest) {
            var unused = epoll_event()
            _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, target, &unused)
        }

        /// Waits at most `nanoseconds` for a ready descriptor or the wake-up.
        ///
        /// - Returns: whether ``poll()`` has something to fetch.
        func wait(nanoseconds: Int64) -> Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var time = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            return ppoll(&watched, 1, &time, nil) > 0
        }

        /// Fetches reports without waiting. Returns their number.
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

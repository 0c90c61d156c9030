#if os(Linux) && !KQUEUE
    import CEpoll
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A set of descriptors and what the kernel reports about them: level-triggered epoll.
    ///
    /// Unowned memory and descriptor: ``close()`` and the owner's `deinit` release them.
    struct Readiness {
        /// A loop may wait here on its own thread.
        static let canWait = true

        let descriptor: Int32
        private let reports: UnsafeMutablePointer<epoll_event>
        private let capacity: Int

        // <sys/epoll.h>; an enumeration in one C library and macros in the other.
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

        /// Frees the memory; the descriptor is closed by ``SystemCalls/closeDescriptor(_:)`` in its own time.
        func freeMemory() {
            reports.deallocate()
        }

        /// Updates the interest set of a descriptor. `previous` nil means that the descriptor is new to the set.
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

        /// Takes a descriptor out of the set. Closing it does the same.
        func remove(_ target: Int32, from previous: Interest) {
            var unused = epoll_event()
            _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, target, &unused)
        }

        /// Waits until something is ready, or the bell rings, for `nanoseconds` at most.
        ///
        /// - Returns: true when ``poll()`` has something to fetch.
        func wait(nanoseconds: Int64) -> Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var time = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            return ppoll(&watched, 1, &time, nil) > 0
        }

        /// Fetches what is ready, without waiting.
        func poll() -> Int {
            while true {
                let count = epoll_wait(descriptor, reports, Int32(capacity), 0)
                if count >= 0 { return Int(count) }
                if errno != EINTR { return 0 }
            }
        }

        /// Report `index` of the last ``poll()``.
        func report(at index: Int) -> ReadinessReport {
            let bits = reports[index].events
            return ReadinessReport(
                token: Token(bits: reports[index].data.u64), input: bits & Self.inputBit != 0,
                output: bits & Self.outputBit != 0, hungUp: bits & (Self.errorBit | Self.hangUpBit) != 0)
        }
    }
#endif

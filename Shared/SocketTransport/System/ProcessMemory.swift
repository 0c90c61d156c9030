import Clocks
import Dispatch

#if canImport(Glibc)
    import CEpoll
    import Glibc
#endif

/// Return of freed memory to the system, with process-wide settings of glibc's allocator.
package enum ProcessMemory {
    #if canImport(Glibc)
        private struct Watch {
            let timer: any DispatchSourceTimer
            var lastLook = Use()
            var lastReturn = Use()
            var lastFree = 0
        }

        private struct Use {
            var milliseconds = 0
            /// Minor page faults: pages touched for the first time, or again after their return.
            var pages = 0
        }

        private static let watch = Locked<Watch?>(nil)

        package static func returnsWhatIsFreed() {
            mallopt(M_MMAP_THRESHOLD, Int32(SocketLimits.largeBlockBytes))
            mallopt(M_TRIM_THRESHOLD, Int32(SocketLimits.freeBytes))
            // Each heap reserves 64 MiB of addresses. Without a limit, glibc creates up to eight heaps per processor
            // core.
            mallopt(M_ARENA_MAX, Int32(SocketLimits.heaps))
            watch.withLock { watch in
                guard watch == nil else { return }
                let queue = DispatchQueue(label: "polymock.memory", qos: .utility)
                let timer = DispatchSource.makeTimerSource(queue: queue)
                let pause = DispatchTimeInterval.seconds(SocketLimits.memoryCheckSeconds)
                timer.schedule(deadline: .now() + pause, repeating: pause, leeway: .seconds(1))
                timer.setEventHandler { look() }
                watch = Watch(timer: timer)
                timer.resume()
            }
        }

        /// Returns free memory to the system if the process is quiet. A return can make other threads wait.
        private static func look() {
            watch.withLock { watch in
                guard var now = watch else { return }
                let used = use
                let isQuiet = used.milliseconds - now.lastLook.milliseconds < SocketLimits.quietMilliseconds
                now.lastLook = used
                let hasWorked =
                    used.milliseconds - now.lastReturn.milliseconds > SocketLimits.busyMilliseconds
                let hasTouched = used.pages - now.lastReturn.pages > SocketLimits.touchedPages
                // The free bytes are compared last, because counting them visits all heaps.
                if isQuiet,
                    hasWorked || hasTouched || polymock_free_bytes() - now.lastFree > SocketLimits.freeBytes
                {
                    malloc_trim(0)
                    now.lastReturn = use
                    now.lastFree = polymock_free_bytes()
                }
                watch = now
            }
        }

        private static var use: Use {
            var usage = rusage()
            guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return Use() }
            let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            let milliseconds = seconds * 1_000 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
            return Use(milliseconds: milliseconds, pages: usage.ru_minflt)
        }
    #else
        package static func returnsWhatIsFreed() {}
    #endif
}

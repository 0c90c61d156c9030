import Clocks
import Dispatch

#if canImport(Glibc)
    import CEpoll
    import Glibc
#endif

/// How this process gives memory back that it has freed. For whole programs: it changes the allocator of the process.
///
/// The GNU allocator keeps what is freed in two ways, and both showed. Its thresholds rise with the largest block that
/// was ever freed, up to 32 and 64 MiB: a flood of large messages left a server of 18 MB with 77 MB for ever. And what
/// is freed in the midst of a heap stays: when large rows took the place of 10,000 small ones, 26 MB did. Other
/// allocators behave well with their defaults.
package enum ProcessMemory {
    #if canImport(Glibc)
        /// For the rest of the process.
        private struct Watch {
            let timer: any DispatchSourceTimer
            var lastLook = Use()
            var lastReturn = Use()
            /// Bytes that were free in all heaps after it, given back or not.
            var lastFree = 0
        }

        /// The work of this process so far.
        private struct Use {
            /// Of processor time.
            var milliseconds = 0
            /// Pages that were touched for the first time, also after they were given back.
            var pages = 0
        }

        private static let watch = Locked<Watch?>(nil)

        /// Has large blocks returned at once, and the rest whenever much was done and little is going on.
        package static func returnsWhatIsFreed() {
            mallopt(M_MMAP_THRESHOLD, Int32(Limits.largeBlockBytes))
            mallopt(M_TRIM_THRESHOLD, Int32(Limits.freeBytes))
            // Each heap reserves 64 MiB of addresses: with one per thread a server of 270 MiB needed more than 1 GiB.
            mallopt(M_ARENA_MAX, Int32(Limits.heaps))
            watch.withLock { watch in
                guard watch == nil else { return }
                let queue = DispatchQueue(label: "polymock.memory", qos: .utility)
                let timer = DispatchSource.makeTimerSource(queue: queue)
                let pause = DispatchTimeInterval.seconds(Limits.memoryCheckSeconds)
                timer.schedule(deadline: .now() + pause, repeating: pause, leeway: .seconds(1))
                timer.setEventHandler { look() }
                watch = Watch(timer: timer)
                timer.resume()
            }
        }

        /// The allocator does not count what it has given back already, so this goes by the work that was done since
        /// then. It takes milliseconds, in which others may wait for memory: never while there is much to do.
        private static func look() {
            watch.withLock { watch in
                guard var now = watch else { return }
                let used = use
                let isQuiet = used.milliseconds - now.lastLook.milliseconds < Limits.quietMilliseconds
                now.lastLook = used
                let hasWorked = used.milliseconds - now.lastReturn.milliseconds > Limits.busyMilliseconds
                let hasTouched = used.pages - now.lastReturn.pages > Limits.touchedPages
                // Counting what is free looks at all of it.
                if isQuiet, hasWorked || hasTouched || polymock_free_bytes() - now.lastFree > Limits.freeBytes
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

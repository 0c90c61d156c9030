import Clocks
import Dispatch

#if canImport(Glibc)
    import CEpoll
    import Glibc
#endif

/// Returns freed memory of this process to the system. For whole programs only, because it configures the
/// allocator of the process.
///
/// The GNU allocator retains freed memory in two ways. Its thresholds rise with the largest block ever freed,
/// up to 32 and 64 MiB: a flood of large messages left a server of 18 MB with 77 MB for ever. And memory
/// freed in the middle of a heap is kept: when large rows replaced 10,000 small ones, 26 MB stayed. Other
/// allocators behave well with their defaults.
package enum ProcessMemory {
    #if canImport(Glibc)
        /// State of the watch, kept for the rest of the process.
        private struct Watch {
            let timer: any DispatchSourceTimer
            var lastLook = Use()
            var lastReturn = Use()
            /// Bytes that were free in all heaps after the last check, given back or not.
            var lastFree = 0
        }

        /// The work of this process so far.
        private struct Use {
            /// Milliseconds of processor time.
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

        /// The allocator does not report memory already given back, so the decision depends on the work done
        /// since then. Giving back takes milliseconds, in which other threads may wait for memory, so it is
        /// done only while the process is quiet.
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

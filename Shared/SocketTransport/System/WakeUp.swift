import Clocks

#if canImport(Glibc)
    import CEpoll
    import Glibc
#elseif canImport(Musl)
    import CEpoll
    import Musl
#endif

/// Wake-up of a waiting loop from another thread, by an eventfd(2). Unused on Apple systems, where loops do not wait.
final class WakeUp: Sendable {
    private let descriptor: Int32
    private let isRung = Locked(false)

    /// Creates the wake-up. Nil if the system has no eventfd, or no descriptor is left.
    init?(_ readiness: Readiness) {
        #if canImport(Glibc) || canImport(Musl)
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            guard (try? readiness.set(descriptor, .bell, from: nil, to: .input)) != nil else { return nil }
        #else
            return nil
        #endif
    }

    deinit { if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) } }

    func ring() {
        #if canImport(Glibc) || canImport(Musl)
            isRung.withLock { isRung in
                guard !isRung else { return }
                isRung = true
                eventfd_write(descriptor, 1)
            }
        #endif
    }

    func isRinging() -> Bool {
        isRung.withLock { isRung in
            guard isRung else { return false }
            isRung = false
            #if canImport(Glibc) || canImport(Musl)
                var count = eventfd_t(0)
                eventfd_read(descriptor, &count)
            #endif
            return true
        }
    }
}

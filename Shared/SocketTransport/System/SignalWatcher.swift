import Clocks
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Watcher of signals. Stops when it is released or cancelled.
package final class SignalWatcher: Sendable {
    package enum Signal: Sendable, CaseIterable {
        case interrupt
        /// SIGTERM, sent by `kill` and service managers.
        case terminate
        case hangUp
        /// The terminal's size has changed.
        case windowChange

        var number: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .windowChange: SIGWINCH
            }
        }

        /// Signals that ask a process to end. SIGHUP is left out if the process ignores it, as after `nohup`.
        package static var endings: [Signal] {
            SignalWatcher.isIgnored(SIGHUP) ? [.interrupt, .terminate] : [.interrupt, .terminate, .hangUp]
        }
    }

    private let sources: Locked<[any DispatchSourceSignal]>

    /// On the watcher's queue, calls `onReady` when all signals are watched, and `handler` for each signal.
    package init(
        _ signals: [Signal] = Signal.endings, onReady: @escaping @Sendable () -> Void = {},
        handler: @escaping @Sendable (Signal) -> Void
    ) {
        let queue = DispatchQueue(label: "polymock.signals")
        let unready = Locked(signals.count)
        let sources = signals.map { signal -> any DispatchSourceSignal in
            #if canImport(Darwin)
                // A Dispatch source does not prevent the default action, the end of the process, so the signal is
                // ignored.
                _ = Darwin.signal(signal.number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
            source.setEventHandler { handler(signal) }
            source.setRegistrationHandler {
                let isLast = unready.withLock { count in
                    count -= 1
                    return count == 0
                }
                if isLast { onReady() }
            }
            source.resume()
            return source
        }
        self.sources = Locked(sources)
    }

    deinit { cancel() }

    package func cancel() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
    }

    /// Whether this process ignores `signal`.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sa_handler.sa_handler
        #endif
        // SIG_IGN is 1 on all supported systems, although POSIX does not define its value.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    package static func raise(_ signal: Signal) {
        _ = kill(getpid(), signal.number)
    }
}

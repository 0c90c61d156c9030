import Clocks
import SocketTransport

/// The wait for all sockets to close, at most ``ServerLimits/farewellMilliseconds`` of real time.
struct GracefulStop {
    let loop: Loop<ServerLoop>

    func wait() async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            let once = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let finish: @Sendable () -> Void = {
                once.withLock { waiting -> CheckedContinuation<Void, Never>? in
                    defer { waiting = nil }
                    return waiting
                }?.resume()
            }
            let timer = clock.makeTimer(finish)
            timer.arm(at: clock.now + .milliseconds(ServerLimits.farewellMilliseconds))
            loop.submit { state in
                state.onEmpty.append {
                    timer.disarm()
                    finish()
                }
                state.checkEmpty()
            }
        }
    }
}

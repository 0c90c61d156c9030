package import ClientSupport
package import Clocks
import HTTPClient
import PolyMessaging
import SocketTransport
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A load test. One event loop runs the ``LoadCore`` and the SDK cores of all users.
package final class LoadRun: Sendable {
    package struct Progress: Sendable {
        package var interval: Interval
        package var report: @Sendable (LoadSnapshot) -> Void

        package init(every interval: Interval, _ report: @escaping @Sendable (LoadSnapshot) -> Void) {
            self.interval = interval
            self.report = report
        }
    }

    package let plan: LoadPlan
    let target: LoadTarget
    let token: String
    let host: String?
    let clock: any EventClock
    let web: any WebTransport
    let progress: Progress?
    private let loop = Locked<Loop<LoadState>?>(nil)
    private let isInterrupted = Locked(false)

    /// `token` is the connector token. `host` is the header `X-Host`, by default the target's address. `web` sends
    /// requests and opens WebSockets on a thread other than the loop's.
    package init(
        _ plan: LoadPlan, target: LoadTarget, token: String, host: String? = nil, clock: any EventClock,
        web: any WebTransport, progress: Progress? = nil
    ) {
        self.plan = plan
        self.target = target
        self.token = token
        self.host = host
        self.clock = clock
        self.web = web
        self.progress = progress
    }

    package convenience init(
        _ plan: LoadPlan, target: LoadTarget, token: String, host: String? = nil, progress: Progress? = nil
    ) {
        let clock = SystemTime.clock
        let seed = UInt64.random(in: UInt64.min...UInt64.max)
        let plain = HTTPClient(
            label: "polymock.load.network", clock: clock, seed: seed,
            unsentBytes: ProcessNetwork.unsentBytes)
        self.init(
            plan, target: target, token: token, host: host, clock: clock, web: SchemeTransport(plain),
            progress: progress)
    }

    /// Runs the test and returns its results. May be called only once.
    package func run() async throws(LoadTarget.Problem) -> LoadSummary {
        guard let rest = URL(string: target.address.restBase),
            let socket = URL(string: target.address.socketBase)
        else { throw .notAnAddress }
        let endpoints = Endpoints(restBaseURL: rest, socketBaseURL: socket)
        let configuration = Configuration(
            connectorToken: token, environment: .custom(restBaseURL: rest, wsBaseURL: socket),
            hostIdentifier: host ?? target.address.origin, logLevel: .none)
        let settings = ClientSettings(
            configuration, endpoints: endpoints, host: configuration.hostHeader(bundleIdentifier: nil),
            userAgent: UserAgent.text, deviceType: .desktop)
        return await withCheckedContinuation { continuation in
            start(settings, rest) { continuation.resume(returning: $0) }
        }
    }

    package func interrupt() {
        isInterrupted.withLock { $0 = true }
        loop.withLock { $0 }?.submit { $0.handle(.interrupt) }
    }

    private func start(
        _ settings: ClientSettings, _ restBase: URL, _ completion: @escaping @Sendable (LoadSummary) -> Void
    ) {
        let loop = Loop(driving: "polymock.load") {
            LoadState(self, settings, restBase: restBase) { [weak self] summary in
                // The run has ended, so the loop is released.
                self?.loop.withLock { $0 = nil }
                completion(summary)
            }
        }
        self.loop.withLock { $0 = loop }
        if isInterrupted.withLock({ $0 }) { loop.submit { $0.handle(.interrupt) } }
    }
}

/// A slot's deadline in the heap can only become earlier. If the real deadline becomes later, the heap reports the slot
/// too early.
extension DeadlineHeap {
    var next: Instant? { first?.deadline }

    mutating func arm(_ slot: Int, at deadline: Instant) {
        let slot = Int32(slot)
        if let present = self.deadline(of: slot), present <= deadline { return }
        set(deadline, for: slot)
    }
}

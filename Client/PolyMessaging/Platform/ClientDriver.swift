import ClientSupport
package import Clocks
import HTTPClient
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Driver of a ``ClientCore`` on an event loop of its own.
package final class ClientDriver: Sendable {
    package let streams: ClientStreams
    package let clock: any EventClock
    private let loop: Loop<ClientDriverState>

    package init(_ configuration: Configuration, _ dependencies: Dependencies) {
        let generator = SeededGenerator(seed: dependencies.seed)
        let streams = ClientStreams(
            isProgressive: configuration.rendersProgressively, generator: generator.stream("rows"))
        self.streams = streams
        clock = dependencies.clock
        loop = Loop(driving: "PolyMessaging.client") {
            ClientDriverState(configuration, dependencies, streams)
        }
    }

    package func submit(_ input: ClientCore.Input) {
        loop.submit { $0.handle(input) }
    }

    package func call(_ input: @escaping @Sendable (ClientCore.CallID) -> ClientCore.Input) async throws {
        let error = await withCheckedContinuation { continuation in
            loop.submit { state in state.call(input) { continuation.resume(returning: $0) } }
        }
        if let error { throw error }
    }

    func submit(_ body: @escaping @Sendable (ClientDriverState) -> Void) {
        loop.submit { body($0) }
    }

    /// Waits until all earlier inputs are handled. Returns the count of inputs so far.
    @discardableResult
    package func settle() async -> Int { await loop.run { $0.run.inputCount } }

    /// Blocking form of ``settle()``, for tests and tools.
    package func settleHere() -> Int { loop.runHere { $0.run.inputCount } }
}

final class ClientDriverState: Driver {
    typealias Machine = ClientCore?
    typealias Answer = @Sendable (PolyError?) -> Void

    let run: MachineRun<ClientDriverState>
    private let problem: PolyError?
    let restBaseURL: URL?
    private let namespace: String
    let dependencies: Dependencies
    private let logger: any PolyLogger
    private let warnings: [String]
    private let streams: ClientStreams
    private var sockets: [Int: any WebExchange] = [:]
    private let inbox = Inbox<(attempt: Int, report: HTTPClient.Report)>()
    /// Byte counts of handled WebSocket messages that the socket still counts as unhandled, by attempt.
    private var owed: [Int: [Int]] = [:] {
        didSet { run.machine?.isBehind = !owed.isEmpty }
    }

    init(_ configuration: Configuration, _ dependencies: Dependencies, _ streams: ClientStreams) {
        self.dependencies = dependencies
        self.streams = streams
        logger = LevelFilter(level: configuration.logLevel, sink: dependencies.logger)
        warnings = configuration.warnings
        namespace = StoreNamespace.name(for: configuration.connectorToken)
        problem = configuration.problem
        restBaseURL = configuration.environment.endpoints?.restBaseURL
        var core: ClientCore?
        if problem == nil, let endpoints = configuration.environment.endpoints {
            let host = configuration.hostHeader(bundleIdentifier: dependencies.bundleIdentifier)
            let settings = ClientSettings(
                configuration, endpoints: endpoints, host: host, userAgent: UserAgent.text,
                deviceType: dependencies.deviceType)
            core = ClientCore(settings, seed: dependencies.seed)
        }
        run = MachineRun(core, clock: dependencies.clock)
    }

    // MARK: - Inputs

    /// Starts the client. Observes the network and the app's life cycle before the first request, to miss no change.
    func start() {
        for warning in warnings { logger.warn(warning) }
        if let problem {
            logger.error("The configuration cannot be used: \(problem)")
            notify(.status(.failed(reason: problem)))
            notify(.event(.disconnected(problem)))
            return
        }
        follow(dependencies.network, dependencies.lifecycle) {
            $0 ? .networkRestored : .networkLost
        } isAtFront: {
            $0 ? .foregrounded : nil
        }
        let reading = dependencies.store.load(namespace)
        if let note = reading.note { logger.warn(note) }
        handle(.start(stored: reading.record))
    }

    func call(_ input: (ClientCore.CallID) -> ClientCore.Input, _ answer: @escaping Answer) {
        guard run.machine != nil else { return answer(problem) }
        handle(input(ClientCore.CallID(run.register(answer))))
    }

    // MARK: - Outputs

    func execute(_ output: ClientCore.Output) {
        switch output {
        case .request(let request): post(request)
        case .open(let attempt, let url): dial(attempt, url)
        case .transmit(let attempt, let frame): sockets[attempt]?.send(frame)
        case .close(let attempt, let code, let reason):
            if sockets[attempt]?.close(code, reason: reason) == false { sockets[attempt] = nil }
        case .notify(let update): notify(update)
        case .draftRemoved(let id): streams.feed.removeMessage(draftID: id)
        case .raw(let output): streams.notify(output)
        case .finished(let call, let error): run.answers.removeValue(forKey: call.number)?(error)
        case .store(let record):
            if let note = dependencies.store.save(record, namespace) { logger.warn(note) }
        case .log(let level, let text): logger.log(level, text)
        case .checkNetwork:
            if dependencies.network.isReachable { submit { $0.handle(.networkRestored) } }
        case .finishStreams:
            streams.finish()
            run.stop()
        }
    }

    private func notify(_ update: ClientUpdate) {
        streams.notify(update, at: dependencies.clock.now)
    }

    private func post(_ request: RESTRequest) {
        let (submit, id) = (submit, request.id)
        guard let restBaseURL, dependencies.network.isReachable else {
            return submit { $0.handle(.restEnded(request: id, .failed(Self.noNetwork))) }
        }
        dependencies.http.post(request, to: restBaseURL) { reply in
            submit { $0.handle(.restEnded(request: id, reply)) }
        }
    }

    private func dial(_ attempt: Int, _ url: URL) {
        let submit = submit
        guard dependencies.network.isReachable else {
            return submit { $0.handle(.socketFailed(attempt: attempt, Self.noNetwork)) }
        }
        let inbox = inbox
        sockets[attempt] = dependencies.http.dial(url) { report in
            if inbox.post((attempt, report)) { submit { $0.receiveReports() } }
        }
    }

    private func receiveReports() {
        streams.feed.notifyTogether {
            for (attempt, report) in inbox.takeAll() {
                if report.isEnd { sockets[attempt] = nil }
                handle(ClientCore.Input(report, attempt: attempt))
                if let size = report.byteCount { give(back: size, attempt) }
            }
        }
    }

    /// Tells the socket that `size` bytes are handled, so that it reads on. Waits until all listeners have taken their
    /// updates.
    private func give(back size: Int, _ attempt: Int) {
        guard let socket = sockets[attempt] else { return }
        guard owed.isEmpty else {
            owed[attempt, default: []].append(size)
            return
        }
        let submit = submit
        if streams.feed.isBehind({ submit { $0.payBack() } }) {
            owed[attempt, default: []].append(size)
        } else {
            socket.taken(size)
        }
    }

    private func payBack() {
        let due = owed
        owed = [:]
        for (attempt, sizes) in due {
            guard let socket = sockets[attempt] else { continue }
            for size in sizes { socket.taken(size) }
        }
    }

    private static let noNetwork = TransportFault.network("There is no network connection.")
}

package import Clocks
import HTTPClient
public import MockServer
package import PolyMessaging
import SocketTransport
import Texts
import Timeline

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server and any number of SDK clients, on one clock of their own.
///
/// ```swift
/// let mock = try await Mock.start(plan)
/// let chat = try await mock.chat()
/// try await chat.say("a table, please")
/// try await mock.expect(.reply("For how many"), within: .seconds(5))
/// await mock.stop()
/// ```
///
/// Each mock has its own port, store and clock. PolyMockTesting's trait `.mock` starts one per test.
public final class Mock: Sendable {
    @TaskLocal package static var bound: Mock?

    /// The plan with which the mock was started.
    public let plan: MockPlan
    /// The server, for its addresses and for clients other than the SDK.
    public let server: MockServer
    /// The controls of the mock's clock.
    public var clock: MockClock { MockClock(mock: self) }

    package let base: any SteerableClock
    package let virtual: VirtualClock?
    package let tap: WebTap
    package let store = MemorySessionStore()
    package let monitor = ManualNetworkMonitor()
    package let lifecycle = ManualLifecycleMonitor()
    let start: Instant
    let log: Locked<ObservationLog>
    let alarm = ChangeSignal()
    let gate = AsyncMutex()
    /// The instant until which the calls of ``MockClock/advance(by:)`` let time pass.
    let target: Locked<Instant>
    /// The network between the chats and the server.
    public var network: MockNetwork { MockNetwork(mock: self) }

    let http: HTTPClient
    let absence: MockError?
    private let state = Locked(State())

    private struct State {
        var drivers: [ClientDriver] = []
        /// The mock keeps its chats alive, even without a reference in the test.
        var chats: [MockChat] = []
        var contacts: [MockContact] = []
        var clients = 0
        var forgiven: Set<Int> = []
        var acts: Set<ReplayLine.Act> = []
        var isOver = false
        var lastFailure: ExpectationFailure?
        var places = CallPlaces()
        var faultNames: Set<String> = []
    }

    private init(
        plan: MockPlan, server: MockServer, base: any SteerableClock, virtual: VirtualClock?,
        log: Locked<ObservationLog>, networkClock: any EventClock, start: Instant, absence: MockError? = nil
    ) {
        self.plan = plan
        self.server = server
        self.base = base
        self.virtual = virtual
        self.log = log
        http = HTTPClient(
            label: "MockKit.network", clock: networkClock, seed: plan.seed,
            unsentBytes: ProcessNetwork.unsentBytes)
        self.start = start
        self.absence = absence
        tap = WebTap(http)
        target = Locked(start)
    }

    /// Starts a server, which is listening when this returns. ``stop()`` ends it.
    /// - Throws: `ServerError` when a fixture is missing or has mistakes, when no fault or pace has the name in the
    ///   plan, or when a setting is invalid.
    public static func start(_ plan: MockPlan = MockPlan()) async throws(ServerError) -> Mock {
        let virtual = plan.time == .virtual ? VirtualClock() : nil
        let base: any SteerableClock = virtual ?? DrivenClock(SystemClock())
        if case .scaled(let factor) = plan.time {
            guard ClockMode.factors.contains(factor), base.setMode(.scaled(factor)) else {
                throw .configuration(
                    "the clock is scaled by \(factor)", fix: "use a number from 0.001 to 1000")
            }
        }
        let start = base.now
        let log = Locked(ObservationLog(start: start))
        let ring = Locked<ChangeSignal?>(nil)
        var configuration = plan.configuration()
        configuration.clock = virtual.map { NamedClock(base: $0, owner: MockClock.serverName) } ?? base
        let further = configuration.observer
        configuration.observer = { news, now in
            further?(news, now)
            log.withLock { $0.record(news, at: now) }
            ring.withLock { $0 }?.ring()
        }
        let server = try await MockServer.start(configuration)
        let networkClock: any SteerableClock = virtual.map { NamedClock(base: $0, owner: "network") } ?? base
        let mock = Mock(
            plan: plan, server: server, base: base, virtual: virtual, log: log,
            networkClock: networkClock, start: start)
        ring.withLock { $0 = mock.alarm }
        if let problem = await mock.problemInScenario {
            await mock.stop()
            throw .fixture(problem)
        }
        return mock
    }

    /// A null object for tests without a started mock.
    package static let notRunning: Mock = {
        let clock = VirtualClock()
        var configuration = ServerConfiguration()
        configuration.clock = clock
        do throws(ServerError) {
            return Mock(
                plan: MockPlan(), server: try MockServer.notListening(configuration), base: clock,
                virtual: clock, log: Locked(ObservationLog(start: clock.now)),
                networkClock: clock, start: clock.now,
                absence: MockError("this mock is not running; another failure of the test says why"))
        } catch {
            preconditionFailure("the settings are those of every server: \(error)")
        }
    }()

    /// Lets the requested time pass, disconnects every client and frees the port. A second call does nothing.
    public func stop() async {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        try? await catchUp()
        for driver in drivers { driver.submit(.shutdown) }
        let contacts = state.withLock { state in
            defer { (state.chats, state.contacts) = ([], []) }
            return state.contacts
        }
        for contact in contacts { contact.shutDown() }
        try? await settle()
        await server.stop()
        await http.close()
        RuleLedger.shared.add(log.withLock { $0 }, file: plan.file)
    }

    /// Runs `body` with a mock. Returns the text of the first error, if any.
    static func failure(of plan: MockPlan, _ body: (Mock) async throws -> Void) async -> String? {
        do {
            let mock = try await start(plan)
            var failure: String?
            do { try await body(mock) } catch { failure = "\(error)" }
            await mock.stop()
            return failure
        } catch {
            return "\(error)"
        }
    }

    private var problemInScenario: String? {
        get async {
            if plan.fixtureName.contains(where: { $0 == "+" || $0 == "@" }) {
                return
                    "the fixture's name \(plan.fixtureName) has a + or an @, which a connector token cannot"
                    + " hold: rename the file"
            }
            let line = line
            return await server.inspect { $0.problem(inScenario: line) }
        }
    }

    // MARK: - Identity

    /// The scenario line and connector token, such as `mock:booking+tunnel@seed=7` (protocol.md#token-scenario).
    public var line: String { plan.line }

    /// Returns the shell command that plays this scenario again, up to the event `sequence`. It sends the user's
    /// messages of one session: the session with the last message. Added faults, overridden replies and changed
    /// settings are not repeated.
    ///
    /// With more than 20 messages or 2,000 bytes of them, the command prints the attached journal instead. If the
    /// fixture is a text inside the test, or its file name cannot be part of a scenario line, the result is a sentence
    /// that says so.
    ///
    /// ```swift
    /// print(mock.replayLine())
    /// ```
    public func replayLine(until sequence: UInt64? = nil) -> String {
        let observedEvents = observedEvents
        return replay.command(observedEvents, session: observedEvents.mainSession, until: sequence)
    }

    var replay: ReplayLine {
        var replay = ReplayLine(scenario: line, journalName: plan.journalName, source: plan.replaySource)
        replay.acts = state.withLock { $0.acts }
        if plan.hasOwnSettings { replay.acts.insert(.server) }
        for chat in chats {
            if let session = chat.sessionID { replay.streaming[session] = chat.isStreaming }
        }
        return replay
    }

    func note(_ act: ReplayLine.Act) { state.withLock { _ = $0.acts.insert(act) } }

    /// The base of the server's URLs, such as `http://127.0.0.1:8787`. No slash at the end.
    public var url: String { server.url }

    /// The REST address for the client of an app, such as `http://127.0.0.1:8787/api/v1`. No slash at the end.
    public var restURL: String { server.url + "/api/v1" }

    /// The WebSocket address for the client of an app, such as `ws://127.0.0.1:8787/ws`.
    public var webSocketURL: String { server.webSocketURL }

    /// The server's timeline as JSON lines with masked secrets. Failing tests attach it; the inspector reads it.
    ///
    /// ```swift
    /// let lines = await mock.journal()
    /// ```
    public func journal() async -> [UInt8] {
        let rows = await server.inspect { $0.rows() }
        let info = ExportInfo(
            exportedAt: base.now, version: MockServer.version, details: ["line": .string(line)])
        return TimelineExport.jsonLines(rows, info: info)
    }

    /// All events so far, in order.
    public var observedEvents: [ObservedEvent] { log.withLock { $0.observedEvents } }

    // MARK: - Complaints

    /// Unmatched messages, unmatched requests and violations, except those that the test expected or the plan ignores.
    public var complaints: [Complaint] {
        let forgiven = state.withLock { $0.forgiven }
        let observedEvents = observedEvents
        return observedEvents.filter { observed in
            switch observed.kind {
            case .unmatchedMessage, .unmatchedRequest, .violation: !forgiven.contains(observed.number)
            default: false
            }
        }.map { Complaint($0, plan, saidAt: saying(of: $0, among: observedEvents)?.site) }
            .filter { $0.policy != .pass }
    }

    package var lastFailure: ExpectationFailure? { state.withLock { $0.lastFailure } }

    func remember(_ failure: ExpectationFailure) { state.withLock { $0.lastFailure = failure } }

    func remember(_ error: any Error, at site: CallSite) {
        state.withLock { $0.places.add(error, at: site) }
    }

    var callPlaces: CallPlaces { state.withLock { $0.places } }

    func remember(injected names: [String]) { state.withLock { $0.faultNames.formUnion(names) } }

    var faultNames: Set<String> { state.withLock { $0.faultNames } }

    func forgive(_ numbers: [Int]) { state.withLock { $0.forgiven.formUnion(numbers) } }

    // MARK: - Clients

    package var drivers: [ClientDriver] { state.withLock { $0.drivers } }

    package func client(
        store: (any SessionStore)? = nil, tap: WebTap? = nil,
        logger: any PolyLogger = SilentLogger(),
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> PolyMessagingClient {
        let (number, clock) = nextClient("chat")
        let dependencies = Dependencies(
            clock: clock, http: tap ?? self.tap, store: store ?? self.store, network: monitor,
            lifecycle: lifecycle, seed: plan.seed &+ UInt64(number), logger: logger)
        let client = PolyMessagingClient(try clientConfiguration(change), dependencies)
        state.withLock { $0.drivers.append(client.driver) }
        return client
    }

    func nextClient(_ kind: String) -> (number: Int, clock: any EventClock) {
        let number = state.withLock { state in
            state.clients += 1
            return state.clients
        }
        return (number, virtual.map { NamedClock(base: $0, owner: "\(kind) \(number)") } ?? base)
    }

    /// Number of inputs that all contacts together have handled; nil while a contact is busy.
    var contactInputs: Int? {
        let contacts = contacts
        let count = contacts.reduce(0) { $0 + $1.settleHere() }
        return contacts.contains { $0.owesMain } ? nil : count
    }

    var contacts: [MockContact] { state.withLock { $0.contacts } }

    func keep(_ contact: MockContact) { state.withLock { $0.contacts.append(contact) } }

    var chats: [MockChat] { state.withLock { $0.chats } }

    func keep(_ chat: MockChat) { state.withLock { $0.chats.append(chat) } }

    private func clientConfiguration(_ change: (inout ClientConfiguration) -> Void) throws
        -> ClientConfiguration
    {
        guard let rest = URL(string: restURL), let socket = URL(string: webSocketURL)
        else { throw MockError("the server's address \(server.url) is no URL") }
        var configuration = ClientConfiguration(
            connectorToken: line, environment: .custom(restBaseURL: rest, wsBaseURL: socket),
            hostIdentifier: "com.example.app")
        change(&configuration)
        return configuration
    }
}

package struct SilentLogger: PolyLogger {
    package init() {}

    package func debug(_ message: String, metadata: [String: any Sendable]?) {}
    package func info(_ message: String, metadata: [String: any Sendable]?) {}
    package func warn(_ message: String, metadata: [String: any Sendable]?) {}
    package func error(_ message: String, metadata: [String: any Sendable]?) {}
}

/// A clock that names its timers after their owner.
struct NamedClock: SteerableClock {
    let base: VirtualClock
    let owner: String

    var now: Instant { base.now }
    var mode: ClockMode { base.mode }
    var isStopped: Bool { base.isStopped }

    func setMode(_ mode: ClockMode) -> Bool { base.setMode(mode) }

    func advance(to target: Instant) { base.advance(to: target) }

    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any EventTimer {
        base.makeTimer(named: owner, fire)
    }
}

import Clocks
import HTTPClient
public import RunWire
import Texts

/// Client of an AG-UI agent. Each run is a stream of events.
///
/// ```swift
/// let agent = AGUIAgent(configuration: AGUIConfiguration(url: url))
/// let input = RunAgentInput(
///     threadID: "thread-1", runID: "run-1",
///     messages: [.text(id: "m-1", role: .user, content: "Are you open on Sunday?", name: nil)])
/// for try await event in agent.stream(input) { print(event.kind) }
/// ```
///
/// For a conversation of several runs, with tools and approval, use ``AGUIThread``.
public final class AGUIAgent: Sendable {
    /// The address of the agent and the options of the protocol.
    public let configuration: AGUIConfiguration
    private let network: AgentNetwork
    private let center: AgentRunCenter?
    private let ids: Locked<SeededGenerator>

    /// Makes an agent. `center` receives the events of all its runs.
    public convenience init(configuration: AGUIConfiguration, center: AgentRunCenter? = nil) {
        self.init(configuration: configuration, center: center, network: .shared)
    }

    package init(
        configuration: AGUIConfiguration, center: AgentRunCenter? = nil, network: AgentNetwork
    ) {
        self.configuration = configuration
        self.center = center
        self.network = network
        ids = Locked(SeededGenerator(seed: network.seed))
    }

    /// Sends the request of a run at once, before the stream is read. The stream throws the error of a failed request.
    public func stream(_ input: RunAgentInput) -> AGUIRunStream {
        let wire = input.wire
        return stream(
            wire, Locked(RunReducer(messages: wire.messages, state: wire.state ?? .object([:]))))
    }

    /// Requests the stored messages and the state of a thread, which arrive as snapshot events. If the agent stores
    /// nothing, the stream throws an ``AgentRunError`` with the HTTP status 404 or 405.
    public func connect(to thread: ThreadID) -> AGUIRunStream {
        let input = RunAgentInput(threadID: thread, runID: RunID(rawValue: newID()), messages: [])
        return stream(input.wire, Locked(RunReducer()), pathEnding: "/connect")
    }

    func stream(
        _ input: RunInput, _ talk: Locked<RunReducer>, pathEnding: String = "",
        followers: ThreadFollowers? = nil
    ) -> AGUIRunStream {
        var input = input
        input.protocolVersion = configuration.profile == .v1 ? RunProfile.ownVersion : nil
        if input.state == .null { input.state = .object([:]) }
        let feed = RunFeed(
            input, talk: talk, configuration: configuration, clock: network.clock, observer: center,
            followers: followers)
        talk.withLock { $0.expect(threadID: input.threadID, runID: input.runID) }
        do throws(AgentRunError) {
            guard !input.threadID.isEmpty, !input.runID.isEmpty else {
                throw .invalidInput("A thread and a run need an id that is not empty.")
            }
            let request = try HTTPClient.Request(
                configuration, pathEnding: pathEnding, body: RunEventWriter.bytes(input))
            feed.start(request, over: network.web)
        } catch {
            feed.finish(.failure(error))
        }
        return AGUIRunStream(feed)
    }

    func newID() -> String {
        ids.withLock { UniqueID.version4(from: &$0).text }
    }

    var now: Instant { network.clock.now }
}

/// The events of one request. Each event is delivered once, so only one loop should iterate over the stream.
///
/// Throws an ``AgentRunError``, for example if the connection fails or an event is unreadable. A run that fails at the
/// agent throws nothing: its last event is ``AgentRunEvent/Kind/runFailed(_:)``. Releasing the last copy of this value
/// closes the connection.
///
/// ```swift
/// let stream = agent.stream(input)
/// let done = try await stream.collect()
/// print(done.visibleText)
/// ```
public struct AGUIRunStream: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = AgentRunEvent

    private final class Hold: Sendable {
        let feed: RunFeed

        init(_ feed: RunFeed) {
            self.feed = feed
        }

        deinit { feed.cancel() }
    }

    private let hold: Hold

    init(_ feed: RunFeed) {
        hold = Hold(feed)
    }

    var feed: RunFeed { hold.feed }

    /// Iterator over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: AGUIRunStream

        /// Returns the next event, or nil after the last event. Throws an ``AgentRunError``; the sequence then ends.
        public mutating func next() async throws -> AgentRunEvent? { try await stream.feed.next() }
    }

    /// Makes an iterator over the events that have not been delivered yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

    /// Closes the connection. The stream then ends with ``AgentRunError/cancelled``.
    public func cancel() { feed.cancel() }

    /// Reads the stream to its end and returns the final state of the run. Throws an ``AgentRunError``; if the run
    /// fails at the agent, returns the phase `failed` instead.
    public func collect() async throws -> AgentRunSnapshot { try await feed.collect() }
}

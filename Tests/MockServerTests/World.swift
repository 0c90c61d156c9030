import Clocks
import ConversationEngine
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

/// One server with a clock that stands still, and a client of it.
struct World: Sendable {
    let clock: VirtualClock
    let server: MockServer
    let client: APIClient
    let log: Gathering<String>

    /// Runs `body` with a server and a client that are gone afterwards. Nothing is delayed but by the fixture.
    static func run<Result>(
        _ configure: (inout Configuration) -> Void = { _ in }, _ body: (World) async throws -> Result
    ) async throws -> Result {
        let clock = VirtualClock()
        let log = Gathering<String>()
        var configuration = Configuration()
        configuration.clock = clock
        configuration.seed = 42
        configuration.connections.handshakeDelay = .zero
        configuration.connections.firstFrameDelay = .zero
        configuration.connections.firstLiveEventDelay = .zero
        configuration.log = .text { log.append($0) }
        configure(&configuration)
        if configuration.clock == nil, configuration.limits.handshakeTime == .seconds(10) {
            configuration.limits.handshakeTime = Configuration.patience
        }
        let server = try await MockServer.start(configuration)
        let world = World(clock: clock, server: server, client: try APIClient(port: server.port), log: log)
        do {
            let result = try await body(world)
            await world.end()
            return result
        } catch {
            await world.end()
            throw error
        }
    }

    private func end() async {
        await client.close()
        await server.stop()
    }

    /// Lets time pass, each deadline at its own instant. What was sent before must have been dealt with.
    func pass(_ interval: Interval) async {
        let target = clock.now + interval
        while let next = await nextDeadline, next <= target { await move(to: next) }
        await move(to: target)
    }

    /// Asked when the loop's turn is over: an answer may be here before the server has armed its next deadline.
    var nextDeadline: Instant? {
        get async {
            await server.inspect { _ in }
            return clock.nextDeadline
        }
    }

    private func move(to instant: Instant) async {
        clock.advance(to: instant)
        await server.inspect { _ in }
    }

    /// Lets `talk` go on, deadline by deadline, until its next event of `type` is there.
    ///
    /// - Returns: the events that were not taken yet, up to that one.
    @discardableResult
    func play(_ talk: Talk, through type: String) async throws -> [Talk.Event] {
        var played: [Talk.Event] = []
        for _ in 0..<1_000 {
            try await talk.settle()
            let count = talk.events.count
            while played.count < count, played.last?.type != type {
                guard let event = try await talk.nextIfThere() else { break }
                played.append(event)
            }
            if played.last?.type == type { return played }
            guard !talk.isClosed, let next = await nextDeadline else { break }
            await move(to: next)
        }
        throw APIClient.Unexpected("no \(type) came; there was \(played)")
    }

    /// A talk whose agent has joined and greeted; the greeting is taken.
    func greeted(
        streaming: Bool = false, extensions: [String] = []
    ) async throws -> (session: APIClient.Session, talk: Talk) {
        let session = try await client.session(streaming: streaming, extensions: extensions)
        let talk = try await client.connect(session)
        talk.join()
        _ = try await reply(talk, streaming: streaming)
        return (session, talk)
    }

    /// The events through the end of the next reply of the agent.
    @discardableResult
    func reply(_ talk: Talk, streaming: Bool = false) async throws -> [Talk.Event] {
        guard streaming else { return try await play(talk, through: "POLY_AGENT_MESSAGE") }
        var events: [Talk.Event] = []
        repeat {
            events += try await play(talk, through: "POLY_AGENT_MESSAGE_CHUNK")
        } while events.last?.payload["is_complete"]?.bool != true
        return events
    }

    /// Waits for the log line that holds `text`.
    @discardableResult
    func logged(_ text: String) async throws -> String {
        try await log.wait(for: "the log line \"\(text)\"") { $0.first { $0.contains(text) } }
    }
}

extension Talk {
    /// The next event that was not taken yet, if it is there.
    func nextIfThere() async throws -> Event? {
        events.count > takenCount ? try await next() : nil
    }
}

extension [Talk.Event] {
    var types: [String] { map(\.type) }
    var sequences: [Int64] { compactMap(\.sequence) }
}

/// A fixture of one stage, in the words of the tests. Replies come at once unless `pace` says otherwise.
func fixture(_ rules: String, rest: String = "", pace: String = #"{ think: "0ms", every: "0ms" }"#) -> String
{
    """
    {
      fixture: 1, name: "Test", agent: { name: "Ada" },
      pace: "p", paces: { p: \(pace) },
      greeting: [ { say: "Welcome." } ],
      stages: { start: [ \(rules) ] },
      otherwise: [ { replies: [ { say: "I heard you." } ] } ],
      \(rest)
    }
    """
}

extension Line.Answer {
    /// A member of the body, which is a JSON object.
    subscript(name: String) -> JSONValue? {
        (try? JSONReader.read(body))?[name]
    }

    /// The text of an error.
    var message: String? { self["message"]?.string }
}

extension Configuration {
    /// On a slow machine a test may have no turn to speak for longer than a server of the real time waits.
    static let patience = Interval.seconds(600)

    /// The defaults, in real time, for clients that may be slow.
    static var unhurried: Configuration {
        var configuration = Configuration()
        configuration.limits.handshakeTime = patience
        return configuration
    }
}

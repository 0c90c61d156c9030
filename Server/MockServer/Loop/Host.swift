import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import ServerCore
import SocketTransport

/// What dialects may ask of the server (``DialectHost``).
struct Host: DialectHost {
    let loop: ServerLoop
    var dialect = 0
    var peer: SocketAddress?
    /// The troubles that strike this request.
    var strikes: [Strike] = []
    var facts: RequestFacts?

    var now: Instant { loop.clock.now }

    mutating func uniqueID() -> UniqueID {
        UniqueID.version4(from: &loop.identities)
    }

    mutating func scenario(for connectorToken: String) -> ScenarioAnswer {
        do throws(ScenarioProblem) {
            let scenario = try loop.fixtures.scenario(connectorToken)
            strikes = loop.desk.strikes(
                at: .token, line: scenario == nil ? nil : connectorToken, troubles: scenario?.troubles ?? [])
            guard let scenario else {
                return .found(line: nil, tokenLife: loop.fixtures.standard.session.tokenLife)
            }
            return .found(line: connectorToken, tokenLife: scenario.script.session.tokenLife)
        } catch {
            return .refused(reason: error.sentence)
        }
    }

    mutating func openSession(_ wish: SessionWish) -> OpenedSession {
        var scenario = Scenario(script: loop.fixtures.standard)
        do throws(ScenarioProblem) {
            if let line = wish.scenario, let named = try loop.fixtures.scenario(line) { scenario = named }
        } catch {
            // The fixture was good when the token was made, and is gone or spoilt now.
            remark("refused session", error.sentence)
            return .refused(reason: error.sentence)
        }
        strikes = loop.desk.strikes(at: .session, line: wish.scenario, troubles: scenario.troubles)
        if strikes.contains(where: \.refuses) { return .refused(reason: "a trouble refuses it") }
        let chunks = chunks(of: scenario, for: wish)
        let opening = ConversationEngine.Opening(
            owner: wish.owner, script: scenario.script, isStreaming: wish.isStreaming,
            platform: wish.platform, deviceType: wish.deviceType, contextID: wish.contextID,
            seed: scenario.seed, pace: scenario.pace, chunks: chunks, scenario: wish.scenario,
            troubles: loop.desk.left(of: scenario.troubles, line: wish.scenario),
            memory: scenario.memory, localTime: scenario.localTime)
        guard let session = loop.openSession(opening, dialect: dialect) else {
            let limit = loop.configuration.limits.sessions
            return .refused(reason: "none of the \(limit) sessions held has ended (limits.sessions)")
        }
        if opening.isStreaming { tell(chunks, of: scenario, for: wish, session) }
        return .opened(id: session)
    }

    /// How replies are cut for the session: as its token asks, else as the configuration says; nil leaves it to the
    /// fixture.
    private func chunks(of scenario: Scenario, for wish: SessionWish) -> Pace.Unit? {
        if let asked = scenario.chunks { return asked.unit }
        let usual = loop.configuration.replies.chunks
        guard usual == .auto else { return ChunkWish(word: usual.rawValue)?.unit }
        return wish.joinsWithBlanks ? .whole : nil
    }

    private func tell(_ chunks: Pace.Unit?, of scenario: Scenario, for wish: SessionWish, _ session: String) {
        guard let chunks else { return }
        let how = chunks == .whole ? "come whole" : "are cut by \(chunks.rawValue)"
        let isAutomatic = scenario.chunks == nil && loop.configuration.replies.chunks == .auto
        let why =
            isAutomatic ? ": its SDK puts a blank between chunks (@chunks=pace cuts them all the same)" : ""
        loop.remark("session", "its replies \(how)\(why)", session: session)
    }

    func session(id: String) -> SessionView? {
        guard let handle = loop.engine.handle(of: id), let conversation = loop.engine[handle] else {
            return nil
        }
        return SessionView(
            handle: handle, id: id, owner: conversation.owner, hasEnded: conversation.hasEnded,
            connectionCount: conversation.links.count, connectionLimit: conversation.connectionLimit)
    }

    mutating func take(from name: String, limit: RateLimit) -> Interval? {
        loop.buckets.take(from: name, limit: limit, at: loop.clock.now)
    }

    private func remark(_ topic: String, _ detail: String) {
        loop.tell(.remarked(topic, detail, peer: peer.map { "\($0)" }, session: nil))
    }

    mutating func log(_ line: String) {
        remark("note", line)
    }
}

extension Strike {
    /// It turns a request away.
    var refuses: Bool {
        if case .refuse = effect { return true }
        return false
    }
}

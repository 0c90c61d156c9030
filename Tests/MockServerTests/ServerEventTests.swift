import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import ServerCore
import TestSupport
import Testing
import WebSocketCore

/// Notes what is told; its own `switch` names every kind there is.
private struct Listener: ServerEventReader, Sendable {
    enum Kind: String, CaseIterable {
        case accepted, requested, responded, judged, answered, unmatchedRequest, handshakeRefused, controlled,
            connected
        case disconnected, dropped, stalled, framed, opened, heard, flooded, told, sent, sentToMany, sentAll,
            noted,
            fired,
            forgotten
        case broke, remarked
    }

    let kinds = Locked<[Kind]>([])

    mutating func read(_ event: ServerEvent, at moment: EventTime) {
        let kind: Kind =
            switch event {
            case .accepted: .accepted
            case .requested: .requested
            case .responded: .responded
            case .judged: .judged
            case .answered: .answered
            case .unmatchedRequest: .unmatchedRequest
            case .handshakeRefused: .handshakeRefused
            case .controlled: .controlled
            case .connected: .connected
            case .disconnected: .disconnected
            case .dropped: .dropped
            case .stalled: .stalled
            case .framed: .framed
            case .opened: .opened
            case .heard: .heard
            case .flooded: .flooded
            case .delivered: .told
            case .sent: .sent
            case .sentToMany: .sentToMany
            case .sentAll: .sentAll
            case .noted: .noted
            case .fired: .fired
            case .forgotten: .forgotten
            case .broke: .broke
            case .remarked: .remarked
            }
        kinds.withLock { $0.append(kind) }
    }
}

@Suite("What happens is told once, to all who read it", .timeLimit(.minutes(5)))
struct ServerEventTests {
    @Test("A further reader hears of every kind of event, with nothing else changed")
    func furtherReader() async throws {
        let listener = Listener()
        try await World.run {
            $0.readers = [listener]
            $0.rates.webSocket = .init(burst: 20, perSecond: 1)
            $0.sessions.endGrace = .zero
            $0.sessions.endedRetention = .zero
        } _: { world in
            _ = try await world.client.request("GET", "/nowhere", [:], body: "")
            _ = try await world.client.request("GET", "/_mock/health", [:], body: "")
            _ = try await world.client.request("GET", "/_mock/clock", [:], body: "")
            let words = #"[{"id":"u","role":"user","content":"Hi"}]"#
            _ = try await world.ask("/weather", #"{"threadId":"t","runId":"r","messages":\#(words)}"#)
            let stranger = APIClient.Session(id: "no-session", token: "no-token")
            try await expectEqual(world.client.upgrade(APIClient.target(stranger)).answer(0).status, 401)
            let (session, talk) = try await world.greeted()
            let fault = await world.server.inspect { server in
                server.inject(
                    Fault(name: "t", moment: .userMessage(1), effect: .delay(.seconds(1))),
                    session: session.id, by: "test")
            }
            #expect(fault != nil)
            talk.say("Hi")
            // Its echo is held back by now, so that the delay is over a second later.
            while !listener.kinds.withLock({ $0.contains(.stalled) }) { await Task.yield() }
            await world.pass(.seconds(1))
            for _ in 0..<30 { talk.line.sendFrame(.text, Array("[]".utf8)) }
            try await talk.settle()
            await world.pass(.seconds(30))
            // The end goes to both connections.
            let second = try await world.client.connect(session)
            await world.pass(.seconds(1))
            talk.endSession()
            _ = try await (talk.closeCode, second.closeCode)
            await world.pass(.seconds(1))
        }
        let missing = Set(Listener.Kind.allCases).subtracting(listener.kinds.withLock { Set($0) })
        expectEqual(missing, [], "\(missing.map(\.rawValue).sorted())")
    }
}

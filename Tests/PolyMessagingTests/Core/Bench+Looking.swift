import Clocks
import Foundation
import MessagingWire
import PolyMessaging
import Texts

/// What came out, by kind.
extension [ClientCore.Output] {
    var requests: [RESTRequest] {
        compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    var dialled: [(attempt: Int, url: URL)] {
        compactMap { if case .open(let attempt, let url) = $0 { (attempt, url) } else { nil } }
    }

    /// The query of each dial.
    var queries: [String] { dialled.map { $0.url.query ?? "" } }

    var closes: [(attempt: Int, code: Int)] {
        compactMap { if case .close(let attempt, let code, _) = $0 { (attempt, code) } else { nil } }
    }

    var statuses: [ConnectionStatus] {
        compactMap { if case .notify(.status(let status)) = $0 { status } else { nil } }
    }

    var states: [SessionState] {
        compactMap { if case .notify(.sessionState(let state)) = $0 { state } else { nil } }
    }

    var events: [MessagingEvent] {
        compactMap { if case .notify(.event(let event)) = $0 { event } else { nil } }
    }

    var sessions: [String] {
        compactMap { if case .notify(.sessionChanged(let id)) = $0 { id } else { nil } }
    }

    var stores: [StoredSession?] {
        compactMap { if case .store(let record) = $0 { .some(record) } else { nil } }
    }

    var raw: [ClientCore.RawOutput] {
        compactMap { if case .raw(let output) = $0 { output } else { nil } }
    }

    var rawCloses: [ConnectionCloseEvent] {
        raw.compactMap { if case .closed(let event) = $0 { event } else { nil } }
    }

    var frames: [[UInt8]] {
        compactMap { if case .transmit(_, let frame) = $0 { frame } else { nil } }
    }

    var sent: [ClientEvent] { frames.map { ClientEventReader.read($0) } }

    var sentMessages: [(text: String, localID: String)] {
        sent.compactMap { event -> (text: String, localID: String)? in
            guard case .message(let text) = event.content else { return nil }
            let custom = event.customMetadata.flatMap { try? JSONReader.read([UInt8]($0.utf8)) }
            return (text, custom?["local_id"]?.string ?? "")
        }
    }

    var joinCount: Int {
        sent.filter { if case .join = $0.content { true } else { false } }.count
    }

    func count(_ content: ClientEvent.Content) -> Int { sent.filter { $0.content == content }.count }

    /// The answer to a call; nil while there is none.
    func result(_ call: ClientCore.CallID) -> PolyError?? {
        let results: [PolyError?] = compactMap {
            if case .finished(call, let error) = $0 { .some(error) } else { nil }
        }
        return results.first
    }

    var confirmed: [String] {
        events.compactMap { if case .messageConfirmed(let draftID, _) = $0 { draftID } else { nil } }
    }

    var pending: [String] {
        events.compactMap { if case .messagePending(let draftID, _) = $0 { draftID } else { nil } }
    }

    var failed: [String] {
        events.compactMap { if case .messageFailed(let draftID) = $0 { draftID } else { nil } }
    }

    var agentMessages: [AgentMessagePayload] {
        events.compactMap { if case .agentMessage(_, let payload) = $0 { payload } else { nil } }
    }

    var ends: [String?] {
        events.compactMap { if case .sessionEnd(_, let payload) = $0 { .some(payload.reason) } else { nil } }
    }

    var disconnections: [PolyError?] {
        events.compactMap { if case .disconnected(let error) = $0 { .some(error) } else { nil } }
    }
}

extension Bench {
    var requests: [RESTRequest] { outputs.requests }
    var dialled: [(attempt: Int, url: URL)] { outputs.dialled }
    var sentMessages: [(text: String, localID: String)] { outputs.sentMessages }

    /// The requests of one kind.
    func requestCount(_ endpoint: RESTRequest.Endpoint) -> Int {
        requests.filter { $0.endpoint == endpoint }.count
    }

    var texts: [String] { transcript.messages.compactMap(\.text) }

    var pills: [SystemEvent] {
        transcript.messages.compactMap { if case .system(let message) = $0 { message.event } else { nil } }
    }

    var agentBubbles: [AgentMessage] {
        transcript.messages.compactMap { if case .agent(let message) = $0 { message } else { nil } }
    }

    var userBubbles: [UserMessage] {
        transcript.messages.compactMap { if case .user(let message) = $0 { message } else { nil } }
    }
}

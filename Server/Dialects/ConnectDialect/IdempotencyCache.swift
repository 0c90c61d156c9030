import Clocks
import ConversationEngine
import DialectKit
import Texts

struct IdempotencyCache: Sendable {
    struct Answer: Sendable {
        let at: Instant
        let response: [UInt8]
    }

    static let time = Interval.minutes(10)
    /// Maximum number of responses.
    static let most = 10_000

    private var answers: [String: Answer] = [:]
    /// Keys of the responses, oldest first. The first `gone` keys are no longer in `answers`.
    private var keys: [String] = []
    private var gone = 0

    var count: Int { answers.count }
    private(set) var heldBytes = 0
    private static let answerBytes = 256

    /// Returns a request's key. The words have length prefixes, so that different requests have different keys.
    static func key(_ words: [String], _ body: [UInt8]) -> String {
        SHA256.hex(of: words.flatMap { Array("\($0.utf8.count):\($0)".utf8) } + body)
    }

    func response(to key: String, at now: Instant) -> [UInt8]? {
        guard let answer = answers[key], answer.at + Self.time > now else { return nil }
        return answer.response
    }

    mutating func note(_ key: String, _ response: [UInt8], at now: Instant) {
        while gone < keys.count, let oldest = answers[keys[gone]],
            oldest.at + Self.time <= now || answers.count >= Self.most
        {
            answers[keys[gone]] = nil
            heldBytes -= Self.answerBytes + oldest.response.count
            gone += 1
        }
        if gone > keys.count / 2 {
            keys.removeFirst(gone)
            gone = 0
        }
        heldBytes += Self.answerBytes + response.count
        if let former = answers.updateValue(Answer(at: now, response: response), forKey: key) {
            heldBytes -= Self.answerBytes + former.response.count
        } else {
            keys.append(key)
        }
    }
}

extension ConnectDialect {
    /// Performs a request, or returns the earlier response for its client token. `party` is nil for a back end.
    func once(
        _ operation: Operation, _ fields: RequestFields, _ request: Request, in session: SessionHandle,
        party: Int? = nil, _ host: inout Context, orElse missing: ServiceError = .denied,
        _ perform: (inout Context) throws(ServiceError) -> [UInt8]
    ) throws(ServiceError) -> [UInt8] {
        guard operation.takesClientToken, let token = try fields.text("ClientToken", 0...500), !token.isEmpty
        else { return try perform(&host) }
        let now = host.now
        let words = [operation.rawValue, party.map { "\($0)" } ?? "-", token]
        // Every repetition of a DisconnectParticipant has this key, whatever its body.
        let key = IdempotencyCache.key(words, operation == .disconnectParticipant ? [] : request.body)
        let former = try change(session, &host, orElse: missing) { contact, _ -> [UInt8]? in
            // After the end, only a repeated DisconnectParticipant gets the earlier response.
            let isGone = contact.endedAt != nil || party.map { contact.left.contains($0) } ?? false
            guard !isGone || operation == .disconnectParticipant else { return nil }
            return contact.replays.response(to: key, at: now)
        }
        if let former { return former }
        let bytes = try perform(&host)
        try change(session, &host, orElse: missing) { contact, _ in
            contact.replays.note(key, bytes, at: now)
        }
        return bytes
    }
}

import Clocks
import Foundation
import MessagingWire
import PolyMessaging
import Texts

/// The simplest server there is: a journal, and an agent that answers everything.
struct ModelServer {
    private(set) var journal: [Bench.ServerEvent] = []
    private var sequence: UInt64 = 0
    private var generator: SeededGenerator
    /// Numbers are left out at times, as the API allows.
    private let skipsNumbers: Bool
    private var hasJoined = false
    private var replyCount = 0

    init(skipsNumbers: Bool, generator: SeededGenerator, at now: Instant) {
        self.skipsNumbers = skipsNumbers
        self.generator = generator
        append(.sessionStart(WireCapabilities(maxReconnectAttempts: 0), contextID: nil), at: now)
    }

    /// What it says to one event of a client.
    mutating func hear(_ event: ClientEvent, at now: Instant) -> [Bench.ServerEvent] {
        let before = journal.count
        switch event.content {
        case .join:
            append(.joinRequest, at: now)
            if !hasJoined { append(.agentJoined(name: "Juno", avatarURL: nil), at: now) }
            hasJoined = true
        case .message(let text):
            let custom = event.customMetadata.flatMap { try? JSONReader.read([UInt8]($0.utf8)) }
            let id = custom?["local_id"]?.string ?? ""
            append(
                .userMessage(messageID: "u-\(sequence + 1)", text: text), custom: ["local_id": id], at: now)
            if hasJoined { reply(at: now) }
        default: break
        }
        return Array(journal[before...])
    }

    /// The history behind a cursor, always with its first event, in one part or several.
    func replay(after cursor: UInt64, _ generator: inout SeededGenerator) -> [[Bench.ServerEvent]] {
        var parts = [[journal[0]]]
        for event in journal.dropFirst() where (event.sequence ?? 0) > cursor {
            if Int.random(in: 0..<6, using: &generator) == 0 { parts.append([]) }
            parts[parts.count - 1].append(event)
        }
        return parts.map { $0.shuffled(using: &generator) }
    }

    private mutating func reply(at now: Instant) {
        replyCount += 1
        let id = "r-\(replyCount)"
        guard Bool.random(using: &generator) else {
            append(.agentMessage(WireMessage(messageID: id, text: "whole \(replyCount)")), at: now)
            return
        }
        let count = Int.random(in: 1...4, using: &generator)
        for index in 1...count {
            let chunk = WireChunk(
                messageID: id, index: index, isComplete: index == count, text: "\(replyCount).\(index) ")
            append(.agentMessageChunk(chunk), at: now)
        }
    }

    private mutating func append(_ payload: WirePayload, custom: [String: String]? = nil, at now: Instant) {
        sequence += skipsNumbers && Int.random(in: 0..<8, using: &generator) == 0 ? 2 : 1
        journal.append(
            Bench.ServerEvent(
                id: "e-\(sequence)", sequence: sequence, payload: payload, custom: custom, at: now))
    }

    // MARK: What a client should have seen

    /// One line for each user message and each whole reply.
    var story: [String] {
        var text = ""
        return journal.compactMap { event in
            switch event.payload {
            case .userMessage(let messageID, _): return messageID
            case .agentMessage(let message): return "\(message.messageID): \(message.text)"
            case .agentMessageChunk(let chunk):
                text += chunk.text ?? ""
                guard chunk.isComplete else { return nil }
                defer { text = "" }
                return "\(chunk.messageID): \(text)"
            default: return nil
            }
        }
    }

    /// How often each local id was accepted.
    var acceptedCounts: [String: Int] {
        var counts: [String: Int] = [:]
        for event in journal {
            if case .userMessage = event.payload { counts[event.custom?["local_id"] ?? "", default: 0] += 1 }
        }
        return counts
    }
}

import Clocks
import ConnectCore
import ConversationEngine
import HTTPClient
import MockServer
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ContactSweep {
    private struct Traffic: Sendable {
        var requests = 0
        var items = 0
        var fired = 0
        var spoiled: [Spoiled] = []
        var hasFailedPage = false
        var losesNext = false
        /// Whether items are dropped.
        var isDeaf = false
    }

    private struct Spoiled: Sendable {
        var id: String?
        var text: String
        /// The visible text. For an interactive message, the title, because only the title is streamed.
        var words: String
        var files: [String]

        init(_ frame: [UInt8]) {
            let item = SweepText.item(frame)
            id = item?["Id"]?.string
            text = item?["Content"]?.string ?? ""
            words = (try? JSONReader.read(Array(text.utf8)))?["data"]?["content"]?["title"]?.string ?? text
            files = item?["Attachments"]?.array?.compactMap { $0["AttachmentName"]?.string } ?? []
        }
    }

    /// Plays one conversation with these faults. Unless `hearsAll` is true, drops the replies to the last message.
    func play(_ faults: [ContactFault], hearsAll: Bool = false) async -> Outcome {
        var outcome = Outcome()
        let failure = await Mock.failure(of: plan) { mock in
            let traffic = Locked(Traffic())
            let tap = tap(mock, faults, traffic)
            do {
                let contact = try await mock.contact(streaming: isStreaming, through: tap)
                do { try await talk(contact, mock, tap, faults, traffic, hearsAll, &outcome) } catch {
                    outcome.failure = "\(error)"
                }
            } catch {
                outcome.refusal = "\(error)"
            }
            let journals = await mock.server.inspect { $0.sessions.map(\.journal) }
            for case .userMessage(_, let text) in journals.joined().map(\.event) {
                outcome.arrived.append(text)
            }
            let seen = traffic.withLock { $0 }
            (outcome.requests, outcome.items, outcome.fired) = (seen.requests, seen.items, seen.fired)
            outcome.spoiled = seen.spoiled.flatMap { $0.files.isEmpty ? [$0.text] : $0.files }
        }
        outcome.failure = outcome.failure ?? failure
        return outcome
    }

    private func talk(
        _ contact: MockContact, _ mock: Mock, _ tap: WebTap, _ faults: [ContactFault],
        _ traffic: Locked<Traffic>, _ hearsAll: Bool, _ outcome: inout Outcome
    ) async throws {
        var second: MockContact?
        if faults.contains(where: { $0.kind == .secondConnection }), let endpoint = URL(string: mock.url) {
            second = try await mock.join(contact.details, at: endpoint, through: WebTap(mock.tap))
        }
        try await mock.untilIdle()
        for (number, text) in says.enumerated() {
            // The client has to request the replies to the last message on its next connection.
            if number == says.count - 1, !hearsAll { traffic.withLock { $0.isDeaf = true } }
            // A failed message is no error here: its row is compared below.
            do { try await contact.say(text) } catch is ConnectChatError {}
            try await mock.untilIdle()
        }
        traffic.withLock { $0.isDeaf = false }
        tap.cutAll()
        try await mock.untilIdle()
        // After a refusal, the SDK does not retry until the app returns to the foreground.
        for _ in faults {
            contact.session.resumeWebSocketConnection()
            try await mock.untilIdle()
        }
        let rows = try await contact.rows
        outcome.hasEnded = rows.contains { $0.contentType == WireItem.eventPrefix + "chat.ended" }
        let messages = rows.filter { $0.kind == .message }
        outcome.ids = messages.map(\.id)
        let spoiled = traffic.withLock { $0.spoiled }
        for row in messages {
            let text = row.text.filter { $0 != "\u{FFFD}" }
            if row.direction == .Outgoing {
                outcome.own.append((text, row.status != .Failed && row.status != .Sending))
            } else if !row.isComplete, outcome.hasEnded,
                let lost = spoiled.first(where: { $0.id == row.id && $0.words.hasPrefix(text) })
            {
                // No later connection can complete the message. The streamed part counts as the whole message.
                outcome.heard.append(lost.text)
            } else {
                outcome.heard.append(text)
                if !row.isComplete { outcome.unfinished.append(text) }
            }
        }
        guard let others = try await second?.rows.filter({ $0.kind == .message }) else { return }
        outcome.second = others.filter { $0.direction != .Outgoing }.map(\.text)
        outcome.second?.append(contentsOf: others.filter { $0.direction == .Outgoing }.map(\.text))
    }

    private func tap(_ mock: Mock, _ faults: [ContactFault], _ traffic: Locked<Traffic>) -> WebTap {
        let tap = WebTap(mock.tap)
        let flaw = flaw
        tap.judgeInbound { frame in
            guard SweepText.isItem(frame) else { return WebTap.Delivery([frame]) }
            let (number, isLost) = traffic.withLock { traffic in
                defer { traffic.losesNext = false }
                if traffic.isDeaf { return (0, true) }
                traffic.items += 1
                return (traffic.items, traffic.losesNext)
            }
            if isLost { return WebTap.Delivery([]) }
            let own = faults.filter { $0.number == number }
            let spoiled = own.reduce(frame) { $1.spoiled($0) }
            traffic.withLock { traffic in
                if spoiled != frame { traffic.fired += 1 }
                if own.contains(where: { $0.kind == .unusable }) {
                    traffic.spoiled.append(Spoiled(frame))
                }
                traffic.losesNext = flaw == .losesNeighbour && own.contains { $0.kind == .unusable }
            }
            return WebTap.Delivery([spoiled])
        }
        let clock = mock.base
        tap.judgeRequests(on: clock) { request in
            guard request.target.holds("/participant/") else { return .passes }
            let number = traffic.withLock { traffic in
                traffic.requests += 1
                return traffic.requests
            }
            for fault in faults where fault.number == number {
                guard case .request(let fate) = fault.kind else { continue }
                traffic.withLock { traffic in
                    traffic.fired += 1
                    if request.target.hasSuffix("/transcript") { traffic.hasFailedPage = true }
                }
                return fate
            }
            return .passes
        }
        if flaw == .freshTokens {
            tap.rewriteRequests { Self.withToken(traffic.withLock { $0.requests }, $0) }
        }
        if flaw == .noFurtherPage {
            tap.rewriteRequests { request in
                guard request.target.hasSuffix("/transcript"), traffic.withLock({ $0.hasFailedPage }) else {
                    return request
                }
                return PlantedBug.fromTheNewest(request)
            }
        }
        return tap
    }

    private static func withToken(_ number: Int, _ request: HTTPClient.Request) -> HTTPClient.Request {
        guard request.target.hasSuffix("/message"),
            var body = (try? JSONReader.read(request.body))?.object
        else { return request }
        var request = request
        body.members.removeAll { $0.name == "ClientToken" }
        body.members.append(.init("ClientToken", .string("token-\(number)")))
        request.body = JSONWriter.bytes(.object(body))
        return request
    }
}

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
    /// The traffic through the tap of one run.
    private struct Passed: Sendable {
        var requests = 0
        var items = 0
        var struck = 0
        var spoiled: [Spoiled] = []
        var hasFailedPage = false
        var losesNext = false
        /// Items are lost, as in the last moments of a connection.
        var isDeaf = false
    }

    /// An item that could not be read.
    private struct Spoiled: Sendable {
        var id: String?
        var text: String
        var words: String
        /// A file's row shows its name.
        var files: [String]

        init(_ frame: [UInt8]) {
            id = SweepText.id(ofItem: frame)
            (text, words) = (SweepText.text(ofItem: frame), SweepText.words(ofItem: frame))
            files = SweepText.files(ofItem: frame)
        }
    }

    /// One talk: a mock of its own, one contact, and what goes wrong.
    ///
    /// - Parameters:
    ///   - faults: what goes wrong.
    ///   - hearsAll: loses nothing of the last line's replies, not even what ends the contact.
    /// - Returns: the rows and items of the talk, or its failure.
    func play(_ faults: [ContactFault], hearsAll: Bool = false) async -> Outcome {
        var outcome = Outcome()
        let mock: Mock
        do { mock = try await Mock.start(plan) } catch {
            outcome.failure = "\(error)"
            return outcome
        }
        let passed = Locked(Passed())
        let tap = tap(mock, faults, passed)
        do {
            let contact = try await mock.contact(streaming: isStreaming, through: tap)
            do { try await talk(contact, mock, tap, faults, passed, hearsAll, &outcome) } catch {
                outcome.failure = "\(error)"
            }
        } catch {
            outcome.refusal = "\(error)"
        }
        let journals = await mock.server.inspect { $0.sessions.map(\.journal) }
        for case .userMessage(_, let text) in journals.joined().map(\.event) { outcome.arrived.append(text) }
        passed.withLock { passed in
            (outcome.requests, outcome.items, outcome.struck) = (passed.requests, passed.items, passed.struck)
            outcome.spoiled = passed.spoiled.flatMap { $0.files.isEmpty ? [$0.text] : $0.files }
        }
        await mock.stop()
        return outcome
    }

    private func talk(
        _ contact: MockContact, _ mock: Mock, _ tap: WebTap, _ faults: [ContactFault],
        _ passed: Locked<Passed>, _ hearsAll: Bool, _ outcome: inout Outcome
    ) async throws {
        var second: MockContact?
        if faults.contains(where: { $0.kind == .secondConnection }), let endpoint = URL(string: mock.url) {
            second = try await mock.join(contact.details, at: endpoint, through: WebTap(mock.tap))
        }
        try await mock.untilQuiet()
        for (number, text) in says.enumerated() {
            // Of the last line nothing is heard before the next connection, which has to ask for it.
            if number == says.count - 1, !hearsAll { passed.withLock { $0.isDeaf = true } }
            // A message that fails says so; its row is looked at below.
            do { try await contact.say(text) } catch is ConnectChatError {}
            try await mock.untilQuiet()
        }
        passed.withLock { $0.isDeaf = false }
        tap.cutAll()
        try await mock.untilQuiet()
        // After a refusal the SDK waits for the app, which comes to the front again.
        for _ in faults {
            contact.session.resumeWebSocketConnection()
            try await mock.untilQuiet()
        }
        let rows = try await contact.rows
        outcome.hasEnded = rows.contains { $0.contentType == WireItem.eventPrefix + "chat.ended" }
        let messages = rows.filter { $0.kind == .message }
        outcome.ids = messages.map(\.id)
        let spoiled = passed.withLock { $0.spoiled }
        for row in messages {
            let text = row.text.filter { $0 != "\u{FFFD}" }
            if row.direction == .Outgoing {
                outcome.own.append((text, row.status != .Failed && row.status != .Sending))
            } else if !row.isComplete, outcome.hasEnded,
                let lost = spoiled.first(where: { $0.id == row.id && $0.words.hasPrefix(text) })
            {
                // No connection follows that could bring the whole one: what was streamed of it stays.
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

    private func tap(_ mock: Mock, _ faults: [ContactFault], _ passed: Locked<Passed>) -> WebTap {
        let tap = WebTap(mock.tap)
        let flaw = flaw
        tap.judgeInbound { frame in
            guard SweepText.isItem(frame) else { return WebTap.Delivery([frame]) }
            let (number, isLost) = passed.withLock { passed in
                defer { passed.losesNext = false }
                if passed.isDeaf { return (0, true) }
                passed.items += 1
                return (passed.items, passed.losesNext)
            }
            if isLost { return WebTap.Delivery([]) }
            let own = faults.filter { $0.number == number }
            let spoiled = own.reduce(frame) { $1.spoiled($0) }
            passed.withLock { passed in
                if spoiled != frame { passed.struck += 1 }
                if own.contains(where: { $0.kind == .unusable }) {
                    passed.spoiled.append(Spoiled(frame))
                }
                passed.losesNext = flaw == .losesNeighbour && own.contains { $0.kind == .unusable }
            }
            return WebTap.Delivery([spoiled])
        }
        let clock = mock.base
        tap.judgeRequests(on: clock) { request in
            guard request.target.holds("/participant/") else { return .passes }
            let number = passed.withLock { passed in
                passed.requests += 1
                return passed.requests
            }
            for fault in faults where fault.number == number {
                guard case .request(let fate) = fault.kind else { continue }
                passed.withLock { passed in
                    passed.struck += 1
                    if request.target.hasSuffix("/transcript") { passed.hasFailedPage = true }
                }
                return fate
            }
            return .passes
        }
        if flaw == .freshTokens {
            tap.rewriteRequests { Self.withToken(passed.withLock { $0.requests }, $0) }
        }
        if flaw == .noFurtherPage {
            tap.rewriteRequests { request in
                guard request.target.hasSuffix("/transcript"), passed.withLock({ $0.hasFailedPage }) else {
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

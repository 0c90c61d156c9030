import Clocks
import ConversationEngine
import MockServer
import PolyMessaging

/// One talk: a mock of its own, one chat of the SDK, what the user says, and where the connection is cut.
struct SweepRun: Sendable {
    var plan: MockPlan
    var says: [String]
    var isStreaming: Bool
    var cuts: [Interruption] = []
    var flaw: SweepFlaw?
    /// How many rows the quiet run shows after the opening and after each line of the user; empty for that run.
    var rowCounts: [Int] = []

    /// The results of a run.
    struct Outcome: Sendable {
        /// Rows of the chat that have to be the same however often the connection was cut.
        var rows: [String] = []
        /// Of both kinds, after the opening and after each line of the user.
        var rowCounts: [Int] = []
        /// Rows that may be lost, but come once.
        var transientRows: [String] = []
        /// Of each session, in the order in which they opened.
        var journals: [[String]] = []
        /// Every message that came down the wire, lost ones included.
        var arrived: [[UInt8]] = []
        var struck = 0
        /// Why the talk stopped early.
        var failure: String?
    }

    func play() async -> Outcome {
        var outcome = Outcome()
        let mock: Mock
        do {
            mock = try await Mock.start(plan)
        } catch {
            outcome.failure = "\(error)"
            return outcome
        }
        let tap = SweepTap(mock.tap, cuts: cuts, flaw: flaw)
        do {
            let chat = try await mock.chat(streaming: isStreaming, through: tap)
            do {
                try await talk(chat, mock) { outcome.rowCounts.append($0) }
            } catch {
                outcome.failure = "\(error)"
            }
            for message in try await chat.messages {
                if SweepText.isTransient(message) {
                    outcome.transientRows.append(SweepText.row(message))
                } else {
                    outcome.rows.append(SweepText.row(message))
                }
            }
        } catch {
            outcome.failure = outcome.failure ?? "\(error)"
        }
        let journals = await mock.server.inspect { server in server.sessions.map(\.journal) }
        outcome.journals = journals.map { $0.map(SweepText.entry) }
        outcome.arrived = tap.arrived
        outcome.struck = tap.struck
        await mock.stop()
        return outcome
    }

    private func talk(_ chat: MockChat, _ mock: Mock, note: (Int) -> Void) async throws {
        if let reason = await chat.session.failureReason { throw MockError("the chat failed: \(reason)") }
        note(try await rest(chat, mock, step: 0))
        for (index, text) in says.enumerated() {
            try await chat.say(text)
            note(try await rest(chat, mock, step: index + 1))
        }
    }

    /// Waits until neither side has anything left to say. People speak when they have read the answer, so an interrupted
    /// talk also waits for what the SDK has to ask for again first.
    private func rest(_ chat: MockChat, _ mock: Mock, step: Int) async throws -> Int {
        try await mock.untilQuiet()
        let session = chat.session
        if step < rowCounts.count {
            let (wanted, own) = (rowCounts[step], chat.sessionID)
            _ = try await mock.play(within: Limits.catchUpTime) {
                if chat.sessionID != own { return true }
                await session.catchUp()
                return await session.messages.count >= wanted
            }
            try await mock.untilQuiet()
        }
        await session.catchUp()
        return await session.messages.count
    }
}

extension Mock {
    /// A chat whose network is `tap`.
    func chat(streaming: Bool, through tap: SweepTap) async throws -> MockChat {
        let client = try client(store: MemorySessionStore(), tap: tap) { configuration in
            configuration.streamingEnabled = streaming
        }
        let chat = await MockChat(mock: self, client: client, streaming: streaming)
        keep(chat)
        let session = chat.session
        let isThere = try await play(within: Limits.chatTime) {
            await session.catchUp()
            let hasFailed = await session.failureReason != nil
            return await session.isReady || hasFailed
        }
        guard isThere else {
            throw MockError("the chat has not connected in \(Limits.chatTime) of mock time")
        }
        return chat
    }
}

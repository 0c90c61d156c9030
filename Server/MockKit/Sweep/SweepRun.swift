import Clocks
import ConversationEngine
import MockServer

/// One talk: a mock of its own, one client, what the user says, and where the connection is cut.
struct SweepRun: Sendable {
    var plan: MockPlan
    var says: [String]
    var isStreaming: Bool
    var client = Sweep.Client.messaging
    var cuts: [Interruption] = []
    var flaw: PlantedBug?
    /// How far the quiet run is after the opening and after each line of the user; empty for that run.
    var steps: [Step] = []

    /// How far both sides are.
    struct Step: Sendable {
        /// Rows that the client shows, of both kinds.
        var rows = 0
        /// Entries of the journals: a message that leaves no row may have to be sent again.
        var entries = 0
    }

    /// The results of a run.
    struct Outcome: Sendable {
        /// Rows of the chat that have to be the same however often the connection was cut.
        var rows: [String] = []
        /// After the opening and after each line of the user.
        var steps: [Step] = []
        /// Rows that may be lost, but come once.
        var transientRows: [String] = []
        /// Of each session, in the order in which they opened.
        var journals: [[String]] = []
        /// Every message that came down the wire, lost ones included.
        var arrived: [[UInt8]] = []
        var struck = 0
        /// The client was told of the end when it came back, and not of what came right before.
        var hasMissedEnd = false
        /// How many connections the client dialled.
        var dialCount = 0
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
        let course = CutPlan(cuts)
        do {
            let client: any SweptClient =
                switch client {
                case .messaging: try await mock.chat(streaming: isStreaming, on: course, flaw)
                case .connect: try await mock.contact(streaming: isStreaming, on: course, flaw)
                }
            do {
                try await talk(client, mock, course) { outcome.steps.append($0) }
                // No event follows the last one and shows that it is missing, unless the client comes back.
                if cuts.contains(where: { $0.kind == .skip }), client is MockChat {
                    mock.tap.cutAll()
                    var lostRows = 0
                    _ = try await rest(client, mock, step: says.count, &lostRows)
                }
            } catch {
                outcome.failure = "\(error)"
            }
            for row in try await client.rows() {
                if row.isTransient {
                    outcome.transientRows.append(row.text)
                } else {
                    outcome.rows.append(row.text)
                }
                if row.isMissedEnd { outcome.hasMissedEnd = true }
            }
        } catch {
            outcome.failure = outcome.failure ?? "\(error)"
        }
        let journals = await mock.server.inspect { server in server.sessions.map(\.journal) }
        outcome.journals = journals.map { $0.map(SweepText.entry) }
        (outcome.arrived, outcome.struck) = (course.arrived, course.struck)
        outcome.dialCount = mock.tap.dialled.count
        await mock.stop()
        return outcome
    }

    private func talk(
        _ client: any SweptClient, _ mock: Mock, _ course: CutPlan, note: (Step) -> Void
    ) async throws {
        if let reason = await client.obstacle { throw MockError("the chat failed: \(reason)") }
        var lostRows = 0
        note(try await rest(client, mock, step: 0, &lostRows))
        for (index, text) in says.enumerated() {
            do {
                try await client.say(text)
            } catch let error as MockError {
                // The receipt is missing, and no event after it shows that: only the next connection brings it.
                guard course.endsInHole else { throw error }
                mock.tap.cutAll()
            }
            note(try await rest(client, mock, step: index + 1, &lostRows))
        }
    }

    /// A message is missing or unusable, and the client does not wait for it: only SESSION_START is waited for.
    private var hasHole: Bool {
        cuts.contains { [.skip, .spoil].contains($0.kind) && $0.message > 1 }
    }

    /// Waits until neither side has anything left to say. People speak when they have read the answer, so an interrupted
    /// talk also waits for what the SDK has to ask for again first. A hole that nothing follows is not asked for, however
    /// long the wait, and agents act on a long silence. `lostRows` were waited for in vain: no later step waits for them
    /// again.
    private func rest(
        _ client: any SweptClient, _ mock: Mock, step: Int, _ lostRows: inout Int
    ) async throws -> Step {
        try await mock.untilQuiet()
        if step < steps.count {
            let own = client.sessionID
            let goal = Step(rows: steps[step].rows - lostRows, entries: steps[step].entries)
            _ = try await mock.play(within: hasHole ? Limits.holeTime : Limits.catchUpTime) {
                if client.sessionID != own { return true }
                let present = await Self.step(client, mock)
                return present.rows >= goal.rows && present.entries >= goal.entries
            }
            try await mock.untilQuiet()
        }
        let present = await Self.step(client, mock)
        if step < steps.count, hasHole { lostRows = max(0, steps[step].rows - present.rows) }
        return present
    }

    private static func step(_ client: any SweptClient, _ mock: Mock) async -> Step {
        let entries = await mock.server.inspect { server in
            server.sessions.reduce(0) { $0 + $1.journal.count }
        }
        return Step(rows: await client.rowCount, entries: entries)
    }
}

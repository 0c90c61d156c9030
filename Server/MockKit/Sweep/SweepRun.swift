import ConversationEngine
import MockServer

struct SweepRun: Sendable {
    var plan: MockPlan
    var says: [String]
    var isStreaming: Bool
    var client = Sweep.Client.messaging
    var cuts: [Interruption] = []
    var flaw: PlantedBug?
    /// Progress of the undisturbed run after the opening and each user message. Empty if this is the undisturbed run.
    var steps: [Step] = []

    struct Step: Sendable {
        var rows = 0
        /// Number of journal entries, including those of messages without a row in the chat.
        var entries = 0
    }

    struct Outcome: Sendable {
        var rows: [String] = []
        var steps: [Step] = []
        /// Rows that may be lost, but must not appear twice.
        var transientRows: [String] = []
        var journals: [[String]] = []
        var arrived: [[UInt8]] = []
        var fired = 0
        /// Whether the client learned of the session's end only when it connected again.
        var hasMissedEnd = false
        var dialCount = 0
        var failure: String?
    }

    func play() async -> Outcome {
        var outcome = Outcome()
        let failure = await Mock.failure(of: plan) { mock in
            let course = CutPlan(cuts)
            do {
                let client: any SweptClient =
                    switch client {
                    case .messaging: try await mock.chat(streaming: isStreaming, on: course, flaw)
                    case .connect: try await mock.contact(streaming: isStreaming, on: course, flaw)
                    }
                do { try await talk(client, mock, course, &outcome) } catch { outcome.failure = "\(error)" }
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
            (outcome.arrived, outcome.fired) = (course.arrived, course.fired)
            outcome.dialCount = mock.tap.dialled.count
        }
        outcome.failure = outcome.failure ?? failure
        return outcome
    }

    private func talk(
        _ client: any SweptClient, _ mock: Mock, _ course: CutPlan, _ outcome: inout Outcome
    ) async throws {
        if let reason = await client.obstacle { throw MockError("the chat failed: \(reason)") }
        var lostRows = 0
        outcome.steps.append(try await rest(client, mock, step: 0, &lostRows))
        for (index, text) in says.enumerated() {
            do {
                try await client.say(text)
            } catch let error as MockError {
                // No later event reveals the gap. Only the next connection delivers the missing confirmation.
                guard course.endsInHole else { throw error }
                mock.tap.cutAll()
            }
            outcome.steps.append(try await rest(client, mock, step: index + 1, &lostRows))
        }
        // If the skipped event is the last, no later event reveals the gap. The client then has to connect again.
        if cuts.contains(where: { $0.kind == .skip }), client is MockChat {
            mock.tap.cutAll()
            var lostRows = 0
            _ = try await rest(client, mock, step: says.count, &lostRows)
        }
    }

    private var hasHole: Bool {
        cuts.contains { [.skip, .spoil].contains($0.kind) && $0.message > 1 }
    }

    /// Waits until neither side has anything left to send and the client has the rows of the undisturbed run, or until
    /// the time limit. `lostRows` counts rows that never came.
    private func rest(
        _ client: any SweptClient, _ mock: Mock, step: Int, _ lostRows: inout Int
    ) async throws -> Step {
        try await mock.untilIdle()
        if step < steps.count {
            let own = client.sessionID
            let goal = Step(rows: steps[step].rows - lostRows, entries: steps[step].entries)
            _ = try await mock.play(within: hasHole ? KitLimits.holeTime : KitLimits.catchUpTime) {
                if client.sessionID != own { return true }
                let present = await Self.step(client, mock)
                return present.rows >= goal.rows && present.entries >= goal.entries
            }
            try await mock.untilIdle()
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

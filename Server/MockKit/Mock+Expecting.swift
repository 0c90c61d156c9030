import Clocks
import ConversationEngine
import MockServer
import PolyMessaging

/// Checks that wait, count and order.
extension Mock {
    /// Waits until something was seen. One that already holds returns at once.
    ///
    /// - Parameters:
    ///   - pattern: what.
    ///   - wait: how much mock time may pass; 10 seconds by default. None passes when the mock moves by steps.
    ///   - chat: looks at the session of this chat only; at all sessions by default.
    ///   - fileID: where the test asks; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    /// - Throws: ``ExpectationFailure`` when it does not come.
    public func expect(
        _ pattern: Pattern, within wait: Interval? = nil, in chat: MockChat? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .atLeast(1), within: wait ?? Limits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until something was seen so often, and fails at once when it was seen more often.
    ///
    /// What counts is what was seen so far: with a count above 0 this returns as soon as so many are there, and one
    /// that comes later fails nothing. To rule later ones out, let time pass first (``MockClock/advance(by:)``,
    /// ``MockClock/untilQuiet()``). With 0 all of `wait` passes, as nothing else shows that none comes.
    ///
    /// - Parameters:
    ///   - pattern: what.
    ///   - count: how often, from the start of the mock until now.
    ///   - wait: how much mock time may pass until there are so many; none by default.
    ///   - chat: looks at the session of this chat only; at all sessions by default.
    ///   - fileID: where the test asks; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    /// - Throws: ``ExpectationFailure`` when the count is another.
    public func expect(
        _ pattern: Pattern, exactly count: Int, within wait: Interval = .zero, in chat: MockChat? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .exactly(count), within: wait), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until something was seen so often or more often.
    ///
    /// - Parameters:
    ///   - pattern: what.
    ///   - count: how often at least.
    ///   - wait: how much mock time may pass; 10 seconds by default.
    ///   - chat: looks at the session of this chat only; at all sessions by default.
    ///   - fileID: where the test asks; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    /// - Throws: ``ExpectationFailure`` when it does not come so often.
    public func expect(
        _ pattern: Pattern, atLeast count: Int, within wait: Interval? = nil, in chat: MockChat? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .atLeast(count), within: wait ?? Limits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Lets time pass, and fails when something is seen, or was seen before.
    ///
    /// - Parameters:
    ///   - pattern: what must not be seen.
    ///   - wait: how much mock time passes; none by default.
    ///   - chat: looks at the session of this chat only; at all sessions by default.
    ///   - fileID: where the test asks; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    /// - Throws: ``ExpectationFailure`` when it is seen.
    public func expect(
        never pattern: Pattern, within wait: Interval = .zero, in chat: MockChat? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .never, within: wait), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until several things were seen, one after the other; others may come in between.
    ///
    /// - Parameters:
    ///   - patterns: what, in this order.
    ///   - wait: how much mock time may pass for all of them; 10 seconds by default.
    ///   - chat: looks at the session of this chat only; at all sessions by default.
    ///   - fileID: where the test asks; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    /// - Throws: ``ExpectationFailure`` when one does not come.
    public func expectInOrder(
        _ patterns: [Pattern], within wait: Interval? = nil, in chat: MockChat? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(inOrder: patterns, within: wait ?? Limits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func check(_ expectation: Check, _ chat: MockChat?, _ site: CallSite) async throws {
        if let problem = try await problem(in: expectation) {
            let failure = ExpectationFailure(text: problem, site: site, place: nil)
            remember(failure)
            throw failure
        }
        // When the world moves by steps, time is the test's own business.
        let wait = plan.movement == .step ? Interval.zero : expectation.within
        let early = try await play(within: wait) {
            expectation.verdict(shown(in: chat), isOver: false) != .open
        }
        let seen = shown(in: chat)
        let verdict = expectation.verdict(seen, isOver: !early)
        forgive(expectation.matches(in: seen).map(\.number))
        guard verdict != .holds else { return }
        var text = FailureText(expectation: expectation, sightings: seen, replay: replay)
        text.expectation.within = plan.movement == .step ? .zero : expectation.within
        text.movesBySteps = plan.movement == .step
        let waitsForEnd = expectation.steps.last?.kind == .sessionEnded
        text.due = await nextScripted(in: chat, orIdleEnd: waitsForEnd && !text.isConnected)
        if let said = seen.last(where: { $0.kind == .userMessage && $0.sequence != nil }),
            let (number, site) = saying(of: said, among: sightings)
        {
            text.lastSaid = FailureText.Saying(number: number, text: said.text, site: site)
        }
        let failure = ExpectationFailure(text: text.text, site: site, place: text.place)
        remember(failure)
        throw failure
    }

    /// What a session would have done next by its script; with `orIdleEnd` also its end by silence.
    private func nextScripted(in chat: MockChat?, orIdleEnd: Bool) async -> FailureText.Due? {
        let session = chat?.sessionID
        let now = base.now
        let next = await server.inspect { server in
            server.pendingTimers.first { timer in
                (timer.isScript || orIdleEnd && timer.name == "idle end") && timer.deadline >= now
                    && (session == nil || timer.sessionID == session)
            }
        }
        return next.map { FailureText.Due(name: $0.name, delay: $0.deadline - now) }
    }

    /// Why a check can never fail, or never hold, whatever happens; nil for one that means something.
    private func problem(in expectation: Check) async throws -> String? {
        if let problem = expectation.problem { return problem }
        guard expectation.steps.contains(where: \.hasName) else { return nil }
        try await catchUp()
        let names = await names()
        for pattern in expectation.steps {
            if let problem = names.problem(in: pattern) {
                return "Expected \(pattern.one), but \(problem)"
            }
        }
        return nil
    }

    /// What one chat, or all of them, were part of.
    private func shown(in only: MockChat?) -> [Sighting] {
        let all = shown
        guard let only else { return all }
        return all.filter { $0.session == only.sessionID }
    }

    /// The sightings, with what agents and people said as the chats show it: a reply that was lost with its
    /// connection has not been said yet, as far as the user knows.
    private var shown: [Sighting] {
        var rows: [String: [String: String]] = [:]
        for chat in chats {
            let snapshot = chat.client.snapshot()
            guard let session = snapshot.session.sessionId, !chat.hasLeft else { continue }
            rows[session, default: [:]].merge(snapshot.messages.spoken) { $1 }
        }
        return sightings.map { sighting in
            guard !sighting.messageID.isEmpty, let shown = rows[sighting.session] else { return sighting }
            var sighting = sighting
            let text = shown[sighting.messageID]
            sighting.hasArrived = text != nil
            sighting.text = text ?? sighting.text
            return sighting
        }
    }
}

extension [ChatMessage] {
    /// What agents and people said, by the server's id of it.
    fileprivate var spoken: [String: String] {
        var texts: [String: String] = [:]
        for case .agent(let message) in self { texts[message.messageId] = message.text }
        return texts
    }
}

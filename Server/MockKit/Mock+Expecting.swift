import Clocks
import ConversationEngine
import MockServer
import PolyMessaging

extension Mock {
    /// Waits until `pattern` has been observed, at most `wait` of mock time, 10 seconds by default. With
    /// ``MockPlan/Movement/step``, `wait` is always zero. If `chat` is given, only events of its session count.
    /// - Throws: ``ExpectationFailure`` if the pattern is not observed in that time.
    public func expect(
        _ pattern: Pattern, within wait: Interval? = nil, in chat: MockChat? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .atLeast(1), within: wait ?? KitLimits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until `pattern` has been observed `count` times; fails at once if it was observed more often.
    ///
    /// Counts all events since the start of the mock, or those of the session of `chat`. `wait` is mock time, zero by
    /// default. If `count` is above 0, the call returns as soon as that many events are observed. To exclude further
    /// events, let time pass before the call (``MockClock/untilIdle()``). If `count` is 0, the call waits for all of
    /// `wait`. With ``MockPlan/Movement/step``, `wait` is always zero.
    /// - Throws: ``ExpectationFailure`` if the count differs.
    public func expect(
        _ pattern: Pattern, exactly count: Int, within wait: Interval = .zero, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .exactly(count), within: wait), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until `pattern` has been observed at least `count` times, in all sessions or in the session of `chat`.
    /// Waits at most `wait` of mock time, 10 seconds by default; not at all with ``MockPlan/Movement/step``.
    /// - Throws: ``ExpectationFailure`` if fewer matching events are observed in that time.
    public func expect(
        _ pattern: Pattern, atLeast count: Int, within wait: Interval? = nil, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .atLeast(count), within: wait ?? KitLimits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Fails if `pattern` has been observed already, or is observed within `wait` of mock time, zero by default. With
    /// ``MockPlan/Movement/step``, `wait` is always zero. If `chat` is given, only events of its session count.
    /// - Throws: ``ExpectationFailure`` when a matching event is observed.
    public func expect(
        never pattern: Pattern, within wait: Interval = .zero, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(pattern, .never, within: wait), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until the patterns have been observed in this order; other events may occur between them. If `chat` is
    /// given, only events of its session count. Waits at most `wait` of mock time in total, 10 seconds by default; not
    /// at all with ``MockPlan/Movement/step``.
    /// - Throws: ``ExpectationFailure`` if a pattern is not observed in that time.
    public func expectInOrder(
        _ patterns: [Pattern], within wait: Interval? = nil, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await check(
            Check(inOrder: patterns, within: wait ?? KitLimits.patience), chat,
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func check(_ expectation: Check, _ chat: MockChat?, _ site: CallSite) async throws {
        if let problem = try await problem(in: expectation) {
            let failure = ExpectationFailure(text: problem, site: site, place: nil)
            remember(failure)
            throw failure
        }
        let wait = plan.movement == .step ? Interval.zero : expectation.within
        let early = try await play(within: wait) {
            expectation.verdict(shown(in: chat), isOver: false) != .open
        }
        let seen = shown(in: chat)
        let verdict = expectation.verdict(seen, isOver: !early)
        forgive(expectation.matches(in: seen).map(\.number))
        guard verdict != .holds else { return }
        var text = FailureText(expectation: expectation, observedEvents: seen, replay: replay)
        text.expectation.within = plan.movement == .step ? .zero : expectation.within
        text.movesBySteps = plan.movement == .step
        let waitsForEnd = expectation.steps.last?.kind == .sessionEnded
        text.due = await nextScripted(in: chat, orIdleEnd: waitsForEnd && !text.isConnected)
        if let said = seen.last(where: { $0.kind == .userMessage && $0.sequence != nil }),
            let (number, site) = saying(of: said, among: observedEvents)
        {
            text.lastSaid = FailureText.Saying(number: number, text: said.text, site: site)
        }
        let failure = ExpectationFailure(text: text.text, site: site, place: text.place)
        remember(failure)
        throw failure
    }

    private func nextScripted(in chat: MockChat?, orIdleEnd: Bool) async -> FailureText.Due? {
        let session = chat?.sessionID
        let now = base.now
        let next = await server.inspect { server in
            server.pendingTimers.first { timer in
                (timer.isScript || orIdleEnd && timer.name == "idle timeout") && timer.deadline >= now
                    && (session == nil || timer.sessionID == session)
            }
        }
        return next.map { FailureText.Due(name: $0.name, delay: $0.deadline - now) }
    }

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

    private func shown(in only: MockChat?) -> [ObservedEvent] {
        let all = shown
        guard let only else { return all }
        return all.filter { $0.session == only.sessionID }
    }

    /// The observed events, with the texts that the chats show.
    private var shown: [ObservedEvent] {
        var rows: [String: [String: String]] = [:]
        for chat in chats {
            let snapshot = chat.client.snapshot()
            guard let session = snapshot.session.sessionId, !chat.hasLeft else { continue }
            rows[session, default: [:]].merge(snapshot.messages.spoken) { $1 }
        }
        return observedEvents.map { observed in
            guard !observed.messageID.isEmpty, let shown = rows[observed.session] else { return observed }
            var observed = observed
            let text = shown[observed.messageID]
            observed.hasArrived = text != nil
            observed.text = text ?? observed.text
            return observed
        }
    }
}

extension [ChatMessage] {
    fileprivate var spoken: [String: String] {
        var texts: [String: String] = [:]
        for case .agent(let message) in self { texts[message.messageId] = message.text }
        return texts
    }
}

import AgentRuns
import ChatPresentation
import Clocks
import Expectations
import MockKit
import RunPresentation
import Testing

/// Screens over a thread that open, close and open again at each of its changes.
struct RunBench {
    /// A screen: the model of its rows, and the rows as the changes alone make them.
    struct Screen {
        private(set) var chat = ChatModel()
        private(set) var patched: [ChatRow] = []
        private(set) var announced: [ChatEffect] = []
        private var following: ScreenFollowing?
        var closes: Int?
        var reopens: Int?

        var isOpen: Bool { following != nil }
        var rows: [ChatRow.Content] { chat.rows.map(\.content) }

        mutating func open(_ source: RunSource) { following = source.follow() }

        mutating func close() {
            following?.stop()
            following = nil
        }

        mutating func take() {
            for action in following?.take() ?? [] {
                for effect in chat.apply(action, at: 0) {
                    switch effect {
                    case .rows(.inserted(let row, let index)): patched.insert(row, at: index)
                    case .rows(.updated(let row, let index)): patched[index] = row
                    case .rows(.removed(let index)): patched.remove(at: index)
                    case .announce: announced.append(effect)
                    case .send: break
                    }
                }
            }
        }
    }

    var always = Screen()
    var others: [Screen] = []
    var moment = 0
    var faults: [String] = []

    /// Opens a screen at this moment. Every other one looks only after the next change, and each third closes and opens
    /// again after 1 to 7 changes.
    mutating func change(_ source: RunSource) {
        always.take()
        var new = Screen()
        new.open(source)
        if moment.isMultiple(of: 3) {
            new.closes = moment + 1 + moment % 7
            new.reopens = moment + 3 + moment % 11
        }
        for index in others.indices {
            if others[index].closes == moment { others[index].close() }
            if others[index].reopens == moment { others[index].open(source) }
            others[index].take()
            check(others[index], "opened at \(index), at \(moment)")
        }
        if moment.isMultiple(of: 2) {
            new.take()
            check(new, "opened at \(moment)")
        }
        others.append(new)
        moment += 1
    }

    mutating func check(_ screen: Screen, _ place: String) {
        guard screen.isOpen, screen.rows != always.rows || screen.patched != screen.chat.rows else { return }
        if faults.count < 3 { faults.append("\(place): \(screen.rows), not \(always.rows)") }
    }
}

@Suite("ScreenSource: threads of AG-UI runs", .timeLimit(.minutes(5)))
struct RunSourceTests {
    private func lines(_ chat: ChatModel) -> [String] {
        chat.rows.map { row in
            if let notice = row.notice { return "\(notice.level.rawValue): \(notice.text ?? "")" }
            let message = row.message
            return "\(message?.speaker.rawValue ?? ""): \(message?.text ?? "")"
                + (message?.delivery == .failed ? " (failed)" : "")
        }
    }

    @Test(
        "Screens opened, closed and opened again at any change show what one shows that was always open",
        arguments: [
            ("weather", ["weather in Leeds", "trip to Porto", "weather in Atlantis"]),
            ("refunds", ["refund order 19", "Yes", "pick up my parcel", "hello"]),
        ] as [(String, [String])])
    func anyMoment(_ fixture: String, _ said: [String]) async throws {
        let mock = try await Mock.start(MockPlan(fixture))
        try await follow(try mock.agent(), said, on: mock)
        await mock.stop()
    }

    @Test(
        "So do screens over recorded runs, also broken ones",
        arguments: [
            "03-sequential-tools", "04-parallel-tools", "05-text-and-tool-interleaved", "06-reasoning",
            "07-steps-and-state", "08-activity", "09-tool-failure", "10-run-error", "11-run-error-first",
            "13a-interrupt", "14-chunks", "15-replay-snapshot", "16-custom-and-raw", "18-two-runs",
            "19-unicode",
            "v1-03-cancelled", "invalid-02-content-without-start", "invalid-04-duplicate-start",
            "invalid-05-message-open-at-finish", "invalid-14-event-after-finish", "invalid-18-truncated",
        ] as [String])
    func recorded(_ name: String) async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        try await follow(try mock.agent(name), ["Hello", "Again"], on: mock)
        await mock.stop()
    }

    private func follow(_ agent: AGUIAgent, _ said: [String], on mock: Mock) async throws {
        let thread = AGUIThread(agent: agent, threadID: "thr-1")
        await thread.register(AGUITool(name: "pick_date", description: "A day")) { _ in "2026-12-04" }
        let source = RunSource(thread, agentName: "Isla")
        let bench = Locked(RunBench())
        bench.withLock { $0.always.open(source) }
        let following = thread.follow { _ in bench.withLock { $0.change(source) } }
        for text in said { try? await mock.letTimePass { try await source.execute(.send(text: text)) } }
        let (faults, rows, count) = bench.withLock { bench -> ([String], [ChatRow], Int) in
            bench.always.take()
            for index in bench.others.indices where bench.others[index].isOpen {
                bench.others[index].take()
                bench.check(bench.others[index], "at the end")
            }
            return (bench.faults, bench.always.chat.rows, bench.others.count)
        }
        #expect(faults.isEmpty)
        #expect(count > 5 && !rows.isEmpty)
        #expect(rows.allSatisfy { $0.message?.isStreaming != true })
        _ = following
    }

    @Test("Text grows, tools are lines with their words, and a reply is announced once")
    func tool() async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thr-1")
        let source = RunSource(thread, agentName: "Isla")
        let seen = Locked<(bench: RunBench, lines: [[String]], typing: Set<String>)>((RunBench(), [], []))
        seen.withLock { $0.bench.always.open(source) }
        let following = thread.follow { _ in
            seen.withLock { seen in
                seen.bench.always.take()
                let lines = self.lines(seen.bench.always.chat)
                if seen.lines.last != lines { seen.lines.append(lines) }
                if let name = seen.bench.always.chat.typing { seen.typing.insert(name) }
            }
        }
        try await mock.letTimePass { try await source.execute(.send(text: "weather in Leeds")) }
        let (all, typing, announced) = seen.withLock { ($0.lines, $0.typing, $0.bench.always.announced) }
        #expect(all.first == ["user: weather in Leeds"] && typing == ["Isla"])
        #expect(all.contains(["user: weather in Leeds", "info: Checking the weather"]))
        expectEqual(
            all.last, ["user: weather in Leeds", "info: Weather", "agent: Here is the weather of Leeds."])
        #expect(all.count > 4, "the text grows")
        expectEqual(announced.count, 2)
        _ = following
        await mock.stop()
    }

    @Test(
        "A question stands with its suggestions until it is answered; a refusal is no approval",
        arguments: [
            ("Yes", "yes", "The refund is on its way."), ("No", "no", "No refund, then."),
            ("yes", nil, "The refund is on its way."), ("What for?", nil, "No refund, then."),
        ] as [(String, String?, String)])
    func question(_ answer: String, _ payload: String?, _ end: String) async throws {
        let mock = try await Mock.start(MockPlan("refunds"))
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thr-1")
        let source = RunSource(thread)
        try await mock.letTimePass { try await source.execute(.send(text: "refund order 19")) }
        // Another source over the same thread finds the question, too.
        for source in [source, RunSource(thread)] {
            var screen = RunBench.Screen()
            screen.open(source)
            screen.take()
            expectEqual(lines(screen.chat).last, "agent: Approve a £24.00 refund for O-19?")
            expectEqual(
                screen.chat.suggestions,
                [
                    RowSuggestion(text: "Yes", payload: "yes"), RowSuggestion(text: "No", payload: "no"),
                ])
            expectEqual(screen.chat.typing, nil)
        }
        try await mock.letTimePass { try await source.execute(.send(text: answer, payload: payload)) }
        var screen = RunBench.Screen()
        screen.open(source)
        screen.take()
        #expect(
            lines(screen.chat).suffix(2) == ["user: \(answer)", "agent: \(end)"]
                && screen.chat.suggestions == [])
        await mock.stop()
    }

    @Test("A message whose request failed can be sent again; a run that failed says why")
    func failures() async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        let unknown = RunSource(AGUIThread(agent: try mock.agent("wether"), threadID: "thr-1"))
        var screen = RunBench.Screen()
        screen.open(unknown)
        await #expect(throws: AgentRunError.self) {
            try await mock.letTimePass { try await unknown.execute(.send(text: "Hello")) }
        }
        screen.take()
        expectEqual(lines(screen.chat), ["user: Hello (failed)"])
        let id = try #require(screen.chat.rows.first?.message?.id)
        expectEqual(screen.chat.rows.first?.message?.actions.first, .retry)
        await #expect(throws: AgentRunError.self) {
            try await mock.letTimePass { try await unknown.execute(.retry(id: id)) }
        }
        screen.take()
        expectEqual(lines(screen.chat), ["user: Hello (failed)"])
        try await unknown.execute(.remove(id: "another"))
        screen.take()
        expectEqual(screen.chat.rows.count, 1)
        try await unknown.execute(.remove(id: id))
        screen.take()
        #expect(lines(screen.chat) == [] && screen.patched.isEmpty)
        await #expect(throws: AgentRunError.self) {
            try await mock.letTimePass { try await unknown.execute(.send(text: "Again")) }
        }
        screen.take()
        expectEqual(lines(screen.chat), ["user: Again (failed)"])

        for (name, words) in [
            ("10-run-error", "error: "), ("invalid-18-truncated", "error: The stream ended"),
        ] {
            let source = RunSource(AGUIThread(agent: try mock.agent(name), threadID: "thr-1"))
            var screen = RunBench.Screen()
            screen.open(source)
            try? await mock.letTimePass { try await source.execute(.send(text: "Hello")) }
            screen.take()
            let lines = lines(screen.chat)
            #expect(lines.first == "user: Hello" && lines.last?.hasPrefix(words) == true)
            expectEqual(screen.chat.typing, nil)
        }
        await mock.stop()
    }

    @Test("A screen that is opened a hundred times patches nothing that it shows already")
    func hundredTimes() async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        let source = RunSource(AGUIThread(agent: try mock.agent(), threadID: "thr-1"))
        try await mock.letTimePass { try await source.execute(.send(text: "weather in Leeds")) }
        var chat = ChatModel()
        for time in 0..<100 {
            let following = source.follow()
            let effects = following.take().flatMap { chat.apply($0, at: 0) }
            if time.isMultiple(of: 2) { following.stop() }
            expectEqual(effects.isEmpty, time > 0)
        }
        expectEqual(chat.rows.count, 3)
        await mock.stop()
    }

    @Test("The end of the screen's talk cancels the run, without an error line")
    func ends() async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thr-1")
        let source = RunSource(thread)
        let begun = Locked(false)
        let following = thread.follow { change in
            guard case .event = change else { return }
            let isFirst = begun.withLock { begun in
                defer { begun = true }
                return !begun
            }
            if isFirst { Task { try await source.execute(.end) } }
        }
        await #expect(throws: AgentRunError.cancelled) {
            try await mock.letTimePass { try await source.execute(.send(text: "weather in Leeds")) }
        }
        var screen = RunBench.Screen()
        screen.open(source)
        screen.take()
        #expect(lines(screen.chat).allSatisfy { !$0.hasPrefix("error") } && screen.chat.typing == nil)
        _ = following
        await mock.stop()
    }
}

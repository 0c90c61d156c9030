import ChatPresentation
import Clocks
import Expectations
import TestSupport
import Testing

/// Sources that emit out of order, twice, or after the end, and changes that name nothing.
@Suite("ScreenSource: bad input")
struct BadSourceTests {
    private static let events: [ChatEvent] = {
        var kinds: [ChatEvent.Kind] = []
        for number in 1...12 {
            let speaker: Speaker = number.isMultiple(of: 4) ? .person : .agent
            kinds.append(
                .message(.init(id: "m\(number)", text: "Reply \(number)", name: "Ada"), from: speaker))
            kinds.append(.userMessage(id: "u\(number)", text: "Said \(number)", draftID: nil))
            kinds.append(.systemMessage(text: "Note \(number)", level: .info))
            kinds.append(.changed(messageID: "u\(number)", .receipt(.read)))
            kinds.append(.changed(messageID: "m\(number)", .reaction("👍", isOn: true, by: .user)))
        }
        for index in 1...4 {
            kinds.append(
                .chunk(
                    .init(id: "grown", text: "piece \(index) ", name: "Ada"), index: index, isLast: index == 4
                ))
        }
        return kinds.enumerated().map { number, kind in
            ChatEvent(id: "e\(number)", sequence: number + 1, at: Milliseconds(number) * 1_000, kind)
        }
    }()

    private func contents(_ chat: ChatModel) -> [String] {
        chat.rows.map { row in
            switch row.content {
            case .message(let message):
                "\(message.text)|\(message.delivery?.rawValue ?? "")|\(message.reactions.count)|\(row.position)"
                    + "|\(row.hasTimeDivider)"
            case .notice(let notice): notice.text ?? ""
            }
        }
    }

    @Test("Events in any order, and twice, make the same rows", arguments: 0..<Strength.of(20, full: 400))
    func anyOrder(_ seed: Int) {
        var ordered = ChatModel()
        for event in Self.events { _ = ordered.apply(.event(event), at: 0) }
        var generator = SeededGenerator(seed: UInt64(seed))
        let twice = Self.events.filter { _ in Bool.random(using: &generator) }
        let source = ValueSource { _ in }
        var screen = OpenedScreen()
        for event in (Self.events + twice).shuffled(using: &generator) {
            screen.apply(.event(event), at: 0)
        }
        expectEqual(contents(screen.chat), contents(ordered))
        expectEqual(screen.patched, screen.chat.rows)
        // The events again, from a source that repeats its whole history in any order.
        let entries = (Self.events + twice).shuffled(using: &generator).map { ChatHistory.Entry.event($0) }
        var other = OpenedScreen()
        other.open(source)
        for end in [0, entries.count / 3, entries.count] {
            source.show(ChatHistory(entries: Array(entries[..<end]), isOpen: true))
            other.take(at: 0)
            expectEqual(other.patched, other.chat.rows)
        }
        expectEqual(contents(other.chat), contents(ordered))
    }

    @Test("What comes after the end is shown, and the end stays")
    func afterTheEnd() {
        var screen = OpenedScreen()
        let end = ChatEvent(id: "end", sequence: 3, at: 0, .ended(by: .agent))
        for event in Self.events.prefix(2) + [end, end] { screen.apply(.event(event), at: 0) }
        for event in Self.events.dropFirst(5) { screen.apply(.event(event), at: 0) }
        screen.apply(.event(ChatEvent(id: "end2", sequence: 900, at: 0, .ended(by: .idle))), at: 0)
        screen.apply(.opened, at: 0)
        #expect(screen.chat.ending == .agent && screen.chat.isOver && screen.chat.suggestions.isEmpty)
        #expect(screen.chat.rows.contains { $0.message?.text == "Reply 12" })
        expectEqual(screen.chat.rows.count { $0.notice?.event == "sessionEnd" }, 1)
        expectEqual(screen.patched, screen.chat.rows)
    }

    @Test("Actions that name nothing change nothing")
    func strangers() {
        var screen = OpenedScreen()
        for event in Self.events { screen.apply(.event(event), at: 0) }
        let before = screen.chat.rows
        let changes: [MessageChange] = [
            .text("Other"), .deleted, .reaction("👍", isOn: true, by: .agent), .receipt(.read),
            .file(id: "f", .uploading(percent: -3)), .file(id: "", .complete),
        ]
        for change in changes {
            for id in ["nobody", "", "m1|", String(repeating: "x", count: 100_000)] {
                screen.apply(
                    .event(ChatEvent(id: "", sequence: nil, at: 0, .changed(messageID: id, change))), at: 0)
            }
        }
        // A receipt for a message of the other side, and files that a message does not have.
        for change in changes.suffix(3) {
            screen.apply(
                .event(ChatEvent(id: "", sequence: nil, at: 0, .changed(messageID: "m1", change))), at: 0)
        }
        for action in [
            .retry(id: "nobody", freshID: "x"), .remove(id: "nobody"), .remove(id: "u1"),
            .confirmed(id: "nobody", messageID: "u1"),
            .failed(id: "nobody"), .resumed(after: "nobody"), .active,
        ] as [ChatAction] {
            screen.apply(action, at: 0)
        }
        #expect(screen.chat.rows == before && screen.patched == before)
    }

    @Test("Numbers and times at their ends do no harm")
    func extremes() {
        var screen = OpenedScreen()
        let times: [Milliseconds] = [.min, -1, 0, .max]
        for (number, time) in times.enumerated() {
            for sequence in [Int.min, -1, 0, Int.max, nil] {
                screen.apply(
                    .event(
                        ChatEvent(
                            id: "", sequence: sequence, at: time,
                            .message(.init(id: "m\(number)\(sequence ?? 7)", text: "x"), from: .agent))),
                    at: time)
                screen.apply(.serverTime(time), at: 0)
            }
        }
        for index in [Int.min, -1, Int.max - 1, Int.max] {
            screen.apply(
                .event(
                    ChatEvent(
                        id: "", sequence: 1, at: 0,
                        .chunk(.init(id: "grown", text: "x"), index: index, isLast: index == Int.max))), at: 0
            )
        }
        screen.apply(.tick, at: .max)
        #expect(screen.chat.rows.count == 21 && screen.patched == screen.chat.rows)
        _ = screen.chat.nextDeadline(after: .max)
    }
}

import ChatPresentation
import Clocks
import Expectations
import PolyMessaging
import Testing

@testable import TerminalChat

@Suite("The full screen")
struct ScreenTests {
    var talk = Talk()

    func screen(columns: Int = 60, rows: Int = 12) -> ScreenChat {
        var screen = ScreenChat(ScreenChat.Setup(server: "mock"), at: talk.now)
        _ = screen.handle(.resized(columns: columns, rows: rows), at: talk.now)
        return screen
    }

    func lines(_ screen: ScreenChat) -> [String] {
        var screen = screen
        return screen.makeFrame().rows.map { row in
            var text = String(row.map(\.character))
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    func type(_ text: String) -> ChatInput { .input(Array(text.utf8)) }

    @Test("Header, rows, status and input have their places")
    mutating func places() {
        var screen = screen()
        _ = screen.handle(talk.opening() + [talk.agent("Hello"), type("abc")], at: talk.now)
        let lines = lines(screen)
        expectEqual(lines.count, 12)
        expectEqual(lines.first, "Ada · session 01234567 · mock")
        expectEqual(lines[1], "Ada Hello")
        expectEqual(lines[10], "connected · seq 3")
        expectEqual(lines[11], "> abc")
        let frame = screen.makeFrame()
        #expect(frame.cursorRow == 11 && frame.cursorColumn == 5)
    }

    @Test("A time of a TimePicker is shown without the marks of ISO 8601; other texts are shown as they are")
    func times() {
        for (text, title) in [
            ("2026-01-30T18:00+00:00", "2026-01-30 18:00 (UTC)"),
            ("2026-01-30T18:00-05:30", "2026-01-30 18:00 (UTC-05:30)"),
            ("2026-13-30T18:00+00:00", "2026-13-30T18:00+00:00"), ("Table at 8", "Table at 8"),
            ("TTTTTTTTTTTTTTTTTTTTTT", "TTTTTTTTTTTTTTTTTTTTTT"),
        ] as [(String, String)] {
            expectEqual(AttachmentText.title(ofSuggestion: text), title)
            let payload = AgentMessagePayload(
                messageId: "m", text: "When?", responseSuggestions: [ResponseSuggestion(messageText: text)])
            let reply = ChatLine.agent(ChatLine.Reply(payload, by: nil, after: nil))
            expectEqual(LineRenderer(isForPerson: true).lines(reply).last?.text, "  [1] " + title)
            expectEqual(LineRenderer().lines(reply).last?.text, "  [1] " + text)
        }
    }

    @Test("A number alone sends that suggestion, a space in front sends the digit (T-07)")
    mutating func suggestions() {
        var screen = screen()
        let offer = talk.agent("Choose", suggestions: ["one", "two"])
        _ = screen.handle(talk.opening() + [offer], at: talk.now)
        #expect(lines(screen).contains("  2. two"))
        var other = screen
        expectEqual(screen.handle(type("2\r"), at: talk.now).said, ["two"])
        #expect(!lines(screen).contains("  2. two"))
        expectEqual(other.handle(type(" 2\r"), at: talk.now).said, ["2"])
        expectEqual(other.handle(type("3\r"), at: talk.now).said, ["3"])
    }

    @Test("A number that is the text of a suggestion is sent as it stands")
    mutating func numberedSuggestions() {
        var screen = screen()
        _ = screen.handle(
            talk.opening() + [talk.agent("How many?", suggestions: ["2", "4", "6"])], at: talk.now)
        var other = screen
        expectEqual(screen.handle(type("2\r"), at: talk.now).said, ["2"])
        expectEqual(other.handle(type("3\r"), at: talk.now).said, ["6"])
    }

    @Test("A message shows that it is on its way after half a second, then that it arrived")
    mutating func marks() {
        var screen = screen()
        _ = screen.handle(talk.opening() + [talk.pending("hi", draft: "1")], at: talk.now)
        expectEqual(lines(screen)[1], "you hi")
        _ = screen.wait(&talk)
        expectEqual(lines(screen)[1], "you hi …")
        _ = screen.handle(talk.confirmed("1"), at: talk.now)
        expectEqual(lines(screen)[1], "you hi ✓")
        #expect(lines(screen)[10].hasSuffix("echo 500 ms"))
    }

    @Test("Receipts are marks, whether they come late, early or twice")
    mutating func receipts() {
        for isEarly in [true, false] {
            var screen = screen()
            let receipts: [ChatInput] = [
                .receipt(messageID: "u-1", .delivered), .receipt(messageID: "u-2", .read),
                .receipt(messageID: "u-2", .delivered), .receipt(messageID: "other", .read),
                .receipt(messageID: "u-2", .read), .receipt(messageID: "u-3", .sent),
            ]
            let sent = ["1", "2", "3"].flatMap { [talk.pending("hi", draft: $0), talk.confirmed($0)] }
            _ = screen.handle(talk.opening() + (isEarly ? receipts + sent : sent + receipts), at: talk.now)
            expectEqual(lines(screen)[1...3], ["you hi ✓✓", "you hi ✓✓ read", "you hi ✓"])
        }
    }

    @Test("A file is sent by its path")
    mutating func file() {
        var screen = screen()
        _ = screen.handle(talk.opening(), at: talk.now)
        let outputs = screen.handle([type("/file /tmp/my cat.png\r"), type("/file\r")], at: talk.now)
        #expect(outputs.contains(.call(.sendFile("/tmp/my cat.png"))))
        #expect(lines(screen).contains("  /file takes the path of a file"))
    }

    @Test("A failed message is sent again once, by its number (T-11)")
    mutating func retry() {
        var screen = screen()
        let inputs = [talk.pending("hi", draft: "1"), talk.failed("1"), talk.agent("Yes?")]
        _ = screen.handle(talk.opening() + inputs, at: talk.now)
        expectEqual(lines(screen)[1], "you hi ! not delivered: /retry 1")
        let outputs = screen.handle([type("/retry 2\r"), type("/retry\r"), type("/retry\r")], at: talk.now)
        let calls = outputs.filter { if case .call = $0 { true } else { false } }
        expectEqual(calls, [.call(.retry(draftID: "1"))])
        expectEqual(lines(screen)[1], "Ada Yes?")
    }

    @Test("A streamed reply grows in its place and is one row when it is whole")
    mutating func streaming() {
        var screen = screen()
        _ = screen.handle(talk.opening() + [talk.chunk("One ", 0, id: "r")], at: talk.now)
        expectEqual(lines(screen)[1], "Ada One")
        let growth = screen.handle(talk.chunk("two", 1, id: "r"), at: talk.now)
        expectEqual(lines(screen)[1], "Ada One two")
        // Only the row that grew and the status line are written.
        #expect(growth.text.contains("\u{1B}[2;1H") && !growth.text.contains("\u{1B}[1;1H"))
        _ = screen.handle(talk.agent("One two", id: "r"), at: talk.now)
        #expect(lines(screen)[1] == "Ada One two" && lines(screen)[2] == "")
    }

    @Test("What came at once is one frame, however much it is")
    mutating func oneFrame() {
        var screen = screen()
        _ = screen.handle(talk.opening(), at: talk.now)
        var updates: [ChatInput] = []
        for index in 0..<1_000 { updates.append(talk.chunk("x", index, id: "r")) }
        let outputs = screen.handle(updates, at: talk.now)
        expectEqual(outputs.count, 1)
        #expect(screen.handle([], at: talk.now).isEmpty)
    }

    @Test("Scrolling up stays where it is while messages come, and says how many; the end follows again")
    mutating func follow() {
        var screen = screen()
        _ = screen.handle(talk.opening(), at: talk.now)
        for number in 1...20 { _ = screen.handle(talk.agent("\(number)", id: "m\(number)"), at: talk.now) }
        expectEqual(lines(screen)[9], "Ada 20")
        _ = screen.handle(type("\u{1B}[5~"), at: talk.now)
        let top = lines(screen)[1]
        _ = screen.handle(talk.agent("21", id: "m21"), at: talk.now)
        expectEqual(lines(screen)[1], top)
        #expect(lines(screen)[10].contains("1 new below"))
        _ = screen.handle([type("\u{1B}[6~"), type("\u{1B}[6~")], at: talk.now)
        expectEqual(lines(screen)[9], "Ada 21")
        #expect(!lines(screen)[10].contains("new below"))
    }

    @Test("Rows never exceed the columns, wide characters included (T-08)", arguments: 10...30)
    mutating func widths(columns: Int) {
        var screen = screen(columns: columns)
        let text = "漢字かな 😀 cafe\u{301} **bold** and averyveryverylongwordindeed 漢字漢字漢字漢字 🇫🇷👩‍👩‍👧"
        _ = screen.handle(talk.opening() + [talk.agent(text), type("漢字かな漢字かな漢字かな")], at: talk.now)
        let frame = screen.makeFrame()
        #expect(frame.rows.allSatisfy { $0.width <= columns })
        #expect(frame.rows.count == 12 && frame.cursorColumn < columns)
    }

    @Test("Without colour there is no look at all (T-10)")
    mutating func noColor() {
        var screen = screen()
        let outputs = screen.handle(talk.opening() + [talk.agent("**bold** `code`")], at: talk.now)
        #expect(outputs.text.contains("Ada bold code"))
        let pieces = outputs.text.split(separator: "\u{1B}[").dropFirst()
        #expect(pieces.allSatisfy { $0.first { $0.isLetter } != "m" })
    }

    @Test("Control-C asks; y ends the conversation, n stays, Control-C again leaves it open (T-09)")
    mutating func interrupt() {
        var screen = screen()
        _ = screen.handle(talk.opening(), at: talk.now)
        expectEqual(screen.handle(type("\u{3}"), at: talk.now).exit, nil)
        expectEqual(lines(screen)[10], "end conversation? y/n, Ctrl+C again leaves it open")
        var ending = screen
        expectEqual(ending.handle(type("y"), at: talk.now), [.call(.end), .exit(0)])
        var staying = screen
        expectEqual(staying.handle(type("n"), at: talk.now).exit, nil)
        #expect(lines(staying)[10].hasPrefix("connected"))
        _ = staying.handle(talk.ended("natural"), at: talk.now)
        expectEqual(staying.handle(type("\u{3}"), at: talk.now), [.exit(0)])
        expectEqual(screen.handle(type("\u{3}"), at: talk.now), [.exit(130)])
    }

    @Test("What a server sends never reaches the terminal as a control (T-14)")
    mutating func hostile() {
        var screen = screen()
        let evil = "a\u{1B}]0;x\u{7}b\u{202E}c\u{9B}2J"
        let outputs = screen.handle(
            talk.opening() + [talk.agent(evil, suggestions: [evil])], at: talk.now)
        #expect(outputs.text.contains("a\\u{1B}]0;x\\u{7}b\\u{202E}c\\u{9B}2J"))
        #expect(!outputs.text.unicodeScalars.contains("\u{7}"))
        #expect(!outputs.text.unicodeScalars.contains("\u{202E}"))
    }

    @Test("Words behind a slash are commands, two slashes say one")
    mutating func commands() {
        var screen = screen()
        _ = screen.handle(talk.opening(), at: talk.now)
        func calls(_ line: String) -> [ChatOutput] {
            var screen = screen
            return screen.handle(type(line + "\r"), at: talk.now).filter {
                if case .write = $0 { false } else { $0 != .call(.typing) }
            }
        }
        expectEqual(calls("/end"), [.call(.end)])
        expectEqual(calls("/new"), [.call(.startNew)])
        expectEqual(calls("/typing on"), [.call(.setTyping(true))])
        expectEqual(calls("/raw {\"a\": 1}"), [.call(.raw("{\"a\": 1}"))])
        expectEqual(calls("/quit"), [.exit(0)])
        expectEqual(calls("/nothing"), [])
        expectEqual(calls("//hello"), [.call(.send("/hello"))])
        expectEqual(calls("/export x.pdf"), [])
        expectEqual(calls("/export x.jsonl"), [.export("x.jsonl", [])])
    }
}

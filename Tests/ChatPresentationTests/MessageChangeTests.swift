import ChatPresentation
import Clocks
import Expectations
import TestSupport
import Testing

/// Changes of messages that were sent before, on any source.
@Suite("Changes of messages")
struct MessageChangeTests {
    private var chat = ChatModel()

    private mutating func give(_ kind: ChatEvent.Kind) -> [ChatEffect] {
        chat.apply(.event(ChatEvent(id: "", sequence: nil, at: 0, kind)), at: 0)
    }

    private mutating func change(_ change: MessageChange) { self.change("m1", change) }

    private mutating func change(_ id: String, _ change: MessageChange) {
        _ = give(.changed(messageID: id, change))
    }

    private func message(_ id: String = "m1") -> RowMessage? {
        chat.rows.lazy.compactMap(\.message).first { $0.id == id }
    }

    private mutating func agent(
        _ id: String, _ text: String, replyTo: String? = nil, files: [RowAttachment] = []
    ) {
        _ = give(
            .message(
                .init(id: id, text: text, name: "Ada", attachments: files, replyTo: replyTo), from: .agent))
    }

    @Test("A text is replaced, and marked; an empty one changes nothing")
    mutating func edits() {
        agent("m1", "Tuesday")
        change(.text("Wednesday"))
        #expect(message()?.text == "Wednesday" && message()?.isEdited == true)
        for empty in ["", " \n"] { change(.text(empty)) }
        expectEqual(message()?.text, "Wednesday")
        // Its source repeats the message as it was.
        agent("m1", "Tuesday")
        #expect(message()?.text == "Wednesday" && chat.rows.count == 1)
    }

    @Test("Of a message that was withdrawn nothing is left, and nothing changes it")
    mutating func withdrawn() {
        agent(
            "m1", "The code is 7", files: [RowAttachment(file: "f", name: "a.pdf", type: "application/pdf")])
        change(.reaction("👍", isOn: true, by: .user))
        change(.deleted)
        #expect(message()?.isDeleted == true && message()?.text == "" && message()?.attachments == [])
        #expect(message()?.reactions == [] && message()?.name == "Ada")
        expectEqual(message()?.actions(offering: Set(MessageAction.allCases)), [.details])
        change(.text("Again"))
        change(.reaction("👍", isOn: true, by: .agent))
        agent("m1", "The code is 7")
        #expect(message()?.text == "" && message()?.reactions == [])
    }

    @Test("Reactions are counted by participant, at most twenty different ones")
    mutating func reactions() {
        agent("m1", "Done")
        for speaker in [Speaker.user, .person, .user] { change(.reaction("👍", isOn: true, by: speaker)) }
        expectEqual(message()?.reactions, [RowReaction(text: "👍", speakers: [.user, .person])])
        expectEqual(message()?.reactions[0].isOwn, true)
        change(.reaction("👍", isOn: false, by: .user))
        change(.reaction("👍", isOn: false, by: .person))
        change(.reaction("👍", isOn: false, by: .person))
        expectEqual(message()?.reactions, [])
        for number in 1...25 { change(.reaction("r\(number)", isOn: true, by: .agent)) }
        change(.reaction("", isOn: true, by: .agent))
        expectEqual(message()?.reactions.map(\.text), (1...20).map { "r\($0)" })
        change(.reaction("r1", isOn: false, by: .agent))
        change(.reaction(String(repeating: "x", count: 41), isOn: true, by: .agent))
        expectEqual(message()?.reactions.count, 19)
        change(.reaction("👩🏻‍❤️‍💋‍👨🏿", isOn: true, by: .user))
        expectEqual(message()?.reactions.count, 20, "the longest emoji, of 35 bytes")
    }

    @Test("Receipts come early, late and twice: the farthest counts", arguments: 0..<6)
    mutating func receipts(_ order: Int) {
        let orders: [[RowMessage.Delivery]] = [
            [.delivered, .read], [.read, .delivered], [.read], [.delivered, .delivered, .read, .read],
            [.read, .failed], [.read, .pending, .sent],
        ]
        let early = order.isMultiple(of: 2)
        if early { for state in orders[order] { change("u1", .receipt(state)) } }
        _ = chat.apply(.say(id: "d1", text: "Hi"), at: 0)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        if !early { for state in orders[order] { change("u1", .receipt(state)) } }
        #expect(message("u1")?.delivery == .read && message("u1")?.delivery?.key == "delivery.read")
        // The SDK's own news come late.
        _ = chat.apply(.failed(id: "d1"), at: 0)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        expectEqual(message("u1")?.delivery, .read)
        agent("m1", "x")
        change(.receipt(.read))
        expectEqual(message()?.delivery, nil)
    }

    @Test("A receipt among thousands of rows updates one, as among a hundred")
    func cost() {
        func updates(among size: Int) -> Int {
            var bench = Self()
            for number in 1...size {
                _ = bench.give(.userMessage(id: "u\(number)", text: "x", draftID: nil))
            }
            return bench.give(.changed(messageID: "u\(size / 2)", .receipt(.read))).count
        }
        expectEqual(updates(among: 100), 1)
        expectEqual(updates(among: Strength.of(3_000, full: 10_000)), 1)
    }

    @Test("An answer quotes its message, also one that comes later or changes")
    mutating func quotes() {
        _ = chat.apply(.draft(id: "d1", text: "That one", replyTo: "m1", files: []), at: 0)
        let draft = { (chat: ChatModel) in chat.rows.compactMap(\.message).first { $0.text == "That one" } }
        expectEqual(draft(chat)?.quote, RowQuote(id: "m1", name: "", text: ""))
        agent("m1", "**Tea** or coffee? " + String(repeating: "x", count: 300))
        #expect(
            draft(chat)?.quote?.name == "Ada"
                && draft(chat)?.quote?.text.hasPrefix("Tea or coffee? x") == true)
        expectEqual(draft(chat)?.quote?.text.count, 200)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        change(.text("Tea?"))
        expectEqual(draft(chat)?.quote?.text, "Tea?")
        change(.deleted)
        expectEqual(draft(chat)?.quote?.text, "")
        agent("m2", "Well", replyTo: "u1")
        expectEqual(message("m2")?.quote, RowQuote(id: "u1", name: "", text: "That one"))
    }

    @Test("An echo brings the quote of a draft that the SDK announced; a withdrawn answer gets none again")
    mutating func lateQuote() {
        agent("m1", "Tea?")
        _ = chat.apply(.say(id: "d1", text: "Yes"), at: 0)
        _ = give(.userMessage(id: "u1", text: "Yes", draftID: "d1", replyTo: "m1"))
        expectEqual(message("u1")?.quote?.text, "Tea?")
        change("u1", .deleted)
        change(.text("Coffee?"))
        #expect(message("u1")?.quote == nil && message()?.text == "Coffee?")
    }

    @Test("The echo's text replaces that of the draft, but not an edit")
    mutating func rewritten() {
        _ = chat.apply(.say(id: "d1", text: "Hi"), at: 0)
        _ = give(.userMessage(id: "u1", text: "Hi, all", draftID: "d1"))
        agent("m1", "Yes?", replyTo: "u1")
        expectEqual(message("u1")?.text, "Hi, all")
        _ = give(.userMessage(id: "u1", text: "Hello", draftID: nil))
        #expect(message("u1")?.text == "Hello" && message()?.quote?.text == "Hello")
        change("u1", .text("Edited"))
        _ = give(.userMessage(id: "u1", text: "Hello", draftID: nil))
        _ = give(.userMessage(id: "u1", text: "", draftID: "d1"))
        #expect(message("u1")?.text == "Edited" && message("u1")?.isEdited == true)
    }

    @Test(
        "A message keeps the changes that came before its confirmation, when its echo did not name the draft")
    mutating func twin() {
        agent("m1", "Tea?")
        _ = chat.apply(.say(id: "d1", text: "Yes"), at: 0)
        _ = give(.userMessage(id: "u1", text: "Yes", draftID: nil, replyTo: "m1"))
        change("u1", .text("No"))
        change("u1", .reaction("👍", isOn: true, by: .agent))
        change("u1", .receipt(.read))
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        change(.text("Coffee?"))
        #expect(chat.rows.count == 2 && message("u1")?.text == "No" && message("u1")?.isEdited == true)
        #expect(message("u1")?.delivery == .read && message("u1")?.reactions.map(\.text) == ["👍"])
        expectEqual(message("u1")?.quote?.text, "Coffee?")
        _ = chat.apply(.say(id: "d2", text: "Secret"), at: 0)
        _ = give(.userMessage(id: "u2", text: "Secret", draftID: nil))
        change("u2", .deleted)
        _ = chat.apply(.confirmed(id: "d2", messageID: "u2"), at: 0)
        #expect(message("u2")?.isDeleted == true && message("u2")?.text == "")
    }

    @Test("Files: a percentage never falls, and a final state stays")
    mutating func files() {
        let file = RowAttachment(
            file: "f", name: "a.mp4", type: "Video/MP4", byteCount: -1, url: "javascript:alert(1)",
            state: .uploading(percent: nil))
        #expect(file.kind == .video && file.url.isEmpty && file.byteCount == nil)
        _ = chat.apply(.draft(id: "d1", text: "", replyTo: nil, files: [file]), at: 0)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        func state() -> RowAttachment.State? { message("u1")?.attachments.first?.state }
        for (given, shown) in [(10, 10), (5, 10), (90, 90), (200, 100)] {
            change("u1", .file(id: "f", .uploading(percent: given)))
            expectEqual(state(), .uploading(percent: shown))
        }
        change("u1", .file(id: "f", .cancelled))
        for late in [RowAttachment.State.complete, .uploading(percent: 3), .failed] {
            change("u1", .file(id: "f", late))
            expectEqual(state(), .cancelled)
        }
    }

    @Test("A file that the server names is added to its message once, with its name")
    mutating func namedFiles() {
        _ = give(
            .userMessage(
                id: "u1", text: "", draftID: nil,
                files: [RowAttachment(file: "f", name: "", type: "", state: .uploading(percent: nil))]))
        for id in ["f", "g", "g"] {
            change("u1", .file(id: id, .complete, name: "\(id).png", type: "image/png"))
        }
        expectEqual(message("u1")?.attachments.map(\.title), ["f.png", "g.png"])
        expectEqual(message("u1")?.attachments.allSatisfy { $0.state == .complete }, true)
        for number in 0..<30 { change("u1", .file(id: "h\(number)", .complete, name: "h", type: "")) }
        expectEqual(message("u1")?.attachments.count, 20)
    }

    @Test(
        "The name of a file shows what is in it",
        arguments: [
            ("report\u{202E}fdp.exe", "reportfdp.exe"), ("a\n\u{0}b\u{200B}.txt", "ab.txt"),
            ("\u{2066}\u{2069}", nil), ("", nil),
            (String(repeating: "n", count: 999), String(repeating: "n", count: 255)),
        ] as [(String, String?)])
    func names(_ given: String, _ shown: String?) {
        let file = RowAttachment(file: "f", name: given, type: "image/png", url: "https://shop.test/a.png")
        #expect(file.title == shown && file.kind == .image)
    }

    @Test("Changes of unknown messages are kept for the last hundred")
    mutating func unknown() {
        for number in 1...150 { change("u\(number)", .text("early \(number)")) }
        for number in 1...150 { agent("u\(number)", "said") }
        expectEqual(chat.rows.compactMap(\.message).map(\.isEdited), (1...150).map { $0 > 50 })
    }

    @Test("What a menu offers")
    mutating func actions() {
        let all = Set(MessageAction.allCases)
        agent("m1", "Hello")
        expectEqual(message()?.actions(offering: all), [.reply, .react, .copy, .details])
        expectEqual(message()?.actions(offering: []), [.copy, .details])
        _ = chat.apply(.say(id: "d1", text: "Hi"), at: 0)
        expectEqual(message("d1")?.actions(offering: all), [.copy, .details])
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        expectEqual(message("u1")?.actions(offering: all), [.reply, .react, .edit, .unsend, .copy, .details])
        expectEqual(message("u1")?.actions(offering: [.edit]), [.edit, .copy, .details])
    }
}

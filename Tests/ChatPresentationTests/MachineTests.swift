import Expectations
import Testing
import Texts

@testable import ChatPresentation

@Suite("The composer")
struct ComposerTests {
    private let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"

    @Test("It is empty, ready, too long or disabled")
    func states() {
        expectEqual(Composer(text: " \n ").state, .empty)
        expectEqual(Composer(text: " a\nb ").state, .ready)
        expectEqual(Composer(text: " a\nb ").message, "a\nb")
        expectEqual(Composer(text: "hi", canSend: false).state, .disabled)
        expectEqual(Composer(text: "", canSend: false).state, .disabled)
    }

    @Test(
        "A frame of just the limit is sent, one of a byte more is too long",
        arguments: ["é", "\"", "\n\u{1}a"] as [String])
    func bytes(_ text: String) {
        let text = String(repeating: text, count: 100)
        var bytes: [UInt8] = []
        JSONWriter.value(.string(Composer(text: text).message), into: &bytes)
        expectEqual(Composer(text: text, maxBytes: bytes.count + 160).state, .ready)
        expectEqual(Composer(text: text, maxBytes: bytes.count + 159).state, .tooLong)
    }

    @Test("The count shows from four fifths of the limit, and counts what readers count")
    func count() {
        expectEqual(Composer(text: String(repeating: "x", count: 399)).count, nil)
        expectEqual(Composer(text: String(repeating: "x", count: 400)).count, 400)
        expectEqual(Composer(text: String(repeating: family, count: 400)).count, 400)
        expectEqual(Composer(text: "cafe\u{301}", maxCharacters: 5).count, 4)
    }

    @Test("A paste is cut between characters")
    func cut() {
        expectEqual(Composer.cut(String(repeating: family, count: 3), to: 2), family + family)
        expectEqual(Composer.cut("abc", to: 2), "ab")
        expectEqual(Composer.cut("abc", to: 3), nil)
        expectEqual(Composer.cut("", to: 0), nil)
    }

    @Test("Enter sends, but not with Shift, nor while an input method composes")
    func enter() {
        typealias Enter = Composer.Enter
        let keys = [
            Enter(), Enter(hasShift: true), Enter(hasShift: true, hasCommand: true), Enter(hasCommand: true),
            Enter(isComposing: true), Enter(hasCommand: true, isComposing: true),
        ]
        expectEqual(keys.map(\.sends), [true, false, true, true, false, false])
    }
}

@Suite("Following the end")
struct ScrollFollowTests {
    @Test("Only the reader's hand ends it, and only being at the end, or a deed, begins it")
    func edges() {
        var follow = ScrollFollow()
        #expect(follow.isFollowing)
        expectEqual(follow.take(.settled(distance: 400)), nil)
        #expect(follow.isFollowing)
        expectEqual(follow.take(.movedUp), .scrolledUp)
        expectEqual(follow.take(.movedUp), nil)
        expectEqual(follow.take(.settled(distance: 24.5)), nil)
        #expect(!follow.isFollowing)
        expectEqual(follow.take(.settled(distance: 24)), .reachedEnd)
        expectEqual(follow.take(.movedUp), .scrolledUp)
        expectEqual(follow.take(.wentToEnd), .reachedEnd)
        expectEqual(follow.take(.wentToEnd), nil)
    }
}

@Suite("Words of a chat")
struct ChatStringsTests {
    private static let folder = "Server/Pages/web/shared/strings"

    private func pack(_ name: String) throws -> ChatStrings.Pack {
        try #require(
            ChatStrings.Pack(json: JSONWriter.bytes(try GoldenFiles.read("\(Self.folder)/\(name)"))))
    }

    @Test("English has the words of the pages")
    func english() throws {
        let page = try pack("en.json").entries
        for (key, entry) in ChatStrings.Pack.english.entries { expectEqual(page[key], entry, "\(key)") }
        #expect(ChatStrings.Pack.english.entries.count > 50)
    }

    @Test(
        "The packs of the pages are read",
        arguments: GoldenFiles.names(in: folder).filter { $0 != "en-GB.json" })
    func packs(_ name: String) throws {
        let language = String(name.dropLast(5))
        let strings = ChatStrings(language: language, packs: [try pack(name)])
        for key in ChatStrings.Pack.english.entries.keys {
            for number in [0, 1, 2, 3, 11, 100, 1_000_000] {
                let arguments: ChatStrings.Arguments = [
                    "n": .number(number), "m": 7, "max": 500, "name": "Ada", "title": "Desk",
                    "host": "a.example",
                    "code": "4001",
                ]
                let text = strings.say(key, arguments)
                #expect(!text.contains("{") && text != key && !text.isEmpty, "\(key): \(text)")
            }
        }
        expectEqual(strings.isRightToLeft, ["ar", "he"].contains(language))
    }

    @Test("A number chooses its form")
    func forms() throws {
        func attachments(_ language: String, _ number: Int) throws -> String {
            let json = #"{"k":{"zero":"z","one":"o","two":"t","few":"f","many":"m","other":"{n}"}}"#
            let pack = try #require(ChatStrings.Pack(json: Array(json.utf8)))
            return ChatStrings(language: language, packs: [pack]).say("k", ["n": .number(number)])
        }
        try expectEqual([0, 1, 2].map { try attachments("en", $0) }, ["0", "o", "2"])
        try expectEqual([0, 1, 2].map { try attachments("fr-CA", $0) }, ["o", "o", "2"])
        for language in ["es", "fr-CA"] {
            try expectEqual(
                [999_999, 1_000_000, 1_000_001, 3_000_000].map { try attachments(language, $0) },
                ["999999", "m", "1000001", "m"])
        }
        try expectEqual([0, 1, 1_000_000].map { try attachments("de", $0) }, ["0", "o", "1000000"])
        try expectEqual([0, 1, 2].map { try attachments("he", $0) }, ["0", "o", "t"])
        try expectEqual(
            [0, 1, 2, 3, 10, 11, 99, 100, 103].map { try attachments("ar", $0) },
            ["z", "o", "t", "f", "f", "m", "m", "100", "f"])
    }

    @Test(
        "The first pack that has a key counts; without one the key is shown, and a gap stays that nothing fills"
    )
    func order() throws {
        let pack = try #require(
            ChatStrings.Pack(json: Array(#"{"you":"Thou","odd":4,"typing.one":"{name} {x} {"}"#.utf8)))
        let strings = ChatStrings(language: "en-GB", packs: [pack])
        expectEqual(strings.say("you"), "Thou")
        expectEqual(strings.say("odd"), "odd")
        expectEqual(strings.say("copied"), "Copied")
        expectEqual(strings.say("typing.one", ["name": "Ada"]), "Ada {x} {")
        expectEqual(ChatStrings.Pack(json: Array("[]".utf8)), nil)
        expectEqual(ChatStrings.candidates("fr-CA"), ["fr-CA", "fr"])
        expectEqual(ChatStrings.candidates("en-GB"), ["en-GB"])
        expectEqual(ChatStrings.candidates("de"), ["de"])
    }

    @Test("A long message is announced by its first 300 characters, on one line, without its marks")
    func announced() {
        var chat = ChatModel()
        _ = chat.apply(.opened, at: 0)
        let text = "**bold** " + String(repeating: "a\nb ", count: 200)
        let effects = chat.apply(
            .event(
                .init(
                    id: "e", sequence: 1, at: 0,
                    .message(.init(id: "m", text: text, name: "Ada"), from: .person))),
            at: 0)
        let words = effects.compactMap { effect in
            if case .announce(let announcement) = effect { ChatStrings().text(of: announcement) } else { nil }
        }
        expectEqual(words, ["Ada, live agent: bold " + String(repeating: "a b ", count: 73) + "a b"])
    }
}

@Suite("The age of a day")
struct DayAgeTests {
    private func at(_ text: String) -> Milliseconds { (TimeStamp.parse(text + "Z") ?? 0) / 1_000_000 }

    @Test(
        "A day is told as seen from another",
        arguments: [
            ("2026-01-15T00:00:00", DayAge.today), ("2026-01-16T00:00:00", .today),
            ("2026-01-14T23:59:59", .yesterday), ("2026-01-13T00:00:00", .week),
            ("2026-01-09T00:00:00", .week), ("2026-01-08T23:59:59", .year), ("2025-12-31T12:00:00", .old),
            ("1969-12-31T23:59:59", .old), ("1600-02-29T00:00:00", .old),
        ] as [(String, DayAge)])
    func ages(_ day: String, _ age: DayAge) {
        expectEqual(DayAge(of: at(day), seenFrom: at("2026-01-15T00:30:00")), age)
    }

    @Test("Years of before 1970 end with December, too")
    func years() {
        expectEqual(DayAge(of: at("1899-01-01T00:00:00"), seenFrom: at("1899-12-31T23:00:00")), .year)
        expectEqual(DayAge(of: at("1898-12-31T00:00:00"), seenFrom: at("1899-12-31T23:00:00")), .old)
        expectEqual(DayAge(of: at("1968-02-29T00:00:00"), seenFrom: at("1968-12-31T00:00:00")), .year)
    }

    @Test("The reader's own midnight counts")
    func zone() {
        let (late, now) = (at("2026-01-14T23:30:00"), at("2026-01-15T12:00:00"))
        expectEqual(DayAge(of: late, seenFrom: now), .yesterday)
        expectEqual(DayAge(of: late, seenFrom: now) { _ in 3_600 }, .today)
        expectEqual(DayAge(of: late, seenFrom: now) { _ in -3_600 }, .yesterday)
    }
}

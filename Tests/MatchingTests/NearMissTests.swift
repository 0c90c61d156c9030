import Expectations
import Patterns
import TestSupport
import Testing

@testable import Matching

@Suite("Near misses")
struct NearMissTests {
    /// The rules of the booking fixture, seen from stage `start`.
    private func booking() throws -> [NearMiss.Candidate] {
        func phrases(_ texts: String...) throws -> Hears {
            .any(try texts.map { .phrase(try Phrase($0)) })
        }
        func exactly(_ texts: String...) throws -> Hears {
            .any(try texts.map { .exactly(try Phrase($0)) })
        }
        func rule(_ name: String, _ line: Int, _ hears: Hears, stage: String? = nil) -> NearMiss.Candidate {
            NearMiss.Candidate(
                name: name, place: SourcePlace(line: line, column: 7), hears: hears,
                hearsPlace: SourcePlace(line: line + 1, column: 9),
                obstacle: stage.map { .stage($0) } ?? .none)
        }
        var large = rule("large-party", 42, try phrases("{people:number}"), stage: "people")
        large.conditions = [Condition(slot: "people", test: .atLeast(9))]
        let closing = try Hears.pattern(RegularExpression(hears: "\\bclos(e|ing)\\b"))
        return [
            rule(
                "book-in-one-go", 28,
                try phrases(
                    "table for {people:number} {day:day} at {time:time}",
                    "book for {people:number} {day:day} at {time:time}")),
            rule("book", 34, try phrases("book", "table", "reservation")),
            rule("hours", 85, .any([try phrases("opening hours", "open"), closing])),
            rule("person", 89, try phrases("person", "human", "talk to someone")),
            large,
            rule("people-given", 48, try phrases("{people:number}"), stage: "people"),
            rule("day-and-time", 56, try phrases("{day:day} at {time:time}"), stage: "when"),
            rule("yes", 66, try exactly("yes", "yes please", "ok", "sì"), stage: "confirm"),
            rule("no", 76, try exactly("no", "no thanks"), stage: "confirm"),
        ]
    }

    private func nearest(_ text: String) throws -> [NearMiss] {
        NearMiss.nearest(to: PreparedMessage(text), among: try booking())
    }

    @Test("For 40 unmatched messages the rule its author meant is among the three in at least 36")
    func meantRules() throws {
        let lines = try matchingData("unheard.tsv")
        expectEqual(lines.count, 40)
        let candidates = try booking()
        var found = 0
        for line in lines {
            try #require(line.count == 2)
            let heard = PreparedMessage(line[1])
            for candidate in candidates where candidate.obstacle == .none {
                expectEqual(candidate.hears.match(heard), nil, "\(line[1]) is heard by \(candidate.name)")
            }
            let misses = NearMiss.nearest(to: heard, among: candidates)
            if misses.contains(where: { $0.name == line[0] && $0.reason != .nothingInCommon }) { found += 1 }
        }
        #expect(found >= 36)
    }

    @Test("One letter, a stem, another stage, a part and nothing are told apart")
    func reasons() throws {
        func first(_ text: String) throws -> String? { try nearest(text).first?.explanation }
        try expectEqual(first("resevation"), "\"reservation\" is one letter away from \"resevation\"")
        try expectEqual(first("rezervasion"), "\"reservation\" is two letters away from \"rezervasion\"")
        try expectEqual(first("books"), "\"books\" is close to \"book\", but only whole words are heard")
        try expectEqual(first("five"), "would fit ({people} = 5), but belongs to stage \"people\"")
        try expectEqual(first("yes"), "would fit, but belongs to stage \"confirm\"")
        try expectEqual(
            first("oh yes"),
            "\"yes\" is heard only when it is the whole message (stage \"confirm\")")
        try expectEqual(
            first("the hours"), "has \"hours\", misses \"opening\"")
        try expectEqual(
            first("hours opening"),
            "has \"opening\", \"hours\", but not next to each other in this order")
        try expectEqual(first("???"), "no word in common")
        try expectEqual(nearest("???").map(\.score), [0, 0, 0])
    }

    @Test("A rule whose condition fails on what it caught stands behind one that would answer")
    func conditions() throws {
        let misses = try nearest("five")
        expectEqual(misses.map(\.name).prefix(2), ["people-given", "large-party"])
        expectEqual(
            misses[1].explanation,
            "would fit ({people} = 5), but its \"if\" does not hold: {people} is below 9")
        try expectEqual(nearest("twelve").first?.name, "large-party")
    }

    @Test("Of a value that nobody has given a condition holds where that is what it asks for")
    func unknownValue() throws {
        func why(_ test: Condition.Test) throws -> String? {
            var rule = NearMiss.Candidate(
                name: "once", hears: .phrase(try Phrase("table")), obstacle: .limit(1))
            rule.conditions = [Condition(slot: "people", test: test)]
            return NearMiss.nearest(to: PreparedMessage("table"), among: [rule]).first?.explanation
        }
        for test in [.isKnown(false), .differs("5")] as [Condition.Test] {
            try expectEqual(why(test), "would fit, but has answered 1 time already")
        }
        for test in [.isKnown(true), .equals("5")] as [Condition.Test] {
            try expectEqual(why(test), "would fit, but its \"if\" does not hold: {people} is not known")
        }
    }

    @Test("Of a pattern the word is told that was said, or one that is close to it")
    func pattern() throws {
        let times = NearMiss.Candidate(
            name: "times", hears: .pattern(try RegularExpression(hears: #"\bopening\s+times\b"#)))
        func why(_ text: String) -> String? {
            NearMiss.nearest(to: PreparedMessage(text), among: [times]).first?.explanation
        }
        expectEqual(why("opening hours"), #"has "opening", misses /\bopening\s+times\b/"#)
        expectEqual(why("openning hours"), #""opening" is one letter away from "openning""#)
    }

    @Test("The words of a pattern are its runs of three letters or more, escapes left out")
    func wordsOfPattern() {
        let words = WordLikeness.words(ofPattern: #"\bclos(e|ing)\s+now\b"#)
        expectEqual(words, ["clos", "ing", "now"])
    }

    @Test("all names what is missing, none what is unwanted, a spent limit how often")
    func combinations() throws {
        let window = try Hears.all([.phrase(Phrase("table")), .phrase(Phrase("window"))])
        let calm = try Hears.none([.phrase(Phrase("stop"))])
        let misses = NearMiss.nearest(
            to: PreparedMessage("a table, stop"),
            among: [
                NearMiss.Candidate(name: "window", hears: window),
                NearMiss.Candidate(name: "calm", hears: calm),
                NearMiss.Candidate(name: "once", hears: .phrase(try Phrase("stop")), obstacle: .limit(1)),
            ])
        expectEqual(misses.map(\.name), ["once", "window", "calm"])
        expectEqual(misses[0].explanation, "would fit, but has answered 1 time already")
        expectEqual(misses[1].explanation, "has \"table\", misses \"window\"")
        expectEqual(misses[2].explanation, "something it must not contain was said")
    }

    @Test("The report says it all in 12 lines")
    func report() throws {
        let report = UnmatchedReport(
            message: "resevation for five", stage: "start", session: "a3", number: 1, file: "booking.json5",
            misses: try nearest("resevation for five"),
            memory: ["people", "day", "time"].map { UnmatchedReport.Remembered(slot: $0, value: nil) },
            said: "Sorry, could you say that another way?",
            saidBy: "otherwise 1, used 1 of 2, booking.json5:96")
        expectEqual(
            report.text,
            """
            Nothing heard "resevation for five" in stage "start" (session a3, message 1).
              1  book           booking.json5:34   "reservation" is one letter away from "resevation"
              2  people-given   booking.json5:48   would fit ({people} = 5), but belongs to stage "people"
              3  large-party    booking.json5:42   would fit ({people} = 5), but its "if" does not hold: \
            {people} is below 9
              memory  people –  day –  time –
              said    "Sorry, could you say that another way?"   \
            from otherwise 1, used 1 of 2, booking.json5:96
              fix?    add "resevation" to line 35, or start with stage "people"
            """)
    }

    @Test("The report stays within 12 lines and shows no line break of a long message")
    func longMessage() throws {
        let text = String(repeating: "Táble\nmit 👍 resevations ", count: Strength.of(2_000, full: 5_000))
        let report = UnmatchedReport(
            message: text, stage: "start", session: "s", number: 2, file: "f.json5",
            misses: try nearest(text),
            memory: [UnmatchedReport.Remembered(slot: "x", value: text)], said: text)
        let lines = report.text.split(separator: "\n")
        #expect(lines.count <= 12)
        #expect(lines.allSatisfy { $0.count < 250 })
    }

    @Test(
        "Likeness of words",
        arguments: [
            ("book", "books", WordLikeness.stem(close: true)), ("confirm", "confrim", .letters(1)),
            ("open", "oven", .letters(1)), ("reserve", "reservation", .stem(close: true)),
            ("tisch", "esstisch", .stem(close: false)), ("no", "on", .none), ("cat", "dog", .none),
            ("table", "table", .same), ("person", "persona", .stem(close: true)), ("human", "humor", .none),
            ("restaurant", "restorant", .letters(2)), ("", "a", .none),
        ] as [(String, String, WordLikeness)])
    func likeness(_ left: String, _ right: String, _ expected: WordLikeness) {
        expectEqual(WordLikeness(left, right), expected)
        expectEqual(WordLikeness(right, left), expected)
    }
}

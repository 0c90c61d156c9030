import Patterns
import Testing

@testable import Matching

@Suite("Phrases")
struct PhraseTests {
    private func hears(_ phrase: String, _ text: String) throws -> Captures? {
        try Hears.phrase(Phrase(phrase)).match(PreparedMessage(text))
    }

    @Test("The talk of the worked example is heard")
    func workedExample() throws {
        #expect(try hears("book", "I'd like to book a table, please") == [:])
        #expect(try hears("{people:number}", "four of us") == ["people": "4"])
        #expect(
            try hears("{day:day} at {time:time}", "Friday at 7.30pm") == ["day": "Friday", "time": "19:30"])
        #expect(try Hears.exactly(Phrase("yes please")).match(PreparedMessage("Yes please!")) == [:])
        #expect(try Hears.exactly(Phrase("sì")).match(PreparedMessage("SI")) == [:])
        #expect(
            try hears(
                "table for {people:number} {day:day} at {time:time}", "A table for six, tomorrow at noon?")
                == ["people": "6", "day": "tomorrow", "time": "12:00"])
        #expect(try hears("that is all", "That is all, thanks") == [:])
        #expect(
            try Hears.pattern(RegularExpression(hears: "\\bclos(e|ing)\\b")).match(
                PreparedMessage("When are you Closing?")) == [:])
    }

    @Test(
        "Whole words only, no stems",
        arguments: [
            ("book", "facebook"), ("book", "books"), ("book a", "book table"), ("yes please", "please yes"),
            ("table", "t able"), ("can", "can't"), ("s", "that's"), ("a b", "a c b"), ("don", "don't"),
            ("I can", "I can't"), ("I do", "I don't"), ("is it", "isn't it"), ("it is", "Anna's"),
            ("im", "him"),
        ] as [(String, String)])
    func notHeard(_ phrase: String, _ text: String) throws {
        #expect(try hears(phrase, text) == nil)
    }

    @Test("A placeholder after a contraction takes what follows it")
    func contractions() throws {
        #expect(try hears("I am {patient:words}", "I’m Ann Lee") == ["patient": "Ann Lee"])
        #expect(try hears("{who:word} can", "Ann can't") == nil)
        #expect(try hears("{said:words}", "I'm Ann") == ["said": "I'm Ann"])
    }

    @Test(
        "Punctuation and apostrophes do not matter",
        arguments: [
            ("I am ill", "I'm ill"), ("I'm ill", "i am ill"), ("I'm ill", "I’m ill"), ("im ill", "I'm ill"),
            ("I'm ill", "im ill"), ("what's open", "What is open?"), ("don't", "do not"), ("can't", "cannot"),
            ("I can not", "I can`t"), ("cannot", "can't"), ("I would like", "I'd like"),
            ("am late", "I'm late"),
            ("we'll have", "we will have"), ("won't", "will not"), ("let us go", "let's go"),
            ("cant", "can't"),
            ("e mail", "E-mail!"), ("e-mail", "an e mail"), ("thats", "that’s it"), ("that's", "THATS"),
            ("7.30pm", "at 7:30pm"), ("addition", "l'addition"), ("l'addition", "l’ADDITION"),
            ("l'addition", "laddition"), ("laddition", "l'addition"), ("dell'hotel", "dell hotel"),
            ("lorsqu il", "lorsqu'il"),
            ("👍", "ok 👍🏽"), ("日本", "私は日本人です"), ("a/b", "a b"), ("{{x}}", "x"),
        ] as [(String, String)])
    func heard(_ phrase: String, _ text: String) throws {
        #expect(try hears(phrase, text) == [:])
    }

    @Test("Exactly means the whole message")
    func exactly() throws {
        let yes = try Hears.exactly(Phrase("yes"))
        #expect(yes.match(PreparedMessage("… YES!")) == [:])
        #expect(yes.match(PreparedMessage("yes please")) == nil)
        #expect(yes.match(PreparedMessage("oh yes")) == nil)
        let people = try Hears.exactly(Phrase("{n:number} people"))
        #expect(people.match(PreparedMessage("five people")) == ["n": "5"])
        #expect(people.match(PreparedMessage("five people please")) == nil)
        #expect(
            try Hears.exactly(Phrase("{all}")).match(PreparedMessage("  all of, it. ")) == [
                "all": "all of, it"
            ])
    }

    @Test("Gaps try another length when the rest does not fit")
    func backtracking() throws {
        #expect(try hears("{a:number} five", "twenty five") == ["a": "20"])
        #expect(try hears("{a} is {b}", "this is it is that") == ["a": "this", "b": "it is that"])
        #expect(
            try hears("{a} to {b} today", "from here to there today") == ["a": "from here", "b": "there"])
        #expect(
            try hears("{p:phone} {n:number}", "5550100 12") == ["p": "5550100", "n": "12"])
        #expect(try hears("{n:number} {p:phone}", "4 555 0100") == ["n": "4", "p": "5550100"])
        #expect(try hears("at {t:time} {x:word}", "at seven thirty") == ["t": "07:00", "x": "thirty"])
    }

    @Test("Slots tell name, kind and place")
    func slots() throws {
        let phrase = try Phrase("é {people:number} {name}")
        #expect(phrase.slots.map(\.name) == ["people", "name"])
        #expect(phrase.slots.map(\.kind) == [.number, .words])
        #expect(phrase.slots.map(\.offset) == [3, 19])
        #expect(try Phrase("*").isAnything)
        #expect(try hears("*", "???") == [:])
    }

    @Test(
        "The name of a gap is of letters, digits, hyphens and underscores",
        arguments: ["first-name", "last_name", "_x", "line2", "größe", "名前"] as [String])
    func names(_ name: String) throws {
        #expect(try Phrase("call me {\(name)}").slots.map(\.name) == [name])
    }

    @Test("Words and gaps are heard behind a gap of a kind of one's own")
    func ownKind() throws {
        let size = OwnKind(
            name: "size",
            values: [
                OwnKind.Value(name: "large"), OwnKind.Value(name: "extra large", spellings: ["XL"]),
            ])
        let order = Hears.phrase(try Phrase("a {size:size} tea for {n:number}", kinds: [size]))
        #expect(order.match(PreparedMessage("A large tea for two")) == ["size": "large", "n": "2"])
        #expect(order.match(PreparedMessage("a XL tea for 3")) == ["size": "extra large", "n": "3"])
        #expect(order.match(PreparedMessage("a large coffee for 3")) == nil)
    }

    @Test(
        "Mistakes in a phrase are told with their place",
        arguments: [
            ("a {n:numbr}", PhraseError(.unknownKind("numbr"), offset: 5)),
            ("é{x", PhraseError(.unclosedGap("x"), offset: 2)),
            ("{a{b}", PhraseError(.unclosedGap("a"), offset: 0)),
            ("x {}", PhraseError(.emptyGap, offset: 2)), ("{ :number}", PhraseError(.emptyGap, offset: 0)),
            ("", PhraseError(.empty, offset: 0)), ("?!", PhraseError(.empty, offset: 0)),
            ("{a.b}", PhraseError(.badSlotName("a.b"), offset: 1)),
            ("{ 1a }", PhraseError(.badSlotName("1a"), offset: 2)),
            ("{a:}", PhraseError(.unknownKind(""), offset: 3)),
        ] as [(String, PhraseError)])
    func mistakes(_ source: String, _ expected: PhraseError) {
        #expect(throws: expected) { try Phrase(source) }
    }

    @Test("A phrase has at most 128 words and gaps (limit phraseElements)")
    func tooLong() throws {
        let longest = Array(repeating: "a", count: MatchingLimits.phraseElements).joined(separator: " ")
        #expect(try Phrase(longest).elements.count == MatchingLimits.phraseElements)
        #expect(throws: PhraseError.self) { try Phrase(longest + " a") }
    }

    @Test("any, all, none and anything")
    func combinations() throws {
        let book = try Hears.phrase(Phrase("book"))
        let number = try Hears.phrase(Phrase("{n:number}"))
        let name = try Hears.phrase(Phrase("for {name:word}"))
        let message = PreparedMessage("book 4 for Ada")
        #expect(Hears.anything.match(PreparedMessage("")) == [:])
        #expect(Hears.any([number, name]).match(message) == ["n": "4"])
        #expect(Hears.any([]).match(message) == nil)
        #expect(Hears.all([name, book, number]).match(message) == ["name": "Ada", "n": "4"])
        #expect(Hears.all([book, number]).match(PreparedMessage("book")) == nil)
        #expect(Hears.none([book, number]).match(message) == nil)
        #expect(Hears.none([book, number]).match(PreparedMessage("nothing")) == [:])
        #expect(Hears.all([book, .none([name])]).match(PreparedMessage("book it")) == [:])
    }

    @Test("Phrases are equal when their text is")
    func equality() throws {
        #expect(try Phrase("a {n:number}") == Phrase("a {n:number}"))
        #expect(try Phrase("a") != Phrase("A"))
    }
}

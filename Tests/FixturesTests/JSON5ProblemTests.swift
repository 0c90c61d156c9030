import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("JSON5 reader: what it says about mistakes")
struct JSON5ProblemTests {
    @Test(
        "A broken form is told at its place, in the author's words",
        arguments: [
            ("", "1:1: the file is empty"),
            ("  // only this", "1:15: the file is empty"),
            (
                "{ a: 1\n  b: 2 }",
                "1:7: a comma is missing at the end of line 1"
            ),
            (
                "{ a: [\n1\n2] }",
                "2:2: a comma is missing at the end of line 2"
            ),
            ("[{ a: 1 }, a: 2 }]", "1:12: a \"{\" is missing before \"a\""),
            ("[{ a: 1 }, 'a': 2 }]", "1:12: a \"{\" is missing before \"a\""),
            (
                "{ a: [\"1\"\n b: 2 }",
                "2:2: a \"]\" is missing before \"b\": the list opened in line 1 is still open"
            ),
            ("[[1 2]]", "1:4: a comma is missing after item 1 of the list"),
            ("{ a: [1} }", "1:8: expected \",\" or \"]\" after item 1 of \"a\" (which starts at line 1)"),
            ("{\n a: {\n b: 1,\n", "2:5: this \"{\" is never closed; the file ends in line 4"),
            ("[1,", "1:1: this \"[\" is never closed; the file ends in line 1"),
            ("{ a 1 }", "1:5: expected \":\" after the name \"a\""),
            ("{ say \"Bye!\" }", "1:7: expected \":\" after the name \"say\""),
            ("{ a: b: \"x\" }", "1:6: a \"{\" is missing before \"b\""),
            ("{ a: \"b\": [1] }", "1:6: a \"{\" is missing before \"b\""),
            ("{ a: b: 12, c: 1 }", "1:6: a \"{\" is missing before \"b\""),
            ("{ a: Note: 5 people }", "1:6: a text needs quotes: write \"Note\""),
            (
                "\"a\" : 1 }",
                "1:1: a \"{\" is missing at the start; a file begins with \"{\" and ends with \"}\""
            ),
            (
                "{ replies: [ say: \"a\", suggest: [\"b\"], leave: \"c\", end: \"d\" ] }",
                "1:12: each step stands in its own { }: [{ say: …, suggest: … }, { leave: … }]"
            ),
            ("{ replies: [ { say: \"a\" }, leave: 1 ] }", "1:28: a \"{\" is missing before \"leave\""),
            ("{ a", "1:4: expected \":\" after the name \"a\""),
            ("{ a:", "1:5: the file ends where the value of \"a\" should be"),
            ("{ a: , }", "1:6: expected the value of \"a\", found \",\""),
            ("{ , }", "1:3: a comma without a value before it"),
            ("[ 1,, 2 ]", "1:5: a comma without a value before it"),
            ("{ front-desk: 1 }", "1:3: a name with a hyphen needs quotes: write \"front-desk\""),
            ("{ a: Hello\" }", "1:6: the opening quote is missing: write \"Hello\""),
            ("{ a: Well, Ada\", b: 1 }", "1:6: the opening quote is missing: write \"Well, Ada\""),
            ("[ \"a\", b\"]", "1:8: the opening quote is missing: write \"b\""),
            ("[ 2nd\", \"b\"]", "1:3: the opening quote is missing: write \"2nd\""),
            ("[ 2 of them\", \"b\"]", "1:3: the opening quote is missing: write \"2 of them\""),
            ("[ true love\"\n]", "1:3: the opening quote is missing: write \"true love\""),
            ("[ ¿Qué?\" ]", "1:3: the opening quote is missing: write \"¿Qué?\""),
            ("{ a: {b} people\" }", "1:6: the opening quote is missing: write \"{b} people\""),
            ("{ a: {b} }", "1:6: a text needs quotes: write \"{b}\""),
            ("{ a: {b:number} people\" }", "1:9: a text needs quotes: write \"number\""),
            ("{ a: 1,5, b: 2 }", "1:6: a number has a point, not a comma: write 1.5"),
            ("{ a: 1,5s }", "1:6: a number has a point, not a comma: write \"1.5s\""),
            ("{ a\": 1 }", "1:3: the opening quote is missing: write \"a\""),
            ("[ a, \"b\" ]", "1:3: a text needs quotes: write \"a\""),
            ("{ a: x == \"\" }", "1:6: a text needs quotes: write \"x\""),
            ("{ a: @b, c:\"}\" }", "1:6: expected the value of \"a\", found \"@\""),
            ("{ a: 8 seconds }", "1:6: a length of time is a text: write \"8s\""),
            ("{ a: 8 apples }", "1:7: a comma is missing after the value of \"a\""),
            ("{ a: Hello }", "1:6: a text needs quotes: write \"Hello\""),
            ("{ a: True }", "1:6: \"True\" is written in small letters: true"),
            ("{ a: 2s }", "1:6: 2s is not a number; a text needs quotes: \"2s\""),
            ("[7.30pm]", "1:2: 7.30pm is not a number; a text needs quotes: \"7.30pm\""),
            ("[1.2.3]", "1:2: 1.2.3 is not a number; a text needs quotes: \"1.2.3\""),
            ("[20%]", "1:2: 20% is not a number; a text needs quotes: \"20%\""),
            ("[-]", "1:2: - is not a number; a text needs quotes: \"-\""),
            ("[1e]", "1:2: 1e is not a number; a text needs quotes: \"1e\""),
            ("[0x]", "1:2: 0x is not a number; a text needs quotes: \"0x\""),
            ("[.]", "1:2: . is not a number; a text needs quotes: \".\""),
            ("[012]", "1:2: a number does not begin with 0"),
            (
                "{ a: 'one\n', b: 1 }",
                "1:6: the text that begins at line 1, column 6 is not closed on its line; write 'one'"
                    + " (a line break in a text is \\n)"
            ),
            ("[ \"open", "1:3: the text that begins at line 1, column 3 is never closed; write \"open\""),
            ("[ 'open] ", "1:3: the text that begins at line 1, column 3 is never closed; write 'open'"),
            ("[ \"a\\", "1:5: the file ends inside a text"),
            ("[ \"\\x4\" ]", "1:4: this escape must be \\x and two hexadecimal digits"),
            ("[ \"\\u12G4\" ]", "1:4: this escape must be \\u and four hexadecimal digits"),
            (
                "[ \"\\uD83D\" ]",
                "1:4: half of a character; write the character itself, or both of its \\u escapes"
            ),
            (
                "[ \"\\uD83D\\u0041\" ]",
                "1:4: half of a character; write the character itself, or both of its \\u escapes"
            ),
            (
                "[ \"\\uDE00\" ]",
                "1:4: half of a character; write the character itself, or both of its \\u escapes"
            ),
            ("[ \"\\1\" ]", "1:4: a backslash and a digit mean nothing; write \\\\ for a backslash"),
            ("[ \"\\01\" ]", "1:4: a backslash and a digit mean nothing; write \\\\ for a backslash"),
            ("[ “he said “no” to it” ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("[ “hi ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("[ “a \"b\" c” ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("[ ‘I don’t know’ ]", "1:3: ‘ is a printer's quote; write a straight one: \""),
            ("[ “a\nb” ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("[ “a\\” ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("[ “a” “b” ]", "1:3: “ is a printer's quote; write a straight one: \""),
            ("{ 1a: 1 }", "1:3: expected a name, found \"1\""),
            ("{ a: (1) }", "1:6: a list stands in [ ], not in ( )"),
            ("[ ) ]", "1:3: expected a value, found \")\""),
            ("[ \u{1} ]", "1:3: expected a value, found an invisible character"),
            ("1 2", "1:3: nothing may follow after the last bracket, which is in line 1"),
            ("{}\n}", "2:1: nothing may follow after the last bracket, which is in line 1"),
            ("[ /* never ]", "1:3: this comment is never closed with */"),
            ("[ / ]", "1:3: a slash means nothing here; a comment begins with //"),
            ("/", "1:1: a slash means nothing here"),
        ] as [(String, String)])
    func messages(source: String, message: String) throws {
        try expectEqual(Samples.problem(source), message)
        expectEqual(Samples.read(source).root, nil)
    }

    @Test(
        "Printer's quotes around a text whose end is sure are a problem with its correction, and the reading goes on",
        arguments: [
            ("[ “hi” ]", "[ \"hi\" ]"), ("{ “a”: „b“, c: «d»\n}", "{ \"a\": \"b\", c: \"d\"\n}"),
            ("[ ”it's ‘so’”, ‘b\\n’ ]", "[ \"it's ‘so’\", \"b\\n\" ]"), ("“a”", "\"a\""),
        ])
    func printersQuotes(source: String, meant: String) throws {
        let document = Samples.read(source)
        #expect(document.problems.allSatisfy { $0.message.contains("is a printer's quote; write") })
        var bytes = Array(source.utf8)
        for problem in document.problems.reversed() {
            let edit = try #require(problem.correction)
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        }
        expectEqual(String(decoding: bytes, as: UTF8.self), meant)
        #expect(document.root != nil && Samples.read(meant).problems.isEmpty)
    }

    @Test(
        "A quote or comma is added only where one is sure to be missing",
        arguments: [
            ("{ a: Hello there\" }", "{ a: \"Hello there\" }"), ("[\"a\", b\"]", "[\"a\", \"b\"]"),
            ("[\"2\" \"4\"]", "[\"2\", \"4\"]"), ("[1 2]", "[1, 2]"), ("[{} {}]", "[{}, {}]"),
            ("{ a: \"1\" b: 2 }", "{ a: \"1\", b: 2 }"), ("{ a\": 1 }", "{ \"a\": 1 }"),
            ("{ a: 2s }", "{ a: \"2s\" }"), ("{ a: 2 sec }", "{ a: \"2s\" }"), ("[a, b\"]", nil),
            ("{ a: night }", "{ a: \"night\" }"), ("{ a: night, b: 1 }", "{ a: \"night\", b: 1 }"),
            ("{ a: night\n}", "{ a: \"night\"\n}"), ("{ a: yes }", nil), ("{ a: well, b, c: 1 }", nil),
            ("{ a: b\n c\" }", "{ a: \"b\"\n c\" }"), ("{ a \"b\" }", "{ a: \"b\" }"),
            ("{ a: b: c\" }", nil), ("[\"2\" four]", nil), ("{ a: \"1\" b }", nil), ("{ a: 2kg }", nil),
        ] as [(String, String?)])
    func missing(_ source: String, _ meant: String?) {
        let problem = Samples.read(source).problems.last
        var bytes = Array(source.utf8)
        if let edit = problem?.correction { bytes.replaceSubrange(edit.range, with: edit.text.utf8) }
        expectEqual((problem?.correction).map { _ in String(decoding: bytes, as: UTF8.self) }, meant)
    }

    @Test(
        "Printer's quotes have no correction if the rest of their line cannot be read",
        arguments: ["[ “he said no”, she said”, 1 ]", "{ a: “No”, he said” }", "[ “yes”: maybe” ]"])
    func uncertainQuotes(source: String) {
        let problems = Samples.read(source).problems
        #expect(problems.count == 2 && problems.allSatisfy { $0.correction == nil })
    }

    @Test("A name that stands twice is refused, naming both lines, and the reading goes on")
    func duplicateNames() throws {
        let document = Samples.read("{ a: 1,\n  b: { a: 2 },\n  'a': 3,\n  \\u0061: 4,\n}")
        let found = document.problems.map { (document.place(at: $0.offset).line, $0.kind, $0.message) }
        expectEqual(found.map(\.0), [3, 4])
        #expect(found.allSatisfy { $0.1 == .duplicateName })
        expectEqual(found[0].2, "\"a\" stands here a second time; the first is in line 1.")
        #expect(document.root != nil)
    }
}

import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("JSON5 reader: what it accepts")
struct JSON5ReaderTests {
    @Test(
        "Numbers may be hexadecimal, signed, and begin or end with a point (JSON5 section 6)",
        arguments: [
            ("0", 0.0), ("7", 7), ("-7", -7), ("+7", 7), ("0x1F", 31), ("-0XfF", -255), (".5", 0.5),
            ("5.", 5),
            ("-.5", -0.5), ("+5.", 5), ("1e3", 1_000), ("1E-2", 0.01), ("5.e2", 500), (".5e+1", 5),
            ("1.25", 1.25),
            ("Infinity", .infinity), ("-Infinity", -.infinity), ("+Infinity", .infinity),
            ("1e999", .infinity),
            ("9007199254740992", 9_007_199_254_740_992), ("0.1", 0.1), ("1e-400", 0),
        ] as [(String, Double)])
    func numbers(text: String, value: Double) throws {
        try expectEqual(Samples.content(text), .number(value))
    }

    @Test("NaN is read, with and without a sign", arguments: ["NaN", "+NaN", "-NaN"] as [String])
    func notANumber(text: String) throws {
        guard case .number(let value) = try Samples.content(text) else {
            Issue.record("not a number at all")
            return
        }
        #expect(value.isNaN)
    }

    @Test(
        "Texts have either quote and every escape (JSON5 section 5)",
        arguments: [
            (#""a""#, "a"), ("'a'", "a"), (#"'say "hi"'"#, "say \"hi\""), (#""it's""#, "it's"), ("''", ""),
            (#""\b\f\n\r\t\v\0""#, "\u{8}\u{C}\n\r\t\u{B}\0"), (#""\x41\x7e\xe9""#, "A~é"),
            (#""\u00e8\u20AC""#, "è€"), (#""\uD83D\uDE00""#, "😀"), (#""\'\"\\\/""#, "'\"\\/"),
            (#""\a\q""#, "aq"),
            ("\"one\\\ntwo\"", "onetwo"), ("\"one\\\r\ntwo\"", "onetwo"), ("\"one\\\rtwo\"", "onetwo"),
            ("\"one\\\u{2028}two\\\u{2029}\"", "onetwo"), ("\"a\u{2028}b\"", "a\u{2028}b"),
            ("\"a\tb\"", "a\tb"),
            ("\"sì, 😀 Ω\"", "sì, 😀 Ω"), (#""\é""#, "é"),
        ] as [(String, String)])
    func texts(source: String, text: String) throws {
        try expectEqual(Samples.content(source), .text(text))
    }

    @Test(
        "Names may be bare words of any script (ECMAScript 5.1, 7.6)",
        arguments: [
            ("a", "a"), ("$schema", "$schema"), ("_x1", "_x1"), ("città", "città"), ("名前", "名前"),
            (#"\u0061b"#, "ab"), (#"a\u0062"#, "ab"), ("'a-b'", "a-b"), ("\"\"", ""), ("null", "null"),
            ("Ⅷ", "Ⅷ"), ("a\u{200D}b", "a\u{200D}b"), ("a‿b", "a‿b"), ("a\u{301}", "a\u{301}"),
        ] as [(String, String)])
    func names(source: String, name: String) throws {
        guard case .object(let members) = try Samples.content("{ \(source): 1 }") else {
            Issue.record("no object")
            return
        }
        expectEqual(members.map(\.name), [name])
    }

    @Test("Trailing commas, comments and all white space are allowed (JSON5 sections 7 and 8)")
    func layout() throws {
        let source = """
            // a comment
            { a: [1, 2,], /* two
            lines */ b: {c: true,},\u{A0}\u{FEFF}\u{2003}\u{B}\u{C}\u{2028} d: null, } // end
            """
        let document = Samples.read(source)
        let root = try #require(document.root)
        expectEqual(JSON5Writer.compactJSON(root, of: document), #"{"a":[1,2],"b":{"c":true},"d":null}"#)
    }

    @Test(
        "A line comment ends at every kind of line break",
        arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"] as [String])
    func commentEnd(lineBreak: String) throws {
        try expectEqual(Samples.content("// x\(lineBreak)1"), .number(1))
    }

    @Test("A byte-order mark is skipped and takes no column")
    func byteOrderMark() throws {
        let document = Samples.read("\u{FEFF}{ a: 1 }")
        let root = try #require(document.root)
        expectEqual(document.place(of: root), SourcePlace(line: 1, column: 1))
    }

    @Test("Every name and value knows its line and column, both from 1")
    func places() throws {
        let document = Samples.read("{\n  a: 1,\r\n  'b': [true,\r    \"x\"],\n}")
        guard case .object(let members) = try #require(document.root).content else {
            Issue.record("no object")
            return
        }
        expectEqual(
            members.map { document.place(at: $0.nameStart) },
            [
                .init(line: 2, column: 3), .init(line: 3, column: 3),
            ])
        expectEqual(
            members.map { document.place(of: $0.value) },
            [
                .init(line: 2, column: 6), .init(line: 3, column: 8),
            ])
        guard case .list(let items) = members[1].value.content else {
            Issue.record("no list")
            return
        }
        expectEqual(
            items.map { document.place(of: $0) }, [.init(line: 3, column: 9), .init(line: 4, column: 5)])
        expectEqual(document.source(of: members[1].value), "[true,\r    \"x\"]")
    }

    @Test("A text may end with any line break", arguments: ["\n", "\r", "\r\n"] as [String])
    func lastLineBreak(lineBreak: String) throws {
        let document = Samples.read("7" + lineBreak)
        expectEqual(document.root?.content, .number(7))
        expectEqual(document.place(at: 1), SourcePlace(line: 1, column: 2))
        expectEqual(document.place(at: 1 + lineBreak.utf8.count), SourcePlace(line: 2, column: 1))
    }

    @Test("A column counts Unicode scalars: an accented letter is one, a flag is two")
    func columns() throws {
        let document = Samples.read("[\"é\", \"🇮🇹\", 1]")
        guard case .list(let items) = try #require(document.root).content else {
            Issue.record("no list")
            return
        }
        expectEqual(items.map { document.place(of: $0).column }, [2, 7, 13])
    }

    @Test("Columns stay right far into a line of many blocks")
    func longLine() throws {
        let document = Samples.read("[" + String(repeating: "\"è\",", count: 1_000) + "7]")
        guard case .list(let items) = try #require(document.root).content else {
            Issue.record("no list")
            return
        }
        expectEqual(document.place(of: items[1_000]), SourcePlace(line: 1, column: 4_002))
        expectEqual(document.place(of: items[500]).column, 2_002)
    }

    @Test("A place inside a text counts escapes and continued lines as they are written")
    func placeInsideText() throws {
        let document = Samples.read("\n [\"è\\u00e8\\\n \\uD83D\\uDE00{x}\"]")
        guard case .list(let items) = try #require(document.root).content,
            case .text(let text) = items[0].content
        else {
            Issue.record("no text")
            return
        }
        expectEqual(text, "èè 😀{x}")
        let brace = try #require(Array(text.utf8).firstIndex(of: UInt8(ascii: "{")))
        expectEqual(
            document.place(at: document.offset(of: brace, in: items[0])), SourcePlace(line: 3, column: 14))
        expectEqual(document.offset(of: 0, in: items[0]), 4)
        expectEqual(document.offset(of: 999, in: items[0]), items[0].range.upperBound - 1)
    }

    @Test("Comments for the linter are kept with their place, others are not")
    func lintComments() {
        let document = Samples.read("// hello\n{ // lint: allow shadowed, why not\n  //lint: allow secret\n}")
        expectEqual(document.lintComments.map(\.text), [" allow shadowed, why not", " allow secret"])
        expectEqual(document.lintComments.map { document.place(at: $0.start).line }, [2, 3])
        expectEqual(document.lintComments.map(\.isAlone), [false, true])
    }

    @Test("A member is found by its name")
    func subscripts() throws {
        let root = try #require(Samples.read("{ port: 8787 }").root)
        expectEqual(root["port"]?.content, .number(8_787))
        expectEqual(root["host"], nil)
        #expect(root["port"]?["x"] == nil)
    }
}

@Suite("JSON writer for events sent as they stand")
struct JSON5WriterTests {
    @Test(
        "Every form of JSON5 becomes compact JSON (RFC 8259)",
        arguments: [
            ("{a:'x',}", #"{"a":"x"}"#), ("[+1,.5,5.,0x10,-0x10,-.25]", "[1,0.5,5,16,-16,-0.25]"),
            ("12345678901234567890", "12345678901234567890"), ("1.0", "1.0"), ("1e5", "1e5"), ("5.e1", "50"),
            ("'\"\\\\\\n\\r\\t\\x01é'", "\"\\\"\\\\\\n\\r\\t\\u0001é\""),
            ("[true,false,null]", "[true,false,null]"),
            ("{}", "{}"), ("[]", "[]"), ("-0", "-0"), ("-.0", "-0.0"), ("-0x0", "-0"),
            ("0x20000000000001", "9007199254740993"), ("-0x7fffffffffffffff", "-9223372036854775807"),
            ("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"), ("0x3B9ACA00", "1000000000"),
        ] as [(String, String)])
    func forms(source: String, json: String) throws {
        let document = Samples.read(source)
        expectEqual(JSON5Writer.compactJSON(try #require(document.root), of: document), json)
    }

    @Test(
        "What JSON cannot say is refused",
        arguments: ["NaN", "[Infinity]", "{a:-Infinity}", "1e999"] as [String])
    func infinite(source: String) throws {
        let document = Samples.read(source)
        expectEqual(JSON5Writer.compactJSON(try #require(document.root), of: document), nil)
    }
}

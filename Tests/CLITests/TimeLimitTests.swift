import Clocks
import Expectations
import FixtureTools
import MockKit
import Testing
import Texts

@testable import CLI

@Suite("The time that a verb may take")
struct TimeLimitTests {
    @Test(
        "--timeout stands anywhere before --, in seconds or with a unit",
        arguments: [
            (["--timeout", "3"], Interval.seconds(3)), (["--timeout=500ms"], .milliseconds(500)),
            (["--timeout", "1.5s"], .milliseconds(1_500)), (["--timeout=2m"], .minutes(2)),
            (["--timeout", "1", "--timeout=1h"], .hours(1)),
        ] as [([String], Interval)])
    func reads(words: [String], length: Interval) throws {
        let (limit, rest) = try TimeLimit.taken(
            from: ["a"] + words[...] + ["--", "--timeout", "9"], of: "record")
        expectEqual(limit, TimeLimit(length: length))
        #expect(Array(rest.prefix(1)) == ["a"] && Array(rest.suffix(3)) == ["--", "--timeout", "9"])
    }

    @Test("What is no length is misuse", arguments: ["", "x", "0", "-1", "nan", "1e9", "3d"] as [String])
    func misuse(text: String) {
        #expect(throws: Misuse.self) { try TimeLimit.taken(from: ["a", "--timeout=" + text], of: "record") }
        #expect(throws: Misuse.self) { try TimeLimit.taken(from: ["a", "--timeout"], of: "record") }
    }

    @Test("Every verb that reads a file or a peer has it, and its help says so")
    func verbs() {
        for verb in [
            "record", "compare", "replay", "import", "wire", "export", "check", "simulate", "sweep", "load",
        ] {
            #expect(TimeLimit.verbs.contains(verb))
        }
        for verb in TimeLimit.verbs {
            expectEqual(Help.text(about: verb)?.contains("--timeout <length>"), true, "\(verb)")
        }
        expectEqual(
            Invocation(["check", "a.json5", "--timeout", "3"]),
            .limited(
                TimeLimit(length: .seconds(3)), verb: "check",
                .fixtures(.check(FixtureCheck(paths: ["a.json5"])))
            ))
        guard
            case .limited(_, _, .sweeping(.record(let recorder))) = Invocation([
                "record", "-", "--timeout=2s",
            ])
        else {
            Issue.record("record")
            return
        }
        expectEqual(recorder.timeout, .seconds(2))
    }

    @Test("A verb that is not done by then is left with one sentence; one that is done is not")
    func expires() async {
        let clock = VirtualClock()
        let (sentences, sink) = AsyncStream.makeStream(of: String.self)
        let code = await TimeLimit(length: .seconds(3)).run("wire", clock: clock, expire: { sink.yield($0) })
        {
            clock.advance(by: .seconds(3))
            var found = sentences.makeAsyncIterator()
            let sentence = await found.next()
            expectEqual(sentence, "polymock wire: the time is up after \(Interval.seconds(3))")
            return 7
        }
        expectEqual(code, 7)
        let calm = await TimeLimit(length: .seconds(3)).run(
            "wire", clock: clock, expire: { Issue.record("\($0)") }
        ) {
            0
        }
        clock.advance(by: .hours(1))
        expectEqual(calm, 0)
    }
}

@Suite("Characters on the way out")
struct OutputCharacterTests {
    /// All that act on a terminal, or are not seen there.
    static let all = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    @Test("A pipe gets each character as it is, and a terminal none that acts on it")
    func shown() {
        let text = String(String.UnicodeScalarView(Self.all))
        expectEqual(Array(Console.shown(text, isTerminal: false).utf8), Array(text.utf8))
        let shown = Console.shown(text, isTerminal: true).unicodeScalars
        #expect(!shown.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 })
        #expect(!shown.contains { [0x1B, 0x9B, 0x202E, 0x200E, 0x2066].contains($0.value) })
    }

    @Test("show, list, check and try answer with the characters of the file")
    func verbs() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let marks = Self.all.filter { $0.value >= 0x80 && !Character($0).isNewline }
        let words = marks.map { "a\($0)b" }.joined(separator: " ")
        let source = """
            { fixture: 1, name: "Note", about: "\u{200E}x",
              anywhere: [ { hears: ["hello"], replies: [ { say: "\(words)" } ] } ],
              otherwise: [ { replies: [ { say: "\u{200E}y" } ] } ] }
            """
        _ = try folder.write("note.json5", Array(source.utf8))
        expectEqual(FixtureText.fixture("note", folder: folder.path).run().file, Array(source.utf8))
        var list = FixtureList(folder: folder.path)
        #expect(list.run().lines.contains { $0.hasPrefix("note ") && $0.hasSuffix("\u{200E}x") })
        list.isJSON = true
        #expect(list.run().lines.contains { $0.contains("\u{200E}x") })
        var trial = FixtureTrial(fixture: folder.path + "/note.json5", messages: ["hello"])
        #expect(trial.run().lines.contains { $0.contains(words) })
        trial.isJSON = true
        #expect(trial.run().lines.contains { $0.contains(words) })
        trial.messages = ["unheard"]
        #expect(trial.run().lines.contains { $0.contains("\u{200E}y") })
        trial.isJSON = false
        #expect(trial.run().lines.contains { $0.contains("\u{200E}y") })
        _ = try folder.write("odd.json5", Array("{ fixture: 1, \u{200E}name: 1 }".utf8))
        let checked = FixtureCheck(paths: [folder.path + "/odd.json5"]).run()
        #expect(checked.lines.contains { $0.contains("\u{200E}") }, "\(checked.lines)")
    }

    @Test("A file that is no text leaves as it is")
    func bytes() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let source = "{ fixture: 1 }  // no line end"
        _ = try folder.write("plain.json5", Array(source.utf8))
        expectEqual(FixtureText.fixture("plain", folder: folder.path).run().file, Array(source.utf8))
    }
}

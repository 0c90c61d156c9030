import Expectations
import Testing
import Texts

@Suite("Words of a command line")
struct FlagReaderTests {
    private func read(
        _ words: [String], verb: String? = "go", takesEmpty: Bool = false
    ) throws(Misuse) -> FlagReader {
        try FlagReader(
            words, verb: verb, switches: ["--fast", "-v"], valued: ["--to", "-o"], takesEmpty: takesEmpty)
    }

    @Test("Flags stand anywhere, keep their order, and may be repeated; the last value wins")
    func order() throws {
        let flags = try read(["a", "--to", "x", "--fast", "-", "--to=y=z", "-o", "-v", "-v"])
        #expect(flags.rest == ["a", "-"] && flags.set == ["--fast", "-v"])
        #expect(flags.values == ["--to": "y=z", "-o": "-v"] && flags.all["--to"] == ["x", "y=z"])
        expectEqual(flags.flags.map(\.name), ["--to", "--fast", "--to", "-o", "-v"])
        expectEqual(flags.flags.map(\.value), ["x", nil, "y=z", "-v", nil])
    }

    @Test("A negative number is no flag")
    func negative() throws {
        try expectEqual(read(["-5m", "-1", "--to", "-2"]).rest, ["-5m", "-1"])
    }

    @Test("Behind -- nothing is a flag")
    func end() throws {
        try expectEqual(read(["--fast", "--", "--to", "--"]).rest, ["--to", "--"])
    }

    @Test(
        "What cannot be followed is told in a sentence",
        arguments: [
            (["--fast=1"], "--fast takes no value"),
            (["--to"], "--to needs a value; \"polymock help go\" shows an example"),
            (["--to="], "--to needs a value; \"polymock help go\" shows an example"),
            (["--fats"], "there is no flag --fats; did you mean --fast?"),
            (["--xyz=1"], "\"polymock go\" has no flag --xyz; \"polymock help go\" lists them"),
            (["--version"], "\"polymock go\" has no flag --version; \"polymock help go\" lists them"),
        ] as [([String], String)])
    func misuse(_ words: [String], _ sentence: String) {
        #expect(throws: Misuse(sentence: sentence)) { try read(words) }
    }

    @Test("Without a verb the help of the program is named; an empty value may be allowed")
    func variants() throws {
        #expect(throws: Misuse(sentence: "there is no flag --xyz; \"polymock help serve\" lists them")) {
            try read(["--xyz"], verb: nil)
        }
        #expect(throws: Misuse(sentence: "there is no flag --versio; did you mean --version?")) {
            try read(["--versio"], verb: nil)
        }
        #expect(throws: Misuse(sentence: "there is no flag -f; did you mean --fast?")) {
            try read(["-f"], verb: nil)
        }
        try expectEqual(read(["--to", ""], takesEmpty: true).values, ["--to": ""])
    }

    @Test("A number has to be whole and in its range")
    func whole() throws {
        try expectEqual(read(["--to", "7"]).whole("--to", in: 1...7), 7)
        try expectEqual(read([]).whole("--to", in: 1...7), nil)
        for text in ["8", "x", "1.5"] {
            #expect(throws: Misuse(sentence: "--to \(text) is not a whole number from 1 to 7")) {
                try read(["--to", text]).whole("--to", in: 1...7)
            }
        }
    }
}

import Clocks
import Expectations
import Foundation
import PolyMessaging
import Testing
import Texts

@testable import TerminalChat

@Suite("The flags of chat")
struct OptionTests {
    @Test("Without words, the mock on this machine is asked with its usual token")
    func defaults() throws {
        let options = try ChatOptions([])
        #expect(options.url == "http://127.0.0.1:8787" && options.token == "demo")
        #expect(options.readsInput && !options.isScripted && options.waits && !options.failsOnUnmatched)
        #expect(try ChatOptions(["--fail-on-unmatched"]).failsOnUnmatched)
        #expect(try !options.connects && ChatOptions(["--connect"]).connects)
    }

    @Test("Words win over the environment")
    func environment() throws {
        let variables = ["POLYMOCK_URL": "http://a", "POLYMOCK_TOKEN": "t", "POLYMOCK_HOST": "h"]
        let options = try ChatOptions(["--url=http://b:1"], environment: { variables[$0] })
        #expect(options.url == "http://b:1" && options.token == "t" && options.host == "h")
        // As the verbs of a server take it.
        #expect(throws: Never.self) {
            try ChatOptions([], environment: { $0 == "POLYMOCK_URL" ? "127.0.0.1:18801" : nil })
        }
    }

    @Test("Steps keep their order, and values may begin with a hyphen")
    func steps() throws {
        let options = try ChatOptions(["--say", "-v", "--expect", "x", "--file", "-", "--say=b=c"])
        expectEqual(options.steps, [.say("-v"), .expect("x"), .file("-"), .say("b=c")])
        #expect(options.isScripted && options.readsInput)
    }

    @Test(
        "What cannot be followed is refused with a sentence",
        arguments: [
            ["--sya"], ["hello"], ["--say"], ["--json=1"], ["--until", "never"], ["--timeout", "-1"],
            ["--timeout", "nan"], ["--width", "3"], ["--url", "ftp://x"], ["--url", "no thing"],
            ["--token", " "], ["--no-wait", "--expect", "x"], ["--color", ""], ["--connect=1"],
            ["--connect", "--resume"], ["--connect", "--host", "h"], ["--new", "--resume"],
        ] as [[String]])
    func misuse(words: [String]) {
        #expect(throws: Misuse.self) { try ChatOptions(words) }
    }

    @Test("An address without its flag is told the flag; other words, how to say them")
    func address() {
        let told = "\"http://h:1\" is not understood here; did you mean --url http://h:1?"
        #expect(throws: Misuse(sentence: told)) { try ChatOptions(["http://h:1"]) }
        #expect(throws: Misuse(sentence: "\"hello\" is not understood here; to say it: --say \"hello\"")) {
            try ChatOptions(["hello"])
        }
        #expect((ExitCode.done, ExitCode.connection, ExitCode.usage) == (0, 1, 2))
    }

    @Test("An expectation belongs to what was said before it, an early one to the first turn")
    func script() {
        var script = Script([.expect("1"), .say("a"), .expect("2"), .say(" "), .say("b"), .expect("3")])
        expectEqual(script.next(), Script.Turn(text: "a", expectations: ["1", "2"]))
        expectEqual(script.next(), Script.Turn(text: "b", expectations: ["3"]))
        expectEqual(script.next(), nil)
    }

    @Test("An address gives the two of the SDK, with or without its path")
    func addresses() throws {
        for text in ["http://h:1", "http://h:1/", "http://h:1/api/v1"] {
            guard case .custom(let rest, let socket)? = try ServerAddress(text).environment else {
                Issue.record("\(text)")
                continue
            }
            #expect(rest.absoluteString == "http://h:1/api/v1" && socket.absoluteString == "ws://h:1/ws")
        }
    }

    @Test(
        "A time is written as ISO 8601",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_768_469_400_250, "2026-01-15T09:30:00.250Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func time(milliseconds: Int64, text: String) {
        expectEqual(TimeText.iso(Instant(nanosecondsSince1970: milliseconds * 1_000_000)), text)
    }
}

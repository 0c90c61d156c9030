import Expectations
import Foundation
import MockServer
import Testing
import Texts

@testable import CLI

@Suite("Flags of the control API", .timeLimit(.minutes(5)))
struct ControlFlagTests {
    @Test("--unmatched says what becomes of unmatched traffic")
    func unmatched() throws {
        try expectEqual(ServeOptions([]).configuration().unmatched, .warn)
        try expectEqual(ServeOptions(["--unmatched", "fail"]).configuration().unmatched, .fail)
        #expect(throws: Misuse(sentence: "--unmatched takes pass, warn or fail, not \"no\"")) {
            try ServeOptions(["--unmatched=no"])
        }
    }

    @Test("--no-control switches the control API off; without it, it is on and wants no token")
    func off() throws {
        try expectEqual(ServeOptions([]).configuration().control, Configuration.Control())
        #expect(try !ServeOptions(["--no-control"]).configuration().control.isOn)
        #expect(throws: Misuse.self) { try ServeOptions(["--no-control=yes"]) }
    }

    @Test("--control-token takes the token itself, or a file that holds it")
    func token() throws {
        try expectEqual(ServeOptions(["--control-token", "abc"]).configuration().control.token, "abc")
        #expect(throws: Misuse.self) { try ServeOptions(["--control-token"]) }
        // What looks like the name of a file may be the secret: it is not repeated.
        for word in ["/mnt/s3cret", "s3cret.txt", "~s3cret", "s3cret\\x"] {
            let error = #expect(throws: ServerError.self) {
                try ServeOptions(["--control-token", word]).configuration()
            }
            expectEqual(error?.description.contains("no file that can be read"), true, "\(word)")
            expectEqual(error?.description.contains("s3cret"), false, "\(word)")
        }
        // A file with more than a word in it is no token.
        let options = try ServeOptions(["--control-token", #filePath])
        #expect(throws: ServerError.self) { try options.configuration() }
    }

    @Test("A verb's --token takes the token itself, or a file that holds it")
    func verbToken() throws {
        let folder = try ScratchFolder()
        let file = folder.path + "/control.token"
        try Data("s3cret\n".utf8).write(to: URL(fileURLWithPath: file))
        func invocation(_ word: String) -> Invocation { Invocation(["health", "--token", word]) }
        for word in ["s3cret", file] {
            guard case .control(let verb) = invocation(word) else { Issue.record("\(word)"); continue }
            expectEqual(verb.options.token, "s3cret")
        }
        for word in ["/mnt/s3cret", "s3cret.txt", #filePath] {
            guard case .misuse(let sentence) = invocation(word) else { Issue.record("\(word)"); continue }
            #expect(!sentence.contains("s3cret") && sentence.contains("--token"))
        }
    }
}

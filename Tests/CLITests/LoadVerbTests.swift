import Expectations
import LoadTest
import MockServer
import Testing
import Texts

@testable import CLI

@Suite("The server that load starts")
struct LoadVerbTests {
    @Test("A pace that the fixture lacks is told before anybody talks")
    func pace() throws {
        let words = ["--fixture", "booking", "--pace"]
        #expect(try !LoadVerb.talks(LoadOptions(words + ["instant"])).isEmpty)
        let told = #"fixture "booking" has no pace "foo": it has careful, instant and natural"#
        #expect(throws: Misuse(sentence: told)) { try LoadVerb.talks(LoadOptions(words + ["foo"])) }
        let saying = ["--say", "hi", "--pace"]
        let other = #"fixture "webchat" has no pace "foo": it has instant, natural, quick and slow"#
        #expect(throws: Misuse(sentence: other)) { try LoadVerb.talks(LoadOptions(saying + ["foo"])) }
        try expectEqual(LoadVerb.talks(LoadOptions(saying + ["instant"])).count, 1)
    }

    @Test("It has room for as many sessions as there may be")
    func room() throws {
        let most = LoadVerb.configuration(try LoadOptions(["--sessions", "\(LoadLimits.sessions)"])).limits
        #expect(most.sockets == 3 * LoadLimits.sessions && most.sessions >= 2 * LoadLimits.sessions)
        expectEqual(LoadVerb.configuration(try LoadOptions([])).limits, Configuration.Limits())
    }

    @Test("Its processes are told what was said, but no token, and where its own server listens")
    func words() throws {
        func words(_ given: String...) throws -> [String] {
            let options = try LoadOptions(given[...])
            let targets = options.targets.isEmpty ? [try LoadTarget("http://127.0.0.1:9")] : options.targets
            return LoadProcesses(options: options, plan: options.plan, targets: targets).words
        }
        try expectEqual(
            words("--processes=2", "--sessions", "4", "--pace", "instant", "--json"),
            ["load", "--url", "http://127.0.0.1:9", "--fixture", "booking", "--sessions", "4"]
                + ["--processes", "2"])
        try expectEqual(
            words("http://127.0.0.1:1", "--token", "secret", "--say", "it's", "--processes", "3"),
            ["load", "--say", "it's", "--processes", "3", "http://127.0.0.1:1"])
    }

    @Test("What a process tells is read by the one that adds up, and anything else is not")
    func outcomes() throws {
        let options = try LoadOptions(["--processes", "2", "--sessions", "4"])
        #expect(options.process == nil && options.shares.count == 2)
        let second = try LoadOptions(
            ["--processes", "2"], environment: { $0 == LoadOptions.variable ? "1" : nil })
        expectEqual(second.process, 1)
        for (processes, number) in [("2", "2"), ("2", "-1"), ("2", "x"), ("1", "0")] {
            let none = try LoadOptions(
                ["--processes", processes], environment: { $0 == LoadOptions.variable ? number : nil })
            expectEqual(none.process, nil, "\(number) of \(processes)")
        }
        let crowd = LoadProcesses(
            options: options, plan: options.plan, targets: [try LoadTarget("http://127.0.0.1:9")])
        let summary =
            #"{"counts":[2,0,5,5,5,0],"errors":{},"histograms":[\#(Self.empty),\#(Self.empty),"#
            + #"\#(Self.empty)],"elapsed":1,"talked":1,"per_1000_seconds":5500,"interrupted":false}"#
        let told = try #require(crowd.outcomes(Array(#"[{"server":0,"summary":\#(summary)}]"#.utf8), of: 1))
        #expect(told.map(\.server) == [0] && told[0].summary.tally.sent == 5)
        #expect(told[0].summary.messagesPerSecond == 5.5 && told[0].summary.plan.sessions == 2)
        for spoilt in ["", "[]", "[{}]", #"[{"server":1,"summary":\#(summary)}]"#] {
            #expect(crowd.outcomes(Array(spoilt.utf8), of: 1) == nil)
        }
    }

    static let empty = #"{"sum":0,"max":0,"buckets":[]}"#
}

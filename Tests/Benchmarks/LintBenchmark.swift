import Clocks
import Fixtures
import SocketTransport

/// Reads, compiles and lints a fixture of 1,000 lines, runs its examples, and takes out each of 50 rules.
/// The limits are 20 ms and 1 s.
func lintBenchmark() {
    let bytes = Array(longFixture().utf8)
    let lines = bytes.count { $0 == UInt8(ascii: "\n") }
    let fixture = FixtureLoader.compile(bytes: bytes, fileName: "long.json5", name: "long")
    precondition(fixture.script != nil, fixture.findings.map(\.description).joined(separator: "\n"))
    let coverage = fixture.coverage(mutates: true)
    precondition(!fixture.rehearsed().hasErrors && coverage?.exercised.of == 50, "the fixture must be fine")
    let lint = median { _ = FixtureLoader.compile(bytes: bytes, fileName: "long.json5", name: "long") }
    let examples = median { _ = fixture.rehearsed() }
    let mutation = median { _ = fixture.coverage(mutates: true) }
    tell("lint: \(lines) lines \(lint) ms, its examples \(examples) ms, taking out each rule \(mutation) ms")
}

/// Of 15 runs, in milliseconds with two decimals.
private func median(_ body: () -> Void) -> Double {
    let clock = SystemClock()
    var times: [Int64] = []
    for _ in 0..<15 {
        let start = clock.now
        body()
        times.append((clock.now - start).nanoseconds)
    }
    return Double(times.sorted()[7] / 10_000) / 100
}

/// 50 rules in ten stages, an example for every stage, and comments and texts up to 1,000 lines.
private func longFixture() -> String {
    var text = "{\n  fixture: 1,\n  memory: { n: null, day: null },\n  begin: \"s0\",\n  stages: {\n"
    for stage in 0..<10 {
        text += "    s\(stage): [\n"
        for rule in 0..<5 {
            text += """
                      // Rule \(rule) of stage \(stage).
                      {
                        name: "r\(stage)-\(rule)",
                        hears: [
                          "word\(stage)x\(rule) for {n:number}",
                          "please word\(stage)x\(rule)",
                          { regex: "w\(stage)y\(rule)(a|b)+" },
                          { exactly: "only\(stage)z\(rule)" },
                        ],
                        if: { n: { atMost: 1000 } },
                        replies: [
                          { say: "This is answer \(rule) in stage \(stage), for {n}.",
                            suggest: ["word\(stage)x\(rule) for 3"] },
                          { say: ["A second text.", "Another one.", "And a third."] },
                          { wait: "1s" },
                        ],
                        then: "s\((stage + rule) % 10)",
                      },

                """
        }
        text += "    ],\n"
    }
    text += "  },\n  otherwise: [ { replies: [ { say: \"Pardon?\" } ] } ],\n  examples: [\n"
    for stage in 0..<10 {
        let path = (0..<stage).map {
            "      \"user: word\($0)x1 for 3\", \"agent: answer 1 in stage \($0)\",\n"
        }
        let rules = [0, 2, 3, 4].map {
            "      \"user: word\(stage)x\($0) for 2\", \"agent: answer \($0)\",\n"
        }
        text += "    { name: \"to \(stage)\", talk: [\n" + path.joined() + rules[stage % 4] + "    ] },\n"
    }
    return text + "  ],\n}\n"
}

import Clocks
import Expectations
import Testing
import Texts

@testable import LoadTest

@Suite("What a load test tells")
struct LoadSummaryTests {
    static func core() -> LoadCore {
        var bench = LoadBench(
            LoadBench.plan {
                $0.messages = 2
                $0.patience = .seconds(1)
            })
        bench.admit(0..<2)
        bench.pass(.milliseconds(5))
        bench.answer(0)
        bench.tell(.fault(.refused(request: "sessions", status: 503)), 1)
        bench.pass(.seconds(2))
        return bench.core
    }

    static let end = Instant(secondsSince1970: 1_003)

    @Test("The summary for people is this text")
    func text() {
        let summary = LoadSummary(Self.core(), elapsed: .seconds(3), isInterrupted: false, at: Self.end)
        expectEqual(
            summary.lines.joined(separator: "\n"),
            """
            sessions   2 opened, 0 failed
            messages   2 sent, 1 echoed, 1 answered
            rate       0.0 messages/s over 0.0 s
            latency          p50       p90       p99     p99.9       max     count
              connect          -         -         -         -         -         2
              echo       5.00 ms   5.00 ms   5.00 ms   5.00 ms   5.00 ms         1
              reply      5.00 ms   5.00 ms   5.00 ms   5.00 ms   5.00 ms         1
            errors     2
              1 × no echo in time
              1 × sessions: HTTP 503
            """)
        #expect(!summary.passes)
    }

    @Test("The summary for programs has the same numbers, lengths in milliseconds")
    func json() {
        let json = LoadSummary(Self.core(), elapsed: .seconds(3), isInterrupted: false, at: Self.end).json
        #expect(json["messages"]?["sent"]?.integer == 2)
        #expect(json["latency_ms"]?["echo"]?["p99"] == .double(5))
        #expect(json["latency_ms"]?["echo"]?["p99.9"] == .double(5))
        #expect(json["errors"]?["kinds"]?["sessions: HTTP 503"]?.integer == 1)
        expectEqual(json["passed"]?.bool, false)
    }

    @Test(
        "Lengths have three figures",
        arguments: [
            (0, "-"), (1, "0.00 µs"), (431_000, "431 µs"), (1_234_000, "1.23 ms"), (12_350_000, "12.4 ms"),
            (999_400_000, "999 ms"), (999_600_000, "1.00 s"), (61_000_000_000, "61.0 s"),
        ] as [(Int64, String)])
    func lengths(_ nanoseconds: Int64, _ text: String) {
        expectEqual(LoadText.short(Interval(nanoseconds: nanoseconds)), text)
    }

    @Test("A line of progress tells the rate since the last one")
    func progress() {
        let start = Instant(secondsSince1970: 999)
        var meter = LoadMeter(start: start)
        let core = Self.core()
        let first = meter.snapshot(core, at: start + .seconds(4))
        #expect(first.rate == 0.25 && meter.snapshot(core, at: start + .seconds(5)).rate == 0)
        expectEqual(
            first.line,
            "4.0 s  0/2 open  0.3 messages/s  2 errors  "
                + "echo 5.00 ms/5.00 ms  reply 5.00 ms/5.00 ms  (p50/p99)")
    }

    @Test("A run in which nothing was said does not pass")
    func silence() {
        let core = LoadCore(LoadBench.plan { _ in })
        #expect(!LoadSummary(core, elapsed: .zero, isInterrupted: false, at: Self.end).passes)
    }
}

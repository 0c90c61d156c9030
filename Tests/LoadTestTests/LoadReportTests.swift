import Clocks
import Expectations
import Testing
import Texts

@testable import LoadTest

@Suite("A load on several servers, from several processes")
struct LoadReportTests {
    static func summary(
        _ milliseconds: [Int64], perSecond: Double = 10, _ change: (inout LoadTally) -> Void = { _ in }
    ) -> LoadSummary {
        var tally = LoadTally()
        (tally.opened, tally.sent, tally.echoed) = (2, milliseconds.count, milliseconds.count)
        tally.answered = milliseconds.count
        for length in milliseconds {
            tally.connecting.add(.milliseconds(length))
            tally.echo.add(.milliseconds(2 * length))
            tally.reply.add(.milliseconds(3 * length))
        }
        change(&tally)
        var plan = LoadBench.plan { $0.messages = nil }
        plan.sessions = 2
        return LoadSummary(
            plan: plan, tally: tally, elapsed: .seconds(Int64(milliseconds.count)), talked: .seconds(1),
            messagesPerSecond: perSecond, isInterrupted: false)
    }

    @Test(
        "Parts go evenly to the servers, and each process has one at least",
        arguments: [(1, 1, 1), (2, 1, 2), (1, 3, 3), (2, 3, 4), (4, 2, 4), (3, 3, 3), (4, 6, 8)]
            as [(Int, Int, Int)])
    func shares(_ servers: Int, _ processes: Int, _ count: Int) {
        let shares = LoadShares(servers: servers, processes: processes)
        expectEqual(shares.count, count)
        let parts = (0..<processes).map { shares.parts(of: $0) }
        #expect(parts.allSatisfy { !$0.isEmpty })
        expectEqual(parts.flatMap { $0 }.sorted(), Array(0..<count))
        for server in 0..<servers {
            expectEqual(parts.flatMap { $0 }.count { shares.server(of: $0) == server }, count / servers)
        }
    }

    @Test("The parts of a plan add up to it, and none has the seed of another")
    func parts() throws {
        var plan = LoadBench.plan { $0.messages = 11 }
        (plan.sessions, plan.rate, plan.seed) = (10, 50, 7)
        let parts = (0..<4).map { plan.part($0, of: 4) }
        #expect(parts.map(\.sessions) == [3, 3, 2, 2] && parts.map(\.messages) == [3, 3, 3, 2])
        #expect(parts.compactMap(\.rate) == [15, 15, 10, 10] && parts.map(\.seed) == [7, 8, 9, 10])
        expectEqual(plan.part(0, of: 1), plan)
    }

    @Test("Two parts added up are what one would have measured of both")
    func adding() {
        var sum = Self.summary([1, 2, 3])
        sum.add(Self.summary([40, 50], perSecond: 5) { $0.count(.noEcho, times: 2) })
        let both = Self.summary([1, 2, 3, 40, 50])
        #expect(sum.tally.echo == both.tally.echo && sum.tally.reply == both.tally.reply)
        #expect(sum.tally.connecting == both.tally.connecting && sum.tally.sent == 5 && sum.tally.opened == 4)
        #expect(sum.tally.errors == [.noEcho: 2] && !sum.passes && sum.plan.sessions == 4)
        #expect(sum.messagesPerSecond == 15 && sum.elapsed == .seconds(3) && sum.talked == .seconds(1))
    }

    @Test("A summary from another process is the same, and its errors are known by their words")
    func parcel() throws {
        let refused = LoadError.unanswered(request: "access-token", reason: "Connection refused")
        let summary = Self.summary([1, 7, 9_000], perSecond: 12.5) { $0.count(refused, times: 4) }
        let text = JSONWriter.bytes(summary.parcel)
        var read = try #require(LoadSummary(parcel: try JSONReader.read(text), plan: summary.plan))
        expectEqual(read.tally.errors, [.reported("access-token: Connection refused"): 4])
        #expect(
            read.tally.unanswered == 4 && read.json == summary.json && read.tally.echo == summary.tally.echo)
        read.add(summary)
        #expect(read.tally.errorCount == 8 && read.tally.unanswered == 8)
        for spoilt in ["{}", "[1]", #"{"counts":[1],"errors":{},"histograms":[]}"#] {
            expectEqual(LoadSummary(parcel: try JSONReader.read(Array(spoilt.utf8)), plan: summary.plan), nil)
        }
    }

    @Test("A bucket that there is not is refused")
    func foreignBucket() throws {
        let text = #"{"sum":1,"max":1,"buckets":[99999,1]}"#
        expectEqual(LatencyHistogram(parcel: try JSONReader.read(Array(text.utf8))), nil)
    }

    @Test("With one server the report is the summary; with several each has a row, and the dead one is named")
    func lines() {
        let summary = Self.summary([5, 5])
        let alone = LoadReport([("http://a", summary)])
        #expect(alone.lines == summary.lines && alone.json == summary.json && alone.passes)
        let dead = Self.summary([], perSecond: 0) {
            ($0.opened, $0.failed) = (0, 2)
            $0.count(.unanswered(request: "access-token", reason: "Connection refused"), times: 8)
        }
        let report = LoadReport([("http://a", summary), ("http://b", dead), ("http://a", summary)])
        #expect(report.total.tally.sent == 4 && report.shards.count == 2 && !report.passes)
        #expect(report.shards[0].summary.passes && report.shards[0].summary.tally.opened == 4)
        expectEqual(
            report.lines.suffix(5).joined(separator: "\n"),
            """
            shard         opened    failed      sent    echoed  answered    errors  echo p50       p99
              http://a         4         0         4         4         4         0   10.0 ms   10.0 ms
              http://b         0         2         0         0         0         8         -         -
            http://b: 8 × access-token: Connection refused
            http://b does not answer
            """)
        #expect(report.json["shards"]?.array?[1]["answers"] == .bool(false))
        #expect(report.json["shards"]?.array?[0]["messages"]?["sent"]?.integer == 4)
        #expect(report.json["sessions"]?["wanted"]?.integer == 6)
    }
}

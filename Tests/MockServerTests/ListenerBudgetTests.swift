import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import ServerCore
import TestSupport
import Testing
import Texts
import Timeline

@testable import MockServer

/// Waits and feeds with filters that cost much: what they may cost in a turn is counted in steps, not in time.
@Suite("What those who listen for rows may cost", .timeLimit(.minutes(5)))
struct ListenerBudgetTests {
    static let filters = [
        "/" + String(repeating: ".*", count: 120) + "q9z/",
        "/" + String(repeating: "(x*y?)+", count: 12) + "q9z/",
        "/(a+)+(b|c)*.*.*q9z/", String(repeating: "x", count: 900) + "y", "*x*y*x*y*q9z", "größe-q9z",
        "$.payload.text=q9z*", "corr:q9z", "-xy", "type:*x*y*q9z", "rule:\"q9z\"", "/xy/ /yx/ /x.y/ q9z",
    ]

    private func timeline(rows: Int, bytes: Int) -> Timeline {
        var timeline = Timeline()
        let text = Array((#"{"payload":{"text":""# + String(repeating: "xy", count: bytes / 2) + "\"}}").utf8)
        for _ in 0..<rows {
            timeline.append(
                Row(time: Instant(nanosecondsSince1970: 0), direction: .inbound, kind: .ws, raw: text))
        }
        return timeline
    }

    @Test(
        "A turn has so many steps for all of them together, and begins no comparison beyond",
        arguments: filters)
    func turn(_ text: String) throws {
        let filter = try RowFilter(text)
        let timeline = timeline(rows: 4, bytes: 100_000)
        let turn = WatchTurn(timeline)
        var allowed = 0
        for _ in 0..<1_000 where turn.allows(filter, row: 1) { allowed += 1 }
        let each = filter.steps(forRows: 1, bytes: timeline.bytes(of: 1))
        #expect(each > 0 && allowed * each <= ServerLimits.Control.turnSteps)
        expectEqual(turn.isOver, 1_000 * each > ServerLimits.Control.turnSteps)
    }

    @Test("Away from the loop each gets its share of the steps, and goes on where it was", arguments: filters)
    func shares(_ text: String) throws {
        let timeline = timeline(rows: 40, bytes: 20_000)
        let filters = try [RowFilter(text), RowFilter("dir:in"), RowFilter(text)]
        var comparisons = filters.map { RowComparison($0, from: 0) }
        comparisons[2] = RowComparison(filters[2], from: 30)
        let now = Instant(nanosecondsSince1970: 0)
        var looks = 0
        while comparisons.contains(where: { $0.to < timeline.lastNumber }), looks < 200 {
            let before = comparisons.map(\.to)
            RowComparison.advance(&comparisons, in: timeline, now: now, steps: 300_000)
            looks += 1
            for (old, new) in zip(before, comparisons.map(\.to)) where old < timeline.lastNumber {
                #expect(new > old)
            }
        }
        #expect(comparisons.allSatisfy { $0.to == timeline.lastNumber })
        let expected = timeline.rows(matching: filters[0], now: now).map(\.number)
        expectEqual(comparisons[0].found.map(\.number), expected)
        expectEqual(comparisons[1].found.count, 40)
        expectEqual(comparisons[2].found.map(\.number), expected.filter { $0 > 30 })
    }

    @Test("A text of a row is made once for all feeds, and within the turn")
    func texts() throws {
        let timeline = timeline(rows: 20, bytes: 15_000)
        let turn = WatchTurn(timeline)
        var made = 0
        for number in 1...20 as ClosedRange<UInt64> {
            let row = try #require(turn.row(number))
            for _ in 0..<100 where turn.allowsText(of: row, textBytes: nil) {
                made += 1
                #expect(turn.text(of: row, textBytes: nil).starts(with: Array("{\"row\":".utf8)))
            }
        }
        #expect(turn.isOver && made > 10 && made < 200)
        // A row that costs more than a turn has one for itself.
        let large = WatchTurn(self.timeline(rows: 1, bytes: 1 << 20))
        #expect(large.allowsText(of: try #require(large.row(1)), textBytes: nil))
        #expect(!large.allowsText(of: try #require(large.row(1)), textBytes: 10))
    }

    @Test("Waits with costly filters miss nothing, time out in order, and keep nobody from being answered")
    func waits() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            let last = try #require(try await control.get("wire")["last"]?.integer)
            let costly = "/(x*y?)%2B(x*y?)%2B(x*y?)%2B$/%20$.payload.text=xy*%20xyxy%20xyx"
            async let first = control.get("wait?filter=\(costly)&after=\(last)&count=6&timeout=1h")
            async let second = control.get("wait?filter=\(costly)%20-later&after=\(last)&count=7&timeout=1m")
            async let third = control.get("wait?filter=later&after=\(last)&timeout=1h")
            let feed = try await world.client.upgrade(
                "/_mock/feed?filter=type:USER_MESSAGE%20dir:in%20\(costly)")
            let reader = Talk(feed)
            try await expectEqual(feed.answer(0).status, 101)
            while await world.server.inspect({ $0.pendingTimers.count { $0.name.hasPrefix("wait") } }) < 3 {
                await Task.yield()
            }
            let text = String(repeating: "xy", count: 30_000)
            for _ in 0..<6 {
                await world.server.inspect { $0.receive(ClientInput(.say(text)), in: session.id) }
            }
            talk.say("later")
            let (found, word) = try await (first, third)
            #expect(found.status == 200 && found.count("rows") == 6)
            expectEqual(word.status, 200)
            // Six rows wait for a seventh: they count, although they were found away from the loop.
            while await world.server.inspect({ $0.heldBytes(of: .waits) }) < 6 * text.utf8.count {
                await Task.yield()
            }
            _ = try await control.post("clock", #"{"advance":"2m"}"#)
            try await expectEqual(second.status, 408)
            await expectEqual(world.server.inspect { $0.heldBytes(of: .waits) }, 0)
            _ = reader
        }
    }

    @Test("No filter is read for those whom the gate refuses")
    func gate() throws {
        let target = try #require(RequestTarget(parsing: "/_mock/wire?filter=/x/"))
        let head = RequestHead(method: "GET", target: target.path, headers: ["Host": "127.0.0.1"])
        let configuration = Configuration()
        #expect(ReadFilter.preparation(of: head, target, configuration) != nil)
        let plain = try #require(RequestTarget(parsing: "/_mock/wire?filter=x"))
        #expect(ReadFilter.preparation(of: head, plain, configuration) == nil)
        let other = try #require(RequestTarget(parsing: "/_mock/sessions?filter=/x/"))
        #expect(ReadFilter.preparation(of: head, other, configuration) == nil)
        let foreign = RequestHead(
            method: "GET", target: target.path,
            headers: ["Host": "127.0.0.1", "Origin": "http://example.com"])
        #expect(ReadFilter.preparation(of: foreign, target, configuration) == nil)
    }

    @Test("Filters that cost too much are refused when they are given (limits filterSteps, listenerSteps)")
    func refused() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for route in ["wait?timeout=0s&", "wire?", "export?"] {
                for filter in [
                    "/a.{20}b/", String(repeating: "$.a%20", count: 5), String(repeating: "a%20", count: 33),
                ] {
                    let answer = try await control.get(route + "filter=" + filter)
                    #expect(
                        answer.status == 400 && answer.message.contains("too costly"), "\(route)\(filter)")
                }
                #expect(
                    try await control.get(route + "filter=" + String(repeating: "a%20", count: 32)).status
                        != 400)
            }
            let heavy = String(repeating: "$.a%20", count: 4)
            let most = ServerLimits.Control.listenerSteps / 32
            var lines: [Line] = []
            for _ in 0..<most {
                let line = try await world.client.open()
                line.send(Line.bytes("GET", "/_mock/wait?timeout=1h&filter=\(heavy)"), requests: ["GET"])
                lines.append(line)
            }
            while await world.server.inspect({ $0.pendingTimers.count { $0.name.hasPrefix("wait") } }) < most
            {
                await Task.yield()
            }
            let refused = try await control.get("wait?timeout=1h&filter=\(heavy)")
            #expect(refused.status == 409 && refused.message.contains("steps"), "\(refused.message)")
            #expect(try await control.get("wait?timeout=0s&filter=dir:in").status != 409)
            for line in lines { line.drop() }
        }
    }
}

import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import SocketTransport
import TestSupport
import Testing
import Texts

@Suite("Waiting for rows, and the feed", .timeLimit(.minutes(5)))
struct ControlWatchTests {
    // MARK: - Wait

    @Test("A wait is answered at once by rows that are there, and else by a later one")
    func laterRow() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let there = try await control.get("wait?filter=type:AGENT_MESSAGE")
            expectEqual(there.status, 200)
            expectEqual(there.count("rows"), 1)
            async let later = control.get("wait?filter=type:USER_MESSAGE%20dir:in&count=2")
            try await control.until(pending: "wait for rows")
            talk.say("One")
            talk.say("Two")
            let rows = try await later
            expectEqual(rows.status, 200)
            expectEqual(rows.count("rows"), 2)
            expectEqual(rows["rows", 1, "raw"]?.string?.contains("Two"), true)
        }
    }

    @Test("A wait that begins after a row counts only what follows")
    func after() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let last = try #require(try await control.get("wire")["last"]?.integer)
            let late = try await control.get("wait?filter=type:AGENT_MESSAGE&after=\(last)&timeout=0s")
            expectEqual(late.status, 408)
            // Rows up to the one that is named do not count, also when they come later.
            async let far = control.get("wait?after=\(last + 1)")
            try await control.until(pending: "wait for rows")
            for _ in 0..<2 { _ = try await world.client.token() }
            try await expectEqual(far["rows", 0, "n"]?.integer, last + 2)
        }
    }

    @Test("A wait ends when the server's clock says so, with what was seen and what was near")
    func timeout() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            async let waiting = control.get("wait?filter=type:AGENT_MESSAGE%20dir:in&timeout=5s")
            try await control.until(pending: "wait for rows")
            _ = try await control.post("clock", #"{"advance":"4s"}"#)
            try await control.until(pending: "wait for rows")
            _ = try await control.post("clock", #"{"advance":"1s"}"#)
            let late = try await waiting
            expectEqual(late.status, 408)
            #expect(late.message.contains("Waited 5s for 1 row"))
            expectEqual(late.count("rows"), 0)
            #expect(late.count("seen") > 2)
            #expect(
                late["near", 0, "missing"] == .array([.string("dir:in")])
                    || late["near", 0, "missing"] == .array([.string("type:AGENT_MESSAGE")]))
            let far = try await control.get("wait?filter=type:NOTHING%20rule:nothing&timeout=0s")
            #expect(far.status == 408 && far.count("near") == 0, "a row that misses all is not near")
        }
    }

    @Test("While the server's own clock is frozen, a wait takes real time")
    func frozen() async throws {
        try await World.run {
            $0.clock = nil
        } _: { world in
            let control = try await ControlClient(world)
            _ = try await control.post("clock", #"{"mode":"frozen"}"#)
            try await expectEqual(control.get("wait?filter=type:NOTHING&timeout=20ms").status, 408)
            // One that began in real time goes on in it. On a busy machine it may be over before it was seen.
            while true {
                _ = try await control.post("clock", #"{"mode":"real"}"#)
                let isOver = Locked(false)
                let waiting = Task {
                    defer { isOver.withLock { $0 = true } }
                    return try await control.get("wait?filter=type:NOTHING&timeout=1s")
                }
                let isSeen = await control.sees(pending: "wait for rows", unless: isOver)
                if isSeen { _ = try await control.post("clock", #"{"mode":"frozen"}"#) }
                try await expectEqual(waiting.value.status, 408)
                if isSeen { return }
            }
        }
    }

    @Test("A wait that makes no sense is refused; one whose client leaves is forgotten")
    func refusals() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for query in ["filter=dri:in", "count=0", "count=x", "timeout=soon", "timeout=2h", "after=-1"] {
                try await expectEqual(control.get("wait?" + query).status, 400, "\(query)")
            }
            let line = try await world.client.open()
            line.send(Line.bytes("GET", "/_mock/wait?filter=type:NOTHING"), requests: ["GET"])
            try await control.until(pending: "wait for rows")
            line.drop()
            while await world.server.inspect({ $0.pendingTimers.contains { $0.name.hasPrefix("wait") } }) {
                await Task.yield()
            }
            _ = try await world.greeted()
        }
    }

    // MARK: - Feed

    private func feed(_ world: World, _ query: String = "") async throws -> Talk {
        let line = try await world.client.upgrade("/_mock/feed" + query)
        let answer = try await line.answer(0)
        guard answer.status == 101 else { throw APIClient.Unexpected("\(answer.status) \(answer.text)") }
        return Talk(line)
    }

    @Test("A feed tells each row as it comes, and goes on behind the row it is told")
    func rows() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world)
            _ = try await world.greeted()
            let total = try #require(try await control.get("wire")["last"]?.integer)
            var numbers: [Int64] = []
            while numbers.last != total {
                numbers.append(try #require(try await live.next().json["row"]?["n"]?.integer))
            }
            expectEqual(numbers, (1...total).map { $0 })
            let resumed = try await feed(world, "?after=\(total - 2)")
            #expect(try await resumed.next().json["row"]?["n"]?.integer == total - 1)
            #expect(try await resumed.next().json["row"]?["n"]?.integer == total)
            let row = try await control.get("wire?after=\(total - 1)")["rows", 0]
            expectEqual(resumed.events.last?.json["row"], row)
        }
    }

    @Test("A feed tells only what its filter takes")
    func filter() async throws {
        try await World.run { world in
            let feed = try await feed(world, "?filter=dir:in%20type:USER_MESSAGE")
            let (_, talk) = try await world.greeted()
            talk.say("Hello")
            let row = try await feed.next().json["row"]
            #expect(row?["type"]?.string == "USER_MESSAGE")
            try await feed.settle()
            #expect(feed.rest().isEmpty)
        }
    }

    @Test("Rows that are gone by the time are told as a count")
    func dropped() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let total = try #require(try await control.get("wire")["last"]?.integer)
            _ = try await control.post("reset", #"{"log":true}"#)
            let feed = try await feed(world, "?after=1")
            try await expectEqual(feed.next().json["dropped"]?.integer, total - 1)
        }
    }

    @Test("A reader that does not read keeps nobody waiting, and costs no more than the bound")
    func slowReader() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let slow = try await feed(world)
            slow.line.pauseReading()
            _ = try await world.greeted()
            let frame = String(repeating: "x", count: 900_000)
            for _ in 0..<12 {
                let sent = try await control.post(
                    "sessions/last/events", #"{"as":"raw","frame":"\#(frame)"}"#)
                expectEqual(sent.status, 200)
            }
            let pending = world.server.traffic().map(\.pendingBytes).max() ?? 0
            #expect(pending < 3_000_000)
            try await expectEqual(control.get("health").status, 200)
            // Once it reads, it gets all of it in order.
            let total = try #require(try await control.get("wire?filter=dir:out&limit=0")["last"]?.integer)
            slow.line.resumeReading()
            var numbers: [Int64] = []
            while numbers.last != total {
                numbers.append(try #require(try await slow.next().json["row"]?["n"]?.integer))
            }
            expectEqual(numbers, (1...total).map { $0 })
        }
    }

    @Test(
        "Only feeds count as feeds: a hundred of them may be open, however many other connections there are")
    func feedCount() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            var others: [Line] = []
            for _ in 0..<110 {
                let line = try await world.client.open()
                _ = try await line.request("GET", "/_mock/health")
                others.append(line)
            }
            var feeds: [Talk] = []
            for _ in 0..<100 { feeds.append(try await feed(world)) }
            let tooMany = try await world.client.upgrade("/_mock/feed").answer(0)
            expectEqual(tooMany.status, 409)
            try await expectEqual(control.get("health").status, 200)
            for line in others { line.drop() }
        }
    }

    @Test("A feed is a WebSocket with a filter that can be read, or is refused")
    func feedRefusals() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let plain = try await control.get("feed")
            expectEqual(plain.status, 426)
            expectEqual(plain.headers["Upgrade"], "websocket")
            for query in ["?filter=dri:in", "?after=x", "?fliter=a"] {
                let line = try await world.client.upgrade("/_mock/feed" + query)
                try await expectEqual(line.answer(0).status, 400)
            }
            let other = try await world.client.upgrade("/_mock/clock")
            try await expectEqual(other.answer(0).status, 200)
        }
    }

    @Test("Stopping the server takes leave of feeds and ends waits")
    func stop() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let feed = try await feed(world)
            let line = try await world.client.open()
            line.send(Line.bytes("GET", "/_mock/wait?filter=type:NOTHING"), requests: ["GET"])
            try await control.until(pending: "wait for rows")
            await world.server.stop()
            try await expectEqual(feed.closeCode, 1001)
            _ = try await line.ended()
        }
    }
}

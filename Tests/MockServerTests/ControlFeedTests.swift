import Clocks
import Expectations
import Foundation
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What a feed tells on request", .timeLimit(.minutes(5)))
struct ControlFeedTests {
    private func feed(_ world: World, _ query: String) async throws -> Talk {
        let line = try await world.client.upgrade("/_mock/feed?" + query)
        let answer = try await line.answer(0)
        guard answer.status == 101 else { throw APIClient.Unexpected("\(answer.status) \(answer.text)") }
        return Talk(line)
    }

    /// The next items of `feed`, until one has `name`; each fits its description.
    private func items(_ feed: Talk, _ control: ControlClient, until name: String) async throws -> [JSONValue]
    {
        var items: [JSONValue] = []
        while items.last?[name] == nil {
            let item = try await feed.next().json
            expectEqual(control.description.problems(with: item, "GET", "/_mock/feed", status: 101), [])
            items.append(item)
        }
        return items
    }

    private func item(_ feed: Talk, _ control: ControlClient, _ name: String) async throws -> JSONValue {
        let found = try await items(feed, control, until: name)
        return try #require(found.last?[name])
    }

    @Test("Sessions are told as they are listed, behind the rows that changed them, and when they are gone")
    func sessions() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "also=sessions")
            let session = try await world.client.session()
            let opened = try await items(live, control, until: "session")
            #expect(opened.dropLast().contains { $0["row"]?["type"]?.string == "POST /api/v1/sessions" })
            #expect(opened.last?["session"]?["id"]?.string == session.id)
            let talk = try await world.client.connect(session)
            talk.join()
            try await world.reply(talk)
            var told: JSONValue?
            while told != (try await control.get("sessions")["sessions", 0]) {
                told = try await item(live, control, "session")
            }
            #expect(told?["currentSpeaker"]?.string == "agent" && told?["connections"]?.integer == 1)
            _ = try await control.delete("sessions/\(session.id)")
            try await expectEqual(item(live, control, "forgotten").string, session.id)
        }
    }

    @Test("Frames that are intercepted are told when one comes, and when it leaves or is taken away")
    func held() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let live = try await feed(world, "also=intercepted&rows=none")
            _ = try await control.post("sessions/last/intercept", #"{"intercept":true}"#)
            talk.send("HEARTBEAT")
            let held = try #require(try await item(live, control, "intercepted").array)
            expectEqual(held, try await control.get("intercepted")["intercepted"]?.array)
            let id = try #require(held.first?["id"]?.integer)
            _ = try await control.delete("intercepted/\(id)")
            try await expectEqual(item(live, control, "intercepted"), .array([]))
        }
    }

    @Test("A feed with text= tells the beginning of held frames, too, and that there is more")
    func heldBeginning() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let live = try await feed(world, "also=intercepted&rows=none&text=16")
            _ = try await control.post("sessions/last/intercept", #"{"intercept":true}"#)
            talk.send("HEARTBEAT")
            let told = try #require(try await item(live, control, "intercepted").array?.first)
            let whole = try #require(try await control.get("intercepted")["intercepted", 0])
            expectEqual(told["text"]?.string, whole["text"]?.string.map { String($0.prefix(16)) })
            #expect(told["cut"]?.bool == true && whole["cut"] == nil)
            expectEqual(told["id"], whole["id"])
        }
    }

    @Test("Faults are told when one is added, when it fired, and when it is taken away")
    func faults() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "also=faults&rows=none")
            _ = try await control.post("faults", #"{"name":"slip","at":"user message 1","do":{"split":2}}"#)
            let added = try await item(live, control, "faults")
            expectEqual(added, try await control.get("faults")["faults"])
            let (_, talk) = try await world.greeted()
            talk.say("Hello")
            let fired = try await item(live, control, "faults")
            #expect(fired.array?.first?["fired"]?.integer == 1)
            _ = try await control.delete("faults")
            try await expectEqual(item(live, control, "faults"), .array([]))
            #expect(live.rest().isEmpty)
        }
    }

    @Test("The clock, unmatched messages, violations and resets are told as they are listed")
    func others() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "also=clock,unmatched,violations&rows=none")
            _ = try await control.post("clock", #"{"advance":"90s"}"#)
            let clock = try await item(live, control, "clock")
            expectEqual(clock, .object(try #require(try await control.get("clock").json.object)))
            let (_, talk) = try await world.greeted()
            _ = try await world.client.request("GET", "/nowhere")
            try await expectEqual(
                item(live, control, "unmatched"),
                try await control.get("unmatched")["unmatched", 0])
            talk.send("SESSION_START")
            let violation = try await item(live, control, "violation")
            expectEqual(violation, try await control.get("violations")["violations", 0])
            _ = try await control.post("reset", #"{"log":true}"#)
            try await expectEqual(item(live, control, "reset"), .array([.string("log")]))
            // Numbers go on behind a reset, so nothing is told twice.
            let (_, later) = try await world.greeted()
            later.send("SESSION_START")
            try await expectEqual(item(live, control, "violation")["number"]?.integer, 2)
        }
    }

    @Test("Each unmatched request is told once, however many come")
    func unmatchedOnce() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "also=unmatched&rows=none")
            for path in ["/here", "/there", "/nowhere"] {
                _ = try await world.client.request("GET", path)
                try await expectEqual(item(live, control, "unmatched")["text"]?.string?.contains(path), true)
            }
            try await live.settle()
            #expect(live.rest().isEmpty)
        }
    }

    @Test("A fixture that is looked at again is told, whoever had it done")
    func fixtures() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mine.json5")
        try Data(fixture("").utf8).write(to: file)
        try await World.run {
            $0.fixturesFolder = folder.path
            $0.watchesFixtures = false
        } _: { world in
            let control = try await ControlClient(world)
            _ = try await world.client.session(token: try await world.client.token(connector: "mock:mine"))
            let live = try await feed(world, "also=fixtures&rows=none")
            try Data("{".utf8).write(to: file)
            let news = try await control.post("fixtures/reload")
            let told = try await item(live, control, "fixture")
            #expect(told == news["news", 0] && told["what"]?.string == "refused")
        }
    }

    @Test("Nothing but rows is told to a feed that asks for nothing else")
    func plain() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "filter=kind:rest")
            _ = try await world.greeted()
            _ = try await control.post("reset", #"{"faults":true}"#)
            try await live.settle()
            #expect(live.events.allSatisfy { $0.json["row"] != nil })
            let notes = await world.server.inspect { $0.notesChanges }
            #expect(!notes)
        }
    }

    @Test("Changes are noted only while a feed tells of sessions")
    func noCost() async throws {
        try await World.run { world in
            let live = try await feed(world, "also=sessions")
            var notes = await world.server.inspect { $0.notesChanges }
            #expect(notes)
            live.line.drop()
            while notes {
                _ = try await world.client.token()
                notes = await world.server.inspect { $0.notesChanges }
            }
        }
    }

    @Test("Rows beyond the rate are left out and counted")
    func rate() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "rate=1")
            _ = try await world.greeted()
            let told = try await items(live, control, until: "skipped")
            #expect(told.first?["row"]?["n"]?.integer == 1)
            let first = try #require(told.last?["skipped"])
            let (rows, from, to) = (first["rows"]?.integer, first["from"]?.integer, first["to"]?.integer)
            #expect(from == 2 && rows == (to ?? 0) - 1)
        }
    }

    @Test("Texts are cut at a character's end where that is wished, in the feed and in lists")
    func texts() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let live = try await feed(world, "text=40&filter=dir:in%20kind:ws")
            let (_, talk) = try await world.greeted()
            talk.say(String(repeating: "ü", count: 100))
            let rows = try await items(live, control, until: "row") + items(live, control, until: "row")
            let long = try #require(rows.last?["row"])
            expectEqual(long["cut"]?.bool, true)
            #expect((long["raw"]?.string?.utf8.count ?? 0) <= 40 && (long["size"]?.integer ?? 0) > 200)
            let listed = try await control.get("wire?text=40&filter=n:\(long["n"]?.integer ?? 0)")
            expectEqual(listed["rows", 0], long)
            let whole = try await control.get("wire?filter=n:\(long["n"]?.integer ?? 0)")["rows", 0]
            #expect(whole?["cut"] == nil && whole?["size"] == long["size"])
        }
    }

    @Test(
        "A wish that makes no sense is refused",
        arguments: ["also=session", "also=laws", "also=x", "rate=0", "rows=all", "text=-1"] as [String])
    func refusals(_ query: String) async throws {
        try await World.run { world in
            let line = try await world.client.upgrade("/_mock/feed?" + query)
            let answer = try await line.answer(0)
            expectEqual(answer.status, 400)
            if query == "also=laws" { #expect(answer.text.contains("it is called \\\"violations\\\" now.")) }
            if query == "also=session" { #expect(answer.text.contains("did you mean sessions?")) }
        }
    }
}

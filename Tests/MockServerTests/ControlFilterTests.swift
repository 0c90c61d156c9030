import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Filters of the control API", .timeLimit(.minutes(5)))
struct ControlFilterTests {
    private let hint = "nothing here is called USER_MESAGE; did you mean type:USER_MESSAGE?"

    @Test("Where a filter takes nothing, every answer says what is likely misspelt")
    func hints() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let rows = try await control.get("wire?filter=type:USER_MESAGE")
            #expect(rows.count("rows") == 0 && rows["hint"]?.string == hint)
            try await expectEqual(control.get("wire?filter=type:POLY_AGENT_MESSAGE")["hint"], nil)
            let late = try await control.get("wait?filter=type:USER_MESAGE&timeout=0s")
            #expect(late.status == 408 && late["hint"]?.string == hint)
            #expect(late.message.hasSuffix("there were 0: \(hint)"))
            let file = try await control.get("export?filter=type:USER_MESAGE")
            expectEqual(file.headers["X-Mock-Hint"], hint)
            try await expectEqual(control.get("export?filter=dir:in").headers["X-Mock-Hint"], nil)
            // What a client wrote into the filter cannot become a field of the answer.
            let odd = try await control.get("export?filter=type:%22A%0D%0AX-Odd:%20%C3%BC%22")
            expectEqual(odd.headers["X-Odd"], nil)
            expectEqual(odd.headers["X-Mock-Hint"]?.hasPrefix("nothing here is called A??X-Odd: ?"), true)
        }
    }

    @Test("A feed whose filter takes nothing that is here says so first")
    func feed() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let line = try await world.client.upgrade("/_mock/feed?filter=type:USER_MESAGE")
            try await expectEqual(line.answer(0).status, 101)
            try await expectEqual(Talk(line).next().json["hint"]?.string, hint)
            let other = try await world.client.upgrade("/_mock/feed?filter=type:USER_MESSAGE")
            try await expectEqual(other.answer(0).status, 101)
            let (_, talk) = try await world.greeted()
            talk.say("Hello")
            #expect(try await Talk(other).next().json["row"] != nil)
            try await expectEqual(control.get("health").status, 200)
        }
    }

    @Test("A regular expression is read away from the loop, for a feed and for requests alike")
    func patterns() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let bad = try await world.client.upgrade("/_mock/feed?filter=/%5B/")
            try await expectEqual(bad.answer(0).status, 400)
            try await expectEqual(control.get("wait?filter=/%5B/").status, 400)
            let line = try await world.client.upgrade("/_mock/feed?filter=/^POST%20.api/")
            try await expectEqual(line.answer(0).status, 101)
            async let waiting = control.get("wait?filter=/^POST%20.api/&after=0")
            _ = try await world.client.token()
            #expect(try await Talk(line).next().json["row"]?["kind"]?.string == "rest")
            try await expectEqual(waiting["rows", 0, "kind"]?.string, "rest")
            #expect(try await control.get("wire?filter=/^POST%20.api/").count("rows") > 0)
        }
    }

    @Test("session:last is the session that is newest when the filter is read")
    func last() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.get("wire?filter=session:last").status, 404)
            _ = try await world.greeted()
            let (newest, _) = try await world.greeted()
            for path in [
                "wire?filter=session:last", "wait?filter=session:last", "wire?filter=session:last&last=3",
            ] {
                let rows = try await control.get(path)["rows"]?.array ?? []
                #expect(!rows.isEmpty && rows.allSatisfy { $0["session"]?.string == newest.id }, "\(path)")
            }
            let exported = try await control.get("export?session=last&format=transcript.json")
            expectEqual(exported.status, 200)
        }
    }

    @Test("The newest rows are told oldest first; how many is said once")
    func newest() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let all = try await control.get("wire")
            let total = try #require(all["last"]?.integer)
            let rows = try await control.get("wire?last=2")["rows"]?.array ?? []
            expectEqual(rows.map { $0["n"]?.integer }, [total - 1, total])
            let late = try await control.get("wire?last=9&after=\(total - 1)")
            expectEqual(late.count("rows"), 1)
            try await expectEqual(control.get("wire?last=2&limit=2").status, 400)
        }
    }
}

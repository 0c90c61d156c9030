import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// What the control API tells strangers and terminals, and what it takes letter by letter.
@Suite("Answers of the control API to the careless and the curious", .timeLimit(.minutes(5)))
struct ControlHardeningTests {
    @Test(
        "An empty id changes nothing",
        arguments: ["faults/", "/faults", "faults//", "/faults/"] as [String])
    func emptyID(path: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for name in ["a", "b"] {
                _ = try await control.post(
                    "faults", #"{"name":"\#(name)","at":"heartbeat 9","do":{"drop":"connection"}}"#)
            }
            let answer = try await control.delete(path)
            expectEqual(answer.status, 404)
            #expect(answer.message.contains("slash too many"), "\(answer.message)")
            try await expectEqual(control.get("faults").count("faults"), 2)
            // Looking is harmless.
            try await expectEqual(control.get("faults/").count("faults"), 2)
            try await expectEqual(control.delete("faults").status, 200)
            try await expectEqual(control.get("faults").count("faults"), 0)
        }
    }

    @Test(
        "An unknown path is told as it was sent",
        arguments: ["./sessions", "sessions%2fx", "%2e/sessions"] as [String])
    func asSent(path: String) async throws {
        try await World.run { world in
            let answer = try await ControlClient(world).get(path)
            expectEqual(answer.status, 404)
            #expect(answer.message.contains("/_mock/\(path) here"), "\(answer.message)")
        }
    }

    @Test(
        "Answers say that they are what their type says, and for this origin alone",
        arguments: [
            "sessions", "health", "nothing", "export", "openapi.json", "wait?filter=is:error&timeout=0s",
        ] as [String])
    func fields(path: String) async throws {
        try await World.run { world in
            let answer = try await world.client.request("GET", "/_mock/" + path)
            expectEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            expectEqual(answer.headers["Cross-Origin-Resource-Policy"], "same-origin")
        }
    }

    @Test("The seed, and with it the ids to come, is for those who may use the control API")
    func seed() async throws {
        func seed(_ world: World, _ fields: HeaderFields = [:]) async throws -> JSONValue? {
            let answer = try await world.client.request("GET", "/_mock/health", fields)
            #expect(answer.status == 200 && answer["status"]?.string == "ok")
            return answer["seed"]
        }
        try await World.run { world in
            let seen1 = try await seed(world)
            expectEqual(seen1, .integer(42))
            let seen2 = try await seed(world, ["Host": "evil.example"])
            expectEqual(seen2, nil)
        }
        try await World.run {
            $0.control.token = "right"
        } _: { world in
            let seen3 = try await seed(world)
            expectEqual(seen3, nil)
            let seen4 = try await seed(world, ["X-Mock-Token": "right"])
            expectEqual(seen4, .integer(42))
        }
        try await World.run {
            $0.control.isOn = false
        } _: { world in
            let seen5 = try await seed(world)
            expectEqual(seen5, nil)
        }
    }

    @Test(
        "Names that act on a terminal are told as escapes, in answers and in the log",
        arguments: [true, false] as [Bool])
    func escapes(isJSON: Bool) async throws {
        let lines = Gathering<String>()
        try await World.run { configuration in
            configuration.log = isJSON ? .json { lines.append($0) } : .text { lines.append($0) }
        } _: { world in
            let answer = try await world.client.request("GET", "/_mock/sessions/%c2%9b31m%e2%80%ae")
            #expect(!answer.text.unicodeScalars.contains { $0 != "\n" && ForeignText.isHarmful($0) })
            #expect(answer.text.contains(#"\u009b31m\u202e"#))
            _ = try await world.client.request("GET", "/x%c2%9b2J%c2%85%e2%80%a8%7f")
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            talk.join()
            talk.say("say \u{9B}31m password=hunter2")
            try await world.play(talk, through: "USER_MESSAGE")
        }
        let all = lines.all.joined(separator: "|")
        #expect(!all.unicodeScalars.contains(where: ForeignText.isHarmful))
        #expect(all.contains(isJSON ? #"\u009b2J\u0085\u2028\u007f"# : #"\u{9B}2J\u{85}\u{2028}\u{7F}"#))
        #expect(!all.contains("password=hunter2") && all.contains("password=***"))
    }

    @Test(
        "The name of an author is one line of at most a hundred bytes",
        arguments: [
            (String(repeating: "x", count: 100), 200), (String(repeating: "x", count: 101), 400),
            (String(repeating: "é", count: 51), 400), (#"a\nb"#, 400), (#"a\u007fb"#, 400), ("a b", 200),
        ] as [(String, Int)])
    func author(name: String, status: Int) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let answer = try await control.post("clock", #"{"advance":"1s","by":"\#(name)"}"#)
            expectEqual(answer.status, status, "\(answer.text)")
        }
    }

    @Test("The page of routes links what a click can get at once")
    func links() async throws {
        try await World.run { world in
            let page = try await world.client.request("GET", "/_mock/", ["Accept": "text/html"]).text
            for route in ControlRoute.all where route.method == "GET" {
                let isLink = page.contains(#"<a href="\#(route.path)">"#)
                let waits = ["/_mock/feed", "/_mock/wait"].contains(route.path)
                expectEqual(isLink, !(waits || route.path.contains("{")), "\(route.path)")
            }
        }
    }

    @Test("A reset that leaves no session brings the clock back to the wall's time; with sessions it says so")
    func clockBack() async throws {
        try await World.run {
            $0.clock = nil
        } _: { world in
            let control = try await ControlClient(world)
            let wall = try #require(try await control.get("clock")["nanoseconds"]?.integer)
            _ = try await world.client.session()
            let far = try await control.post("clock", #"{"advance":"9h"}"#)["nanoseconds"]?.integer ?? 0
            #expect(far - wall >= 9 * 3_600_000_000_000)
            _ = try await world.client.session()
            let kept = try await control.post("reset", #"{"clock":true}"#)
            expectEqual(kept["onWallTime"]?.bool, false)
            let held = try #require(try await control.get("clock")["nanoseconds"]?.integer)
            #expect(held >= far)
            let back = try await control.post("reset")
            expectEqual(back["onWallTime"]?.bool, true)
            let now = try await control.get("clock")["nanoseconds"]?.integer ?? 0
            #expect(now >= wall && now < far)
            // It works on as before.
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            talk.join()
            _ = try await talk.event("POLY_AGENT_JOINED")
        }
    }

    @Test(
        "Sessions that a reset or a delete cuts are closed with a Close frame",
        arguments: [true, false] as [Bool])
    func closed(byReset: Bool) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            _ =
                byReset
                ? try await control.post("reset") : try await control.delete("sessions/\(session.id)")
            try await expectEqual(talk.closeCode, 1_000)
        }
    }

    @Test("A Close frame does not wait for a fault that never lets go")
    func closedBehindStall() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            _ = try await control.post(
                "faults", #"{"name":"jam","at":"any event","do":{"stall":"forever"}}"#)
            talk.say("Hi")
            try await world.logged("\"Hi\"")
            _ = try await control.post("reset", #"{"sessions":true}"#)
            try await expectEqual(talk.closeCode, 1_000)
        }
    }

    @Test("Lists, exports and resets of very many are made in pieces, and are whole")
    func many() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let token = try await world.client.token(connector: "demo")
            for _ in 0..<620 { _ = try await world.client.session(token: token) }
            let list = try await control.get("sessions")
            expectEqual(list.count("sessions"), 620)
            let times = list["sessions"]?.array?.compactMap { $0["openedAt"]?.string } ?? []
            expectEqual(times, times.sorted())
            try await expectEqual(control.get("sessions?state=ended").count("sessions"), 0)
            try await expectEqual(control.get("wire?limit=5").count("rows"), 5)
            let export = try await world.client.request("GET", "/_mock/export")
            #expect(export.text.split(separator: "\n").count > 620)
            let imported = try await control.post("import", export.text)
            #expect((imported["imported"]?.integer ?? 0) > 620)
            try await expectEqual(control.post("import", "nonsense").status, 400)
            #expect(try await control.get("timers").count("timers") >= 620)
            try await expectEqual(control.get("sessions/zzz").status, 404)
            try await expectEqual(control.post("reset").status, 200)
            try await expectEqual(control.get("sessions").count("sessions"), 0)
        }
    }

    @Test("Where connectors are listed, scenarios of clients can be refused")
    func strict() async throws {
        func status(_ world: World, _ token: String) async throws -> Int {
            try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": token, "X-Host": "shop.example"], body: "{}"
            ).status
        }
        for accepts in [true, false] {
            try await World.run {
                $0.connectors = [.init(token: "real", id: "shop", hosts: ["shop.example"])]
                $0.tokens.acceptsScenarios = accepts
            } _: { world in
                let (listed, scenario) = try await (status(world, "real"), status(world, "mock:webchat"))
                expectEqual(listed, 200)
                expectEqual(scenario, accepts ? 200 : 401)
            }
        }
    }
}

import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("The clock over HTTP", .timeLimit(.minutes(5)))
struct ControlClockTests {
    @Test("Advancing ten minutes runs the idle timeout, and names it")
    func advance() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            let before = try #require(try await control.get("clock")["nanoseconds"]?.integer)
            let timers = try await control.get("timers")
            expectEqual(timers["timers"]?.array?.contains { $0["name"]?.string == "idle timeout" }, true)
            let moved = try await control.post("clock", #"{"advance":"10m"}"#)
            expectEqual(moved["nanoseconds"]?.integer, before + 600_000_000_000)
            let ran = moved["ran"]?.array?.compactMap(\.string) ?? []
            #expect(ran.contains("idle timeout in session \(session.id.prefix(8))"))
            #expect(try await talk.event("SESSION_END").payload["reason"] != nil)
            try await expectEqual(control.get("sessions/last")["endReason"]?.string, "abandoned")
        }
    }

    @Test("Until quiet plays a reply to its end and stops before the idle timeout; next runs one timer")
    func untilIdle() async throws {
        try await World.run {
            $0.fixtureText = fixture("", pace: #"{ think: "2s", every: "100ms" }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let session = try await world.client.session(streaming: true)
            let talk = try await world.client.connect(session)
            talk.join()
            try await talk.settle()
            let next = try await control.post("clock", #"{"next":true}"#)
            expectEqual(next.count("ran"), 1)
            let quiet = try await control.post("clock", #"{"untilIdle":true,"limit":"5m"}"#)
            expectEqual(quiet["idle"]?.bool, true)
            #expect(try await talk.event("POLY_AGENT_MESSAGE_CHUNK").payload["is_complete"] != nil)
            try await expectEqual(control.get("sessions/last")["state"]?.string, "open")
            talk.say("Hello")
            try await talk.settle()
            let short = try await control.post("clock", #"{"untilIdle":true,"limit":"1s"}"#)
            expectEqual(short["idle"]?.bool, false)
        }
    }

    @Test("One timer runs alone; the others stay, and keep their ids while they are pending")
    func fire() async throws {
        try await World.run {
            $0.fixtureText = fixture(
                #"{ hears: ["book"], replies: [ { say: "Booked." }, { wait: "1s" }, { say: "Bye." } ] }"#,
                pace: #"{ think: "5s", every: "0ms" }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            func timer(_ name: String) async throws -> JSONValue? {
                let timers = try await control.get("timers")["timers"]?.array ?? []
                return timers.first { $0["name"]?.string?.hasPrefix(name) == true }
            }
            func id(_ name: String) async throws -> String {
                try #require(try await timer(name)?["id"]?.string)
            }
            talk.say("book")
            try await talk.event("USER_MESSAGE")
            let idle = try await id("idle timeout")
            let thinking = try await id("thinking before reply 2")
            let detail = try await control.get("sessions/last")["timers"]?.array ?? []
            let listed = detail.compactMap { $0["id"]?.string }
            #expect(listed.contains(idle) && listed.contains(thinking))
            let before = world.clock.now
            let fired = try await control.post("timers/\(thinking)/fire", #"{"by":"Marta"}"#)
            let row = try await control.get("wire?filter=kind:clock")["rows", 0]
            #expect(row?["type"]?.string == "fire thinking before reply 2")
            #expect(row?["by"]?.string == "Marta" && row?["session"]?.string == session.id)
            expectEqual(fired["ran", 0]?.string, "thinking before reply 2 in session \(session.id.prefix(8))")
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Booked.")
            expectEqual(world.clock.now, before)
            try await expectEqual(id("idle timeout"), idle)
            let gone = try await control.post("timers/\(thinking)/fire")
            #expect(gone.status == 404 && gone.message.contains("GET /_mock/timers"))
            try await expectEqual(control.post("timers/\(try await id("pause"))/fire").status, 200)
            _ = try await control.post("timers/\(try await id("thinking"))/fire")
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Bye.")
            _ = try await control.post("timers/\(idle)/fire")
            try await talk.event("SESSION_END")
        }
    }

    @Test("Of two steps at one frozen moment each is a timer of its own: fired twice, the first runs once")
    func twins() async throws {
        try await World.run {
            $0.fixtureText = fixture(
                #"{ hears: ["book"], replies: [ { wait: "1s" }, { wait: "1s" }, { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            func pause() async throws -> (id: String, due: String) {
                let timers = try await control.get("timers")["timers"]?.array ?? []
                let found = timers.first { $0["name"]?.string == "pause" }
                return (try #require(found?["id"]?.string), try #require(found?["due"]?.string))
            }
            talk.say("book")
            try await talk.event("USER_MESSAGE")
            let first = try await pause()
            // What else happens in the session leaves the timer what it is.
            talk.send("HEARTBEAT")
            try await talk.event("HEARTBEAT")
            #expect(try await pause() == first)
            try await expectEqual(control.post("timers/\(first.id)/fire").status, 200)
            let second = try await pause()
            #expect(second.due == first.due && second.id != first.id)
            try await expectEqual(control.post("timers/\(first.id)/fire").status, 404)
            try await expectEqual(control.delete("timers/\(first.id)").status, 404)
            #expect(talk.rest().allSatisfy { $0.type != "POLY_AGENT_MESSAGE" })
            try await expectEqual(control.post("timers/\(second.id)/fire").status, 200)
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Booked.")
        }
    }

    @Test("A timer is taken away with what it would have done; what follows from the past stays")
    func cancel() async throws {
        try await World.run {
            $0.fixtureText = fixture(
                #"{ hears: ["book"], replies: [ { say: "Booked." }, { say: "Bye." } ] }"#,
                pace: #"{ think: "5s", every: "0ms" }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            func id(_ name: String) async throws -> String {
                let timers = try await control.get("timers")["timers"]?.array ?? []
                let found = timers.first { $0["name"]?.string?.contains(name) == true }
                return try #require(found?["id"]?.string)
            }
            talk.say("book")
            try await talk.event("USER_MESSAGE")
            let path = "timers/\(try await id("thinking"))"
            try await expectEqual(control.delete(path)["removed"]?.integer, 1)
            try await expectEqual(control.delete(path).status, 404)
            await world.pass(.seconds(30))
            try await talk.settle()
            #expect(!talk.rest().contains { $0.type == "POLY_AGENT_MESSAGE" })
            let idle = try await control.delete("timers/\(try await id("idle timeout"))")
            #expect(idle.status == 409 && idle.message.contains("follows from what has happened"))
            talk.say("book")
            try await expectEqual(world.reply(talk).last?.text, "Booked.")
        }
    }

    @Test("The server's own clock freezes, scales and runs on; a test's clock keeps its mode")
    func modes() async throws {
        try await World.run {
            $0.clock = nil
        } _: { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.get("clock")["mode"]?.string, "real")
            let frozen = try await control.post("clock", #"{"mode":"frozen"}"#)
            expectEqual(frozen["mode"]?.string, "frozen")
            try await expectEqual(control.get("clock")["nanoseconds"], frozen["nanoseconds"])
            let scaled = try await control.post("clock", #"{"mode":"scaled","scale":10}"#)
            expectEqual(scaled["scale"]?.integer, 10)
            try await expectEqual(control.post("reset", #"{"clock":true}"#).status, 200)
            try await expectEqual(control.get("clock")["mode"]?.string, "real")
        }
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.post("clock", #"{"mode":"real"}"#).status, 409)
        }
    }

    @Test(
        "An order that is none, or two at once, is refused",
        arguments: [
            #"{}"#, #"{"mode":"frozen","advance":"1s"}"#, #"{"advance":"soon"}"#, #"{"advance":60}"#,
            #"{"mode":"scaled","scale":0}"#, #"{"mode":"scaled"}"#, #"{"mode":"slow"}"#, #"{"next":false}"#,
            #"{"advance":"1s","scale":2}"#, #"{"advance":"999999h"}"#, #"{"advance":"1s","limit":"1s"}"#,
        ] as [String])
    func refusals(_ body: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let before = try await control.get("clock")["nanoseconds"]
            let refused = try await control.post("clock", body)
            expectEqual(refused.status, 400)
            #expect(!refused.message.isEmpty)
            try await expectEqual(control.get("clock")["nanoseconds"], before)
        }
    }
}

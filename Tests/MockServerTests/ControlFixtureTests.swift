import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Fixtures over HTTP", .timeLimit(.minutes(5)))
struct ControlFixtureTests {
    private static func shelf(_ name: String, _ text: String) -> String {
        String(
            decoding: JSONWriter.bytes(.object(["name": .string(name), "text": .string(text)])),
            as: UTF8.self)
    }

    @Test("Fixtures are listed, the default one marked; a message is tried on one")
    func list() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let list = try #require(try await control.get("fixtures")["fixtures"]?.array)
            let standard = list.filter { $0["default"]?.bool == true }
            expectEqual(standard.compactMap { $0["name"]?.string }, ["webchat"])
            #expect(list.contains { $0["name"]?.string == "booking" && $0["title"]?.string != nil })
            let heard = try await control.post(
                "fixtures/try", #"{"fixture":"booking","message":"I want to book a table"}"#)
            expectEqual(heard["heard"]?.bool, true)
            expectEqual(heard["rule", "file"]?.string, "booking.json5")
            let unmatched = try await control.post(
                "fixtures/try", #"{"fixture":"booking","message":"xyzzy"}"#)
            expectEqual(unmatched["heard"]?.bool, false)
            expectEqual(unmatched["report"]?.string?.contains("xyzzy"), true)
            let missing = try await control.post("fixtures/try", #"{"fixture":"bokking","message":"x"}"#)
            expectEqual(missing.status, 404)
            #expect(missing.message.contains("booking"))
            try await expectEqual(control.post("fixtures/try", #"{"fixture":"booking"}"#).status, 400)
            let stage = #"{"fixture":"booking","message":"x","stage":"nowhere"}"#
            try await expectEqual(control.post("fixtures/try", stage).status, 400)
        }
    }

    @Test("A trial says why one rule does not answer: its stage, a letter, another rule before it")
    func whyNot() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            func asked(_ message: String, _ rule: String) async throws -> ControlClient.Reply {
                try await control.post(
                    "fixtures/try",
                    #"{"fixture":"booking","message":"\#(message)","rule":"\#(rule)"}"#)
            }
            let spelling = try await asked("a tabel", "book")
            expectEqual(spelling["asked", "reason"]?.string, "spelling")
            expectEqual(spelling["asked"], spelling["nearest", 0])
            expectEqual(spelling["asked", "where"]?.string, "stage start")
            let line = spelling["asked", "line"]?.integer ?? 0
            try await expectEqual(asked("a tabel", "\(line)")["asked"], spelling["asked"])
            let stage = try await asked("four of us", "people-given")
            expectEqual(stage["asked", "reason"]?.string, "blocked")
            expectEqual(stage["asked", "stage"]?.string, "people")
            let earlier = try await asked("a table at opening hours", "hours")
            expectEqual(earlier["rule", "name"]?.string, "book")
            expectEqual(earlier["asked", "earlier"]?.string, "book")
            expectEqual(earlier["asked", "why"]?.string, #"would fit, but "book" is asked first"#)
            try await expectEqual(asked("a table", "book")["asked"], nil)
            let unknown = try await asked("a table", "boook")
            #expect(unknown.status == 400 && unknown.message.contains(#"did you mean "book"?"#))
        }
    }

    @Test("A trial begins where a session stands, or with what is known; the session hears nothing of it")
    func standing() async throws {
        try await World.run {
            $0.fixture = "booking"
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.say("a table please")
            try await world.reply(talk)
            func tried(_ more: String) async throws -> ControlClient.Reply {
                try await control.post("fixtures/try", #"{"message":"four of us",\#(more)}"#)
            }
            let heard = try await tried(#""session":"last""#)
            expectEqual(heard["rule", "name"]?.string, "people-given")
            #expect(heard["stage"]?.string == "people" && heard["stageAfter"]?.string == "when")
            expectEqual(heard["said", 0]?.string?.contains("For 4."), true)
            let detail = try await control.get("sessions/" + session.id)
            #expect(detail["stage"]?.string == "people" && detail["userMessages"]?.integer == 1)
            try await expectEqual(tried(#""session":"last","stage":"when""#).status, 400)
            try await expectEqual(tried(#""fixture":"booking","session":"last""#).status, 400)
            try await expectEqual(tried(#""session":"nobody""#).status, 404)
            let known = try await control.post(
                "fixtures/try",
                #"{"message":"yes","stage":"confirm","memory":{"people":"six","day":"Friday","time":"20:00"}}"#
            )
            expectEqual(known["said", 0]?.string?.contains("6 people"), true)
            #expect(try await tried(#""memory":{"peeple":"4"}"#).message.contains(#"did you mean "people"?"#))
            try await expectEqual(tried(#""memory":{"people":4}"#).status, 400)
            _ = try await control.post("sessions/last/end")
            #expect(try await tried(#""session":"last""#).message.contains("has ended"))
        }
    }

    @Test("A fixture given as text is played, replaced by a good one only, and gone after a reset")
    func shelve() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let shelved = try await control.post("fixtures", Self.shelf("mine", fixture("")))
            expectEqual(shelved["scenario"]?.string, "mock:mine")
            // The user's own come first.
            #expect(try await control.get("fixtures")["fixtures"]?.array?.first?["name"]?.string == "mine")
            func greeting() async throws -> String? {
                let token = try await world.client.token(connector: "mock:mine")
                let talk = try await world.client.connect(try await world.client.session(token: token))
                talk.join()
                return try await world.reply(talk).last?.text
            }
            try await expectEqual(greeting(), "Welcome.")
            let bad = try await control.post("fixtures", Self.shelf("mine", "{ fixture: 1, greting: [] }"))
            expectEqual(bad.status, 422)
            #expect(bad.count("findings") > 0)
            try await expectEqual(greeting(), "Welcome.")
            let other = fixture("").replacing("Welcome.", with: "Hello again.")
            try await expectEqual(control.post("fixtures", Self.shelf("mine", other)).status, 200)
            try await expectEqual(greeting(), "Hello again.")
            try await expectEqual(control.post("fixtures", Self.shelf("a b", fixture(""))).status, 400)
            _ = try await control.post("reset", #"{"fixtures":true}"#)
            let token = try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": "mock:mine", "X-Host": "a"], body: "{}")
            #expect(token.status != 200)
        }
    }

    @Test("The default fixture can be replaced by text, and is back after a reset")
    func standard() async throws {
        try await World.run {
            $0.fixture = "hello"
        } _: { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.post("fixtures", Self.shelf("hello", fixture(""))).status, 200)
            let (_, talk) = try await world.greeted()
            expectEqual(talk.events.last?.text, "Welcome.")
            _ = try await control.post("reset")
            let (_, next) = try await world.greeted()
            #expect(next.events.last?.text != "Welcome.")
        }
    }

    @Test("Reloading tells what changed: nothing, when nothing did")
    func reload() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.post("fixtures/reload")["news"], .array([]))
            try await expectEqual(control.post("fixtures/reload", #"{"now":true}"#).status, 400)
        }
    }
}

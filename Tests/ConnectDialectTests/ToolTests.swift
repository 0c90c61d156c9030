import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What tools show of contacts", .timeLimit(.minutes(5)))
struct ToolTests {
    private static func export(_ guest: Guest) async throws -> [String] {
        let answer = try await guest.desk.ask(
            "GET", "/_mock/export?format=transcript&session=\(guest.contact)")
        return answer.text.split(separator: "\n").map { String($0.dropFirst("00:00.000  ".count)) }
    }

    @Test("The journal tells in the server's words who said what")
    func journal() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            try await guest.say("tea")
            await desk.pass(.seconds(1))
            let journal = try await desk.ask("GET", "/_mock/sessions/\(guest.contact)/journal")
            let entries = try #require(journal["entries"]?.array)
            #expect(entries.first?["kind"]?.string == "sessionStarted")
            let said = entries.compactMap { entry in
                entry["text"]?.string.map { "\(entry["speaker"]?.string ?? "-"): \($0)" }
            }
            expectEqual(said, ["agent: Welcome.", "user: tea", "agent: Which kind?"])
            #expect(entries.allSatisfy { $0["event"]?["Id"] == $0["id"] })
        }
    }

    @Test("The content of a journal's event is what was said, and for an event of a fixture's own its type")
    func contents() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            let pushed = try await desk.ask(
                "POST", "/_mock/sessions/\(guest.contact)/events",
                ["as": .string("raw"), "type": .string("EVENT_TYPE_NEW")],
                ["Content-Type": "application/json"])
            expectEqual(pushed.status, 200, "\(pushed.text)")
            let journal = try await desk.ask("GET", "/_mock/sessions/\(guest.contact)/journal")
            let entries = try #require(journal["entries"]?.array)
            let contents = entries.compactMap { $0["event"]?["Content"]?.string }
            expectEqual(contents, ["Welcome.", "EVENT_TYPE_NEW"])
        }
    }

    @Test("A session whose clients are told its entries has them, and no words besides")
    func otherJournal() async throws {
        try await Desk.run { desk in
            let token = try await desk.ask(
                "POST", "/api/v1/access-token", nil, ["X-Token": "t", "X-Host": "a.example"])
            let bearer = try #require(token["access_token"]?.string)
            let opened = try await desk.ask(
                "POST", "/api/v1/sessions", [:], ["Authorization": "Bearer \(bearer)"])
            let id = try #require(opened["session_id"]?.string)
            let journal = try await desk.ask("GET", "/_mock/sessions/\(id)/journal")
            let first = try #require(journal["entries"]?.array?.first?.object)
            expectEqual(first.members.map(\.name), ["sequence", "id", "time", "author", "event"])
        }
    }

    @Test("The transcript of rows has each message once: words, titles, files")
    func transcript() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start(["SupportedMessagingContentTypes": Desk.rich])
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            _ = try await guest.open()
            try await guest.say("tea")
            await desk.pass(.seconds(1))
            try await desk.act(guest.contact, "join", ["name": .string("Maria"), "id": .string("m")])
            try await desk.act(guest.contact, "send", ["text": .string("Hello,\nMaria here")])
            await desk.pass(.seconds(1))
            _ = try await guest.transcript()
            try await expectEqual(
                Self.export(guest),
                [
                    "agent BOT: Welcome.", "user: tea", "agent BOT: Which kind?",
                    "live agent Maria: Hello, Maria here",
                ])
        }
    }

    @Test("Pieces of a reply are one message; what was never told again is unconfirmed")
    func pieces() async throws {
        let slow = Desk.fixture("", pace: #"{ think: "0ms", every: "1s", chunk: "1 word" }"#)
        try await Desk.run(slow) { desk in
            let mode: JSONValue = .object(["ResponseMode": .string("INCREMENTAL")])
            let guest = try await desk.start(["ParticipantConfiguration": mode])
            _ = try await guest.open()
            await desk.pass(.seconds(10))
            try await guest.say("one two three")
            await desk.pass(.seconds(2))
            let partial = try await Self.export(guest)
            expectEqual(partial.last?.hasPrefix("agent BOT (partial): You"), true, "\(partial)")
            await desk.pass(.seconds(10))
            try await expectEqual(
                Self.export(guest),
                [
                    "agent BOT: Welcome.", "user: one two three", "agent BOT: You said one two three.",
                ])
            _ = try await guest.ask("disconnect")
            try await expectEqual(guest.say("late").status, 403)
            try await expectEqual(Self.export(guest).last, "user (unconfirmed): late")
        }
    }

    @Test("Who asks for the transcript alone has one, too")
    func requestsAlone() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            try await guest.say("hello")
            await desk.pass(.seconds(1))
            _ = try await guest.transcript()
            let said = try await Self.export(guest)
            expectEqual(Set(said), ["agent BOT: Welcome.", "user: hello", "agent BOT: You said hello."])
            expectEqual(said.count, 3)
        }
    }

    @Test(
        "The protocol rules of contacts are listed after those of the Messaging API, with statements and counts"
    )
    func protocolRules() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            try await guest.say("too early")
            let protocolRules = try #require(
                try await desk.ask("GET", "/_mock/violations")["protocolRules"]?.array)
            let own = protocolRules.filter { $0["id"]?.string?.hasPrefix("connect-") == true && isOwn($0) }
            #expect(own.count == 5 && protocolRules.count > 20)
            #expect(protocolRules.allSatisfy { $0["statement"]?.string?.isEmpty == false })
            expectEqual(own.map { $0["violations"]?.integer ?? -1 }, [1, 0, 0, 0, 0])
        }
    }

    private func isOwn(_ protocolRule: JSONValue) -> Bool {
        protocolRule["source"]?.string?.hasPrefix("protocol-connect.md#") == true
    }

    @Test("What a socket asks for at once is answered in order, and the right answer is hit")
    func orderOfAnswers() async throws {
        try await Desk.run(Desk.usual, { $0.connections.firstFrameDelay = .milliseconds(50) }) { desk in
            let guest = try await desk.start()
            let fault: JSONObject = [
                "at": .string("heartbeat 2"), "do": .object(["lose": .string("event")]),
            ]
            let armed = try await desk.ask(
                "POST", "/_mock/faults", fault, ["Content-Type": "application/json"])
            #expect(armed.status == 200 || armed.status == 201, "\(armed.text)")
            let ear = try await guest.open()
            for topic in ["aws/heartbeat", "aws/other", "aws/ping", "aws/other", "aws/heartbeat"] {
                ear.send("{\"topic\":\"\(topic)\"}")
            }
            await desk.pass(.milliseconds(100))
            try await ear.beats(2)
            expectEqual(
                ear.topics, ["aws/subscribe", "aws/heartbeat", "Forbidden", "Forbidden", "aws/heartbeat"])
        }
    }
}

extension Ear {
    /// Waits for so many heartbeats.
    fileprivate func beats(_ count: Int) async throws {
        let beat = Line.Item.text(Array(#"{"topic":"aws/heartbeat"}"#.utf8))
        _ = try await line.items.wait(for: "heartbeats") { items in
            items.count { $0 == beat } >= count ? true : nil
        }
    }

    /// Of all frames that are no items.
    fileprivate var topics: [String] {
        frames.compactMap { ($0["topic"] ?? $0["message"])?.string }.filter { $0 != "aws/chat" }
    }
}

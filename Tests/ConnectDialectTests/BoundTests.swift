import Clocks
import Expectations
import MockServer
import TestSupport
import Testing
import Texts

@testable import ConnectDialect

@Suite("Bounds of what requests say", .timeLimit(.minutes(5)))
struct BoundTests {
    @Test("An empty message is refused with the bound that messages have")
    func emptyMessage() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let refused = try await guest.say("")
            expectEqual(refused.failure, "400 ValidationException")
            expectEqual(refused["message"]?.string, "Content has 0 characters; it takes 1 to 16384")
            try await expectEqual(guest.say(String(repeating: "x", count: 16_384)).status, 200)
        }
    }

    @Test("The address of a sign-in has at most 2083 characters; what would make it longer is refused")
    func signIn() async throws {
        let rule = """
            { name: "sign-in", hears: "sign in", replies: [ { emit: {
              type: "application/vnd.amazonaws.connect.event.authentication.initiated" } } ] },
            """
        try await Desk.run(Desk.fixture(rule)) { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await guest.say("sign in")
            let begun = try await ear.items(through: "authentication.initiated").last
            let content = try JSONReader.read(Array((begun?["Content"]?.string ?? "").utf8))
            let session = try #require(content["SessionId"])
            func ask(_ redirect: String) async throws -> Line.Answer {
                try await guest.ask(
                    "authentication-url", ["SessionId": session, "RedirectUri": .string(redirect)])
            }
            let plain = try await ask(String(repeating: "x", count: 1_024))
            #expect(plain["AuthenticationUrl"]?.string?.count ?? 0 > 1_024)
            let long = String(repeating: "ü", count: 1_024)
            try await expectEqual(ask(long).failure, "400 ValidationException")
        }
    }

    @Test("A first message is bounded in bytes and by the types of the contact, as others are")
    func initialMessage() async throws {
        let response = "application/vnd.amazonaws.connect.message.interactive.response"
        try await Desk.run { desk in
            func start(_ text: String, _ type: String, _ change: JSONObject = [:]) async throws -> String {
                var body: JSONObject = [
                    "InitialMessage": .object(["ContentType": .string(type), "Content": .string(text)])
                ]
                body.members += change.members
                return try await desk.ask("PUT", "/contact/chat", Desk.start(body)).failure
            }
            let refused = "400 InvalidParameterException"
            let longest = try await start(String(repeating: "x", count: 16_384), "text/plain")
            expectEqual(longest, "200 -")
            try await expectEqual(start(String(repeating: "€", count: 16_384), "text/plain"), refused)
            try await expectEqual(start("**x**", "text/markdown"), refused)
            try await expectEqual(start("{}", response), refused)
            let rich: JSONObject = ["SupportedMessagingContentTypes": Desk.rich]
            try await expectEqual(start("{}", response, rich), "200 -")
        }
    }

    /// Members that a contact keeps, or that its requests name: one character more than fits, and as many as fit.
    private static let starts: [(String, Int, @Sendable (String) -> JSONObject)] = [
        ("InstanceId", 100, { ["InstanceId": .string($0)] }),
        ("DisplayName", 256, { ["ParticipantDetails": .object(["DisplayName": .string($0)])] }),
        ("ClientToken", 500, { ["ClientToken": .string($0)] }),
        ("RelatedContactId", 256, { ["RelatedContactId": .string($0)] }),
        ("CustomerId", 128, { ["CustomerId": .string($0)] }),
        (
            "a segment's name", 128,
            { ["SegmentAttributes": .object([$0: .object(["ValueString": .string("v")])])] }
        ),
        (
            "a segment's value", 1_024,
            { ["SegmentAttributes": .object(["n": .object(["ValueString": .string($0)])])] }
        ),
        ("an attribute", 32_767, { ["Attributes": .object(["a": .string($0)])] }),
        (
            "a stream's target", 350,
            { ["ChatStreamingConfiguration": .object(["StreamingEndpointArn": .string($0)])] }
        ),
    ]

    @Test("Each member of a start has the bound of the service", arguments: starts.indices)
    func members(index: Int) async throws {
        let (name, bound, change) = Self.starts[index]
        try await Desk.run { desk in
            func start(_ count: Int) async throws -> String {
                let change = change(String(repeating: "x", count: count))
                var body = Desk.start()
                body.members.removeAll { member in change.members.contains { $0.name == member.name } }
                body.members += change.members
                return try await desk.ask("PUT", "/contact/chat", body).failure
            }
            let (kept, refused) = (try await start(bound), try await start(bound + 1))
            expectEqual(kept, "200 -", "\(name)")
            expectEqual(refused, "400 InvalidParameterException", "\(name)")
        }
    }

    @Test("Segment attributes are bounded in all, as attributes are")
    func segments() async throws {
        try await Desk.run { desk in
            let value = JSONValue.object(["ValueString": .string(String(repeating: "v", count: 1_000))])
            let many = JSONObject((0..<40).map { JSONObject.Member("n\($0)", value) })
            let refused = try await desk.ask(
                "PUT", "/contact/chat", Desk.start(["SegmentAttributes": .object(many)]))
            expectEqual(refused.failure, "400 InvalidParameterException")
            expectEqual(refused["message"]?.string?.contains("32768"), true)
            let odd = try await desk.ask(
                "PUT", "/contact/chat", Desk.start(["SegmentAttributes": .object(["n": .string("v")])]))
            expectEqual(odd.failure, "400 InvalidRequestException")
        }
    }

    @Test("Names in a path have the bounds of those in bodies")
    func paths() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let long = String(repeating: "x", count: 257)
            for path in ["i/\(long)", "\(long)/\(guest.contact)"] {
                let answer = try await desk.ask("GET", "/contacts/" + path)
                expectEqual(answer.failure, "400 InvalidParameterException", "\(path)")
            }
            try await expectEqual(desk.ask("GET", "/contacts/i/\(guest.contact)").status, 200)
        }
    }

    @Test("A start that is refused opens no session")
    func refusedStart() async throws {
        try await Desk.run { desk in
            let body = Desk.start(["ChatStreamingConfiguration": .string("none")])
            let refused = try await desk.ask("PUT", "/contact/chat", body)
            expectEqual(refused.failure, "400 InvalidRequestException")
            let sessions = try await desk.ask("GET", "/_mock/sessions")
            expectEqual(sessions["sessions"]?.array?.isEmpty, true, "\(sessions.text)")
        }
    }

    /// Calls at once and per second, as the service documents them.
    private static let documentedRates: [(path: String, burst: Int, perSecond: Int)] = [
        ("participant/connection", 9, 6), ("participant/message", 15, 10), ("participant/event", 15, 10),
        ("participant/transcript", 12, 8), ("participant/attachment", 12, 8),
        ("participant/start-attachment-upload", 5, 2), ("participant/complete-attachment-upload", 5, 2),
        ("participant/disconnect", 5, 3), ("contact/chat", 8, 5),
    ]

    @Test(
        "Each operation is refused above its rate, where rates are enforced",
        arguments: documentedRates.indices)
    func rates(index: Int) async throws {
        let (path, burst, perSecond) = Self.documentedRates[index]
        try await Desk.run(Desk.usual, { $0.connect.enforcesRates = true }) { desk in
            let guest = try await desk.start()
            // A second later nothing is left of what the start took.
            await desk.pass(.seconds(1))
            func taken() async throws -> Int {
                for count in 0...burst {
                    let answer =
                        path == "contact/chat"
                        ? try await desk.ask("PUT", "/" + path, [:])
                        : try await desk.ask(
                            "POST", "/" + path, [:],
                            bearer: path == "participant/connection" ? guest.token : guest.bearer)
                    guard answer.status != 429 else {
                        let type = path == "contact/chat" ? "TooManyRequests" : "ThrottlingException"
                        expectEqual(answer.failure, "429 " + type)
                        return count
                    }
                }
                return burst + 1
            }
            try await expectEqual(taken(), burst)
            await desk.pass(.seconds(1))
            try await expectEqual(taken(), perSecond)
        }
    }

    @Test("A transcript reaches back over a hundred contacts", arguments: [99, 100, 101] as [Int])
    func reach(contacts: Int) {
        let items = (0..<contacts).flatMap { contact in
            (0..<2).map { number in
                Item(
                    id: UniqueID(high: UInt64(contact), low: UInt64(number)),
                    time: Instant(secondsSince1970: 0), content: .message(.plain, ""), sender: nil,
                    contact: "c\(contact)", source: "")
            }
        }
        let kept = Contact.Continued.latest(items)
        #expect(kept.count == min(contacts, 100) * 2 && kept.first?.contact == (contacts > 100 ? "c1" : "c0"))
    }

    @Test("The name of a file is left out of a header field that it would make longer than 256 characters")
    func disposition() {
        let start = "inline; filename=\""
        for count in [256, 257] {
            let name = String(repeating: "x", count: count - start.count - 1)
            let field = ConnectDialect.disposition("inline", name)
            expectEqual(field, count == 256 ? start + name + "\"" : "inline")
        }
    }

    @Test(
        "A name with a quote, a backslash or another sign than ASCII's has the extended form of the field",
        arguments: ["a\"b.txt", "a\\b.txt", "ä.txt", "a\u{7F}.txt"] as [String])
    func extendedName(name: String) {
        #expect(ConnectDialect.disposition("inline", name).hasPrefix("inline; filename*=UTF-8''"))
        expectEqual(ConnectDialect.disposition("inline", "a ~.txt"), "inline; filename=\"a ~.txt\"")
    }
}

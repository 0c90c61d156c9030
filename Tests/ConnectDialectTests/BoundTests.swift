import MockServer
import TestSupport
import Testing
import Texts

@Suite("Bounds of what requests say", .timeLimit(.minutes(5)))
struct BoundTests {
    @Test("An empty message is refused with the bound that messages have")
    func emptyMessage() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let refused = try await guest.say("")
            #expect(refused.failure == "400 ValidationException")
            #expect(refused["message"]?.string == "Content has 0 characters; it takes 1 to 16384")
            #expect(try await guest.say(String(repeating: "x", count: 16_384)).status == 200)
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
            #expect(try await ask(long).failure == "400 ValidationException")
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
            #expect(longest == "200 -")
            #expect(try await start(String(repeating: "€", count: 16_384), "text/plain") == refused)
            #expect(try await start("**x**", "text/markdown") == refused)
            #expect(try await start("{}", response) == refused)
            let rich: JSONObject = ["SupportedMessagingContentTypes": Desk.rich]
            #expect(try await start("{}", response, rich) == "200 -")
        }
    }

    @Test("A start that is refused opens no session")
    func refusedStart() async throws {
        try await Desk.run { desk in
            let body = Desk.start(["ChatStreamingConfiguration": .string("none")])
            let refused = try await desk.ask("PUT", "/contact/chat", body)
            #expect(refused.failure == "400 InvalidRequestException")
            let sessions = try await desk.ask("GET", "/_mock/sessions")
            #expect(sessions["sessions"]?.array?.isEmpty == true, "\(sessions.text)")
        }
    }
}

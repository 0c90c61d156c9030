import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// Ids of three protocols that are chosen to be each other's, and to be what the server once put together from words and ids.
@Suite("Names that clients choose", .timeLimit(.minutes(5)))
struct NameSpaceTests {
    private static func start(_ more: String = "") -> String {
        #"{"InstanceId":"i","ContactFlowId":"mock:quiet","ParticipantDetails":{"DisplayName":"J"}\#(more)}"#
    }

    private static func thread(_ id: String) -> String {
        let id = String(decoding: JSONWriter.bytes(.string(id)), as: UTF8.self)
        return #"{"threadId":\#(id),"runId":\#(id),"messages":[{"id":\#(id),"role":"user","content":"hi"}]}"#
    }

    /// A contact's answer to its start.
    private static func contact(_ world: World, _ more: String = "") async throws -> Line.Answer {
        let body = start(more)
        let answer = try await world.client.request(
            "PUT", "/contact/chat", ["Content-Length": "\(body.utf8.count)"], body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test("One text as session, contact, thread, run and token of five clients is five things")
    func oneText() async throws {
        try await World.run {
            $0.tokens.binding = .off
        } _: { world in
            let (session, talk) = try await world.greeted()
            let begun = try await Self.contact(world, #","ClientToken":"\#(session.id)""#)
            let contact = try #require(begun["ContactId"]?.string)
            for id in [session.id, contact] {
                let run = try await world.run("/hello", Self.thread(id))
                #expect(run.status == 200 && run.text.contains("RUN_FINISHED"))
                let rejoined = try await world.run("/hello/connect", Self.thread(id))
                #expect(rejoined.status == 200 && rejoined.text.contains("MESSAGES_SNAPSHOT"))
            }
            // Nobody ended, hid or took the others.
            #expect(!talk.isClosed)
            talk.say("still here")
            try await world.reply(talk)
            let sessions = await world.server.inspect { $0.sessions.map { ($0.id, $0.hasEnded) } }
            #expect(sessions.count == 4 && sessions.allSatisfy { !$0.1 })
            for id in [session.id, contact] {
                let shown = try await world.client.request("GET", "/_mock/sessions/\(id)")
                expectEqual(shown["id"]?.string, id)
            }
            try await expectEqual(world.client.request("GET", "/contacts/i/\(contact)").status, 200)
        }
    }

    @Test("An id of one protocol opens nothing of another")
    func strangers() async throws {
        try await World.run {
            $0.tokens.binding = .off
        } _: { world in
            let session = try await world.client.session()
            let contact = try #require(try await Self.contact(world)["ContactId"]?.string)
            _ = try await world.run("/hello", Self.thread("t"))
            let thread = try #require(
                await world.server.inspect { $0.session(named: "t")?.id })
            for id in [contact, thread, "t"] {
                let line = try await world.client.upgrade(
                    APIClient.target(APIClient.Session(id: id, token: session.token)))
                try await expectEqual(line.answer(0).status, 404, "\(id)")
                line.drop()
            }
            for id in [session.id, thread, "t"] {
                try await expectEqual(world.client.request("GET", "/contacts/i/\(id)").status, 404)
                let body = #"{"InstanceId":"i","ContactId":"\#(id)"}"#
                let stopped = try await world.client.request("POST", "/contact/stop", [:], body: body)
                expectEqual(stopped.status, 410)
            }
            #expect(await world.server.inspect { $0.sessions.allSatisfy { !$0.hasEnded } })
        }
    }

    @Test("Threads called as the server's own keys were leave contacts, their starts and their past alone")
    func composedKeys() async throws {
        try await World.run { world in
            let token = #","ClientToken":"once""#
            let begun = try await Self.contact(world, token)
            let contact = try #require(begun["ContactId"]?.string)
            for id in [
                "last of \(contact)", "start \(contact)", "start once", "once", "ag-ui ", "ag-ui mock:hello",
                "connect",
                "connect SendMessage", "poly access-token ", "last", "session 0.0", "\(contact)\u{0}", "",
            ] where !id.isEmpty {
                try await expectEqual(world.run("/hello", Self.thread(id)).status, 200, "\(id)")
            }
            try await expectEqual(Self.contact(world, token)["ContactId"]?.string, contact)
            let stop = #"{"InstanceId":"i","ContactId":"\#(contact)"}"#
            try await expectEqual(world.client.request("POST", "/contact/stop", [:], body: stop).status, 200)
            await world.pass(.seconds(1))
            let past = #"{"RehydrationType":"ENTIRE_PAST_SESSION","SourceContactId":"\#(contact)"}"#
            let next = try await Self.contact(world, #","PersistentChat":\#(past)"#)
            expectEqual(next["ContinuedFromContactId"]?.string, contact)
        }
    }

    private enum One: SessionNaming {}
    private enum Other: SessionNaming {}

    @Test("Two names are equal where both text and use are")
    func equal() {
        expectEqual(SessionName("a", as: One.self), SessionName("a", as: One.self))
        #expect(SessionName("a", as: One.self) != SessionName("a", as: Other.self))
        #expect(SessionName("a", as: One.self) != SessionName("b", as: One.self))
    }

    @Test("Buckets differ by protocol, operation and subject, whatever the three texts are put together")
    func buckets() {
        let names: [BucketName] = [
            .requests(dialect: 0, operation: "a b", subject: "c"),
            .requests(dialect: 0, operation: "a", subject: "b c"),
            .requests(dialect: 1, operation: "a b", subject: "c"),
        ]
        expectEqual(Set(names).count, names.count)
    }

    @Test("A derived key signs otherwise than its source and than one of another purpose")
    func derivedKeys() {
        let key = SigningKey(Array(0..<32))
        let signed = [key, key.derived(for: "a"), key.derived(for: "b")].map { $0.sign([1, 2, 3]) }
        expectEqual(Set(signed).count, 3)
        expectEqual(key.derived(for: "a").sign([1, 2, 3]), signed[1])
    }
}

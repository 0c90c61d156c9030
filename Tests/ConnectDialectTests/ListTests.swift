import Clocks
import ConversationEngine
import DialectKit
import Expectations
import Foundation
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@testable import ConnectDialect

/// The lists of `Tests/Data/connect`: what is asked, and what comes of it.
private enum Lists {
    static func lines(_ name: String) -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Data/connect/\(name).txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    static func cells(_ line: String) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// A contact, another one that has ended, and a file that is announced.
private struct Scene {
    let desk: Desk
    let guest: Guest
    let ended: Guest
    let file: String
    let upload: String

    init(_ desk: Desk) async throws {
        self.desk = desk
        ended = try await desk.start()
        _ = try await ended.open()
        _ = try await ended.ask("disconnect")
        guest = try await desk.start()
        try await guest.open().items(through: "SYSTEM: Welcome.")
        let answer = try await guest.ask(
            "start-attachment-upload",
            [
                "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                "AttachmentSizeInBytes": .integer(3),
            ])
        file = try #require(answer["AttachmentId"]?.string)
        let url = try #require(answer["UploadMetadata"]?["Url"]?.string)
        upload = Desk.target(of: url)
    }

    func ask(_ request: String, _ bearer: String, _ body: String) async throws -> Line.Answer {
        func filled(_ text: String) -> String {
            text.replacingOccurrences(of: "{contact}", with: guest.contact)
                .replacingOccurrences(of: "{ended}", with: ended.contact)
                .replacingOccurrences(of: "{file}", with: file)
        }
        let words = request.split(separator: " ").map(String.init)
        var headers: HeaderFields = [:]
        let tokens = [
            "participant": guest.token, "connection": guest.bearer, "ended": ended.bearer, "garbage": "x",
        ]
        if let token = tokens[bearer] { headers.append("X-Amz-Bearer", token) }
        let text = filled(body)
        if words[0] != "POST", !text.isEmpty { headers.append("Content-Length", "\(text.utf8.count)") }
        return try await desk.client.request(words[0], filled(words[1]), headers, body: text)
    }

    func send() async throws -> Line.Answer {
        try await desk.client.request("put", upload, ["Content-Length": "3"], body: "abc")
    }
}

@Suite("Operations, errors and items by their lists", .timeLimit(.minutes(5)))
struct ListTests {
    private static let views = JSONValue.object([
        "a/b==": .object([
            "Id": .string("form"), "Content": .object(["Template": .object([:])]),
        ])
    ])

    @Test("Each operation answers with the members of the list; the list has all operations")
    func operations() async throws {
        let lines = Lists.lines("operations").map(Lists.cells)
        let tried: Set<String> = [
            // These are no operations of the model, or need a step of their own: other tests ask for them.
            "UploadAttachment", "DownloadAttachment", "WebSocket", "GetAuthenticationUrl",
            "CancelParticipantAuthentication",
        ]
        let known = Set(ConnectDialect.Operation.allCases.map(\.rawValue))
        expectEqual(Set(lines.map { $0[0] }).union(tried), known)
        try await Desk.run(Desk.usual, { $0.connect.views = Self.views }) { desk in
            let scene = try await Scene(desk)
            for cells in lines {
                if cells[0] == "CompleteAttachmentUpload" {
                    try await expectEqual(scene.send().status, 200)
                }
                let answer = try await scene.ask(cells[1], cells[2], cells[3])
                expectEqual(answer.status, 200, "\(cells[0]): \(answer.text)")
                expectEqual(answer.headers["Content-Type"], "application/json")
                expectEqual(answer.headers["x-amzn-RequestId"]?.count, 36)
                let members = try #require(try JSONReader.read(answer.body).object).members.map(\.name)
                expectEqual(Set(members), Set(cells[4].split(separator: " ").map(String.init)), "\(cells[0])")
            }
        }
    }

    @Test("Each refusal has the status and the type of the list, its text twice, and no other form")
    func errors() async throws {
        let lines = Lists.lines("errors").map(Lists.cells)
        #expect(lines.count > 50)
        try await Desk.run { desk in
            let scene = try await Scene(desk)
            for cells in lines {
                let answer = try await scene.ask(cells[0], cells[1], cells[2])
                expectEqual(answer.failure, cells[3], "\(cells): \(answer.text)")
                #expect(answer.headers.fields.contains { $0.name == "x-amzn-ErrorType" })
                let message = answer["message"]?.string
                #expect(message?.isEmpty == false && message == answer["Message"]?.string)
                expectEqual(answer["__type"], nil)
            }
        }
    }

    @Test(
        "What is refused before the dialect is asked can be read by pages, and names paths of contacts alone")
    func early() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            for (bearer, failure) in [
                (guest.bearer, "413 ValidationException"), ("x", "403 AccessDeniedException"),
            ] {
                let large = try await desk.client.request(
                    "POST", "/participant/message", ["Origin": "http://a.example", "X-Amz-Bearer": bearer],
                    body: String(repeating: "x", count: (1 << 20) + 1))
                expectEqual(large.failure, failure)
                expectEqual(large.headers["Access-Control-Allow-Origin"], "*")
                expectEqual(
                    large.headers["Access-Control-Expose-Headers"],
                    "x-amzn-ErrorType, x-amzn-RequestId, ETag")
            }
            let unknown = try await desk.ask("POST", "/participant/elsewhere", [:])
            expectEqual(unknown.failure, "404 UnknownOperationException")
            #expect(unknown.text.contains("POST /participant/message") && !unknown.text.contains("/api/v1"))
        }
    }

    @Test("Customers are told each item and event of the list")
    func items() async throws {
        let listed = Set(Lists.lines("items"))
        var told: Set<String> = []
        try await Desk.run(Self.script, { $0.connect.minute = .seconds(1) }) { desk in
            told.formUnion(try await Self.handoff(desk))
            told.formUnion(try await Self.people(desk))
            told.formUnion(try await Self.signIns(desk))
        }
        expectEqual(listed.subtracting(told), [])
        let kinds = Set(
            told.compactMap { label in ContactEvent.allCases.first { label.hasPrefix($0.rawValue) } })
        expectEqual(kinds, Set(ContactEvent.allCases))
    }

    private static let script = Desk.fixture(
        """
        { name: "person", hears: "person", replies: [ { handoff: "desk" } ] },
        { name: "picture", hears: "picture", replies: [
          { say: "Look", attach: [ { image: "https://example.com/pic.png", title: "pic" } ] } ] },
        { name: "sign-in", hears: "sign in", replies: [ { emit: {
          type: "application/vnd.amazonaws.connect.event.authentication.initiated" } } ] },
        { name: "others", hears: "other events", replies: [
        """
            + ["participant.displayname.updated", "participant.active", "participant.inactive"].map {
                #"{ emit: { type: "application/vnd.amazonaws.connect.event.\#($0)" } },"#
            }.joined() + """
                  { emit: { type: "application/vnd.amazonaws.connect.event.workflow.cancelled" } } ] },
                """
            + ["succeeded", "failed", "timeout", "expired"].map { ending in
                """
                { name: "\(ending)", hears: "\(ending)", replies: [ { emit: {
                  type: "application/vnd.amazonaws.connect.event.authentication.\(ending)" } } ] },
                """
            }.joined(),
        rest: """
            handoffs: { desk: { queue: { name: "Desk", positions: [2], every: "1s" },
              liveAgent: { id: "m", name: "Maria" }, opens: [ { say: "I am Maria" } ] } },
            """)

    /// From the bot to a person of the script, and silence.
    private static func handoff(_ desk: Desk) async throws -> [String] {
        let first = try await desk.start([
            "InitialMessage": .object([
                "ContentType": .string("text/plain"), "Content": .string("first words"),
            ])
        ])
        let ear = try await first.open()
        try await first.tell("typing")
        try await first.say("picture")
        try await first.say("other events")
        let timers = ["IDLE", "DISCONNECT_NONCUSTOMER"].map { type -> JSONValue in
            .object([
                "ParticipantRole": .string("CUSTOMER"), "TimerType": .string(type),
                "TimerValue": .object(["ParticipantTimerDurationInMinutes": .integer(2)]),
            ])
        }
        let list: JSONObject = ["Chat": .object(["ParticipantTimerConfigList": .array(timers)])]
        let answer = try await desk.ask(
            "PUT", "/contact/participant-role-config/i/\(first.contact)",
            ["ChannelConfiguration": .object(list)])
        expectEqual(answer.text, "{}")
        try await first.say("person")
        await desk.pass(.milliseconds(1_500))
        try await ear.items(through: "AGENT: I am Maria")
        await desk.pass(.milliseconds(2_500))
        try await ear.items(through: "participant.idle CUSTOMER")
        try await first.say("back")
        try await ear.items(through: "participant.returned CUSTOMER")
        await desk.pass(.seconds(5))
        let labels = try await ear.items(through: "chat.ended").labels
        let end = labels.suffix(3)
        expectEqual(end, ["participant.autodisconnection CUSTOMER", "participant.left AGENT", "chat.ended"])
        return labels
    }

    /// People and a bot of the other side; a contact that goes on.
    private static func people(_ desk: Desk) async throws -> [String] {
        let guest = try await desk.start()
        let ear = try await guest.open()
        let scene = try await ear.items(through: "SYSTEM: Welcome.")
        let contact = guest.contact
        try await desk.act(contact, "join", ["name": .string("Maria")])
        try await desk.act(contact, "typing")
        try await guest.say("hello")
        await desk.pass(.seconds(2))
        try await ear.items(through: "MESSAGEMETADATA", count: 2)
        try await desk.act(contact, "join", ["name": .string("Enzo")])
        let moved = try await ear.items(through: "participant.joined AGENT", count: 2)
        #expect(moved.last?["ContactId"] != .string(contact))
        #expect(moved.last?["InitialContactId"] == .string(contact))
        try await desk.act(contact, "triggerHandoff")
        try await desk.act(contact, "fail", ["reason": .string("no")])
        try await desk.act(contact, "leave")
        let bot = try await desk.ask(
            "POST", "/contact/create-participant",
            [
                "InstanceId": .string("i"), "ContactId": .string(contact),
                "ParticipantDetails": .object([
                    "ParticipantRole": .string("CUSTOM_BOT"), "DisplayName": .string("B"),
                ]),
            ])
        let token = try #require(bot["ParticipantCredentials"]?["ParticipantToken"]?.string)
        let other = try await desk.connect(contact, token, try #require(bot["ParticipantId"]?.string))
        let otherEar = try await other.open()
        try await other.tell("typing")
        try await other.say("beep")
        try await otherEar.items(through: "CUSTOM_BOT: beep")
        try await expectEqual(other.ask("disconnect").text, "{}")
        try await ear.items(through: "participant.left CUSTOM_BOT")
        let upload = try await Self.upload(guest)
        #expect(upload)
        _ = try await guest.ask("disconnect")
        let labels = try await ear.items(through: "chat.ended").labels
        let next = try await desk.start([
            "PersistentChat": .object([
                "RehydrationType": .string("ENTIRE_PAST_SESSION"), "SourceContactId": .string(contact),
            ])
        ])
        let more = try await next.open().items(through: "SYSTEM: Welcome.").labels
        return scene.labels + labels + more
    }

    /// A sign-in of each ending; its address can be fetched for a minute.
    private static func signIns(_ desk: Desk) async throws -> [String] {
        let guest = try await desk.start()
        let ear = try await guest.open()
        var fetched: [String] = []
        for (turn, ending) in ["cancelled", "succeeded", "failed", "timeout", "expired"].enumerated() {
            try await guest.say("sign in")
            let items = try await ear.items(through: "authentication.initiated", count: turn + 1)
            let begun = try #require(items.last { $0.label == "authentication.initiated" })
            expectEqual(begun["ParticipantId"], nil)
            let content = try JSONReader.read(Array((begun["Content"]?.string ?? "").utf8))
            let session = try #require(content["SessionId"])
            expectEqual(session.string?.count, 36)
            let body: JSONObject = ["SessionId": session, "RedirectUri": .string("https://a.example/?b=c")]
            let address = try await guest.ask("authentication-url", body)
            fetched.append(try #require(address["AuthenticationUrl"]?.string))
            if ending == "cancelled" {
                let cancelled = try await guest.ask("cancel-authentication", ["SessionId": session])
                expectEqual(cancelled.text, "{}")
            } else {
                await desk.pass(ending == "expired" ? .seconds(60) : .seconds(59))
                let late = try await guest.ask("authentication-url", body).status
                expectEqual(late, ending == "expired" ? 403 : 200)
                try await guest.say(ending)
            }
            try await ear.items(through: "authentication." + ending)
            try await expectEqual(guest.ask("authentication-url", body).failure, "403 AccessDeniedException")
        }
        #expect(
            Set(fetched).count == 5
                && fetched.allSatisfy { $0.contains("https%3A%2F%2Fa.example%2F%3Fb%3Dc") })
        let kept = try await guest.transcript(["MaxResults": .integer(100)]).items.labels
        #expect(!kept.contains { $0.hasPrefix("authentication") })
        return try await ear.items(through: "authentication.expired").labels
    }

    private static func upload(_ guest: Guest) async throws -> Bool {
        let answer = try await guest.ask(
            "start-attachment-upload",
            [
                "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                "AttachmentSizeInBytes": .integer(3),
            ])
        let id = try #require(answer["AttachmentId"]?.string)
        let url = try #require(answer["UploadMetadata"]?["Url"]?.string)
        let target = Desk.target(of: url)
        let client = guest.desk.client
        try await expectEqual(client.request("PUT", target, ["Content-Length": "2"], body: "ab").status, 400)
        try await expectEqual(client.request("PUT", target, ["Content-Length": "3"], body: "abc").status, 200)
        let ids: JSONObject = ["AttachmentIds": .array([.string(id)])]
        try await expectEqual(guest.ask("complete-attachment-upload", ids).text, "{}")
        let twice = try await guest.ask("complete-attachment-upload", ids)
        expectEqual(twice.failure, "409 ConflictException")
        let link = try await guest.ask(
            "attachment", ["AttachmentId": .string(id), "UrlExpiryInSeconds": .integer(5)])
        let path = Desk.target(of: try #require(link["Url"]?.string))
        let file = try await client.request("GET", path)
        expectEqual(file.text, "abc")
        expectEqual(file.headers["Content-Disposition"], "attachment; filename=\"a.txt\"")
        await guest.desk.pass(.seconds(5))
        return try await client.request("GET", path).status == 403
    }
}

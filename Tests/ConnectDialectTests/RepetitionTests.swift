import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import ConnectDialect

/// protocol-connect.md#once-per-token
@Suite("Requests that come again", .timeLimit(.minutes(5)))
struct RepetitionTests {
    private static let token: JSONObject = ["ClientToken": .string("t")]

    private static func typing(_ token: String) -> JSONObject {
        [
            "ContentType": .string("application/vnd.amazonaws.connect.event.typing"),
            "ClientToken": .string(token),
        ]
    }

    @Test("A message, a typing sign, a bot and an association come once for one token, again for another")
    func effects() async throws {
        try await Desk.run { desk in
            let past = try await desk.start()
            _ = try await past.open()
            _ = try await past.ask("disconnect")
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            let signs = [
                try await guest.ask("event", Self.typing("a")),
                try await guest.ask("event", Self.typing("a")),
                try await guest.ask("event", Self.typing("b")),
            ].map(\.text)
            #expect(signs[0] == signs[1] && signs[1] != signs[2])
            let bots = [
                try await desk.bot(in: guest.contact, Self.token),
                try await desk.bot(in: guest.contact, Self.token),
                try await desk.bot(in: guest.contact, ["ClientToken": .string("u")]),
            ].map { $0["ParticipantId"] }
            #expect(bots[0] != nil && bots[0] == bots[1] && bots[1] != bots[2])
            for _ in 0..<2 {
                let associated = try await desk.ask(
                    "POST", "/contact/persistent-contact-association/i/\(guest.contact)",
                    [
                        "RehydrationType": .string("FROM_SEGMENT"),
                        "SourceContactId": .string(past.contact), "ClientToken": .string("t"),
                    ])
                expectEqual(associated["ContinuedFromContactId"]?.string, past.contact)
            }
            try await guest.say("bye", token: "k")
            try await guest.say("bye", token: "k")
            let items = try await ear.items(through: "SYSTEM: You said bye.").labels
            expectEqual(items.count { $0 == "typing CUSTOMER" }, 2)
            expectEqual(items.count { $0 == "chat.rehydrated" }, 1)
            expectEqual(items.count { $0 == "CUSTOMER: bye" }, 1)
        }
    }

    @Test("An empty token tells no requests apart; one that is no token is refused, also with a receipt")
    func oddTokens() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let message = try await guest.say("one", token: "")["Id"]?.string
            try await guest.say("two", token: "")
            let items = try await ear.items(through: "SYSTEM: You said two.").labels
            #expect(items.contains("CUSTOMER: one") && items.contains("CUSTOMER: two"))
            let content = #"{"messageId":"\#(message ?? "")"}"#
            for token in [JSONValue.string(String(repeating: "t", count: 501)), .integer(5)] {
                let receipt: JSONObject = [
                    "ContentType": .string("application/vnd.amazonaws.connect.event.message.read"),
                    "Content": .string(content), "ClientToken": token,
                ]
                try await expectEqual(guest.ask("event", receipt).failure, "400 ValidationException")
            }
        }
    }

    @Test("An upload survives a lost answer at each step; another token, or other bytes, are refused")
    func upload() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let (file, target) = try await guest.announce(3, Self.token)
            try await expectEqual(guest.announce(3, Self.token).id, file)
            func put(_ text: String) async throws -> Int {
                try await desk.client.request("PUT", target, ["Content-Length": "3"], body: text).status
            }
            try await expectEqual(put("abc"), 200)
            try await expectEqual(put("abc"), 200)
            try await expectEqual(put("abd"), 409)
            func complete(_ token: String) async throws -> Line.Answer {
                try await guest.ask(
                    "complete-attachment-upload",
                    ["AttachmentIds": .array([.string(file)]), "ClientToken": .string(token)])
            }
            try await expectEqual(complete("c").text, "{}")
            try await expectEqual(complete("c").text, "{}")
            try await expectEqual(complete("d").failure, "409 ConflictException")
            try await expectEqual(put("abc"), 409)
            try await guest.say("done")
            let items = try await ear.items(through: "SYSTEM: You said done.").labels
            expectEqual(items.count { $0.hasPrefix("CUSTOMER a.txt") }, 1)
        }
    }

    @Test("An upload is taken until the time of its address is over, and refused from then on")
    func lateUpload() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            _ = try await guest.open()
            let (early, late) = (try await guest.announce(3).target, try await guest.announce(3).target)
            await desk.pass(.minutes(15) - .milliseconds(1))
            let headers: HeaderFields = ["Content-Length": "3"]
            try await expectEqual(desk.client.request("PUT", early, headers, body: "abc").status, 200)
            await desk.pass(.milliseconds(1))
            let refused = try await desk.client.request("PUT", late, headers, body: "abc")
            expectEqual(refused.failure, "403 AccessDeniedException")
        }
    }

    @Test("Who has left is told no answer of before but that of the leaving")
    func left() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let bot = try await desk.guestBot(in: guest.contact)
            try await bot.say("hi", token: "k")
            try await ear.items(through: "CUSTOM_BOT: hi")
            for _ in 0..<2 { try await expectEqual(bot.ask("disconnect", Self.token).text, "{}") }
            try await expectEqual(bot.say("hi", token: "k").failure, "403 AccessDeniedException")
        }
    }

    @Test("An answer is remembered for ten minutes, whatever comes between, and no longer")
    func memory() {
        var replays = IdempotencyCache()
        let start = Instant(secondsSince1970: 1_768_469_400)
        replays.note("first", [1], at: start)
        for number in 0..<6_000 {
            replays.note("\(number)", [2], at: start + .milliseconds(100 * number))
        }
        let last = start + .minutes(10) - .milliseconds(1)
        expectEqual(replays.response(to: "first", at: last), [1])
        expectEqual(replays.response(to: "first", at: start + .minutes(10)), nil)
        replays.note("again", [3], at: start + .minutes(15))
        expectEqual(replays.count, 3_000)
        replays.note("first", [4], at: start + .minutes(15))
        expectEqual(replays.response(to: "first", at: start + .minutes(24)), [4])
    }

    @Test("However many come in ten minutes, so many are remembered")
    func bound() {
        var replays = IdempotencyCache()
        let now = Instant(secondsSince1970: 1_768_469_400)
        for number in 0..<(IdempotencyCache.most + 500) { replays.note("\(number)", [], at: now) }
        expectEqual(replays.count, IdempotencyCache.most)
        #expect(replays.response(to: "499", at: now) == nil && replays.response(to: "500", at: now) == [])
    }
}

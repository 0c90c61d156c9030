import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Contacts from start to end", .timeLimit(.minutes(5)))
struct FlowTests {
    @Test(
        "The first subscription connects the customer; a message's echo has the id that its sender was told")
    func turn() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            let answer = try await guest.say("hi")
            let items = try await ear.items(through: "SYSTEM: You said hi.")
            expectEqual(
                items.labels,
                [
                    "participant.joined CUSTOMER", "typing SYSTEM", "SYSTEM: Welcome.", "CUSTOMER: hi",
                    "typing SYSTEM", "SYSTEM: You said hi.",
                ])
            expectEqual(items[3]["Id"], answer["Id"])
            expectEqual(items[3]["AbsoluteTime"], answer["AbsoluteTime"])
            let times = items.compactMap { $0["AbsoluteTime"]?.string }
            #expect(times == times.sorted() && Set(times).count == times.count)
            expectEqual(Set(items.compactMap { $0["ContactId"]?.string }), [guest.contact])
        }
    }

    @Test("A bearer that was shown before is refused from the moment of its end on")
    func endOfBearer() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            for _ in 0..<2 { try await expectEqual(guest.say("hi").status, 200) }
            await desk.pass(.hours(24) - .milliseconds(1))
            try await expectEqual(guest.say("hi").status, 200)
            await desk.pass(.milliseconds(1))
            try await expectEqual(guest.say("hi").status, 403)
            try await expectEqual(guest.say("hi").status, 403)
        }
    }

    @Test("A bearer that was shown before is refused when a fault lets it expire")
    func revokedBearer() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await ear.items(through: "SYSTEM: Welcome.")
            let fault: JSONObject = [
                "at": .string("user message 2"), "do": .object(["expire": .string("token")]),
            ]
            let armed = try await desk.ask(
                "POST", "/_mock/faults", fault, ["Content-Type": "application/json"])
            #expect(armed.status == 200 || armed.status == 201, "\(armed.text)")
            try await expectEqual(guest.say("one").status, 200)
            try await expectEqual(guest.say("two").status, 200)
            try await expectEqual(guest.say("three").status, 403)
            await desk.pass(.milliseconds(1))
            let renewed = try await desk.connect(guest.contact, guest.token, guest.participant)
            try await expectEqual(renewed.say("four").status, 200)
            try await expectEqual(guest.say("five").status, 403)
        }
    }

    @Test("Both heartbeats are answered; an unknown topic is forbidden; half JSON is passed over")
    func heartbeats() async throws {
        try await Desk.run { desk in
            let ear = try await desk.start().open()
            for topic in ["heartbeat", "ping"] { ear.send(#"{"topic":"aws/\#(topic)"}"#) }
            ear.send("{\"topic\":")
            ear.line.sendFrame(.binary, [1])
            ear.send(#"{"topic":"aws/else"}"#)
            _ = try await ear.frame { $0["message"]?.string == "Forbidden" }
            let answers = ear.frames.filter { $0["topic"]?.string != "aws/chat" }.dropFirst()
            expectEqual(answers[1], .object(["topic": .string("aws/heartbeat")]))
            expectEqual(
                answers[2],
                .object([
                    "topic": .string("aws/ping"), "statusCode": .integer(200),
                    "statusContent": .string("OK"),
                ]))
            expectEqual(answers.count, 3)
        }
    }

    @Test(
        "A socket that gives up the chat hears it no more; one that gives up something else does",
        arguments: [
            (#","content":{"topics":["aws/chat"]}"#, false), ("", false),
            (#","content":{"topics":["other"]}"#, true),
        ] as [(String, Bool)])
    func unsubscribing(content: String, hears: Bool) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let (ear, other) = (try await guest.open(), try await guest.open())
            try await ear.items(through: "SYSTEM: Welcome.")
            ear.send(#"{"topic":"aws/unsubscribe"\#(content)}"#)
            ear.send(#"{"topic":"aws/ping"}"#)
            _ = try await ear.frame { $0["topic"]?.string == "aws/ping" }
            try await guest.say("hi")
            try await other.items(through: "SYSTEM: You said hi.")
            ear.send(#"{"topic":"aws/heartbeat"}"#)
            _ = try await ear.frame { $0["topic"]?.string == "aws/heartbeat" }
            expectEqual(Ear.items(ear.frames).labels.contains("CUSTOMER: hi"), hears)
        }
    }

    @Test("Leaving: left, ended, a close with 1000 after the grace time; then every call is refused")
    func leaving() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            try await expectEqual(guest.ask("disconnect", ["ClientToken": .string("t")]).text, "{}")
            let items = try await ear.items(through: "chat.ended")
            expectEqual(items.labels.suffix(2), ["participant.left CUSTOMER", "chat.ended"])
            try await expectEqual(guest.ask("disconnect", ["ClientToken": .string("t")]).text, "{}")
            for call in ["message", "event", "transcript", "disconnect", "attachment"] {
                try await expectEqual(guest.ask(call).failure, "403 AccessDeniedException", "\(call)")
            }
            let again = try await desk.ask(
                "POST", "/participant/connection", ["Type": Desk.both], bearer: guest.token)
            expectEqual(again.failure, "403 AccessDeniedException")
            await desk.pass(.seconds(2))
            try await expectEqual(ear.closed(), 1_000)
        }
    }

    @Test(
        "A contact ends that nobody connects to, that is stopped, or whose time is over; its script may end it"
    )
    func endings() async throws {
        try await Desk.run { desk in
            let silent = try await desk.start()
            await desk.pass(.minutes(5))
            try await expectEqual(silent.ask("transcript").failure, "403 AccessDeniedException")

            let stopped = try await desk.start()
            let ear = try await stopped.open()
            let stop: JSONObject = ["InstanceId": .string("i"), "ContactId": .string(stopped.contact)]
            try await expectEqual(desk.ask("POST", "/contact/stop", stop).text, "{}")
            let items = try await ear.items(through: "chat.ended")
            #expect(!items.labels.contains("participant.left CUSTOMER"))

            let short = try await desk.start(["ChatDurationInMinutes": .integer(60)])
            let late = try await short.open()
            await desk.pass(.minutes(60))
            try await expectEqual(late.items(through: "chat.ended").steady.last, "chat.ended")

            let scripted = try await desk.start()
            let other = try await scripted.open()
            try await scripted.say("goodbye")
            try await expectEqual(
                other.items(through: "chat.ended").steady.suffix(2),
                [
                    "SYSTEM: Bye.", "chat.ended",
                ])
        }
    }

    @Test(
        "A streamed reply with buttons is one message, whose last frame has them; by the keys, whole or with a list",
        arguments: [
            (ConnectOptions.Incremental.auto, ConnectOptions.Suggestions.inline),
            (.never, .inline),
            (.auto, .separate), (.auto, .text),
        ] as [(ConnectOptions.Incremental, ConnectOptions.Suggestions)])
    func streamedSuggestions(
        incremental: ConnectOptions.Incremental, form: ConnectOptions.Suggestions
    ) async throws {
        let change: (inout Configuration) -> Void = {
            ($0.connect.incremental, $0.connect.suggestions) = (incremental, form)
        }
        try await Desk.run(Desk.usual, change) { desk in
            let guest = try await desk.start([
                "SupportedMessagingContentTypes": Desk.rich,
                "ParticipantConfiguration": .object(["ResponseMode": .string("INCREMENTAL")]),
            ])
            let ear = try await guest.open()
            try await guest.say("tea")
            try await guest.say("hello")
            let items = try await ear.items(through: "SYSTEM: You said hello.")
            let labels = items.labels
            let start = try #require(labels.firstIndex(of: "CUSTOMER: tea"))
            let end = try #require(labels.firstIndex(of: "CUSTOMER: hello"))
            let reply = items[start..<end].filter { $0["ParticipantRole"] == .string("SYSTEM") }
                .filter { $0["Type"] == .string("MESSAGE") }
            let choices = #""elements":[{"title":"Green"},{"title":"Black"}]"#
            expectEqual(Set(reply.compactMap { $0["Id"]?.string }).count, form == .separate ? 2 : 1)
            let kinds = reply.map { item -> String in
                let isRich = item["ContentType"]?.string?.hasSuffix("interactive") == true
                let done = item["MessageMetadata"]?["MessageCompleted"]?.bool
                return (isRich ? "rich" : "text") + (done.map { $0 ? " done" : " piece" } ?? "")
            }
            switch (incremental, form) {
            case (.never, _): expectEqual(kinds, ["rich"])
            case (_, .inline): expectEqual(kinds, ["text piece", "rich done"])
            case (_, .separate): expectEqual(kinds, ["text piece", "text done", "rich"])
            case (_, .text): expectEqual(kinds, ["text piece", "text done"])
            }
            let last = try #require(reply.last?["Content"]?.string)
            #expect(form == .text ? last == "Which kind?\n- Green\n- Black" : last.contains(choices))
            if form == .inline { #expect(last.contains(#""title":"Which kind?""#)) }
            let kept = try await guest.transcript(["MaxResults": .integer(100)]).items
            expectEqual(kept.count { $0["Content"]?.string == last }, 1)
            expectEqual(kept.count { $0["Content"] == .string("Which kind?") }, form == .separate ? 1 : 0)
        }
    }

    @Test("A reply that is being streamed is in the transcript when it is complete, and not before")
    func transcriptOfStream() async throws {
        let pace = #"{ think: "0ms", chunk: "1 words", every: "1s" }"#
        try await Desk.run(Desk.fixture("", pace: pace)) { desk in
            let guest = try await desk.start([
                "ParticipantConfiguration": .object(["ResponseMode": .string("INCREMENTAL")])
            ])
            let ear = try await guest.open()
            await desk.pass(.seconds(5))
            try await guest.say("one two")
            await desk.pass(.milliseconds(500))
            _ = try await ear.frame { frame in
                Ear.items([frame]).contains { $0.label.hasPrefix("SYSTEM: You") }
            }
            let begun = try await guest.transcript().items.labels
            expectEqual(begun.first, "CUSTOMER: one two", "\(begun)")
            await desk.pass(.seconds(10))
            try await expectEqual(guest.transcript().items.labels.first, "SYSTEM: You said one two.")
        }
    }

    @Test("An agent's joining is told also where a bot of the other side has joined before")
    func agentBehindBot() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let bot = try await desk.guestBot(in: guest.contact)
            _ = try await bot.open()
            try await ear.items(through: "participant.joined CUSTOM_BOT")
            try await desk.act(guest.contact, "join", ["name": .string("Ann")])
            let items = try await guest.transcript().items
            let joined = items.first { $0.label == "participant.joined AGENT" }
            #expect(joined?["DisplayName"]?.string == "Ann", "\(items.labels)")
        }
    }

    @Test("Every socket of a participant gets each item once; the sixth closes the first")
    func sockets() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            var ears: [Ear] = []
            for _ in 0..<6 { ears.append(try await guest.open()) }
            try await expectEqual(ears[0].closed(), 1_001)
            try await guest.say("hi")
            for ear in ears.dropFirst() {
                let items = try await ear.items(through: "SYSTEM: You said hi.")
                expectEqual(items.labels.count { $0 == "CUSTOMER: hi" }, 1)
                #expect(items.labels.count { $0.hasPrefix("participant.joined") } <= 1)
            }
        }
    }

    /// protocol-connect.md#connect-first
    @Test(
        "A transcript begins with the customer, whatever comes first",
        arguments: ["file", "invitation", "bot", "agent"] as [String])
    func beginning(deed: String) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            switch deed {
            case "file":
                let (file, target) = try await guest.announce(3)
                _ = try await desk.client.request("PUT", target, ["Content-Length": "3"], body: "abc")
                let ids: JSONObject = ["AttachmentIds": .array([.string(file)])]
                try await expectEqual(guest.ask("complete-attachment-upload", ids).text, "{}")
            case "invitation": try await expectEqual(guest.tell("participant.invited").status, 200)
            case "agent":
                try await desk.act(guest.contact, "join", ["name": .string("Ann")])
                try await desk.act(guest.contact, "send", ["text": .string("Hello?")])
                try await desk.act(guest.contact, "leave")
            default:
                // One that leaves before the customer comes was never there.
                let gone = try await desk.guestBot(in: guest.contact)
                _ = try await gone.open()
                try await expectEqual(gone.ask("disconnect").text, "{}")
                let bot = try await desk.guestBot(in: guest.contact)
                _ = try await bot.open()
                try await expectEqual(guest.transcript().items, [])
            }
            let ear = try await guest.open()
            try await guest.say("hi")
            try await ear.items(through: "SYSTEM: You said hi.")
            let order: JSONObject = ["SortOrder": .string("ASCENDING"), "MaxResults": .integer(100)]
            let kept = try await guest.transcript(order).items.labels
            expectEqual(kept.first, "participant.joined CUSTOMER")
            expectEqual(kept.count { $0 == "participant.joined CUSTOMER" }, 1)
            let second = [
                "file": "CUSTOMER a.txt APPROVED", "invitation": "participant.invited CUSTOMER",
                "bot": "participant.joined CUSTOM_BOT", "agent": "participant.joined AGENT",
            ]
            expectEqual(kept.count { $0 == second[deed] }, 1)
            #expect(!kept.contains("participant.left CUSTOM_BOT"))
        }
    }

    @Test(
        "Files that were announced alone take room until their link is over, or the chat is; the refusal says it in words"
    )
    func roomForFiles() async throws {
        try await Desk.run { desk in
            let size: Int64 = 20 << 20
            var guests: [Guest] = []
            for _ in 0..<4 {
                let guest = try await desk.start()
                _ = try await guest.open()
                for _ in 0..<3 { _ = try await guest.announce(size) }
                guests.append(guest)
            }
            let body: JSONObject = [
                "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                "AttachmentSizeInBytes": .integer(size),
            ]
            let full = try await guests[0].ask("start-attachment-upload", body)
            expectEqual(full.failure, "402 ServiceQuotaExceededException")
            expectEqual(
                full["message"]?.string,
                "The server does not take the file: there is room for 67108864 bytes, and others have it"
            )
            let next = try await desk.start()
            _ = try await next.open()
            try await expectEqual(next.ask("start-attachment-upload", body).status, 402)
            _ = try await guests[0].ask("disconnect")
            for _ in 0..<3 { _ = try await next.announce(size) }
            await desk.pass(.minutes(15))
            for _ in 0..<3 { _ = try await guests[1].announce(size) }
        }
    }

    @Test("Files whose link ran out unused are not counted to those that a chat takes")
    func expiredFiles() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            _ = try await guest.open()
            var refused = 0
            for _ in 0..<2 {
                for _ in 0..<35 { _ = try await guest.announce(1) }
                let body: JSONObject = [
                    "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
                    "AttachmentSizeInBytes": .integer(1),
                ]
                let full = try await guest.ask("start-attachment-upload", body)
                expectEqual(full.failure, "402 ServiceQuotaExceededException")
                refused += full.status == 402 ? 1 : 0
                await desk.pass(.minutes(16))
            }
            expectEqual(refused, 2)
        }
    }

    @Test("Who leaves before the first connection was never there")
    func leftBefore() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let bot = try await desk.guestBot(in: guest.contact)
            let ear = try await bot.open()
            try await expectEqual(guest.ask("disconnect").text, "{}")
            let labels = try await ear.items(through: "chat.ended").labels
            #expect(!labels.contains { $0.hasSuffix("CUSTOMER") }, "\(labels)")
        }
    }

    @Test("The agent who was invited is the one who joins; after a failure another one is")
    func invitation() async throws {
        let rules = #"{ name: "person", hears: "person", replies: [ { handoff: "desk" } ] },"#
        let desk = #"handoffs: { desk: { queue: { name: "Desk", positions: [2], every: "1s" },"#
        for ending in [#"liveAgent: { id: "m", name: "Maria" },"#, #"outcome: "fails", reason: "no","#] {
            let fixture = Desk.fixture(rules, rest: desk + ending + "} },")
            try await Desk.run(fixture) { desk in
                let guest = try await desk.start()
                let ear = try await guest.open()
                try await guest.say("person")
                let invited = try await ear.items(through: "participant.invited AGENT").last {
                    $0.label == "participant.invited AGENT"
                }
                await desk.pass(.seconds(5))
                if ending.contains("fails") {
                    try await ear.items(through: "SYSTEM: no")
                    try await desk.act(guest.contact, "join", ["name": .string("Maria")])
                }
                let joined = try await ear.items(through: "participant.joined AGENT").last {
                    $0.label == "participant.joined AGENT"
                }
                #expect(joined?["DisplayName"]?.string == "Maria")
                expectEqual(
                    joined?["ParticipantId"] == invited?["ParticipantId"], !ending.contains("fails"))
            }
        }
    }

    @Test("Calls without a good bearer take nothing from the rate of those who have one")
    func rates() async throws {
        try await Desk.run(Desk.usual, { $0.connect.enforcesRates = true }) { desk in
            let guest = try await desk.start()
            for _ in 0..<20 {
                let stray = try await desk.ask("POST", "/participant/message", [:], bearer: "x")
                expectEqual(stray.failure, "403 AccessDeniedException")
            }
            for count in 1...16 {
                let said = try await guest.say("hi")
                expectEqual(said.failure, count > 15 ? "429 ThrottlingException" : "200 -")
            }
        }
    }

    @Test("A contact's attributes are bounded in all, also where they come one after another")
    func attributes() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            func update(_ name: String, _ bytes: Int) async throws -> Line.Answer {
                try await desk.ask(
                    "POST", "/contact/attributes",
                    [
                        "InstanceId": .string("i"), "InitialContactId": .string(guest.contact),
                        "Attributes": .object([name: .string(String(repeating: "x", count: bytes))]),
                    ])
            }
            try await expectEqual(update("a", 20_000).text, "{}")
            try await expectEqual(update("b", 12_767).failure, "400 InvalidParameterException")
            try await expectEqual(update("b", 12_766).text, "{}")
            try await expectEqual(update("a", 20_000).text, "{}")
            let kept = try await desk.ask("GET", "/contact/attributes/i/\(guest.contact)")
            #expect(kept["Attributes"]?["b"]?.string?.count == 12_766)
        }
    }

    /// protocol-connect.md#left-sockets
    @Test(
        "A bot that leaves is told so on its sockets, which end there; nothing of the chat comes to it afterwards"
    )
    func departure() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let ear = try await guest.open()
            let bot = try await desk.guestBot(in: guest.contact)
            let ears = [try await bot.open(), try await bot.open()]
            try await expectEqual(bot.ask("disconnect").text, "{}")
            for ear in ears {
                try await expectEqual(ear.closed(), 1_000)
                expectEqual(Ear.items(ear.frames).labels.last, "participant.left CUSTOM_BOT")
            }
            try await guest.say("secret")
            let items = try await ear.items(through: "SYSTEM: You said secret.")
            expectEqual(items.labels.count { $0 == "participant.left CUSTOM_BOT" }, 1)
            // One that never subscribed cannot do so after it left.
            let silent = try await desk.guestBot(in: guest.contact)
            let line = try await desk.client.upgrade(silent.target)
            try await expectEqual(line.answer(0).status, 101)
            try await expectEqual(silent.ask("disconnect").text, "{}")
            try await expectEqual(Ear(line: line).closed(), 1_000)
        }
    }

    @Test("A line of ContactFlowId chooses the fixture; a misspelt one names the likely spelling")
    func scenario() async throws {
        try await Desk.run { desk in
            let refused = try await desk.ask("PUT", "/contact/chat", Desk.start(flow: "mock:bookin@seed=7"))
            expectEqual(refused.failure, "400 InvalidParameterException")
            #expect(refused.text.contains("booking"))
            let guest = try await desk.start(flow: "mock:booking@seed=7@pace=instant")
            let ear = try await guest.open()
            let items = try await ear.items(through: "participant.joined CUSTOMER")
            #expect(!items.labels.contains("SYSTEM: Welcome."))
        }
    }

    @Test("Switched off, its paths are unknown in the words of the first protocol")
    func off() async throws {
        try await Desk.run(Desk.usual, { $0.connect.isOn = false }) { desk in
            let answer = try await desk.ask("PUT", "/contact/chat", Desk.start())
            expectEqual(answer.status, 404)
            expectEqual(answer.headers["x-amzn-ErrorType"], nil)
        }
    }
}

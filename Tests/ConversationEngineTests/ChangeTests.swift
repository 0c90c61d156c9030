import Clocks
import ConversationEngine
import Expectations
import Testing

/// extensions.md#who-changes
@Suite("Changes of messages")
struct ChangeTests {
    private func script() throws -> Script {
        var script = Script.plain
        script.anywhere = [
            try rule("book it", says("At seven"), .change(.edit(template("Half past {message}")))),
            try rule("forget it", says("Rude"), .change(.unsend), .change(.unsend)),
            try rule(
                "thanks", .change(.react("👍", isOn: true)), .change(.react("👍", isOn: false)),
                .change(.react("👍", isOn: false))),
            Rule(name: "heart", steps: [Step(says("Glad you like it"))]),
            Rule(name: "picture", steps: [Step(says("A picture"))]),
        ]
        script.anywhere[3].answers = .reaction("❤️")
        script.anywhere[4].answers = .file("image/*")
        return script
    }

    private func talk(_ extensions: Extensions = [.changes]) throws -> Talk {
        try Talk.joined(try script(), pace: .instant, extensions: extensions)
    }

    private func change(_ id: String, _ kind: MessageChange.Kind) -> ClientInput.Word {
        .change(MessageChange(id, kind))
    }

    /// The id of the last message of the user or of the agent.
    private func id(of author: EventSummary.Speaker, in talk: Talk) throws -> String {
        try #require(
            talk.journal.reversed().lazy.compactMap { entry -> String? in
                switch entry.event {
                case .userMessage(let id, _) where author == .user: id.text
                case .agentMessage(let message) where author == .agent: message.id
                default: nil
                }
            }.first)
    }

    /// extensions.md#event-ext-message-changed
    @Test("Steps edit, withdraw and react, where the session asked for changes")
    func steps() throws {
        var talk = try talk()
        let lines = talk.lines { talk in
            for text in ["book it", "forget it", "thanks"] { talk.ask(text) }
        }
        expectEqual(
            lines.filter { $0.contains("CHANGED") },
            [
                "7 CHANGED agent edited: Half past book it", "10 CHANGED agent withdrawn",
                "12 CHANGED agent +👍", "13 CHANGED agent -👍",
            ])
        #expect(talk.notes.contains(.ignored(reason: "no change: the message was withdrawn")))
    }

    /// extensions.md#not-asked
    @Test("Without the extension the same steps leave no event, and a client's change is an unknown event")
    func notAsked() throws {
        var talk = try talk([])
        let lines = talk.lines { talk in
            talk.ask("book it")
            talk.send(change("m", .deleted))
        }
        #expect(!lines.contains { $0.contains("CHANGED") })
        expectEqual(talk.journal.map(\.sequence), (1...UInt64(talk.journal.count)).map { $0 })
        expectEqual(lines.last, "- error unknown event")
    }

    @Test("A client edits and withdraws its own message, and reacts to any")
    func ofClient() throws {
        var talk = try talk()
        talk.ask("hello")
        let (mine, theirs) = (try id(of: .user, in: talk), try id(of: .agent, in: talk))
        let lines = talk.lines { talk in
            talk.send(change(mine, .text("Hello!")), metadata: #"{"local_id":"L"}"#)
            talk.send(change(theirs, .reaction("👍", isOn: true)))
            talk.send(change(mine, .reaction("👍", isOn: true)))
            talk.send(change(mine, .deleted))
        }
        expectEqual(
            lines,
            [
                "7 CHANGED user edited: Hello!", "8 CHANGED user +👍", "9 CHANGED user +👍",
                "10 CHANGED user withdrawn",
            ])
        #expect(talk.journal[6].metadata == #"{"local_id":"L"}"# && talk.journal[6].author == .client)
        expectEqual(talk.journal[6].event.summary.message, mine)
    }

    @Test("An operator changes messages as the user and as who answers; reactions of the user are heard")
    func ofOperator() throws {
        var talk = try talk()
        talk.ask("hello")
        let (mine, theirs) = (try id(of: .user, in: talk), try id(of: .agent, in: talk))
        let lines = talk.lines { talk in
            expectEqual(talk.act(.change(.text("At eight"))), nil)
            expectEqual(talk.act(.change(.reaction("👍", isOn: true))), nil)
            expectEqual(talk.act(.change(.reaction("❤️", isOn: true), asUser: true)), nil)
            expectEqual(talk.act(.change(.text("hello?"), of: mine, asUser: true)), nil)
            expectEqual(talk.act(.change(.reaction("👍", isOn: true))), nil)
        }
        expectEqual(
            lines.filter { $0.contains("CHANGED") },
            [
                "7 CHANGED agent edited: At eight", "8 CHANGED agent +👍", "9 CHANGED user +❤️",
                "11 CHANGED user edited: hello?",
            ])
        #expect(lines.contains { $0.contains("Glad you like it") })
        #expect(talk.journal[6].pushedBy == "Olga" && talk.journal.last?.pushedBy == "Olga")
        #expect(talk.journal.contains { $0.event.summary.text == "Glad you like it" && $0.pushedBy == nil })
        expectEqual(
            talk.act(.change(.text("mine"), of: mine)), .change("the message is not the sender's own"))
        expectEqual(talk.act(.change(.deleted, of: theirs)), nil)
        expectEqual(talk.act(.change(.deleted, of: theirs)), .change("the message was withdrawn"))
        talk.act(.join(SpeakerProfile(id: "p", name: "Marta")))
        talk.act(.send(text: "Marta here"))
        talk.act(.change(.text("Marta is here")))
        expectEqual(talk.pushedLines.last?.hasSuffix("CHANGED live-agent edited: Marta is here"), true)
        var plain = try self.talk([])
        expectEqual(plain.act(.change(.deleted)), .change("the client did not ask for changes"))
    }

    /// extensions.md#refused-changes
    @Test("What may not be changed is refused to the sender alone, with a line in the log")
    func refused() throws {
        var talk = try talk()
        talk.connect(2)
        talk.ask("hello")
        let (mine, theirs) = (try id(of: .user, in: talk), try id(of: .agent, in: talk))
        talk.send(change(mine, .deleted))
        let refused: [(ClientInput.Word, String)] = [
            (change("nobody", .deleted), "no message has this id"),
            (change(theirs, .text("I owe you")), "the message is not the sender's own"),
            (change(theirs, .deleted), "the message is not the sender's own"),
            (change(mine, .text("again")), "the message was withdrawn"),
            (
                change(theirs, .reaction("", isOn: true)),
                "a reaction has 1 to 40 bytes without spaces or control characters"
            ),
            (
                change(theirs, .reaction("a b", isOn: true)),
                "a reaction has 1 to 40 bytes without spaces or control characters"
            ),
            (
                change(theirs, .reaction("\u{1B}[2J", isOn: true)),
                "a reaction has 1 to 40 bytes without spaces or control characters"
            ),
            (
                change(theirs, .reaction("\u{202E}", isOn: true)),
                "a reaction has 1 to 40 bytes without spaces or control characters"
            ),
            (
                change(theirs, .reaction(String(repeating: "x", count: 41), isOn: true)),
                "a reaction has 1 to 40 bytes without spaces or control characters"
            ),
            (change(theirs, .file("f", .failed)), "clients do not send this change"),
        ]
        let count = talk.journal.count
        for (word, reason) in refused {
            let other = talk.wire.received[ConnectionID(2)]?.count
            talk.send(word)
            expectEqual(talk.notes.last, .ignored(reason: "change refused: " + reason))
            expectEqual(talk.wire.received[ConnectionID(1)]?.last?.line, "- error unknown event")
            expectEqual(talk.wire.received[ConnectionID(2)]?.count, other)
        }
        talk.ask("hello")
        talk.send(change(try id(of: .user, in: talk), .text(" \n")))
        expectEqual(talk.notes.last, .ignored(reason: "change refused: an edit without text"))
        expectEqual(talk.journal.count, count + 2)
    }

    /// extensions.md#refused-changes, extensions.md#vain-changes
    @Test("A message takes twenty different reactions, each once from each side")
    func reactions() throws {
        var talk = try talk()
        let theirs = try id(of: .agent, in: talk)
        let count = talk.journal.count
        for index in 1...20 { talk.send(change(theirs, .reaction("r\(index)", isOn: true))) }
        expectEqual(talk.journal.count, count + 20)
        talk.send(change(theirs, .reaction("r21", isOn: true)))
        expectEqual(
            talk.notes.last, .ignored(reason: "change refused: a message has at most 20 reactions"))
        talk.send(change(theirs, .reaction("r1", isOn: true)))
        talk.send(change(theirs, .reaction("unknown", isOn: false)))
        expectEqual(talk.notes.last, .ignored(reason: "the change changes nothing"))
        expectEqual(talk.journal.count, count + 20)
        talk.send(change(theirs, .reaction("r1", isOn: false)))
        talk.send(change(theirs, .reaction("r21", isOn: true)))
        expectEqual(talk.journal.count, count + 22)
    }

    /// extensions.md#heard-reactions
    @Test("A rule hears a reaction of the user; a reaction without a rule is not unmatched")
    func heard() throws {
        var talk = try talk()
        let theirs = try id(of: .agent, in: talk)
        let lines = talk.lines { talk in
            for text in ["👎", "❤️"] {
                talk.send(change(theirs, .reaction(text, isOn: true)))
                talk.wait(.seconds(1))
            }
            talk.send(change(theirs, .reaction("❤️", isOn: false)))
            talk.wait(.seconds(1))
        }
        expectEqual(lines.filter { $0.contains("MESSAGE") }, ["7 MESSAGE Glad you like it"])
        #expect(!talk.notes.contains { if case .unmatched = $0 { true } else { false } })
    }

    /// extensions.md#every-connection
    @Test("Changes are replayed after the client's cursor, to every connection")
    func replayed() throws {
        var talk = try talk()
        talk.ask("book it")
        talk.connect(2, cursor: 6)
        talk.wait(.seconds(1))
        expectEqual(
            talk.wire.batches[ConnectionID(2)]?.first?.map(\.line),
            [
                "1 SESSION_START", "7 CHANGED agent edited: Half past book it",
            ])
    }

    // MARK: - Receipts

    /// extensions.md#journaled-receipts, extensions.md#own-receipts
    @Test("The agent's receipts come by themselves, with sequences")
    func ownReceipts() throws {
        var talk = try talk([.receipts])
        let lines = talk.lines { $0.ask("hello") }
        expectEqual(
            lines.filter { !$0.contains("THINKING") },
            [
                "5 USER hello", "6 RECEIPT", "7 RECEIPT", "8 MESSAGE Yes",
            ])
        let mine = try id(of: .user, in: talk)
        expectEqual(
            talk.journal[5...6].map(\.event),
            [
                .receipt(.agentReceived, messageID: mine), .receipt(.agentRead, messageID: mine),
            ])
    }

    /// extensions.md#client-receipts
    @Test("A client's receipts count once, the farthest last; of unknown and own messages they are refused")
    func clientReceipts() throws {
        var talk = try talk([.receipts])
        let theirs = try id(of: .agent, in: talk)
        let lines = talk.lines { talk in
            for receipt in [Receipt.userReceived, .userReceived, .userRead, .userRead, .userReceived] {
                talk.send(.receipt(receipt, messageID: theirs))
            }
        }
        expectEqual(lines, ["5 RECEIPT", "6 RECEIPT"])
        talk.ask("hello")
        for id in ["nobody", try id(of: .user, in: talk)] {
            talk.send(.receipt(.userRead, messageID: id))
            expectEqual(talk.wire.told.last?.line, "- error unknown event")
        }
    }

    // MARK: - Files

    private static let picture = UserFile(id: "f-1", name: "cat.png", type: "image/png", byteCount: 4)

    /// extensions.md#files-of-a-message
    @Test(
        "A file is ready once its bytes and its message are there, whichever comes first; a rule hears it",
        arguments: [true, false] as [Bool])
    func files(_ bytesFirst: Bool) throws {
        var talk = try talk([.files])
        let lines = talk.lines { talk in
            if bytesFirst { talk.send(.file(Self.picture)) }
            talk.send(.say(" "), files: ["f-1"])
            if !bytesFirst { talk.send(.file(Self.picture)) }
            talk.wait(.seconds(1))
        }
        expectEqual(
            lines,
            [
                "5 USER  ", "6 CHANGED system file f-1 ready", "- THINKING", "7 MESSAGE A picture",
            ])
    }

    /// extensions.md#progress, extensions.md#refused-changes
    @Test("A percentage rises to a final state; what falls or comes after it is refused")
    func progress() throws {
        var talk = try talk([.files])
        talk.send(.say("see"), files: ["f-1", "f-2"])
        let mine = try id(of: .user, in: talk)
        talk.wait(.seconds(1))
        let lines = talk.lines { talk in
            for percent in [nil, 10, 10, 60, 9, 101, 100] as [Int?] {
                talk.send(change(mine, .file("f-1", .uploading(percent: percent))))
            }
            talk.send(change(mine, .file("f-2", .cancelled)))
            talk.send(change(mine, .file("f-2", .uploading(percent: 100))))
            talk.send(change(mine, .file("f-1", .ready)))
            talk.send(change(mine, .file("f-3", .failed)))
            talk.send(change(mine, .reaction("👍", isOn: true)))
            talk.send(.file(UserFile(id: "f-2", name: "x", type: "text/plain", byteCount: 1)))
        }
        let error = "- error unknown event"
        expectEqual(
            lines,
            [
                "7 CHANGED user file f-1 uploading 10 %", "8 CHANGED user file f-1 uploading 60 %", error,
                error, "9 CHANGED user file f-1 uploading 100 %", "10 CHANGED user file f-2 cancelled",
                error, error, error, error,
            ])
    }

    /// extensions.md#files-of-a-message
    @Test("A message with more than twenty files has none of them; files of another message are left out")
    func tooManyFiles() throws {
        var talk = try talk([.files])
        talk.send(.say("many"), files: (1...21).map { "f-\($0)" })
        #expect(talk.notes.contains(.ignored(reason: "files: a message has at most 20 files")))
        talk.send(.say("one"), files: ["f-9"])
        talk.send(.file(Self.picture))
        let lines = talk.lines { $0.send(.say("two"), files: ["f-9", "f-1", "f-1"]) }
        #expect(talk.notes.contains(.ignored(reason: "files: another message has the file")))
        #expect(lines.contains { $0.hasSuffix("CHANGED system file f-1 ready") })
    }
}

import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import SocketTransport
import TestSupport
import Testing
import Timeline
import WebSocketCore

@testable import MockServer

/// A server that speaks paper, and a room of it.
private struct Desk: Sendable {
    let world: World
    let room: String

    static func run(
        _ configure: (inout Configuration) -> Void = { _ in }, alias: String = "",
        _ body: (Desk) async throws -> Void
    ) async throws {
        try await World.run {
            $0.furtherDialects = [PaperOptions()]
            $0.fixtureText = """
                { fixture: 1, name: "Paper", agent: { name: "Ada" }, pace: "p", paces: { p: { think: "0ms", every: "0ms" } },
                  greeting: [ { say: "Welcome." } ],
                  stages: { start: [
                    { name: "tea", hears: "tea", replies: [ { say: "Which kind?", suggest: ["Green", "Black"] } ] } ] },
                  otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
                  faults: { torn: { at: "request Note 2", do: { refuse: 503, retryAfter: "7s" } } } }
                """
            configure(&$0)
        } _: { world in
            let answer = try await world.client.request(
                "POST", "/paper/rooms", ["Authorization": "Paper ink"], body: alias)
            expectEqual(answer.status, 201)
            let room = answer.text.dropFirst(5).prefix { $0 != "\n" }
            try await body(Desk(world: world, room: String(room)))
        }
    }

    func request(
        _ method: String, _ path: String, _ headers: HeaderFields = [:], body: String = ""
    ) async throws -> Line.Answer {
        try await world.client.request(method, "/paper/rooms/\(room)/\(path)", headers, body: body)
    }

    func note(_ text: String) async throws -> String {
        try await request("POST", "notes", ["Content-Type": "text/plain"], body: text).text
    }

    func line(_ words: String...) async throws -> Line {
        let line = try await world.client.upgrade("/paper/rooms/\(room)/line")
        try await expectEqual(line.answer(0).status, 101)
        for word in words { line.sendFrame(.text, Array(word.utf8)) }
        _ = try await Self.next(line, "pong") { line.sendFrame(.text, Array("ping".utf8)) }
        return line
    }

    /// The text messages so far, when `text` is among them.
    static func next(_ line: Line, _ text: String, _ act: () -> Void = {}) async throws -> [String] {
        act()
        return try await line.items.wait(for: text) { items in
            let texts = Self.texts(items)
            return texts.contains(text) ? texts : nil
        }
    }

    static func texts(_ items: [Line.Item]) -> [String] {
        items.compactMap {
            if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    /// An event stream, and what came of it so far once it holds `text`.
    func stream(_ query: String = "") async throws -> Line {
        let line = try await world.client.open()
        line.send(Line.bytes("GET", "/paper/rooms/\(room)/stream\(query)", [:]), requests: [])
        return line
    }

    @discardableResult
    static func read(_ stream: Line, _ text: String) async throws -> String {
        try await stream.pieces.wait(for: text) { pieces in
            let all = String(decoding: pieces.joined(), as: UTF8.self)
            return all.contains(text) ? all : nil
        }
    }
}

@Suite("A dialect made of paper", .timeLimit(.minutes(5)))
struct PaperDialectTests {
    @Test(
        "It words what is refused below its prefix, and nothing else does",
        arguments: [
            ("GET /paper/nowhere HTTP/1.1\r\nHost: a\r\n\r\n", 404, "notFound"),
            ("DELETE /paper/rooms HTTP/1.1\r\nHost: a\r\n\r\n", 405, "wrongMethod"),
            ("POST /paper/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413, "tooLarge"),
            (
                "GET /paper/rooms HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n",
                431, "tooLarge"
            ),
            ("GET /paper/rooms HTTP/1.1\r\nHost: a\r\nX Y: b\r\n\r\n", 400, "badRequest"),
            ("GET /paperless HTTP/1.1\r\nHost: a\r\n\r\n", -404, ""),
        ] as [(String, Int, String)])
    func wording(_ request: String, _ status: Int, _ kind: String) async throws {
        try await Desk.run { desk in
            let line = try await desk.world.client.open()
            line.send(request, requests: ["GET"])
            let answer = try await line.answer(0)
            expectEqual(answer.status, abs(status))
            expectEqual(answer.headers["Content-Type"] == "text/paper", status > 0)
            expectEqual(answer.text == "PAPER \(status) refused\n", status > 0)
            expectEqual(answer.headers["X-Paper-Error"] ?? "", kind)
            #expect(answer.headers["Access-Control-Expose-Headers"]?.contains("X-Paper") != false)
        }
    }

    @Test("It words a request that never ends, and a media type of its own")
    func late() async throws {
        try await Desk.run { desk in
            let line = try await desk.world.client.open()
            line.send(
                "POST /paper/rooms/\(desk.room)/notes HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab",
                requests: ["POST"])
            while desk.world.server.traffic().reduce(0, { $0 + Int($1.received) }) < 90 {
                await Task.yield()
            }
            await desk.world.pass(.seconds(61))
            let answer = try await line.answer(0)
            expectEqual(answer.text, "PAPER 408 refused\n")
            let other = try await desk.request("POST", "notes", ["Content-Type": "text/html"], body: "a")
            expectEqual(other.text, "PAPER 415 notes are text/plain\n")
        }
    }

    @Test("A room is opened by its own token, and has an alias")
    func rooms() async throws {
        try await Desk.run(alias: "kitchen") { desk in
            let refused = try await desk.world.client.request("POST", "/paper/rooms")
            expectEqual(refused.text, "PAPER 401 no ink\n")
            _ = try await desk.note("hello")
            let named = try await desk.world.client.request("GET", "/paper/rooms/kitchen/notes")
            #expect(named.text.contains("user: hello"))
        }
    }

    @Test("A note is said by POST, and its number and instant come back")
    func note() async throws {
        try await Desk.run { desk in
            let first = try await desk.note("hello")
            let moment = desk.world.clock.now.nanoseconds
            expectEqual(first, "NOTE 5 \(moment)\n")
            let answer = try await desk.request("GET", "notes/5")
            expectEqual(answer.text, "5 user: hello\n")
            try await expectEqual(desk.request("GET", "notes/4").text, "4 agent: Welcome.\n")
            try await expectEqual(desk.request("GET", "notes/99").text, "PAPER 404 no such note\n")
            let ids = await desk.world.server.inspect { server in
                server.sessions[0].journal.compactMap { entry -> String? in
                    if case .userMessage(let id, _) = entry.event { id.text } else { nil }
                }
            }
            #expect(ids.allSatisfy { $0.hasPrefix("note-") })
        }
    }

    @Test("Notes are read in pages, forwards and backwards")
    func pages() async throws {
        try await Desk.run { desk in
            for text in ["one", "two", "three"] { _ = try await desk.note(text) }
            func page(_ query: String) async throws -> [String] {
                try await desk.request("GET", "notes?\(query)").text.split(separator: "\n").map(String.init)
            }
            let all = try await page("")
            expectEqual(
                all.map { String($0.drop { $0 != " " }.dropFirst()) },
                [
                    "agent: Welcome.", "user: one", "agent: You said one.", "user: two",
                    "agent: You said two.",
                    "user: three", "agent: You said three.",
                ])
            try await expectEqual(page("limit=2"), Array(all[..<2]))
            let second = all[1].prefix { $0 != " " }
            try await expectEqual(page("after=\(second)&limit=2"), Array(all[2..<4]))
            try await expectEqual(page("before=\(second)&limit=5"), Array(all[..<1]))
            try await expectEqual(page("before=1000&limit=3"), Array(all[4...]))
        }
    }

    @Test(
        "Nothing is told before subscribe, ping gets a private answer, an entry becomes no message, one, or two"
    )
    func subscribing() async throws {
        try await Desk.run { desk in
            let waiting = try await desk.line()
            let quiet = try await desk.line("subscribe")
            _ = try await desk.note("tea")
            let told = try await Desk.next(quiet, "6 choices: Green|Black")
            expectEqual(told, ["pong", "5 user: tea", "6 agent: Which kind?", "6 choices: Green|Black"])
            let silent = try await Desk.next(waiting, "pong") { waiting.sendFrame(.text, Array("ping".utf8)) }
            #expect(silent.allSatisfy { $0 == "pong" })
        }
    }

    @Test("Two connections of one session are told the same entry differently")
    func differently() async throws {
        try await Desk.run { desk in
            let quiet = try await desk.line("subscribe")
            let loud = try await desk.line("subscribe loud")
            quiet.sendFrame(.text, Array("hi".utf8))
            _ = try await Desk.next(quiet, "6 agent: You said hi.")
            #expect(try await Desk.next(loud, "6 AGENT: YOU SAID HI.").contains("5 USER: HI"))
        }
    }

    @Test("The sixth connection closes the first")
    func sixth() async throws {
        try await Desk.run { desk in
            var lines: [Line] = []
            for _ in 0..<(PaperOptions().connections + 1) { lines.append(try await desk.line("subscribe")) }
            let closed = try await lines[0].items.wait(for: "a Close") { items -> Line.Item? in
                if case .closed? = items.last { items.last } else { nil }
            }
            expectEqual(closed, .closed(1001, reason: "one connection too many"))
            _ = try await desk.note("hi")
            for line in lines.dropFirst() { _ = try await Desk.next(line, "5 user: hi") }
        }
    }

    @Test("An event stream tells the same session, its history first, and says so in rows")
    func stream() async throws {
        try await Desk.run { desk in
            _ = try await desk.note("before")
            let stream = try await desk.stream("?after=4")
            let head = try await Desk.read(stream, "data: 6 agent: You said before.\n\n\r\n")
            #expect(head.contains("Content-Type: text/event-stream\r\n"))
            #expect(head.contains("Transfer-Encoding: chunked\r\n"))
            #expect(head.contains("X-Paper: stream\r\n"))
            #expect(!head.contains("Welcome."))
            _ = try await desk.note("live")
            try await Desk.read(stream, "data: 8 agent: You said live.\n\n\r\n")
            let kinds = await desk.world.server.inspect { server in
                Set(server.rows().filter { $0.type == "agent" }.map(\.kind))
            }
            expectEqual(kinds, [.stream])
            await desk.world.server.inspect { $0.receive(ClientInput(.end), in: desk.room) }
            await desk.world.pass(.seconds(3))
            try await Desk.read(stream, "\r\n0\r\n\r\n")
            _ = try await stream.ended()
        }
    }

    @Test("An event stream outlives a slow reader")
    func slowReader() async throws {
        try await Desk.run({ $0.limits.writeBufferBytes = 64 << 10 }) { desk in
            let stream = try await desk.stream()
            try await Desk.read(stream, "Welcome.")
            stream.pauseReading()
            for _ in 0..<40 { _ = try await desk.note(String(repeating: "x", count: 900)) }
            stream.resumeReading()
            let all = try await Desk.read(stream, "84 agent:")
            #expect(all.components(of: "data: ") >= 81)
        }
    }

    @Test(
        "A stall holds an event stream back and loses nothing; a cut ends it",
        arguments: [true, false] as [Bool])
    func faults(isStall: Bool) async throws {
        try await Desk.run { desk in
            let stream = try await desk.stream()
            try await Desk.read(stream, "Welcome.")
            _ = await desk.world.server.inspect { server in
                server.inject(
                    Fault(
                        name: "t", moment: .userMessage(1),
                        effect: isStall ? .stall(.seconds(5)) : .garble(.halfFrame)),
                    session: desk.room, by: "test")
            }
            _ = try await desk.note("hi")
            if isStall {
                await desk.world.pass(.seconds(4))
                #expect(!String(decoding: stream.pieces.all.joined(), as: UTF8.self).contains("user: hi"))
                await desk.world.pass(.seconds(1))
                try await Desk.read(stream, "data: 5 user: hi\n\n\r\n1d\r\n")
            } else {
                _ = try await stream.ended()
                let text = String(decoding: stream.pieces.all.joined(), as: UTF8.self)
                #expect(text.hasSuffix("data: 5 "))
            }
        }
    }

    @Test("It asks whether somebody is still there, after a deadline of its own")
    func deadline() async throws {
        try await Desk.run { desk in
            let line = try await desk.line("subscribe")
            let timers = await desk.world.server.inspect { $0.pendingTimers.map(\.name) }
            #expect(timers.contains("the protocol's own deadline"))
            await desk.world.pass(.seconds(30))
            _ = try await Desk.next(line, "still there?")
        }
    }

    @Test("Typing and receipts are relayed, and a takeover speaks")
    func relayed() async throws {
        try await Desk.run { desk in
            let line = try await desk.line("subscribe")
            try await expectEqual(desk.request("POST", "signs/typing").text, "TOLD 1\n")
            try await expectEqual(desk.request("POST", "signs/read", body: "letter-1").text, "TOLD 1\n")
            _ = try await desk.request("POST", "person", body: "I am here")
            let all = try await line.items.wait(for: "Pia") { items -> [String]? in
                let texts = Desk.texts(items)
                return texts.contains { $0.hasSuffix(" Pia: I am here") } ? texts : nil
            }
            #expect(all.contains("- typing: started"))
            #expect(all.contains("- userRead: letter-1"))
        }
    }

    @Test("A file is kept, and its link ends when the clock is moved")
    func files() async throws {
        try await Desk.run { desk in
            let answer = try await desk.request("put", "files/a.txt", body: "contents")
            let link = String(answer.text.dropFirst(5).prefix { $0 != "\n" })
            try await expectEqual(desk.world.client.request("GET", link).text, "contents")
            try await expectEqual(desk.world.client.request("GET", link + "x").status, 403)
            await desk.world.pass(.seconds(60))
            try await expectEqual(desk.world.client.request("GET", link).text, "PAPER 410 expiredLink\n")
        }
    }

    @Test("What it has the engine hear while it tells an entry comes behind what was to be told")
    func hearingWhileTelling() async throws {
        try await Desk.run { desk in
            let line = try await desk.line("subscribe")
            line.sendFrame(.text, Array("knock".utf8))
            let told = try await Desk.next(line, "8 agent: You said who is there.")
            let expected = [
                "5 user: knock", "6 agent: You said knock.", "7 user: who is there",
                "8 agent: You said who is there.",
            ]
            expectEqual(Array(told.suffix(4)), expected)
            let later = try await desk.stream()
            let history = try await Desk.read(later, "8 agent: You said who is there.")
            for entry in expected { expectEqual(history.components(of: "data: \(entry)\n"), 1) }
        }
    }

    @Test("It brings a protocol rule and a reading of rows; rows of requests carry their session")
    func protocolRulesAndRows() async throws {
        try await Desk.run { desk in
            let line = try await desk.line("subscribe")
            line.sendFrame(.text, Array("look! #42".utf8))
            _ = try await Desk.next(line, "5 user: look! #42")
            _ = try await desk.note("hi")
            let (violations, rows) = await desk.world.server.inspect { ($0.violations, $0.rows()) }
            expectEqual(violations.map(\.protocolRule.id), ["paper-quiet"])
            expectEqual(violations.first?.session, desk.room)
            expectEqual(rows.first { $0.type == "look!" }?.correlation, "42")
            let notes = rows.filter { $0.type.hasPrefix("POST /paper/rooms/") }
            expectEqual(notes.map(\.session), [desk.room, desk.room])
            expectEqual(notes.map(\.direction), [.inbound, .outbound])
        }
    }

    @Test("Its settings are read from a file and checked without a line of the server's")
    func settings() throws {
        var read = Configuration()
        read.furtherDialects = [PaperOptions()]
        func apply(_ text: String) throws {
            try ConfigurationFile.apply(Array(text.utf8), named: "f", to: &read)
        }
        try apply("{ paper: { ink: 'blue', connections: 1, silence: '5s' } }")
        let options = try #require(read.furtherDialects.first as? PaperOptions)
        #expect(options.ink == "blue" && options.connections == 1 && options.silence == .seconds(5))
        for (text, sentence) in [
            ("{ paper: { ick: 1 } }", "There is no setting \"ick\" here. Did you mean \"ink\"?"),
            ("{ paper: { connections: 0 } }", "\"connections\" must be a whole number from 1 to 100, not 0."),
            ("{ paper: 1 }", "\"paper\" must be a block in { }, not a number."),
        ] {
            let error = #expect(throws: ServerError.self) { try apply(text) }
            expectEqual(error?.description.contains(sentence), true)
        }
        try apply("{ paper: { ink: 'two words' } }")
        let mistake = #expect(throws: ServerError.self) { try read.check() }
        expectEqual(mistake?.description, "paper.ink is \"two words\"; use one word")
    }

    @Test("It follows its settings, and is not there when it is off", arguments: [true, false] as [Bool])
    func following(isOn: Bool) async throws {
        try await World.run {
            var options = PaperOptions()
            (options.ink, options.isOn) = ("blue", isOn)
            $0.furtherDialects = [options]
        } _: { world in
            for (ink, status) in [("ink", 401), ("blue", 201)] {
                let answer = try await world.client.request(
                    "POST", "/paper/rooms", ["Authorization": "Paper \(ink)"])
                expectEqual(answer.status, isOn ? status : 404)
            }
        }
    }

    @Test(
        "A fault hits its second note, added for all rooms or for one",
        arguments: [true, false] as [Bool])
    func requestMoment(isForAll: Bool) async throws {
        try await Desk.run { desk in
            await desk.world.server.inspect { server in
                let fault = Fault(
                    name: "torn", moment: .request("Note", 2),
                    effect: .refuse(
                        status: 503, type: isForAll ? "OutOfInk" : nil, retryAfter: .seconds(7)))
                if isForAll {
                    _ = server.inject(fault, by: "test")
                } else {
                    _ = server.inject(fault, session: desk.room, by: "test")
                }
            }
            #expect(try await desk.note("one").hasPrefix("NOTE 5"))
            let refused = try await desk.request("POST", "notes", ["Content-Type": "text/plain"], body: "two")
            expectEqual(refused.text, "PAPER 503 refused\n")
            expectEqual(refused.headers["Retry-After"], "7")
            expectEqual(refused.headers["X-Paper-Error"], isForAll ? "OutOfInk" : "unavailable")
            #expect(try await desk.note("three").hasPrefix("NOTE 7"))
            #expect(!(try await desk.request("GET", "notes").text.contains("two")))
        }
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}

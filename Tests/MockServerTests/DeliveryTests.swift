import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import ServerCore
import Testing
import WebSocketCore

@testable import MockServer
@testable import SocketTransport

@Suite("What sessions hear and tell, without a socket")
struct DeliveryTests {
    @Test("A client is told what came before it, then what is live, each once and in order")
    func history() throws {
        let talk = try Talk()
        talk.push("a")
        let client = talk.connect(isOpen: false)
        talk.push("b")
        expectEqual(talk.shell.left, [], "its history is to come")
        talk.server.open(client, .webSocket, after: .zero)
        talk.push("c")
        expectEqual(talk.shell.marks, ["a", "b", "c"])
        expectEqual(talk.shell.left.count, 2, "a history is one message")
    }

    @Test("A history waits for a client that does not read, and what is live waits behind it")
    func slowReader() throws {
        let talk = try Talk()
        talk.push("a")
        let client = talk.connect(isOpen: false)
        client.pendingBytes = .max
        talk.server.open(client, .webSocket, after: .zero)
        talk.push("b")
        expectEqual(talk.shell.left, [])
        talk.server.noteOutput(.max, of: client, isReader: false)
        expectEqual(talk.shell.left, [])
        talk.server.noteOutput(0, of: client, isReader: false)
        talk.push("c")
        expectEqual(talk.shell.marks, ["a", "b", "c"])
    }

    @Test("While the clock moves, frames beyond limits.outputTotalBytes cost their connection")
    func jump() throws {
        let talk = try Talk(outputTotalBytes: 4_096)
        let client = talk.connect()
        talk.shell.forget()
        talk.server.isSteered = true
        for _ in 0..<1_000 { talk.push("a") }
        talk.server.isSteered = false
        var (kept, lost): (Int, [Connection]) = (0, [])
        for output in talk.server.outputs {
            switch output {
            // Each has a header of two bytes.
            case .frame(_, let range): kept += range.count - 2
            case .overflow(let connection): lost.append(connection)
            default: Issue.record("\(output)")
            }
        }
        #expect(0 < kept && kept <= 4_096)
        #expect(lost.count == 1 && lost.first === client)
    }

    @Test("A run tells at once that it has begun; its other events of the moment leave together")
    func beginningOfRun() throws {
        let talk = try Talk(dialect: "ag-ui")
        let client = talk.connect(isStream: true)
        let run = RunRequest(thread: "t", run: "r", words: .text("Hello"))
        talk.server.receive(ClientInput(.run(run)), from: client, in: talk.handle)
        guard case .wrote(let first)? = talk.shell.left.first else {
            Issue.record("the first event is not written: \(talk.shell.left)")
            return
        }
        let text = String(decoding: first, as: UTF8.self)
        #expect(text.contains("RUN_STARTED") && text.split(separator: "data: ").count == 2, "\(text)")
        expectEqual(talk.shell.left.dropFirst().first, .flushed)
        expectEqual(talk.shell.left.filter { $0 == .flushed }.count, 1)
    }

    @Test("What comes up while something is told is told behind it, to all")
    func reentrance() throws {
        let talk = try Talk()
        talk.connect()
        talk.connect()
        talk.shell.forget()
        talk.shell.onPut = { [unowned talk] in if talk.shell.marks == ["a"] { talk.push("b") } }
        talk.push("a")
        expectEqual(talk.shell.marks, ["a", "a", "b", "b"])
    }

    @Test("A fault that fires acts on the next message of its session alone, and has the shell told when")
    func fire() throws {
        let talk = try Talk()
        let client = talk.connect()
        let other = try Talk(beside: talk)
        other.connect()
        talk.shell.forget()
        client.withChannel { $0.fire(FiredFault(id: 7, name: "late", effect: .delay(.seconds(2)))) }
        talk.push("a")
        other.push("b")
        talk.push("c")
        expectEqual(talk.shell.marks, ["b"])
        expectEqual(talk.valve(of: client), talk.clock.now + .seconds(2))
        talk.clock.advance(by: .seconds(2))
        talk.server.catchUp(client)
        expectEqual(talk.shell.marks, ["b", "a", "c"])
        expectEqual(talk.valve(of: client), nil)
    }

    @Test("What is held back leaves no faster than the client reads; then no time changes anything")
    func room() throws {
        let talk = try Talk()
        let client = talk.connect()
        talk.push("z")
        let size = try #require(talk.shell.texts.last).utf8.count
        talk.shell.forget()
        client.withChannel { $0.fire(FiredFault(id: 7, name: "late", effect: .delay(.seconds(2)))) }
        for mark in ["a", "b", "c"] { talk.push(mark) }
        talk.server.end(client, .goingAway, "enough")
        talk.clock.advance(by: .seconds(2))
        client.pendingBytes = UInt32(talk.server.highWaterBytes - size)
        talk.server.catchUp(client)
        expectEqual(talk.shell.marks, ["a", "b"])
        expectEqual(talk.valve(of: client), nil, "it goes on when the client has read")
        talk.server.noteOutput(0, of: client, isReader: false)
        expectEqual(talk.shell.marks, ["a", "b", "c"])
        expectEqual(talk.shell.left.last, .closing(1_001))
    }

    @Test("A fault that is taken away lets go of what it holds, and of the answer that it holds")
    func remove() throws {
        let talk = try Talk()
        let client = talk.connect()
        talk.shell.forget()
        let stall = Fault(name: "stall", moment: .anyEvent, effect: .stall(nil))
        let added = try #require(talk.server.inject(stall, scope: .all, by: "test"))
        talk.push("a")
        expectEqual(talk.shell.left, [])
        let asking = talk.connection()
        asking.stage = .held(
            Connection.HeldAnswer(parts: [], holds: [HoldQueue.Hold(end: .distantFuture, holder: added.id)]))
        #expect(talk.server.remove(added.id))
        expectEqual(talk.shell.marks, ["a"])
        #expect(talk.deadline(of: asking) == talk.clock.now && asking.holds.isEmpty)
        #expect(!talk.server.remove(added.id))
        #expect(client.isPlain)
    }

    @Test("What a fault has heard later is heard at its time and in its order, the end behind the bytes")
    func lateInput() throws {
        let talk = try Talk()
        let client = talk.connect()
        let ping: DelayedInput.Piece = .bytes([0x89, 0x80, 0, 0, 0, 0])
        #expect(!talk.server.delaysInput(ping, from: client))
        client.withChannel { $0.fire(FiredFault(id: 7, name: "lag", effect: .lag(.seconds(3)))) }
        talk.push("a")
        talk.shell.forget()
        #expect(talk.server.delaysInput(ping, from: client))
        talk.clock.advance(by: .seconds(1))
        #expect(talk.server.delaysInput(.end, from: client))
        expectEqual(talk.valve(of: client), talk.clock.now + .seconds(2))
        talk.clock.advance(by: .seconds(2))
        talk.server.catchUp(client)
        expectEqual(talk.shell.left, [.wrote([0x8A, 0])])
        talk.clock.advance(by: .seconds(1))
        talk.server.catchUp(client)
        expectEqual(talk.shell.left, [.wrote([0x8A, 0]), .closed])
    }

    @Test("A person's hold is asked for where a person looks at the messages of the session")
    func person() throws {
        let talk = try Talk()
        talk.server.controls.holds[talk.handle] = .seconds(30)
        let client = talk.connect(isOpen: false)
        expectEqual(client.channel?.waitsForPerson, true)
        talk.server.open(client, .webSocket, after: .zero)
        expectEqual(talk.shell.left, [])
        expectEqual(client.channel?.heldFrames.map(\.id), [1])
    }

    @Test("A client that has left is told nothing more")
    func leaving() throws {
        let talk = try Talk()
        let (client, other) = (talk.connect(), talk.connect())
        talk.shell.forget()
        talk.server.detach(client)
        talk.push("a")
        expectEqual(talk.shell.left, [.put("a", to: other.number)])
    }

    @Test("An encoder says what clients are told, and when it wants its turn")
    func encoder() throws {
        let talk = try Talk(dialect: "paper")
        let client = talk.connect()
        let slot = talk.handle.slot
        expectEqual(talk.server.timers.encoders.deadline(of: slot), talk.clock.now + .seconds(30))
        talk.hear("subscribe", on: client)
        talk.hear("knock", on: client)
        let told = ["user: knock", "user: who is there"].map { line in
            talk.shell.texts.contains { $0.hasSuffix(line) }
        }
        expectEqual(told, [true, true], "\(talk.shell.texts)")
        talk.clock.advance(by: .seconds(30))
        talk.shell.forget()
        talk.server.advanceEncoder(of: slot, to: talk.clock.now)
        expectEqual(talk.shell.texts, ["still there?"])
        expectEqual(talk.server.timers.encoders.deadline(of: slot), talk.clock.now + .seconds(30))
        talk.hear("bye", on: client)
        expectEqual(talk.shell.left.last, .closing(3_001))
    }

    @Test(
        "Messages of one moment leave a stream in one write, a chunk each, and one by one where something acts on them"
    )
    func sendAll() throws {
        let talk = try Talk(dialect: "paper")
        let client = talk.connect(isStream: true)
        func tell() {
            guard let outbox = talk.server.outbox(of: talk.handle) else { return }
            talk.server.withEncoder(of: outbox) { _, output in
                var texts = EncodedMessages()
                texts.append("LINE") { $0 += Array("<a>".utf8) }
                texts.append("LINE") { $0 += Array("<bc>".utf8) }
                output.steps.append(.sendAll(texts, to: client.id))
            }
        }
        talk.shell.forget()
        tell()
        expectEqual(talk.shell.left, [.wrote(Array("3\r\n<a>\r\n4\r\n<bc>\r\n".utf8))])
        talk.shell.forget()
        client.withChannel { $0.fire(FiredFault(id: 7, name: "late", effect: .delay(.seconds(2)))) }
        tell()
        expectEqual(talk.shell.texts, [])
        talk.clock.advance(by: .seconds(2))
        talk.server.catchUp(client)
        expectEqual(talk.shell.texts, ["<a>", "<bc>"])
    }

    @Test(
        "Messages that take long to put together leave in their place, and what is told meanwhile leaves behind them"
    )
    func sendLater() throws {
        let talk = try Talk(dialect: "paper")
        let client = talk.connect(isStream: true)
        func tell(_ step: EncoderOutput.Step) {
            guard let outbox = talk.server.outbox(of: talk.handle) else { return }
            talk.server.withEncoder(of: outbox) { $1.steps.append(step) }
        }
        let late = DeferredMessages(from: 1) { [RenderedMessage(type: "LINE", text: Array("<a>".utf8))] }
        talk.shell.isBusy = true
        tell(.sendLater(late, to: client.id))
        tell(.send(text: Array("<b>".utf8), type: "LINE", to: client.id))
        tell(.sendLater(late, to: client.id))
        tell(.close(client.id, code: 1_000, reason: ""))
        expectEqual(talk.shell.texts, [])
        let first = talk.shell.away[0]
        expectEqual(talk.shell.away.count, 2)
        talk.server.deliver([RenderedMessage(type: "LINE", text: Array("<c>".utf8))], as: talk.server.makings)
        expectEqual(talk.shell.texts, [], "the second one is there before the first")
        first.run()?.proceed(talk.server)
        expectEqual(talk.shell.texts, ["<a>", "<b>", "<c>"])
        #expect(talk.shell.left.last == .wrote(TransferChunk.last) && client.channel == nil)
    }

    @Test("A fault that hits what takes long to put together finds it in its place")
    func firedLater() throws {
        let talk = try Talk(dialect: "paper")
        let client = talk.connect(isStream: true)
        talk.shell.isBusy = true
        client.withChannel { $0.fire(FiredFault(id: 7, name: "late", effect: .delay(.seconds(2)))) }
        guard let outbox = talk.server.outbox(of: talk.handle) else { return }
        talk.server.withEncoder(of: outbox) {
            $1.steps.append(
                .sendLater(
                    DeferredMessages(from: 1) { [RenderedMessage(type: "LINE", text: Array("<a>".utf8))] },
                    to: client.id))
        }
        #expect(talk.shell.texts == [] && talk.shell.away.isEmpty)
        talk.clock.advance(by: .seconds(2))
        talk.server.catchUp(client)
        expectEqual(talk.shell.texts, ["<a>"])
    }

    @Test("A fault that hits a stream ends its connection with it")
    func firedStream() throws {
        let talk = try Talk(dialect: "paper")
        let (client, other) = (talk.connect(isStream: true), talk.connect(isStream: true))
        talk.server.mark(
            .one(client.id), in: talk.handle,
            with: [FiredFault(id: 7, name: "shut", effect: .close(code: 1_001))]
        )
        #expect(client.stream?.pipelined == nil && other.stream?.pipelined != nil)
    }
}

/// A session, and clients whose sockets are a list.
private final class Talk {
    let clock: VirtualClock
    let server: Server
    let shell: PaperLoop
    let handle: SessionHandle
    private let dialect: Int

    init(dialect name: String? = nil, beside other: Talk? = nil, outputTotalBytes: Int? = nil) throws {
        let clock = other?.clock ?? VirtualClock()
        var configuration = Configuration()
        configuration.clock = clock
        configuration.seed = 42
        configuration.log = .quiet
        configuration.limits.outputTotalBytes = outputTotalBytes
        configuration.connections.firstLiveEventDelay = .zero
        configuration.fixtureText = """
            { fixture: 1, name: "Paper", agent: { name: "Ada" }, greeting: [ { say: "Welcome." } ],
              otherwise: [ { replies: [ { say: "You said {message}." } ] } ] }
            """
        configuration.furtherDialects = [PaperOptions()]
        let server = try other?.server ?? Server(ServerDependencies(configuration))
        dialect = try name.map { name in try #require(server.dialects.firstIndex { $0.name == name }) } ?? 0
        (self.clock, self.server, shell) = (clock, server, other?.shell ?? PaperLoop(server))
        let host = RequestContext(server, dialect: dialect)
        let wish = SessionRequest(owner: "ada", scenario: nil, isStreaming: false)
        guard case .opened(let id) = host.openSession(wish) else {
            throw ServerError.cannotListen("no session")
        }
        handle = try #require(server.engine.handle(of: id))
    }

    /// An accepted connection that has asked for nothing yet.
    func connection() -> Connection {
        let slot = server.connections.count
        let connection = Connection(
            socket: SocketID(slot: UInt32(slot), generation: 1), number: UInt32(slot + 1),
            peer: .loopbackIPv4(port: 0), exchange: HTTPExchange(limits: HTTPLimits(), at: clock.now),
            admission: .uncounted)
        server.connections.append(connection)
        return connection
    }

    /// A client of the session, by a WebSocket.
    @discardableResult
    func connect(isOpen: Bool = true, isStream: Bool = false) -> Connection {
        let connection = connection()
        if isStream {
            let channel = Channel(of: handle, dialect: dialect, carrier: .stream(isChunked: true))
            let stream = Connection.OpenStream(channel, .chunked, pipelined: connection.exchange)
            #expect(server.attach(connection, as: .stream(stream), to: handle, cursor: 0))
            if isOpen { server.open(connection, channel.carrier, after: .zero) }
            return connection
        }
        let webSocket = Connection.OpenWebSocket(
            WebSocketConnection(role: .server, limits: WebSocketLimits()), deflate: nil,
            for: .session(Channel(of: handle, dialect: dialect)))
        #expect(server.attach(connection, as: .webSocket(webSocket), to: handle, cursor: 0))
        if isOpen { server.open(connection, .webSocket, after: .zero) }
        return connection
    }

    func valve(of connection: Connection) -> Instant? {
        server.timers.holds.deadline(of: Int32(connection.socket.slot))
    }

    func deadline(of connection: Connection) -> Instant? {
        server.timers.deadlines.deadline(of: Int32(connection.socket.slot))
    }

    /// Something is told that can be told from everything else: `mark`.
    func push(_ mark: String) {
        server.withEngine {
            $0.push(.userMessage(id: "\(mark)", text: "<\(mark)>"), in: handle, at: clock.now, into: &$1)
        }
    }

    func hear(_ text: String, on connection: Connection) {
        guard let session = connection.session else { return }
        server.receive(Array(text.utf8), isText: true, in: session, on: connection)
    }
}

/// A loop whose sockets are a list of what the server wanted done.
private final class PaperLoop {
    enum Deed: Equatable {
        /// The marks in a message.
        case put(String, to: UInt32)
        case wrote([UInt8])
        case flushed
        case closing(UInt16)
        case closed
        case aborted
    }

    private let server: Server
    private var deeds: [Deed] = []
    private var sent: [String] = []
    private var works: [AwayWork] = []
    var onPut: () -> Void = {}
    /// Does no work by itself.
    var isBusy = false

    init(_ server: Server) { self.server = server }

    var left: [Deed] { performing(\.deeds) }
    var texts: [String] { performing(\.sent) }
    var away: [AwayWork] { performing(\.works) }

    func forget() { (_, deeds, sent) = (left, [], []) }

    /// Of all messages, one after the other.
    var marks: [String] {
        left.flatMap { deed -> [String] in
            guard case .put(let marks, _) = deed else { return [] }
            return marks.map(String.init)
        }
    }

    private func performing<Value>(_ value: KeyPath<PaperLoop, Value>) -> Value {
        while !server.outputs.isEmpty {
            let (batch, framed) = (server.outputs, server.framed)
            (server.outputs, server.framed) = ([], [])
            for output in batch { perform(output, framed) }
        }
        return self[keyPath: value]
    }

    private func perform(_ output: ServerOutput, _ framed: [UInt8]) {
        switch output {
        case .frame(let socket, let range):
            let frame = framed[Int(range.lowerBound)..<Int(range.upperBound)]
            put(Array(frame.dropFirst(frame[frame.startIndex + 1] < 126 ? 2 : 4)), socket)
        case .message(let socket, _, let bytes), .chunk(let socket, let bytes): put(bytes, socket)
        // A Close frame.
        case .write(_, let bytes) where bytes.first == 0x88:
            deeds.append(.closing(UInt16(bytes[2]) << 8 | UInt16(bytes[3])))
        case .write(_, let bytes): deeds.append(.wrote(bytes))
        case .flush: deeds.append(.flushed)
        case .close: deeds.append(.closed)
        case .abort: deeds.append(.aborted)
        case .work(let work):
            works.append(work)
            if !isBusy { work.run()?.proceed(server) }
        default: break
        }
    }

    private func put(_ message: [UInt8], _ socket: SocketID) {
        let text = String(decoding: message, as: UTF8.self)
        sent.append(text)
        let marks = text.matches(of: /<(\w)>/).map { String($0.1) }.joined()
        deeds.append(.put(marks, to: server.connection(of: socket)?.number ?? 0))
        onPut()
    }
}

import Clocks
import ControlClient
import MessagingWire
import MockServer
import SocketTransport

/// Lines of a terminal or a pipe to a ``ChairSeat``, and the conversation back; decides nothing.
///
/// Everything happens in one order: a line is performed, and what it led to is shown, before the next is read.
struct ChairShell {
    private enum Input: Sendable {
        case line(String)
        case endOfInput
        /// The journal may have grown.
        case news
        case typing(String)
        case feedOver(ControlError?)
    }

    private let client: ControlClient
    private let isJSON: Bool
    private let isTerminal: Bool
    private var reader: JournalReader
    private var seat: ChairSeat
    private var text = EventText()
    private var code: Int32 = 0

    static func run(
        _ client: ControlClient, _ session: String, isJSON: Bool
    ) async throws(ControlError) -> Int32 {
        let reader = try await JournalReader(client, session, after: 0)
        var shell = ChairShell(
            client: client, isJSON: isJSON, isTerminal: Terminal.readsTerminal, reader: reader,
            seat: ChairSeat(session: reader.session))
        return try await shell.run()
    }

    private init(
        client: ControlClient, isJSON: Bool, isTerminal: Bool, reader: JournalReader, seat: ChairSeat
    ) {
        self.client = client
        self.isJSON = isJSON
        self.isTerminal = isTerminal
        self.reader = reader
        self.seat = seat
    }

    private mutating func run() async throws(ControlError) -> Int32 {
        let fixture = FactText.text(reader.facts["fixture"])
        ControlRun.talk("session \(reader.session)\(fixture.isEmpty ? "" : " of \(fixture)"); /help helps")
        try await show()
        let (inputs, sink) = AsyncStream.makeStream(of: Input.self)
        let news = reader.news { row in
            if let state = Self.typing(row) { sink.yield(.typing(state)) }
        }
        let following = Task {
            for await _ in news.stream { sink.yield(.news) }
            sink.yield(.feedOver(await news.outcome.value))
        }
        defer { following.cancel() }
        let splitter = Locked(LineCutter())
        StandardInput.follow { bytes in
            for line in splitter.withLock({ $0.add(bytes) }) { sink.yield(.line(line)) }
            if bytes.isEmpty { sink.yield(.endOfInput) }
        }
        for await input in inputs {
            switch input {
            case .line(let line): if try await perform(line) { return code }
            case .endOfInput: return code
            case .news: try await show()
            case .typing(let state): if !isJSON { Console.print("* the visitor types (\(state))") }
            case .feedOver(let error):
                if let error { throw error }
                ControlRun.talk("the server has ended the feed")
                return code
            }
            if seat.isOver, isTerminal { return code }
        }
        return code
    }

    /// True when it was the last.
    private mutating func perform(_ line: String) async throws(ControlError) -> Bool {
        for output in seat.hear(line) {
            switch output {
            case .quit: return true
            case .talk(let text): for line in ControlDisplay.lines(of: text) { ControlRun.talk(line) }
            case .call(let request, let carriesParts):
                do throws(ControlError) {
                    _ = try await client.call(request)
                    if carriesParts { seat.clearParts() }
                } catch {
                    // The server's "no" is part of the talk; a server that is gone is not.
                    guard case .refused(_, let message, _) = error else { throw error }
                    ControlRun.talk(message)
                    if !isTerminal { code = 1 }
                }
                try await show()
            }
        }
        return false
    }

    private mutating func show() async throws(ControlError) {
        for entry in try await reader.next() {
            let event = entry["event"] ?? .null
            seat.note(event)
            if isJSON {
                Console.print(FactText.harmless(FactText.compact(event)))
            } else if let line = text.line(event) {
                Console.print(Console.printable("\(FactText.clockTime(entry["time"]))  \(line)"))
            }
        }
    }

    /// The state when the row is a visitor's typing, which no journal keeps.
    private static func typing(_ row: JSONValue) -> String? {
        guard row["dir"]?.string == "in", FactText.text(row["type"]).hasSuffix("USER_TYPING"),
            let event = ControlVerb.json(row["raw"]?.string ?? "")
        else { return nil }
        return event["payload"]?["state"]?.string?.lowercased() ?? "started"
    }
}

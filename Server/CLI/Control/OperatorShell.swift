import Clocks
import ControlClient
import FixtureTools
import SocketTransport
import Texts

/// Terminal interface of an ``OperatorSession`` for typed or piped lines.
struct OperatorShell {
    private enum Input: Sendable {
        case line(String)
        case endOfInput
        case news
        case typing(String)
        case feedOver(ControlError?)
    }

    struct Surroundings: Sendable {
        /// Whether standard input is a terminal.
        var isTerminal = Terminal.readsTerminal
        /// Reads the input. Calls its argument with each piece, and with an empty piece at the end.
        var listen: @Sendable (@escaping @Sendable ([UInt8]) -> Void) -> Void = { StandardInput.follow($0) }
        var show: @Sendable (String) -> Void = { Console.show($0) }
        var talk: @Sendable (String) -> Void = { ControlRun.talk($0) }
    }

    private let client: ControlClient
    private let isJSON: Bool
    private let around: Surroundings
    private var reader: JournalReader
    private var seat: OperatorSession
    private var text = EventText()
    private var code: Int32 = 0

    static func run(
        _ client: ControlClient, _ session: String, isJSON: Bool, in around: Surroundings = Surroundings()
    ) async throws(ControlError) -> Int32 {
        let reader = try await JournalReader(client, session, after: 0)
        var shell = OperatorShell(client, reader, isJSON: isJSON, in: around)
        return try await shell.run()
    }

    private init(
        _ client: ControlClient, _ reader: JournalReader, isJSON: Bool, in around: Surroundings
    ) {
        self.client = client
        self.reader = reader
        self.isJSON = isJSON
        self.around = around
        seat = OperatorSession(session: reader.session)
    }

    private mutating func run() async throws(ControlError) -> Int32 {
        let fixture = ValueText.text(reader.facts["fixture"])
        around.talk("session \(reader.session)\(fixture.isEmpty ? "" : " of \(fixture)"); /help helps")
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
        let splitter = Locked(LineCutter(limit: VerbLimits.line))
        around.listen { bytes in
            for line in splitter.withLock({ $0.add(bytes) }) { sink.yield(.line(line)) }
            if bytes.isEmpty { sink.yield(.endOfInput) }
        }
        for await input in inputs {
            switch input {
            case .line(let line): if try await execute(line) { return code }
            case .endOfInput: return code
            case .news: try await show()
            case .typing(let state): if !isJSON { around.show("* the user types (\(state))") }
            case .feedOver(let error):
                if let error { throw error }
                around.talk("the server has ended the feed")
                return code
            }
            if seat.isOver, around.isTerminal { return code }
        }
        return code
    }

    /// Executes a line. Returns true if the program is to end.
    private mutating func execute(_ line: String) async throws(ControlError) -> Bool {
        for output in seat.receive(line) {
            switch output {
            case .quit: return true
            case .talk(let text): for line in ControlDisplay.lines(of: text) { around.talk(line) }
            case .misuse(let sentence): refuse(sentence)
            case .call(let request, let carriesParts):
                do throws(ControlError) {
                    _ = try await client.call(request)
                    if carriesParts { seat.clearParts() }
                } catch {
                    // Reports a refusal and continues. Other errors end the program.
                    guard case .refused(_, let message, _) = error else { throw error }
                    refuse(message)
                }
                try await show()
            }
        }
        return false
    }

    /// Reports a refusal. Piped input also gets exit code 1.
    private mutating func refuse(_ sentence: String) {
        around.talk(sentence)
        if !around.isTerminal { code = 1 }
    }

    private mutating func show() async throws(ControlError) {
        for entry in try await reader.next() {
            let event = entry["event"] ?? .null
            seat.record(event)
            if isJSON {
                // Prints the protocol event of the entry, or the entry itself if it has no such event.
                around.show(ForeignText.json(ValueText.compact(event == .null ? entry : event)))
            } else if let line = text.line(ofEntry: entry) {
                around.show("\(ValueText.clockTime(entry["time"]))  \(line)")
            }
        }
    }

    /// Returns the state in a USER_TYPING row, such as `started`; nil for other rows.
    private static func typing(_ row: JSONValue) -> String? {
        guard row["dir"]?.string == "in", ValueText.text(row["type"]).hasSuffix("USER_TYPING"),
            let event = ControlVerb.json(row["raw"]?.string ?? "")
        else { return nil }
        let state = event["payload"]?["state"]?.string ?? "started"
        return state.split(separator: "_").last.map { $0.lowercased() } ?? state
    }
}

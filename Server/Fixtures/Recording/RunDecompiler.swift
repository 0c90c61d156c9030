import Clocks
import ConversationEngine
import RunWire
import Texts

/// Decompiler of recorded runs into steps such as `say`.
struct RunDecompiler {
    struct SeenTool: Equatable {
        var name: String
        var title: String?
        var label: String?
        var isOfClient = false
    }

    struct Lifted: Equatable {
        var step: JSONObject
        var pause: Interval?
    }

    var steps: [Lifted] = []
    /// Whether the run ends with a question or a call that the client must answer.
    var isSuspended = false
    var heard: [String] = []
    private(set) var tools: [SeenTool] = []
    private var toolPlaces: [String: Int] = [:]
    /// Ids that the fixture must set, because other events refer to them.
    var pinned: Set<String> = []
    /// Indexes of runs whose ids later runs refer to.
    var remembered: Set<Int> = []
    private var numbers: [String: Int] = [:]
    private var births: [String: Int] = [:]
    private var runIDs: [String: Int] = [:]
    private let known: Set<String>
    private let thread: RecordedThread
    /// Index of the current run.
    private(set) var number = -1
    /// Tools of the client that were called in this run, and whose results are awaited at its end.
    var awaited: [String] = []
    /// Pauses between chunks of all texts.
    var gaps: [Interval] = []
    var seen: Set<String> = []
    /// Id of the message to which the engine will attach the next call.
    var owner: String?
    var open = OpenCalls()
    var events: [RunRecording.Event] = []
    /// Index of the first event that violates the protocol's order.
    var fault = Int.max
    var isAtFault = false
    var run: (thread: String?, id: String?)
    var before: Interval?
    private let isExact: Bool

    init(
        _ runs: [RunRecording.Run] = [], _ thread: RecordedThread = RecordedThread([]), isExact: Bool = false
    ) {
        (self.thread, self.isExact) = (thread, isExact)
        known = runs.reduce(into: []) { ids, run in
            for event in run.events { ids.formUnion(RecordedIDs.ids(in: event.body)) }
        }
    }

    typealias Found = (steps: [JSONObject], next: Int)

    /// Appends the steps of a run.
    mutating func decompile(_ run: RunRecording.Run) {
        isAtFault = false
        self.run = (run.start?.threadID, run.start?.runID)
        number += 1
        awaited = []
        if let id = run.start?.runID { runIDs[id] = number }
        // Calls without a result stay open only if the previous run waits for the client.
        if !isSuspended { open = OpenCalls() }
        (owner, isSuspended) = (nil, false)
        events = run.events
        if remembered.contains(number) {
            let values: JSONObject = [
                "run\(number + 1)": .string("{run.id}"), "message\(number + 1)": .string("{run.message}"),
            ]
            steps.append(Lifted(step: ["remember": .object(values)]))
        }
        var place = 0
        if case .runStarted? = events.first?.event.kind {
            before = events[0].time
            place = 1
        }
        if !events.contains(where: { $0.event.isTerminal }) { closeWhatIsOpen() }
        fault = Self.fault(in: events, from: place)
        var isLate = false
        while place < events.count {
            let wasAtFault = isAtFault
            let found = isAtFault ? nil : lifted(at: place)
            let next = found?.next ?? place + 1
            isAtFault = next > fault
            let steps =
                found?.steps ?? [written(events[place], isUnchecked: isAtFault && (!wasAtFault || isLate))]
            let pause = pause(before: place, next)
            for (number, step) in steps.enumerated() {
                self.steps.append(Lifted(step: step, pause: number == 0 ? pause : nil))
            }
            for event in events[place..<next] {
                isLate = isLate || event.event.isTerminal
                note(RecordedIDs.ids(in: event.body))
                before = event.time ?? before
            }
            place = next
        }
    }

    private static func fault(in events: [RunRecording.Event], from start: Int) -> Int {
        var verifier = RunVerifier(profile: .v1)
        for event in events[..<start] { _ = try? verifier.consume(event.event) }
        return events.indices.dropFirst(start).first { place in
            (try? verifier.consume(events[place].event)) == nil
        } ?? Int.max
    }

    /// Records a tool; false if its name is empty or belongs to another tool.
    mutating func declare(_ tool: SeenTool) -> Bool {
        guard !tool.name.isEmpty else { return false }
        if let place = toolPlaces[tool.name] { return tools[place] == tool }
        toolPlaces[tool.name] = tools.count
        tools.append(tool)
        return true
    }

    func known(_ name: String) -> SeenTool? { toolPlaces[name].map { tools[$0] } }

    mutating func forgetTools(after count: Int) {
        for tool in tools[count...] { toolPlaces[tool.name] = nil }
        tools.removeLast(tools.count - count)
    }

    /// Adds the missing ends of texts, calls and reasoning to a run whose recording was cut off.
    mutating func closeWhatIsOpen() {
        let last = events.last
        var closed: Set<[UInt8]> = []
        for event in events.reversed() {
            let end: RunEvent.Kind
            switch event.event.kind {
            case .textStart(let id, _, _): end = .textEnd(id: id)
            case .toolStart(let id, _, _): end = .toolEnd(id: id)
            case .reasoningStart(let id): end = .reasoningEnd(id: id)
            case .reasoningMessageStart(let id, _): end = .reasoningMessageEnd(id: id)
            case .textEnd, .toolEnd, .reasoningEnd, .reasoningMessageEnd:
                closed.insert(RunEventWriter.bytes(RunEvent(event.event.kind)))
                continue
            default: continue
            }
            let bytes = RunEventWriter.bytes(RunEvent(end))
            guard !closed.contains(bytes), let body = (try? JSONReader.read(bytes))?.object else { continue }
            events.append(
                RunRecording.Event(line: last?.line ?? 0, body: body, event: RunEvent(end), time: last?.time))
        }
    }

    /// Returns the time between the previous event and the first visible event of the next step.
    func pause(before place: Int, _ next: Int) -> Interval? {
        let first = events[place..<next].first { event in
            switch event.event.kind {
            case .textStart, .reasoningStart, .reasoningMessageStart: false
            default: true
            }
        }
        guard let before, let time = first?.time, time - before >= .milliseconds(1) else { return nil }
        return time - before
    }

    mutating func written(_ event: RunRecording.Event, isUnchecked: Bool) -> JSONObject {
        expect("event", event.event.type)
        var step: JSONObject = ["event": json(.object(event.body))]
        if isUnchecked || event.event.kind.type == nil { step.add("unchecked", .bool(true)) }
        return step
    }

    private mutating func note(_ ids: [String]) {
        for id in ids where seen.insert(id).inserted && births[id] == nil { births[id] = number }
    }

    /// Returns the fixture's text for a recorded id, such as `{run.thread}`; nil for any other string.
    mutating func name(_ id: String) -> String? {
        if id == run.thread { return "{run.thread}" }
        if let birth = runIDs[id] { return gap("run", of: birth) }
        if let birth = thread.said[id], birth <= number { return gap("message", of: birth) }
        guard known.contains(id) else { return nil }
        pinned.insert(id)
        let birth = births[id] ?? number
        births[id] = birth
        let count = numbers[id] ?? numbers.count + 1
        numbers[id] = count
        return gap("run", of: birth) + "-\(count)"
    }

    private mutating func gap(_ name: String, of birth: Int) -> String {
        if birth == number { return name == "run" ? "{run.id}" : "{run.message}" }
        remembered.insert(birth)
        return "{\(name)\(birth + 1)}"
    }

    /// Returns a recorded value with its ids replaced and its braces doubled.
    mutating func json(_ value: JSONValue) -> JSONValue {
        RecordedIDs.replaced(in: value, by: { name($0) }, plain: Placeholders.escaped)
    }

    /// Returns the `id` of a step; nil if the engine may make the id.
    mutating func pin(_ id: String) -> JSONValue? {
        pinned.contains(id) ? name(id).map { .string($0) } : nil
    }

    /// The snapshot at `place`, if it can be made from the thread.
    func snapshot(_ place: Int) -> RecordedThread.Snapshot? {
        kind(place) == nil ? nil : thread.snapshots[number][place]
    }

    /// Whether no event has had the id, and no step sets it.
    func isNew(_ id: String) -> Bool { !seen.contains(id) && !pinned.contains(id) }

    /// Whether the event has none of these: metadata, a raw event, a subagent id.
    func isPlain(_ place: Int) -> Bool {
        let event = events[place].event
        return event.metadata == nil && event.rawEvent == nil && event.subagentRunID == nil
    }

    /// Whether the member, parsed and written again, gives the same JSON.
    func isKnown(_ name: String, at place: Int) -> Bool {
        guard let written = try? JSONReader.read(RunEventWriter.bytes(RunEvent(events[place].event.kind))),
            let member = written[name], let recorded = events[place].body[name]
        else { return false }
        return member.isSame(as: recorded)
    }

    func kind(_ place: Int) -> RunEvent.Kind? {
        stands(place) && isPlain(place) ? events[place].event.kind : nil
    }

    /// Whether the event at `place` exists and precedes the first event in an invalid order.
    func stands(_ place: Int) -> Bool { events.indices.contains(place) && place < fault }

    /// Adds a line to the example, unless the syntax of examples cannot express the words.
    mutating func expect(_ kind: String, _ words: String) {
        let isTrimmed = words.first?.isWhitespace == false && words.last?.isWhitespace == false
        guard isTrimmed, !words.hasPrefix("exactly:") else { return }
        heard.append("\(kind): \(words)")
    }

    /// Returns a duration in the notation of fixtures, at most one day.
    static func length(_ interval: Interval) -> JSONValue {
        .string(ValueSyntax.text(min(interval, FixtureLimits.longestInterval)))
    }

    /// Returns a measured duration: rounded (``rounded(_:)``), or exact if ``isExact``.
    func measured(_ interval: Interval) -> JSONValue {
        isExact ? Self.length(interval) : Self.rounded(interval)
    }

    /// Returns a duration rounded to two significant digits, but to whole seconds from 100 s and to whole milliseconds
    /// below 10 ms.
    static func rounded(_ interval: Interval) -> JSONValue {
        guard interval > .zero else { return length(interval) }
        var unit: Int64 = 1_000_000
        while unit < 1_000_000_000, interval.nanoseconds >= unit * 100 { unit *= 10 }
        let count = max(1, (interval.nanoseconds + unit / 2) / unit)
        return length(Interval(nanoseconds: count * unit))
    }

    // MARK: - Finding steps

    mutating func lifted(at place: Int) -> Found? {
        switch events[place].event.kind {
        case .textStart: return text(at: place)
        case .toolStart: return calls(at: place)
        case .toolResult(let result): return lateResult(result, at: place)
        case .reasoningStart: return reasoning(at: place)
        default: return simple(at: place)
        }
    }

    mutating func text(at place: Int) -> Found? {
        guard case .textStart(let id, let role, nil)? = kind(place), role ?? .assistant == .assistant else {
            return nil
        }
        var pieces: [String] = []
        var buttons: [JSONValue] = []
        var times: [Interval] = []
        var next = place + 1
        reading: while true {
            switch kind(next) {
            case .textContent(id, let delta) where !delta.isEmpty && buttons.isEmpty:
                pieces.append(delta)
                if let time = events[next].time { times.append(time) }
            case .custom("mock.suggestions", let value)? where buttons.isEmpty:
                guard let items = value["items"]?.array, value.object?.members.count == 1, !items.isEmpty,
                    items.allSatisfy({ $0.string?.isEmpty == false })
                else { return nil }
                buttons = items
            case .textEnd(id)?: break reading
            default: return nil
            }
            next += 1
        }
        gaps += zip(times.dropFirst(), times).map { $0 - $1 }
        var step = Self.say(pieces)
        if !buttons.isEmpty { step.add("suggest", Placeholders.escaped(.array(buttons))) }
        if seen.contains(id) { pinned.insert(id) }
        step.add("id", pin(id))
        owner = id
        if let words = Self.words(pieces.joined()) { expect("agent", words) }
        return ([step], next + 1)
    }

    static func say(_ pieces: [String]) -> JSONObject {
        let whole = pieces.joined()
        guard pieces.count > 1 else { return ["say": Placeholders.text(whole), "chunks": .string("whole")] }
        if let size = size(of: pieces) { return ["say": Placeholders.text(whole), "chunks": .string(size)] }
        return ["chunks": .array(pieces.map(Placeholders.text))]
    }

    /// Returns a chunk size, such as `3 words`, that cuts the text into these pieces; nil if none is found.
    static func size(of pieces: [String]) -> String? {
        let sample = pieces.prefix(4).joined()
        let first = pieces.prefix(3)
        let whole = pieces.joined()
        for unit in Pace.Unit.allCases where unit != .whole {
            for count in 1...8
            where pieces.count <= 4 || ChunkCutter.cut(sample, size: count, unit: unit).starts(with: first) {
                guard ChunkCutter.cut(whole, size: count, unit: unit) == pieces else { continue }
                return "\(count) \(count == 1 ? String(unit.rawValue.dropLast()) : unit.rawValue)"
            }
        }
        return nil
    }

    /// Returns up to six words from the first line of a text that has words, for the example. Nil if there are none, or
    /// if more than one space separates two of them.
    static func words(_ text: String) -> String? {
        var spaces = 0
        var words = text.drop { $0.isWhitespace }.prefix {
            spaces += $0 == " " ? 1 : 0
            return spaces < 6 && !$0.isNewline
        }
        while words.last == " " { words.removeLast() }
        return words.isEmpty || words.holds("  ") ? nil : String(words)
    }

    mutating func reasoning(at place: Int) -> Found? {
        guard case .reasoningStart(let span)? = kind(place), isNew(span) else { return nil }
        var texts: [[String]] = []
        var ids: Set<String> = []
        var last: String?
        var sealed: String?
        var sharesID = false
        var next = place + 1
        while true {
            switch kind(next) {
            case .reasoningMessageStart(let id, true)?
            where !sharesID && (id != span || texts.isEmpty) && sealed == nil && isNew(id)
                && !ids.contains(id):
                ids.insert(id)
                sharesID = id == span
                last = id
                var pieces: [String] = []
                next += 1
                while case .reasoningContent(id, let delta)? = kind(next), !delta.isEmpty {
                    pieces.append(delta)
                    next += 1
                }
                guard kind(next) == .reasoningMessageEnd(id: id) else { return nil }
                texts.append(pieces)
            case .reasoningEncrypted(.message, let id, let value)? where id == last && sealed == nil:
                sealed = value
            case .reasoningEnd(span)?:
                guard var step = Self.reasoning(texts, sealed) else { return nil }
                if sharesID { step.add("sharesId", .bool(true)) }
                return ([timed(step, place..<next)], next + 1)
            default: return nil
            }
            next += 1
        }
    }

    static func reasoning(_ texts: [[String]], _ sealed: String?) -> JSONObject? {
        guard let first = texts.first else { return nil }
        var step: JSONObject = [
            "reason": texts.count == 1
                ? Placeholders.text(first.joined()) : .array(texts.map { Placeholders.text($0.joined()) })
        ]
        if texts.contains(where: { $0.count > 1 }) {
            if let size = size(of: first), texts.allSatisfy({ self.size(of: $0) == size }) {
                step.add("cut", .string(size))
            } else if texts.count == 1 {
                step.add("pieces", .array(first.map(Placeholders.text)))
            } else {
                return nil
            }
        }
        step.add("sealed", sealed.map { .string($0) })
        return step
    }

    /// Adds `every` to the step: the median of the pauses between its pieces.
    func timed(_ step: JSONObject, _ range: Range<Int>) -> JSONObject {
        let times = events[range].compactMap { event -> Interval? in
            switch event.event.kind {
            case .reasoningContent, .toolArguments: event.time
            default: nil
            }
        }
        guard let every = Self.median(zip(times.dropFirst(), times).map { $0 - $1 }) else { return step }
        var step = step
        step.add("every", measured(every))
        return step
    }

    static func median(_ gaps: [Interval]) -> Interval? {
        let sorted = gaps.sorted()
        guard !sorted.isEmpty, sorted[sorted.count / 2] >= .milliseconds(1) else { return nil }
        return sorted[sorted.count / 2]
    }
}

package import Clocks
package import RunWire
package import Texts

/// Recording of an agent's runs. The format is JSON lines or an event stream.
package struct RunRecording: Equatable, Sendable {
    package struct Event: Equatable, Sendable {
        package var line: Int
        package var body: JSONObject
        package var event: RunEvent
        /// Time of the event since 1970; nil if unknown.
        package var time: Interval?
    }

    package struct Problem: Error, Equatable, CustomStringConvertible {
        package var line: Int?
        package var sentence: String

        package var description: String { (line.map { "line \($0): " } ?? "") + sentence }
    }

    /// Time at which the first `byteCount` bytes had arrived.
    package struct Arrival: Equatable, Sendable {
        package var byteCount: Int
        package var time: Instant

        package init(byteCount: Int, time: Instant) { (self.byteCount, self.time) = (byteCount, time) }
    }

    package var events: [Event] = []

    /// - Parameters:
    ///   - bytes: the recording.
    ///   - arrivals: arrival times in order, used for events that have no time stamp.
    /// - Throws: ``Problem`` if an event cannot be read, or if there are no or too many events.
    package init(_ bytes: [UInt8], arrivals: [Arrival] = []) throws(Problem) {
        var arrivals = arrivals[...]
        var moment: Instant?
        try Self.forEachItem(of: bytes) { item throws(Problem) in
            let event: RunEvent
            let value = try? JSONReader.read(item.data)
            do throws(RunFormatError) {
                // The event and its body share one parsed value, so their texts are stored once.
                if let value {
                    event = try RunEventReader.read(value)
                } else {
                    event = try RunEventReader.read(item.data)
                }
            } catch {
                throw Problem(line: item.line, sentence: "this is no event of AG-UI: \(error)")
            }
            guard case .object(var body)? = value else { return }
            guard events.count < FixtureLimits.recordedEvents else {
                throw Problem(
                    line: item.line,
                    sentence:
                        "more than \(FixtureLimits.recordedEvents) events are no recording; cut it in pieces")
            }
            body.members.removeAll { $0.name == "timestamp" }
            var time = event.timestamp.map { Interval.milliseconds($0) }
            arrivals = arrivals.drop { $0.byteCount < item.end }
            if time == nil, let arrival = arrivals.first {
                // Events sent together may arrive in several pieces. Pieces soon after the first get the same time.
                if moment.map({ arrival.time - $0 >= FixtureLimits.arrivalNoise }) ?? true {
                    moment = arrival.time
                }
                time = moment.map { $0 - Instant(secondsSince1970: 0) }
            }
            events.append(Event(line: item.line, body: body, event: event, time: time))
        }
        guard !events.isEmpty else {
            throw Problem(sentence: "there is no event in it; JSON lines or event-stream text is wanted")
        }
    }

    private struct Item {
        var line: Int
        var data: [UInt8]
        var end: Int
    }

    /// Calls `read` for each event of a recording, which has JSON lines or is an event stream.
    private static func forEachItem(
        of bytes: [UInt8], _ read: (Item) throws(Problem) -> Void
    ) throws(Problem) {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let first = bytes.first { !isBlank($0) && $0 != 0x0A }
        var reader = EventStreamReader(limitBytes: JSONLimits.maxDocumentBytes)
        var (start, number, rest) = (1, 0, bytes[...])
        func receive(_ line: [UInt8], _ end: Int) throws(Problem) {
            if !reader.isInsideEvent { start = number }
            for item in reader.receive(line) {
                guard case .data(let data) = item else {
                    throw Problem(line: start, sentence: "this event is larger than 16 MiB")
                }
                try read(Item(line: start, data: data, end: end))
            }
        }
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest[line.endIndex...].dropFirst()
            number += 1
            if first == UInt8(ascii: "{") {
                let text = line.drop(while: isBlank)
                if !text.isEmpty { try read(Item(line: number, data: Array(text), end: line.endIndex)) }
            } else {
                try receive(line + [0x0A], line.endIndex)
            }
        }
        // The last event may lack its empty line. Two line ends complete it.
        if first != UInt8(ascii: "{") { try receive([0x0A, 0x0A], bytes.endIndex) }
    }
}

extension RunRecording {
    package var lines: [String] {
        events.map { String(decoding: JSONWriter.bytes(.object($0.body)), as: UTF8.self) }
    }

    package struct Run: Sendable {
        package var events: [Event] = []

        var start: RunStart? {
            if case .runStarted(let start)? = events.first?.event.kind { start } else { nil }
        }

        var end: Event? { events.last.flatMap { $0.event.isTerminal ? $0 : nil } }

        /// An interrupt of older versions of LangGraph: a custom event in a run that ends without an outcome.
        package var bareInterrupt: Event? {
            guard case .runFinished(let finish)? = end?.event.kind, finish.outcome == nil else { return nil }
            return events.last { $0.body["name"]?.string == "on_interrupt" }
        }
    }

    /// The runs, with chunk events in long form.
    package var runs: [Run] {
        var runs: [Run] = []
        var isOver = true
        var expander = RunExpander(profile: .v1)
        for event in events.flatMap({ Self.expanded($0, by: &expander) }) {
            if case .runStarted = event.event.kind, isOver {
                runs.append(Run())
                isOver = false
            }
            if runs.isEmpty { (runs, isOver) = ([Run()], false) }
            runs[runs.count - 1].events.append(event)
            isOver = isOver || event.event.isTerminal
        }
        return runs
    }

    private static func expanded(_ event: Event, by expander: inout RunExpander) -> [Event] {
        let type = event.event.type
        guard !type.hasPrefix("THINKING"), let found = try? expander.expand(event.event),
            type.hasSuffix("_CHUNK") || found.count > 1
        else { return [event] }
        return found.enumerated().map { place, part in
            var made = event
            if !type.hasSuffix("_CHUNK"), place == found.count - 1 { return made }
            made.event = part
            made.body = (try? JSONReader.read(RunEventWriter.bytes(part)))?.object ?? JSONObject()
            made.body.members.removeAll { $0.name == "timestamp" }
            return made
        }
    }
}

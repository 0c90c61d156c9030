package import Clocks
package import RunWire
package import Texts

/// Runs of an agent as somebody recorded them: JSON lines of events, or event-stream text.
package struct RunRecording: Equatable, Sendable {
    package struct Event: Equatable, Sendable {
        /// Where it stands in the recording, from 1.
        package var line: Int
        package var body: JSONObject
        package var event: RunEvent
        /// Since any moment that all events of the recording have in common; nil where the agent did not stamp it.
        package var time: Interval?
    }

    /// What is wrong with a recording, and where.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package var line: Int?
        package var sentence: String

        package var description: String { (line.map { "line \($0): " } ?? "") + sentence }
    }

    /// When so many bytes of a recording were there.
    package struct Arrival: Equatable, Sendable {
        package var byteCount: Int
        package var time: Instant

        package init(byteCount: Int, time: Instant) {
            self.byteCount = byteCount
            self.time = time
        }
    }

    package var events: [Event] = []

    /// - Parameters:
    ///   - bytes: the recording.
    ///   - arrivals: for events that have no stamp of their own; in the order of time.
    /// - Throws: the first event that cannot be read.
    package init(_ bytes: [UInt8], arrivals: [Arrival] = []) throws(Problem) {
        var arrivals = arrivals[...]
        var moment: Instant?
        for item in try Self.items(bytes) {
            let event: RunEvent
            let value: JSONValue
            do throws(RunFormatError) {
                event = try RunEventReader.read(item.data)
            } catch {
                throw Problem(line: item.line, sentence: "this is no event of AG-UI: \(error)")
            }
            do throws(JSONError) {
                value = try JSONReader.read(item.data)
            } catch {
                throw Problem(line: item.line, sentence: "\(error)")
            }
            guard case .object(var body) = value else { continue }
            body.members.removeAll { $0.name == "timestamp" }
            var time = event.timestamp.map { Interval.milliseconds($0) }
            arrivals = arrivals.drop { $0.byteCount < item.end }
            if time == nil, let arrival = arrivals.first {
                // What is told at one moment may come in several pieces.
                if moment.map({ arrival.time - $0 >= Limits.arrivalNoise }) ?? true { moment = arrival.time }
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
        /// How many bytes of the recording are there when the event is.
        var end: Int
    }

    /// The texts of the events. A recording whose first text is an object has one event in each line.
    private static func items(_ bytes: [UInt8]) throws(Problem) -> [Item] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let first = lines.lazy.map { $0.drop(while: isBlank) }.first { !$0.isEmpty }
        if first?.first == UInt8(ascii: "{") {
            return lines.enumerated().compactMap { number, line in
                let text = line.drop(while: isBlank)
                return text.isEmpty ? nil : Item(line: number + 1, data: Array(text), end: line.endIndex)
            }
        }
        var reader = EventStreamReader(limitBytes: JSONLimits.maxDocumentBytes)
        var items: [Item] = []
        var start = 1
        // What breaks off without its empty line was an event nevertheless.
        for (number, line) in (lines + [[], []]).enumerated() {
            if !reader.isInsideEvent { start = min(number + 1, lines.count) }
            for item in reader.receive(line + [0x0A]) {
                guard case .data(let data) = item else {
                    throw Problem(line: start, sentence: "this event is larger than 16 MiB")
                }
                items.append(Item(line: start, data: data, end: line.endIndex))
            }
        }
        return items
    }
}

extension RunRecording {
    /// Its events as JSON lines.
    package var lines: [String] {
        events.map { String(decoding: JSONWriter.bytes(.object($0.body)), as: UTF8.self) }
    }

    /// One run: its events, from the one that begins it to the one that ends it.
    struct Run {
        var events: [Event] = []

        var start: RunStart? {
            if case .runStarted(let start)? = events.first?.event.kind { start } else { nil }
        }

        var end: Event? { events.last.flatMap { $0.event.isTerminal ? $0 : nil } }

        /// What the user said, where the run gives the request back, or tells all messages.
        var words: String? {
            let told = events.lazy.compactMap { event -> [RunMessage]? in
                if case .messagesSnapshot(let messages) = event.event.kind { messages } else { nil }
            }.first
            let mine = events.lazy.flatMap { RunLifter.ids(of: $0.body) }
            let said = start?.input?.messages.last ?? told?.last { !mine.contains($0.id) && $0.role != .tool }
            return said?.role == .user ? said?.content?.text : nil
        }
    }

    /// What stands behind the end of a run belongs to it, unless the next one begins there.
    var runs: [Run] {
        var runs: [Run] = []
        for event in events {
            if case .runStarted = event.event.kind,
                runs.last?.events.contains(where: { $0.event.isTerminal }) ?? true
            {
                runs.append(Run())
            }
            if runs.isEmpty { runs.append(Run()) }
            runs[runs.count - 1].events.append(event)
        }
        return runs
    }
}

import Clocks
import ConversationEngine
import Matching
import RunWire
import Texts

/// Fixture made from recorded runs, with one rule per turn and the recorded pauses.
package struct RecordedFixture: Sendable {
    package private(set) var text: String
    /// Differences between fixture and recording, as sentences.
    package private(set) var notes: [String]
    package private(set) var says: [String]
    /// The runs that the fixture plays.
    package let runs: [RunRecording.Run]
    package let thread: RecordedThread

    private struct Turn {
        var words: String?
        var steps: [RunDecompiler.Lifted] = []
        var heard: [String] = []
        var isSuspended = false
    }

    /// - Parameters:
    ///   - recording: the recorded runs.
    ///   - name: name of the fixture.
    ///   - source: origin of the recording, for the fixture's description.
    ///   - said: the user's first message, if known.
    ///   - isExact: whether measured durations keep their nanoseconds.
    package init(
        _ recording: RunRecording, name: String, source: String, said: String? = nil, isExact: Bool = false
    ) {
        let all = recording.runs
        let thread = all.lazy.compactMap(\.start?.threadID).first
        let runs = all.filter { $0.start.map { $0.threadID == thread } ?? true }
        self.runs = runs
        let talk = RecordedThread(runs)
        self.thread = talk
        var lifter = RunDecompiler(runs, talk, isExact: isExact)
        var turns: [Turn] = []
        // Several passes: each pass may find more ids that must be written out.
        for _ in 0..<FixtureLimits.recordingPasses {
            let (pinned, remembered) = (lifter.pinned, lifter.remembered)
            lifter = RunDecompiler(runs, talk, isExact: isExact)
            (lifter.pinned, lifter.remembered) = (pinned, remembered)
            turns = Self.turns(runs, said, talk.words, &lifter)
            if lifter.pinned == pinned, lifter.remembered == remembered { break }
        }
        says = turns.map { $0.words ?? "Hello" }
        notes = Self.notes(all, runs)
        if talk.earlier > 0 {
            let count = Counted.text(talk.earlier, "message")
            notes.append("the thread had begun: its first \(count) are left out")
        }
        var top: JSONObject = ["fixture": .integer(1), "name": .string(name)]
        let count = Counted.text(recording.events.count, "event")
        top.add(
            "about", .string("\(Counted.text(runs.count, "run")) with \(count), recorded from \(source)."))
        if let every = RunDecompiler.median(lifter.gaps) {
            top.addPace(think: .string("0s"), every: lifter.measured(every))
        } else {
            top.add("pace", .string("instant"))
        }
        let manners = Self.manners(runs)
        if !manners.members.isEmpty { top.add("runs", .object(manners)) }
        if !lifter.remembered.isEmpty {
            let names = lifter.remembered.sorted().flatMap { ["run\($0 + 1)", "message\($0 + 1)"] }
            top.add("memory", .object(JSONObject(names.map { .init($0, .string("")) })))
        }
        if !lifter.tools.isEmpty {
            top.add("tools", .object(JSONObject(lifter.tools.map { .init($0.name, Self.tool($0)) })))
        }
        top.members.append(Self.rules(turns, lifter))
        if let example = Self.example(turns, says) { top.add("examples", .array([example])) }
        // Invisible characters are escaped, so that a reader can see and copy them.
        text = ForeignText.json(JSON5Layout.file(top))
    }

    private static func turns(
        _ runs: [RunRecording.Run], _ said: String?, _ heard: [String?], _ lifter: inout RunDecompiler
    ) -> [Turn] {
        var turns: [Turn] = []
        for (number, run) in runs.enumerated() {
            let words = (turns.isEmpty ? said ?? heard[number] : heard[number]).flatMap { words in
                words.allSatisfy(\.isWhitespace) ? nil : words
            }
            if turns.last?.isSuspended != true || words != nil { turns.append(Turn(words: words)) }
            let (steps, heard) = (lifter.steps.count, lifter.heard.count)
            lifter.decompile(run)
            let last = turns.count - 1
            // A run that continues a suspended turn adds no lines to the example, because a recording does not show how
            // the user answered.
            if !turns[last].isSuspended { turns[last].heard += lifter.heard[heard...] }
            turns[last].steps += lifter.steps[steps...]
            turns[last].isSuspended = lifter.isSuspended
        }
        return turns
    }

    private static func tool(_ tool: RunDecompiler.SeenTool) -> JSONValue {
        var block = JSONObject()
        if let title = tool.title { block.add("title", .string(title)) }
        if let label = tool.label { block.add("label", .string(label)) }
        if tool.isOfClient { block.add("client", .bool(true)) }
        return .object(block)
    }

    /// Returns one rule per turn, in order.
    private static func rules(_ turns: [Turn], _ lifter: RunDecompiler) -> JSONObject.Member {
        let rules = turns.enumerated().map { number, turn -> JSONValue in
            let steps = turn.steps.flatMap { lifted -> [JSONValue] in
                let pause: [JSONValue] = lifted.pause.map { [.object(["wait": lifter.measured($0)])] } ?? []
                return pause + [.object(lifted.step)]
            }
            let name = turns.count == 1 ? "recorded" : "turn-\(number + 1)"
            let hears = JSONValue.string(turn.words.flatMap(phrase) ?? "*")
            return .rule(name, hears: hears, isOnce: number + 1 < turns.count, steps)
        }
        return .init("anywhere", .array(rules))
    }

    /// Returns the words as a phrase; nil if a phrase would give them another meaning.
    private static func phrase(_ words: String) -> String? {
        let isPlain = words.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " .,!?'’-".unicodeScalars.contains(scalar)
        }
        let hasLetters = words.unicodeScalars.contains { $0.properties.isAlphabetic }
        return isPlain && hasLetters && hasWords(words) && words.utf8.count <= FixtureLimits.phraseBytes
            ? words : nil
    }

    /// Whether a text has a word that can be heard. A mark on a digit is alphabetic, but makes no word.
    static func hasWords(_ words: String) -> Bool {
        words.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            && (try? Phrase(words)) != nil
    }

    /// Returns the line of an example for a message of the user; nil if no example can have the message.
    static func line(ofUser words: String) -> String? {
        let isPlain = words.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        let words = isPlain ? words : words.split { $0.isNewline }.joined(separator: " ")
        guard let start = words.firstIndex(where: { !$0.isWhitespace }),
            !words[start...].hasPrefix("exactly:")
        else {
            return nil
        }
        return "user: " + words
    }

    private static func example(_ turns: [Turn], _ says: [String]) -> JSONValue? {
        var talk: [JSONValue] = []
        for (turn, words) in zip(turns, says) {
            guard let line = line(ofUser: words) else { break }
            talk.append(.string(line))
            talk += turn.heard.map { .string($0) }
            if turn.isSuspended { break }
        }
        return talk.isEmpty ? nil : .object(["name": .string("As recorded"), "talk": .array(talk)])
    }

    /// Returns the `runs` block: settings that all runs have in common.
    private static func manners(_ runs: [RunRecording.Run]) -> JSONObject {
        let starts = runs.compactMap { run in run.start == nil ? nil : run.events.first }
        var manners = JSONObject()
        if !starts.isEmpty, starts.allSatisfy({ $0.event.timestamp != nil }) {
            manners.add("stamps", .bool(true))
        }
        if !starts.isEmpty, starts.allSatisfy({ $0.body["input"]?.object != nil }) {
            manners.add("echo", .bool(true))
        }
        if let metadata = starts.first?.event.metadata, starts.allSatisfy({ $0.event.metadata == metadata }) {
            manners.add("metadata", .object(metadata))
        }
        return manners
    }

    private static func notes(_ all: [RunRecording.Run], _ runs: [RunRecording.Run]) -> [String] {
        var notes: [String] = []
        if runs.count < all.count {
            let others = Counted.text(all.count - runs.count, "run")
            notes.append("\(others) of other threads left out: a fixture plays one talk")
        }
        for run in runs {
            guard let first = run.events.first, let last = run.events.last else { continue }
            if run.start == nil {
                notes.append(
                    "line \(first.line): the run does not begin with RUN_STARTED; that of the fixture does")
            }
            if let interrupt = run.bareInterrupt {
                notes.append(
                    "line \(interrupt.line): an interrupt of older LangGraph, without an outcome; the fixture goes on"
                        + " at any message, and what follows is not compared")
            }
            if run.end == nil, !run.events.contains(where: { $0.event.isTerminal }) {
                notes.append("line \(last.line): the run breaks off here; that of the fixture ends")
            }
        }
        return notes
    }
}

import Clocks
import ConversationEngine
import Fixtures
import Matching
import Texts

/// JSON5 files, the fixtures in them, and the small notations inside.
enum FixtureEntries {
    static let words = [
        "fixture: 1,", "name: \"A\",", "agent: { name: \"Ada\" },", "greeting: [ { say: \"Hi\" } ],",
        "otherwise: [ { replies: [ { say: \"{message}\" } ] } ],", "stages: {", "start: [", "hears: \"",
        "hears: [",
        "hears: { pattern: \"", "hears: { exactly: \"", "hears: { all: [", "hears: { none: [", "replies: [",
        "say: \"", "say: [", "chunks: [", "suggest: [", "attach: [", "think: \"200ms\"", "wait: \"2s\"",
        "remember: {", "forget: [", "handoff: \"", "handoffs: {", "end: \"", "system: {", "emit: {",
        "fault: \"",
        "faults: {", "at: \"reply 1 chunk 1\"", "do: { drop: \"connection\" }", "times: 2",
        "chance: \"20%\"",
        "then: \"start\"", "if: {", "limit: 1", "memory: {", "values: {", "paces: {", "pace: \"natural\"",
        "chunk: \"3 words\"", "every: \"40ms\"", "examples: [ { name: \"e\", talk: [ \"user: a\" ] } ]",
        "anywhere: [", "begin: \"start\"", "// lint: ignore", "/*", "*/", "//", "{", "}", "[", "]", ",", ":",
        "'",
        "\"", "\\\n", "\\x41", "\\u{41}", "\\u00e9", "+Infinity", "NaN", "0x1F", ".5e+3", "$schema",
        "{guest}",
        "{agent.name}", "{{", "}}", "{now}", "{guest.words}", "{n:number}", "{d:day}", "{t:time}", "seed: 7,",
        "clock: \"2026-01-15T09:30:00Z\",", "user: ", "agent: exactly: ", "(wait 5s)",
        "zone: \"+01:00\",", "kinds: {", "size: [ \"small\", \"big one\" ],", "{s:size}", "now: {",
        "size: { small: \"little\", large: [ \"big\" ] } },", "from: \"17:00\",", "to: \"02:00\"",
        "days: [ \"Friday\" ]", "now: \"Monday 21:00\",", "giveBack: \"done\"", "transfer: \"a\"",
        "receipt: \"read\"", "presence: \"idle\"",
        "file: \"data:text/plain,a%20b\"", "#", ";", "=", "reply: [",
    ]

    // MARK: JSON5

    static func json5(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let document = JSON5Document(reading: bytes)
        // A long file can have thousands, such as one name again and again.
        for problem in document.problems.prefix(20) {
            try require(
                0...bytes.count ~= problem.offset, "a problem at byte \(problem.offset) of \(bytes.count)")
            try checkPlace(document.place(at: problem.offset), in: bytes)
            try require(!problem.message.isEmpty, "a problem without words")
        }
        guard let root = document.root else {
            try require(!document.problems.isEmpty, "no value, and no problem either")
            try require(
                (try? JSONReader.read(bytes)) == nil
                    || document.problems.contains { !$0.message.isEmpty && isLimit($0) },
                "JSON that is no JSON5: \(document.problems[0].message)")
            return Trait("broken", String(document.problems[0].message.prefix(20)))
        }
        var trait = Trait()
        try checkTree(root, document, &trait)
        guard let compact = JSON5Writer.compactJSON(root, of: document) else { return trait }
        let text = Array(compact.utf8)
        let again = JSON5Document(reading: text)
        try require(again.root.map { isSame($0, root) } == true, "the value differs after a round trip")
        if let json = try? JSONReader.read(text) {
            try require(
                (try? JSONReader.read(JSONWriter.bytes(json))) == json, "JSON differs after a round trip")
        } else {
            throw BrokenRule("the compact text is no JSON")
        }
        return trait
    }

    /// JSON may be larger, deeper and have longer numbers than fixtures.
    private static func isLimit(_ problem: JSON5Problem) -> Bool {
        ["may have", "deep", "many", "long", "nest", "more than"].contains { problem.message.contains($0) }
    }

    private static func checkTree(
        _ value: JSON5Value, _ document: JSON5Document, _ trait: inout Trait
    ) throws(BrokenRule) {
        let range = value.range
        try require(
            0 <= range.lowerBound && range.lowerBound < range.upperBound
                && range.upperBound <= document.bytes.count, "a value outside the file")
        if range.count < 16 { trait.add(value.kindName) }
        switch value.content {
        case .list(let items):
            for item in items {
                try require(range.contains(item.start), "an item outside its list")
                try checkTree(item, document, &trait)
            }
        case .object(let members):
            for member in members {
                try require(range.contains(member.nameStart), "a name outside its object")
                try checkTree(member.value, document, &trait)
            }
        case .text(let text):
            // Offsets inside the text lead back into its source.
            for offset in [0, text.utf8.count / 2, text.utf8.count] {
                try require(
                    range.contains(document.offset(of: offset, in: value)), "a text offset outside its value")
            }
        case .null, .boolean, .number: break
        }
    }

    private static func isSame(_ left: JSON5Value, _ right: JSON5Value) -> Bool {
        switch (left.content, right.content) {
        case (.list(let first), .list(let second)):
            first.count == second.count && zip(first, second).allSatisfy { isSame($0, $1) }
        case (.object(let first), .object(let second)):
            first.count == second.count
                && zip(first, second).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && isSame($0.value, $1.value)
                }
        case (.text(let first), .text(let second)): first.utf8.elementsEqual(second.utf8)
        default: left.content == right.content
        }
    }

    /// Line and column exist in the text.
    static func checkPlace(_ place: SourcePlace, in bytes: [UInt8]) throws(BrokenRule) {
        var line = 1
        var column = 1
        var lineColumns = 1
        for (index, byte) in bytes.enumerated() {
            if byte & 0xC0 != 0x80 { column += 1 }
            if line == place.line { lineColumns = column }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if byte == 0x0A || byte == 0x0D && next != 0x0A {
                line += 1
                column = 1
                if line == place.line { lineColumns = 1 }
            }
        }
        try require(1...line ~= place.line, "line \(place.line) of \(line)")
        try require(1...lineColumns + 1 ~= place.column, "column \(place.column) of \(lineColumns)")
    }

    // MARK: Fixtures

    /// From text to script with all findings, and a message said to the result.
    static func fixture(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let compiled = FixtureLoader.compile(bytes: bytes, fileName: "a.json5", name: "a")
        var trait = Trait()
        for finding in compiled.findings {
            trait.add(finding.code.rawValue)
            try require(!finding.message.isEmpty, "a finding without words")
            try checkPlace(finding.place, in: bytes)
        }
        try require(
            compiled.hasErrors == (compiled.script == nil), "a script in spite of errors, or none without")
        try require(compiled.findings.count <= 200, "\(compiled.findings.count) findings")
        guard let script = compiled.script else { return trait }
        trait.add("script")
        do throws(RuleProbe.Failure) {
            let trial = try RuleProbe(of: script, saying: "Tom, 4 people at 7pm on Friday")
            trait.add(trial.answer?.rule == nil ? "unheard" : "heard")
            trait.add(roughly: trial.said.count)
        } catch {
            trait.add("no talk")
        }
        return trait
    }

    // MARK: Templates

    /// A text as a `say` has it, compiled and filled.
    static func template(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let text = String(decoding: bytes, as: UTF8.self)
        var file = Array(
            "{fixture:1,name:\"t\",memory:{guest:\"Tom\",n:\"2\"},values:{v:\"w\"},greeting:[{say:".utf8)
        JSONWriter.string(text, into: &file)
        file += Array("}]}".utf8)
        let compiled = FixtureLoader.compile(bytes: file, fileName: "a.json5", name: "a")
        for finding in compiled.findings { try checkPlace(finding.place, in: file) }
        guard let script = compiled.script else {
            return Trait(
                compiled.findings.first { $0.severity == .error }?.code.rawValue ?? "")
        }
        var trait = Trait()
        for step in script.greeting {
            guard case .say(let speech) = step.verb else { continue }
            for template in speech.texts { try check(template, of: text, &trait) }
        }
        return trait
    }

    private static func check(
        _ template: Template, of text: String, _ trait: inout Trait
    ) throws(BrokenRule) {
        trait.add(roughly: template.parts.count)
        for slot in template.slots {
            try require(0..<text.utf8.count ~= slot.offset, "a gap outside its text")
        }
        // Without gaps only doubled braces change.
        let plain = template.filled { _ in "" }
        try require(plain.utf8.count <= text.utf8.count, "a template without values is longer than its text")
        if template.slots.isEmpty, !text.contains("{"), !text.contains("}") {
            try require(plain == text, "a text without braces differs")
        }
        let value = String(repeating: "é", count: 7)
        let all = template.filled { _ in value }
        for limit in [0, 5, 40] where !template.slots.isEmpty {
            let cut = template.filled(atMost: limit) { _ in value }
            try require(cut.utf8.count <= limit, "cut at \(limit), it has \(cut.utf8.count) bytes")
            try require(all.utf8.starts(with: cut.utf8), "the cut text does not begin the whole one")
        }
    }

    // MARK: Notations

    /// The line of a connector token, and one fault in the words of fixtures.
    static func scenario(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var trait = Trait()
        let text = String(decoding: bytes, as: UTF8.self)
        var line: ScenarioLine?
        do throws(ScenarioProblem) {
            line = try ScenarioLine(text)
            if let line {
                trait.add(line.seed == nil ? "line" : "seeded line")
                trait.add(roughly: line.faults.count)
                trait.add(line.tag == nil ? "" : "tag")
                trait.add(line.now == nil ? "" : "now")
                trait.add(roughly: line.memory.count)
            }
        } catch {
            trait.add(String(error.sentence.suffix(3)))
        }
        if let line { try checkMemory(line) }
        switch FaultReader.read(bytes) {
        case .success: trait.add("fault")
        case .failure(let problem):
            try require(!problem.sentence.isEmpty, "a problem without words")
            trait.add(String(problem.sentence.prefix(6)))
        }
        if let interval = FixtureLoader.interval(text) {
            try require(interval.nanoseconds >= 0, "a negative length of time")
            trait.add("interval")
        }
        return trait
    }

    /// A line written anew says the same; a fixture with such memory takes the values.
    private static func checkMemory(_ line: ScenarioLine) throws(BrokenRule) {
        for (name, value) in line.memory {
            let again = "mock:a@memory.\(ScenarioLine.encoded(name))=\(ScenarioLine.encoded(value))"
            // Encoding makes it longer, and a line has its limit.
            guard again.utf8.count <= 512 else { continue }
            try require(
                (try? ScenarioLine(again))?.memory == [name: value], "memory differs after a round trip")
        }
        guard !line.memory.isEmpty else { return }
        var script = Script(name: line.fixture)
        script.memory = line.memory.keys.sorted().map { MemorySlot(name: $0) }
        let scenario = try? Scenario(
            ScenarioLine(fixture: line.fixture, memory: line.memory), playing: script)
        try require(scenario?.memory == line.memory, "memory that no gap fills is not taken as it is")
    }

    static let scenarioWords = [
        "mock:", "mock:booking", "+tunnel", "@seed=7", "@pace=natural", "@tag=a", "@now=21:00",
        "@now=Monday%2021:00",
        "@memory.open=no", "@memory.", "%40", "%", "@", "+", "=", "800ms",
        "1.5s", "5m",
        "1h", "{ at: \"reply 1 chunk 1\", do: { drop: \"connection\" } }", "at: \"", "do: {", "token",
        "session",
        "handshake 1", "connect 1", "user message 1", "reply 1", "queue update 1", "live agent joins",
        "heartbeat 1",
        "any event", "drop: \"", "delay: \"2s\"", "garble: \"", "repeat: 2", "status: 503", "close: 4001",
        "times: 2",
        "chance: \"20%\"", "name: \"x\"",
    ]
}

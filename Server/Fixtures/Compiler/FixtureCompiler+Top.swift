import Clocks
import ConversationEngine

/// Compiles the top level of a fixture (fixtures/README.md#every-name).
extension FixtureCompiler {
    mutating func compileTop(_ root: JSON5Value) {
        guard let written = block(root, .top) else { return }
        let top = repaired(written)
        map.triesExamples = top.has("examples") && top["examples"]?.content != .list([])
        gatherNames(top)
        compileHead(top)
        compileKinds(top)
        compileSlots(top)
        compilePaces(top)
        for (number, faults) in (top["faults"].flatMap { members(of: $0, "\"faults\"") } ?? [])
            .enumerated()
        {
            compileFault(faults, number: number)
        }
        for tool in top["tools"].flatMap({ members(of: $0, "\"tools\"") }) ?? [] { compileTool(tool) }
        if let greeting = top["greeting"] {
            script.greeting = steps(greeting, "greeting")
            checkRunOrder(script.greeting)
            script.greetingPlace = document.place(at: greeting.start)
        }
        compileStages(top)
        if let rules = top["anywhere"] { script.anywhere = compileRules(rules, "anywhere", .listening) }
        if let rules = top["otherwise"] { script.otherwise = compileRules(rules, "otherwise", .lastResort) }
        for member in top["handoffs"].flatMap({ members(of: $0, "\"handoffs\"") }) ?? [] {
            compileHandoff(member)
        }
        checkHeardQuestions()
        script.hasRuns = map.usesRuns
        if script.hasRuns { script.runs.order = RunOrderFactory { RunOrderCheck() } }
        for example in top["examples"].flatMap({ list($0, "examples") }) ?? [] { compileExample(example) }
    }

    /// Corrects misspelt names of top-level parts, so that the names declared inside these parts count as declared.
    private func repaired(_ top: Block) -> Block {
        guard !top.meant.isEmpty, case .object(let written) = top.value.content else { return top }
        var members = top.members
        for var member in written where !BlockForm.top.names.contains(member.name) {
            let name = meant(by: member.name, among: BlockForm.top.names)
            guard let name, !members.contains(where: { $0.name == name }) else { continue }
            let fits =
                switch (name, member.value.content) {
                case ("kinds", .object), ("memory", .object), ("values", .object), ("paces", .object),
                    ("stages", .object):
                    true
                case ("handoffs", .object), ("tools", .object), ("faults", .object), ("begin", .text): true
                case ("greeting", .list), ("anywhere", .list), ("otherwise", .list), ("examples", .list): true
                default: false
                }
            guard fits else { continue }
            member.name = name
            members.append(member)
        }
        return Block(value: top.value, members: members, meant: top.meant)
    }

    private mutating func compileHead(_ top: Block) {
        if let version = top["fixture"] {
            if version.content != .number(1) {
                let source = MessageFormat.shortened(document.source(of: version))
                let isText = version.content == .text("1")
                report(
                    .version, at: version, "This file says fixture: \(source); the version known here is 1.",
                    fix: isText ? "write 1 without quotes" : nil,
                    replacement: isText ? replacement(of: version, by: "1") : nil)
            }
        } else if !top.has("fixture") {
            report(
                .version, at: top.value, "The file does not say which version of the format it uses.",
                fix: "add fixture: 1 as the first line")
        }
        if let schema = top["$schema"] { _ = text(schema, "$schema") }
        if let title = top["name"].flatMap({ filledText($0, "name") }) { script.title = title }
        if let about = top["about"].flatMap({ text($0, "about") }) { script.about = about }
        if let agent = top["agent"].flatMap({ profile($0, .agent, id: "") }) { script.agent = agent }
        if let session = top["session"] { compileSession(session) }
        if let runs = top["runs"] { compileRuns(runs) }
        if let seed = top["seed"] { script.seed = compileSeed(seed) }
        if let zone = top["zone"] { compileZone(zone) }
        if let value = top["clock"], let text = text(value, "clock") {
            let scale = text.hasPrefix("scaled ") ? ValueSyntax.number(text.dropFirst(7)) : nil
            if text == "real" || text == "frozen" || scale.map({ $0 > 0 }) == true {
                clock = text
            } else {
                report(
                    .wrongType, at: value,
                    "\"clock\" cannot be \"\(MessageFormat.shortened(text))\". Write \"real\", \"frozen\" or "
                        + "\"scaled 10\"."
                )
            }
        }
    }

    private mutating func compileSeed(_ value: JSON5Value) -> UInt64? {
        guard let number = number(value, "seed") else { return nil }
        // A Double represents every whole number up to 2^53, but not every larger one.
        guard number >= 0, number <= 9_007_199_254_740_992, number.rounded() == number else {
            report(
                .wrongType, at: value,
                "\"seed\" must be a whole number of 0 or more, up to 2 to the power of 53.")
            return nil
        }
        return UInt64(number)
    }

    private mutating func compileSession(_ value: JSON5Value) {
        guard let session = block(value, .session) else { return }
        script.session.streaming = session["streaming"].flatMap { flag($0, "streaming") }
        script.session.greetingMessage = session["greetingMessage"].flatMap { flag($0, "greetingMessage") }
        script.session.tokenLife = session["tokenLife"].flatMap { lasting($0, "tokenLife") }
        script.session.idle = session["idle"].flatMap { lasting($0, "idle") }
        script.session.connections = session["connections"].flatMap {
            whole($0, "connections", in: 1...FixtureLimits.connections)
        }
        if let value = session["heartbeat"], let heartbeat = interval(value, "heartbeat") {
            script.session.heartbeat = heartbeat
            if heartbeat.nanoseconds % Interval.seconds(1).nanoseconds != 0 {
                report(
                    .duration, at: value, "A heartbeat is sent to clients in whole seconds.",
                    fix: "write \"1s\" or more, or \"0s\" for never")
            }
        }
    }

    private mutating func lasting(_ value: JSON5Value, _ name: String) -> Interval? {
        guard let interval = interval(value, name) else { return nil }
        guard interval > .zero else {
            report(.duration, at: value, "\"\(name)\" must be longer than nothing.")
            return nil
        }
        return interval
    }

    mutating func profile(_ value: JSON5Value, _ form: BlockForm, id: String) -> SpeakerProfile? {
        guard let block = block(value, form) else { return nil }
        var profile = SpeakerProfile(id: id, name: "")
        if let name = block["name"] {
            guard let name = filledText(name, "name") else { return nil }
            profile.name = name
        }
        if let id = block["id"].flatMap({ filledText($0, "id") }) { profile.id = id }
        if let avatar = block["avatar"], let link = text(avatar, "avatar") {
            checkLink(link, at: avatar)
            profile.avatar = link
        }
        return profile
    }

    // MARK: Memory and values

    private mutating func compileSlots(_ top: Block) {
        if let value = top["values"] {
            for member in members(of: value, "\"values\"") ?? [] {
                checkSlotName(member)
                if let text = constant(member.value) {
                    script.values[member.name] = text
                } else {
                    report(
                        .wrongType, at: member.value,
                        "A value must be a text or a number, not \(member.value.kindName).")
                }
            }
        }
        guard let memory = top["memory"] else { return }
        for member in members(of: memory, "\"memory\"") ?? [] {
            checkSlotName(member)
            if names.values[member.name] != nil {
                report(
                    .duplicateKey, at: member.nameStart,
                    "\"\(MessageFormat.shortened(member.name))\" stands in \"memory\" and in \"values\".",
                    fix: "give one of them another name")
            }
            let initial = constant(member.value)
            if initial == nil, member.value.content != .null {
                report(
                    .wrongType, at: member.value,
                    "Memory begins as null, a text or a number, not \(member.value.kindName).")
            }
            map.memory[member.name] = document.place(at: member.nameStart)
            script.memory.append(MemorySlot(name: member.name, initial: initial))
        }
    }

    private mutating func checkSlotName(_ member: JSON5Member) {
        let name = MessageFormat.shortened(member.name)
        if member.name == "message" || member.name == "now" {
            report(
                .reservedName, at: member.nameStart, "{\(name)} has a meaning of its own; take another name.")
            return
        }
        if !Self.isSlotName(member.name) {
            report(
                .reservedName, at: member.nameStart,
                "\"\(name)\" cannot stand in a gap: a name has letters, digits, _ and -, and begins "
                    + "with a letter."
            )
        }
    }

    // MARK: Paces

    private static let builtInPaces: [String: Pace] = ["natural": .natural, "instant": .instant]

    private mutating func compilePaces(_ top: Block) {
        script.paces = Self.builtInPaces
        for member in top["paces"].flatMap({ members(of: $0, "\"paces\"") }) ?? [] {
            if let pace = compilePace(member.value) { script.paces[member.name] = pace }
        }
        if let value = top["pace"], let pace = pace(value) {
            script.pace = pace
        } else if let natural = script.paces["natural"] {
            script.pace = natural
        }
    }

    private mutating func compilePace(_ value: JSON5Value) -> Pace? {
        guard let block = block(value, .pace) else { return nil }
        var pace = Pace.natural
        pace.jitter = 0
        if let think = block["think"].flatMap({ interval($0, "think") }) { pace.think = think }
        if let every = block["every"].flatMap({ interval($0, "every") }) { pace.every = every }
        if let jitter = block["jitter"].flatMap({ share($0, "jitter") }) { pace.jitter = jitter }
        if let chunk = block["chunk"], let size = chunkSize(chunk, "chunk") {
            pace.chunkSize = size.count
            pace.chunkUnit = size.unit
        }
        return pace
    }

    mutating func chunkSize(_ value: JSON5Value, _ name: String) -> ChunkSize? {
        guard let text = text(value, name) else { return nil }
        if let size = ValueSyntax.chunk(text) { return size }
        let meant = ValueSyntax.chunkMeant(by: text)
        let help =
            meant.map { "Did you mean \"\($0)\"?" }
            ?? "Write \"3 words\", \"10 characters\", \"5 tokens\", \"1 sentence\", \"1 line\" or \"whole\"."
        report(
            .wrongType, at: value, "\"\(MessageFormat.shortened(text))\" is not a size. \(help)",
            replacement: replacement(of: text, at: value.start, by: meant))
        return nil
    }

    mutating func pace(_ value: JSON5Value) -> Pace? {
        guard let name = text(value, "pace") else { return nil }
        if let pace = script.paces[name] { return pace }
        let length = ValueSyntax.interval(name) == nil ? ValueSyntax.intervalMeant(by: name) : name
        let hint = length.map {
            " A length of time stands in \"paces\": paces: { slow: { every: \"\($0)\" } }."
        }
        reportMissing(
            .unknownPace, "No pace is called \"\(MessageFormat.shortened(name))\".\(hint ?? "")", name,
            in: ["paces"], among: script.paces.keys.sorted(), at: value.start)
        return nil
    }

    // MARK: Stages

    private mutating func compileStages(_ top: Block) {
        let block = top["stages"]
        let stages = block.flatMap { members(of: $0, "\"stages\"") } ?? []
        let order = block.flatMap { value -> [String]? in
            if case .object(let members) = value.content { members.map(\.name) } else { nil }
        }
        for member in stages {
            map.stages.append(document.place(at: member.nameStart))
            let rules = compileRules(member.value, member.name, .listening)
            script.stages.append(Stage(name: member.name, rules: rules))
        }
        if let begin = top["begin"] {
            if let name = text(begin, "begin") { script.begin = stage(name, at: begin) ?? 0 }
        } else if let order, !order.isEmpty {
            if let start = names.stages["start"] {
                script.begin = start
            } else if !names.doubled.contains("stages") {
                report(
                    .unknownStage, at: top.nameStart("stages"),
                    "The talk begins in the stage \"start\", and there is none.",
                    fix: "call a stage \"start\", or name the first one with \"begin\"")
            }
        }
    }

    mutating func stage(_ name: String, at value: JSON5Value) -> Int? {
        if let number = names.stages[name] { return number }
        reportMissing(
            .unknownStage, "No stage is called \"\(MessageFormat.shortened(name))\".", name, in: ["stages"],
            among: names.stages.keys.sorted(), at: value.start)
        return nil
    }

    /// Checks that the link is an absolute http or https URL, or a data URL of a picture.
    mutating func checkLink(_ link: String, at value: JSON5Value) {
        if !Self.isLink(link) {
            report(
                .badLink, at: value,
                "\"\(MessageFormat.shortened(link))\" is not a link. Write a whole address, such as "
                    + "https://example.com/map."
            )
        }
    }

    static func isLink(_ link: String) -> Bool {
        let schemes = ["https://", "http://", "data:image/"]
        let lower = link.prefix(12).lowercased()
        let scheme = schemes.first { lower.hasPrefix($0) }
        let hasSpace = link.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F }
        let rest = scheme.map { link.dropFirst($0.count) } ?? ""
        return !rest.isEmpty && !rest.hasPrefix("/") && !hasSpace
    }

    /// Checks a URL, unless it begins with a placeholder whose value is not known at compile time.
    mutating func checkLink(_ template: Template, at value: JSON5Value) {
        if case .slot(let name, _)? = template.parts.first, names.values[name] == nil { return }
        checkLink(template.filled { names.values[$0] ?? "x" }, at: value)
    }
}

import ConversationEngine
import Texts

/// Verb of a reply step, such as `say`.
struct StepVerb: Sendable {
    /// Reads a step from its block and the verb's value. If there is a mistake, reports it and returns nil.
    typealias Reader<Value> = @Sendable (inout FixtureCompiler, Block, JSON5Value) -> Value?

    /// Property of a step that the linter uses.
    enum Note: Sendable {
        /// The step ends something. The text says what, such as `the session`.
        case ends(String)
        /// Only a live agent can perform the step. The text says what the step does.
        case ofLiveAgents(String)
    }

    let key: Key
    let parts: [Key]
    /// The step needs at least one of these members.
    let needsOneOf: [String]
    let note: Note?
    let read: Reader<Verb>

    var name: String { key.name }

    init(
        _ name: String, _ form: ValueForm, _ about: String, parts: [Key] = [], needsOneOf: [Key] = [],
        note: Note? = nil, read: @escaping Reader<Verb>
    ) {
        key = Key(name, form, about)
        self.parts = parts
        self.needsOneOf = needsOneOf.map(\.name)
        self.note = note
        self.read = read
    }

    static func run(
        _ name: String, _ form: ValueForm, _ about: String, parts: [Key] = [], needsOneOf: [Key] = [],
        note: Note? = nil, read: @escaping Reader<RunStep>
    ) -> StepVerb {
        StepVerb(name, form, about, parts: parts, needsOneOf: needsOneOf, note: note) {
            compiler, step, value in
            compiler.map.usesRuns = true
            return read(&compiler, step, value).map { .run($0) }
        }
    }
}

/// Compiles steps (fixtures/README.md#steps-one-verb-each).
extension FixtureCompiler {
    static let verbs = talkVerbs + runVerbs
    static let verbNames = verbs.map(\.name)
    private static let sayParts = Key.ofTexts.map(\.name)

    static let talkVerbs: [StepVerb] = [
        StepVerb(
            "say", .several(.text), "Says a text. A list of texts takes turns, one at each use.",
            parts: Key.ofTexts
        ) { this, step, _ in
            this.speech(step, this.place(of: step.value)).map { .say($0) }
        },
        StepVerb("think", .duration, "Shows that the agent thinks, or the live agent types, for so long.") {
            this, _, value in this.interval(value, "think").map { .think($0) }
        },
        StepVerb("wait", .duration, "Does nothing for so long.") { this, _, value in
            this.interval(value, "wait").map { .wait($0) }
        },
        StepVerb(
            "remember",
            .schema(
                #"{"type": "object", "minProperties": 1, "additionalProperties": {"type": ["string", "number"]}}"#
            ), "Puts something into memory: { people: 4 }."
        ) { this, _, value in this.changes(value) },
        StepVerb("forget", .several(.filled), "Empties memory: one name or a list of names.") {
            this, _, value in this.forgotten(value)
        },
        StepVerb(
            "handoff", .filled,
            #"Fetches somebody: a name of "handoffs". Later steps are done only if that fails."#
        ) { this, _, value in
            this.handoffNumber(value, "handoff").map { .handoff($0) }
        },
        StepVerb(
            "transfer", .filled,
            #"The live agent passes the conversation on to the one of another handoff: a name of "handoffs". Steps after it are done only when nobody comes."#,
            note: .ofLiveAgents("pass the talk on to another live agent")
        ) { this, _, value in
            this.handoffNumber(value, "transfer").map { .transfer($0) }
        },
        StepVerb("receipt", .words("delivered", "read"), "The user's last message was delivered, or read.") {
            this, _, value in
            this.script.hasReceipts = true
            return this.word(value, "receipt", among: ["delivered", "read"])
                .map { .receipt(isRead: $0 == "read") }
        },
        StepVerb(
            "edit", .filled,
            "Replaces the text of the last reply, where the client asks for changes of messages."
        ) { this, _, value in
            this.filledText(value, "edit").flatMap { _ in this.template(value, "edit") }.map {
                .change(.edit($0))
            }
        },
        StepVerb(
            "unsend", .mark, "true: withdraws the last reply, where the client asks for changes of messages."
        ) { this, _, value in this.mark(value, "unsend") ? .change(.unsend) : nil },
        StepVerb(
            "react", .filled,
            "Reacts to the user's last message, where the client asks for changes of messages.",
            parts: [Key("off", .mark, "true: takes the reaction back.")]
        ) { this, step, value in
            this.reaction(value, "react").map { text in
                .change(.react(text, isOn: !(step["off"].map { this.mark($0, "off") } ?? false)))
            }
        },
        StepVerb("presence", .words("idle", "returned"), "Whoever speaks is idle, or returned.") {
            this, _, value in
            this.word(value, "presence", among: ["idle", "returned"])
                .flatMap(LiveAgentStatus.init(rawValue:)).map { .presence($0) }
        },
        StepVerb(
            "leave", .filled,
            #"The live agent leaves and the session ends; the text is the reason, such as "resolved"."#,
            note: .ends("the session")
        ) { this, _, value in
            this.filledText(value, "leave").map { .leave(reason: $0) }
        },
        StepVerb(
            "giveBack", .filled,
            #"The live agent leaves and the agent goes on, first with the steps after this one; the text is the reason, such as "resolved"."#,
            note: .ofLiveAgents("give the talk back to it")
        ) { this, _, value in
            this.filledText(value, "giveBack").map { .giveBack(reason: $0) }
        },
        StepVerb(
            "end", .words("natural", "user", "abandoned"), "Ends the session.", note: .ends("the session")
        ) { this, _, value in
            this.word(value, "end", among: ["natural", "user", "abandoned"])
                .flatMap(EndReason.init(rawValue:)).map { .end($0) }
        },
        StepVerb(
            "system", .either(.ref("problem"), .block(.notice)),
            "A notice: one of the documented errors by name, or a text of your own with a level."
        ) { this, _, value in this.notice(value) },
        StepVerb(
            "language", .pattern("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"),
            #"Sends the client the new language: a tag such as "en" or "fr-CA"."#
        ) { this, _, value in this.language(value) },
        StepVerb(
            "emit", .block(.emission), "Any event, sent as it stands: for what the language has no word for."
        ) { this, _, value in this.emission(value) },
        StepVerb("fault", .filled, #"Sets off a fault from here on: a name of "faults"."#) {
            this, _, value in this.faultNumber(value).map { .fault($0) }
        },
    ]

    mutating func steps(_ value: JSON5Value, _ name: String) -> [Step] {
        var steps: [Step] = []
        for item in list(value, name) ?? [] {
            if let step = step(item) { steps.append(step) }
        }
        return steps
    }

    private mutating func step(_ value: JSON5Value) -> Step? {
        guard let members = members(of: value, "A reply step") else { return nil }
        let found = members.filter { Self.verbNames.contains($0.name) }
        // Exact chunks can be used in place of `say`: { chunks: ["One ", "moment."] } is a `say` step.
        let saysChunks = found.isEmpty && members.contains { $0.name == "chunks" }
        guard found.count == 1 || saysChunks,
            let verb = Self.verbs.first(where: { $0.name == (saysChunks ? "say" : found[0].name) })
        else {
            reportVerbs(found, of: members, in: value)
            return nil
        }
        let article = verb.name.first.map { "aeiou".contains($0) } == true ? "An" : "A"
        guard
            let block = block(
                value, "\(article) \"\(verb.name)\" step", known: [verb.name] + verb.parts.map(\.name))
        else {
            return nil
        }
        map.notes[place(of: value)] = verb.note
        return verb.read(&self, block, block[verb.name] ?? value).map { Step($0, place: place(of: value)) }
    }

    private mutating func reportVerbs(
        _ found: [JSON5Member], of members: [JSON5Member], in value: JSON5Value
    ) {
        let former =
            found.isEmpty
            ? members.first { FormerNames.keys[$0.name].map(Self.verbNames.contains) == true }
            : found.first { $0.name == "fault" && $0.value.isFlag }
        if let former, let now = FormerNames.keys[former.name] {
            return reportFormer(former.name, now, at: former.nameStart)
        }
        if found.isEmpty {
            let all = Self.verbNames + Self.sayParts
            for member in members where !Self.sayParts.contains(member.name) {
                guard meant(by: member.name, among: all) != nil else { continue }
                reportUnknown(member, in: "A reply step", known: all)
                return
            }
            report(
                .oneVerb, at: value,
                "A reply step does exactly one thing; this one does nothing. Most often it is say, think, wait, "
                    + "remember, handoff, end, system or tool; fixtures/README.md has all.")
        } else {
            let names = found.map(\.name).joined(separator: ", ")
            let steps = found.map { "{ \($0.name): … }" }.joined(separator: ", ")
            report(
                .oneVerb, at: value, "A reply step does exactly one thing; this one has \(names).",
                fix: "write one step for each: \(steps)")
        }
    }

    private mutating func changes(_ value: JSON5Value) -> Verb? {
        var changes: [MemoryChange] = []
        for member in members(of: value, "\"remember\"") ?? [] {
            guard let slot = memorySlot(member.name, at: member.nameStart) else { continue }
            map.filled.insert(slot)
            map.fillers[slot, default: []].insert("")
            if case .number = member.value.content, let text = constant(member.value) {
                changes.append(MemoryChange(slot: slot, value: Template(literal: text)))
            } else if member.value.content == .null {
                report(
                    .wrongType, at: member.value, "\"\(slot)\" cannot be remembered as null.",
                    fix: "write { forget: \"\(slot)\" }")
            } else if let text = template(member.value, member.name) {
                changes.append(MemoryChange(slot: slot, value: text))
            }
        }
        if value.content == .object([]) {
            report(.missingPart, at: value, "\"remember\" says nothing to remember, such as { people: 4 }.")
        }
        return changes.isEmpty ? nil : .remember(changes)
    }

    /// Reads a reaction, such as an emoji.
    mutating func reaction(_ value: JSON5Value, _ name: String) -> String? {
        guard let text = filledText(value, name) else { return nil }
        guard text.utf8.count <= ConversationLimits.reactionBytes, !text.contains(where: \.isWhitespace)
        else {
            report(
                .wrongType, at: value,
                "\"\(name)\" must be a reaction such as 👍, of \(ConversationLimits.reactionBytes) bytes at most, not \"\(MessageFormat.shortened(text))\"."
            )
            return nil
        }
        return text
    }

    private mutating func forgotten(_ value: JSON5Value) -> Verb? {
        let items: [JSON5Value]
        if case .list(let several) = value.content { items = several } else { items = [value] }
        var slots: [String] = []
        for item in items {
            guard let name = text(item, "forget"), let slot = memorySlot(name, at: item.start) else {
                continue
            }
            slots.append(slot)
        }
        if items.isEmpty { report(.missingPart, at: value, "\"forget\" names nothing to forget.") }
        return slots.isEmpty ? nil : .forget(slots)
    }

    private mutating func handoffNumber(_ value: JSON5Value, _ verb: String) -> Int? {
        guard let name = text(value, verb) else { return nil }
        if let number = names.handoffs[name] {
            map.usedHandoffs.insert(number)
            if verb == "transfer", names.clientHandoffs.contains(name) {
                report(
                    .wrongType, at: value,
                    "The client leads the way of this handoff: nobody can take over from it.")
            }
            return number
        }
        reportMissing(
            .unknownHandoff, "No handoff is called \"\(MessageFormat.shortened(name))\".", name,
            in: ["handoffs"],
            among: names.handoffs.keys.sorted(), at: value.start)
        return nil
    }

    private mutating func faultNumber(_ value: JSON5Value) -> Int? {
        guard let name = text(value, "fault") else { return nil }
        if let number = names.faults[name] { return number }
        reportMissing(
            .unknownFault, "No fault is called \"\(MessageFormat.shortened(name))\".", name, in: ["faults"],
            among: names.faults.keys.sorted(), at: value.start)
        return nil
    }

    /// Reads a system notice: the name of a known problem, or a block.
    private mutating func notice(_ value: JSON5Value) -> Verb? {
        guard case .object = value.content else {
            return knownProblem(value, "system").map { .system(.error, .known($0)) }
        }
        guard let block = block(value, .notice) else { return nil }
        var level = NoticeLevel.info
        if let given = block["level"] {
            guard
                let word = word(given, "level", among: ["info", "warning", "error"]),
                let known = NoticeLevel(rawValue: word)
            else { return nil }
            level = known
        }
        return block["text"].flatMap { template($0, "text") }.map { .system(level, .template($0)) }
    }

    mutating func knownProblem(_ value: JSON5Value, _ name: String) -> KnownProblem? {
        word(value, name, among: KnownProblem.allCases.map(\.rawValue)).flatMap(KnownProblem.init(rawValue:))
    }

    /// Whether the text is a language tag in the form of BCP 47: groups of letters and digits, separated by hyphens.
    static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        return parts.enumerated().allSatisfy { place, part in
            part.utf8.allSatisfy { byte in
                let letter = byte | 0x20
                return letter >= 0x61 && letter <= 0x7A || place > 0 && JSON5Escape.isDigit(byte)
            } && (place == 0 ? 2...8 : 1...8).contains(part.utf8.count)
        }
    }

    private mutating func language(_ value: JSON5Value) -> Verb? {
        guard let tag = text(value, "language") else { return nil }
        guard Self.isLanguage(tag) else {
            report(
                .wrongType, at: value,
                "\"\(MessageFormat.shortened(tag))\" is not a language. Write a tag such as \"en\" or \"fr-CA\"."
            )
            return nil
        }
        return .language(tag)
    }

    private mutating func emission(_ value: JSON5Value) -> Verb? {
        guard let block = block(value, .emission) else { return nil }
        guard let type = block["type"].flatMap({ filledText($0, "type") }) else { return nil }
        guard let payload = block["payload"] else { return .emit(type: type, payload: "{}") }
        guard case .object = payload.content else {
            report(.wrongType, at: payload, "\"payload\" must be a block in { }, not \(payload.kindName).")
            return nil
        }
        guard let text = JSON5Writer.compactJSON(payload, of: document) else {
            report(
                .wrongType, at: payload, "\"payload\" has Infinity or NaN in it, which no event can carry.")
            return nil
        }
        return .emit(type: type, payload: text)
    }
}

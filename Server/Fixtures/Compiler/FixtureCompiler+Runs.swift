import ConversationEngine
import RunWire
import Texts

/// Compiles steps of runs (fixtures/README.md#runs).
extension FixtureCompiler {
    static let runVerbs: [StepVerb] = [
        .run("tool", .filled, #"Calls a tool: a name of "tools"."#, parts: Key.ofCalls) { this, step, value in
            this.call(step, value).map { .call([$0], CallOrder()) }
        },
        .run(
            "together", .list(.ref("toolCall"), least: 1), "Several calls at once.",
            parts: [
                Key("order", .words("one by one", "interleaved"), "How the arguments of the calls come."),
                Key(
                    "results",
                    .either(
                        .words("as called", "by time"),
                        .schema(
                            #"{"type": "array", "uniqueItems": true, "items": {"type": "integer", "minimum": 1}}"#
                        )),
                    #"In which order the results come: "as called", "by time", or the numbers of the calls."#),
            ]
        ) { this, step, value in this.together(step, value) },
        .run(
            "result", .filled, "The result of the last open call of this tool.", parts: Key.outcomes,
            needsOneOf: Key.outcomes
        ) { this, step, value in this.result(step, value) },
        .run(
            "reason", .several(.text, least: nil), "Reasons before it speaks: a text, or several.",
            parts: [
                .pieces, .cut, .every,
                Key("sealed", .string, "An opaque text that belongs to the reasoning."),
                Key("sharesId", .flag, "true: the only text has the id of the whole reasoning."),
            ]
        ) { this, step, value in
            this.reasoning(step, value)
        },
        .run("phase", .filled, "A named part of the run begins.") { this, _, value in
            this.filledText(value, "phase").map { .stepStarted($0) }
        },
        .run("phaseEnds", .filled, "A named part of the run ends.") { this, _, value in
            this.filledText(value, "phaseEnds").map { .stepFinished($0) }
        },
        .run(
            "subagent", .filled, "Another agent is asked for help: what is sent until its end is its own.",
            parts: [Key("about", .text, "What the subagent is for."), .id]
        ) { this, step, value in this.subagent(step, value) },
        .run(
            "subagentEnds", .filled, #"The subagent is done; with "fails" it has failed."#,
            parts: [.gives, .fails]
        ) { this, step, value in
            this.subagentEnds(step, value)
        },
        .run(
            "state", .json, "The whole state of the thread.",
            parts: [
                Key(
                    "as", .words("whole", "patch"),
                    #"How the state is sent: "whole", or as the "patch" that leads there."#)
            ]
        ) { this, step, value in this.state(step, value) },
        .run("patch", .ref("operations"), "Changes of the state (RFC 6902).") { this, _, value in
            this.patch(value, "patch").map { .patch(value: $0) }
        },
        .run(
            "messages", .either(.mark, .list(.object)),
            "true: sends all messages of the thread again; a list has those of this run otherwise."
        ) { this, _, value in
            if case .list = value.content { return this.json(value, "messages").map { .messages(own: $0) } }
            return this.mark(value, "messages") ? .messages(own: nil) : nil
        },
        .run(
            "awaits", .several(.filled),
            "The run ends: the client's result of the last open call of each of these tools is waited for."
        ) { this, _, value in
            let names = if case .list(let names) = value.content { names } else { [value] }
            return .awaits(tools: names.compactMap { this.toolNumber($0) })
        },
        .run("activity", .block(.activity), "Shows how the work goes on.") { this, _, value in
            this.activity(value)
        },
        .run("activityPatch", .block(.activityPatch), "Changes what an activity shows.") { this, _, value in
            this.activityPatch(value)
        },
        .run("card", .block(.card), "A card in the reply.") { this, _, value in this.card(value) },
        .run("custom", .block(.custom), "An event of your own.") { this, _, value in this.custom(value) },
        .run("raw", .block(.raw), "An event of a provider, handed through.") { this, _, value in
            this.raw(value)
        },
        .run(
            "ask", .several(.ref("ask")),
            "Asks a person, and ends the run; steps after it are done when the answer has come."
        ) { this, _, value in this.ask(value) },
        .run("returns", .json, "What the end of the run brings along.") { this, _, value in
            this.json(value, "returns").map { .returns(value: $0) }
        },
        .run("usage", .list(.ref("usage")), "What the run has cost, one block for each model.") {
            this, _, value in this.usage(value)
        },
        .run(
            "expects", .ref("conditions"),
            "What the request has to bring along: `polymock unmatched` reports what it lacks.",
            parts: [Key("orFails", .flag, "true: a run whose request lacks it fails (scenario_error).")]
        ) { this, step, value in this.expectation(step, value) },
        .run("fail", .either(.text, .block(.failure)), "The run fails here.", note: .ends("the run")) {
            this, _, value in this.failure(value)
        },
        .run("cancel", .mark, "true: the run is cancelled here.", note: .ends("the run")) { this, _, value in
            this.mark(value, "cancel") ? .cancel : nil
        },
        .run(
            "event",
            .schema(
                #"{"type": "object", "required": ["type"], "properties": {"type": {"description": "Such as \"CUSTOM\".", "type": "string", "minLength": 1}}}"#
            ), "A whole event, as it is sent.",
            parts: [Key("unchecked", .flag, "true: the event may stand where none of its kind may.")]
        ) { this, step, value in this.event(step, value) },
    ]
    static let outcomes = Key.outcomes.map(\.name)

    private mutating func result(_ block: Block, _ value: JSON5Value) -> RunStep? {
        if !Self.outcomes.contains(where: { block.has($0) }) {
            report(
                .missingPart, at: block.value,
                "A result says what the tool gives back: \(MessageFormat.alternatives(Self.outcomes)).")
        }
        return toolNumber(value).flatMap { tool in outcome(block).map { .result(tool: tool, $0) } }
    }

    private mutating func expectation(_ block: Block, _ value: JSON5Value) -> RunStep? {
        let isRequired = block["orFails"].flatMap { flag($0, "orFails") } ?? false
        let conditions = compileConditions(value, of: "expects")
        return conditions.isEmpty ? nil : .expects(conditions, isRequired: isRequired)
    }

    // MARK: - JSON with placeholders

    /// Reads a value as JSON text.
    mutating func json(_ value: JSON5Value, _ name: String) -> Template? {
        var parts: [Template.Part] = []
        guard write(value, name, into: &parts) else { return nil }
        return Template(parts: parts)
    }

    private mutating func write(
        _ value: JSON5Value, _ name: String, into parts: inout [Template.Part]
    ) -> Bool {
        switch value.content {
        case .text:
            guard let template = template(value, name) else { return false }
            append("\"", to: &parts)
            for part in template.parts {
                guard case .text(let text) = part else {
                    parts.append(part)
                    continue
                }
                var bytes: [UInt8] = []
                JSONWriter.string(text, into: &bytes)
                append(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self), to: &parts)
            }
            append("\"", to: &parts)
        case .list(let items):
            append("[", to: &parts)
            for (place, item) in items.enumerated() {
                if place > 0 { append(",", to: &parts) }
                guard write(item, name, into: &parts) else { return false }
            }
            append("]", to: &parts)
        case .object(let members):
            append("{", to: &parts)
            for (place, member) in members.enumerated() {
                var bytes: [UInt8] = place > 0 ? [UInt8(ascii: ",")] : []
                JSONWriter.string(member.name, into: &bytes)
                append(String(decoding: bytes, as: UTF8.self) + ":", to: &parts)
                guard write(member.value, name, into: &parts) else { return false }
            }
            append("}", to: &parts)
        default:
            guard let text = plainJSON(value, name) else { return false }
            append(text, to: &parts)
        }
        return true
    }

    private func append(_ text: String, to parts: inout [Template.Part]) {
        if case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + text)
        } else {
            parts.append(.text(text))
        }
    }

    /// Collects the texts, numbers and flags inside a value, by their paths.
    mutating func paths(_ value: JSON5Value, _ path: String, into found: inout [String: Template]) {
        switch value.content {
        case .object(let members):
            for member in members {
                paths(member.value, path.isEmpty ? member.name : "\(path).\(member.name)", into: &found)
            }
        case .list(let items):
            for (index, item) in items.enumerated() { paths(item, "\(path).\(index)", into: &found) }
        case .text(let text):
            found[path] = (try? TemplateReader.template(text)) ?? Template(literal: text)
        case .number: found[path] = constant(value).map { Template(literal: $0) }
        case .boolean(let flag): found[path] = Template(literal: flag ? "true" : "false")
        case .null: break
        }
    }

    mutating func outcome(_ block: Block) -> ToolOutcome? {
        let given = Self.outcomes.filter { block[$0] != nil }
        guard given.count <= 1 else {
            let names = given.joined(separator: ", ")
            report(.oneVerb, at: block.value, "A tool gives back one thing; this one has \(names).")
            return nil
        }
        guard let name = given.first, let value = block[name] else { return nil }
        switch name {
        case "gives":
            if case .text = value.content { return template(value, name).map { .says($0) } }
            return json(value, name).map { .gives($0) }
        case "parts": return parts(value).map { .parts($0) }
        case "fails":
            if case .text = value.content {
                return json(value, name).map { words in
                    .fails(Template(parts: [.text("{\"error\":")] + words.parts + [.text("}")]))
                }
            }
            return json(value, name).map { .fails($0) }
        default: return mark(value, name) ? .nothing : nil
        }
    }

    // MARK: - Tools

    mutating func toolNumber(_ value: JSON5Value) -> Int? {
        guard let name = text(value, "tool") else { return nil }
        if let number = names.tools[name] { return number }
        reportMissing(
            .unknownTool, "No tool is called \"\(MessageFormat.shortened(name))\".", name, in: ["tools"],
            among: names.tools.keys.sorted(), at: value.start)
        return nil
    }

    private mutating func call(_ block: Block, _ value: JSON5Value) -> ScriptedCall? {
        guard let tool = toolNumber(value) else { return nil }
        var call = ScriptedCall(tool: tool, arguments: Template(literal: "{}"))
        if let with = block["with"] {
            guard members(of: with, "\"with\"") != nil, let json = json(with, "with") else { return nil }
            call.arguments = json
            paths(with, "", into: &call.parts)
            Self.names(in: with, "", into: &map.arguments)
        }
        if let raw = block["text"] {
            guard let text = template(raw, "text") else { return nil }
            (call.arguments, call.isJSON) = (text, false)
            if block["with"] != nil {
                report(
                    .oneVerb, at: raw,
                    "Arguments stand in \"with\" or in \"text\"; leave one of them out.")
            } else {
                checkArguments(text, at: raw, of: tool)
            }
        }
        if let pieces = block["pieces"] { callPieces(pieces, block, of: &call) }
        call.cut = block["cut"].flatMap { chunkSize($0, "cut") }
        if let every = block["every"].flatMap({ interval($0, "every") }) { call.every = every }
        call.takes = block["takes"].flatMap { interval($0, "takes") }
        call.id = block["id"].flatMap { template($0, "id") }
        if let owner = block["owner"] {
            if owner.content == .null {
                call.owner = .none
            } else if let id = template(owner, "owner") {
                call.owner = .message(id)
            }
        }
        checkClientTool(tool, block)
        call.outcome = outcome(block)
        return call
    }

    private mutating func together(_ block: Block, _ value: JSON5Value) -> RunStep? {
        var calls: [ScriptedCall] = []
        let items = list(value, "together") ?? []
        if value.content == .list([]) {
            report(.missingPart, at: value, "\"together\" is an empty list: nothing to call.")
        }
        for item in items {
            guard let inner = self.block(item, .toolCall) else {
                continue
            }
            guard let tool = inner["tool"], let call = call(inner, tool) else { continue }
            calls.append(call)
        }
        var order = CallOrder()
        if let word = block["order"].flatMap({ self.word($0, "order", among: ["one by one", "interleaved"]) })
        {
            order.interleaves = word == "interleaved"
        }
        switch block["results"]?.content {
        case .list(let numbers)?:
            order.results = numbers.compactMap { whole($0, "results", in: 1...max(calls.count, 1)) }.map {
                $0 - 1
            }
            if calls.count == items.count, let results = block["results"] {
                checkResults(results, order.results ?? [], of: calls)
            }
        case .text?:
            let word = block["results"].flatMap { self.word($0, "results", among: ["as called", "by time"]) }
            order.byTime = word == "by time"
        case nil: break
        default:
            if let results = block["results"] {
                report(
                    .wrongType, at: results, "\"results\" is \"as called\", \"by time\" or a list of numbers."
                )
            }
        }
        return calls.isEmpty ? nil : .call(calls, order)
    }

    // MARK: - Other steps

    private mutating func state(_ block: Block, _ value: JSON5Value) -> RunStep? {
        let manner = block["as"].flatMap { word($0, "as", among: ["whole", "patch"]) }
        return json(value, "state").map { .state(value: $0, asPatch: manner == "patch") }
    }

    private mutating func subagent(_ block: Block, _ value: JSON5Value) -> RunStep? {
        let (about, id) = (
            block["about"].flatMap { template($0, "about") }, block["id"].flatMap { template($0, "id") }
        )
        return filledText(value, "subagent").map { .subagentStarted(name: $0, about: about, id: id) }
    }

    private mutating func subagentEnds(_ block: Block, _ value: JSON5Value) -> RunStep? {
        if let gives = block["gives"], block["fails"] != nil {
            report(.oneVerb, at: gives, "A subagent gives something or fails; leave one of them out.")
        }
        let result = block["gives"].flatMap { json($0, "gives") }
        let error = block["fails"].flatMap { template($0, "fails") }
        return filledText(value, "subagentEnds").map {
            .subagentEnded(name: $0, result: result, error: error)
        }
    }

    private mutating func reasoning(_ block: Block, _ value: JSON5Value) -> RunStep? {
        let items: [JSON5Value]
        if case .list(let several) = value.content { items = several } else { items = [value] }
        var reasoning = Reasoning(items.compactMap { template($0, "reason") })
        guard reasoning.texts.count == items.count else { return nil }
        if let value = block["pieces"], let pieces = pieces(value, "pieces", "reason") {
            if reasoning.texts.count != 1 || !addsUp(pieces, to: reasoning.texts[0]) {
                report(.wrongType, at: value, "The pieces do not add up to the text of \"reason\".")
            }
            reasoning.pieces = pieces
        }
        reasoning.cut = block["cut"].flatMap { chunkSize($0, "cut") }
        if let every = block["every"].flatMap({ interval($0, "every") }) { reasoning.every = every }
        reasoning.sharesID = block["sharesId"].flatMap { flag($0, "sharesId") } ?? false
        reasoning.sealed = block["sealed"].flatMap { text($0, "sealed") }
        return .reason(reasoning)
    }

    private mutating func activity(_ value: JSON5Value) -> RunStep? {
        guard let block = block(value, .activity) else { return nil }
        guard let id = block["id"].flatMap({ filledText($0, "id") == nil ? nil : template($0, "id") }),
            let type = block["type"].flatMap({ filledText($0, "type") }), let content = block["content"],
            members(of: content, "\"content\"") != nil, let json = json(content, "content")
        else { return nil }
        let keeps = block["keeps"].flatMap { flag($0, "keeps") }
        return .activity(id: id, type: type, content: json, replaces: keeps.map { !$0 })
    }

    private mutating func activityPatch(_ value: JSON5Value) -> RunStep? {
        guard let block = block(value, .activityPatch) else { return nil }
        guard let id = block["id"].flatMap({ filledText($0, "id") == nil ? nil : template($0, "id") }),
            let type = block["type"].flatMap({ filledText($0, "type") }),
            let patch = block["patch"].flatMap({ patch($0, "patch") })
        else { return nil }
        return .activityPatch(id: id, type: type, patch: patch)
    }

    private mutating func card(_ value: JSON5Value) -> RunStep? {
        guard let block = block(value, .card) else { return nil }
        guard let content = block["content"].flatMap({ json($0, "content") }) else { return nil }
        return .card(
            id: block["id"].flatMap { filledText($0, "id") }, value: content,
            label: block["label"].flatMap { text($0, "label") })
    }

    private mutating func custom(_ value: JSON5Value) -> RunStep? {
        guard let block = block(value, .custom) else { return nil }
        guard let name = block["name"].flatMap({ filledText($0, "name") }) else { return nil }
        guard let value = block["value"] else { return .custom(name: name, value: Template(literal: "null")) }
        return json(value, "value").map { .custom(name: name, value: $0) }
    }

    private mutating func raw(_ value: JSON5Value) -> RunStep? {
        guard let block = block(value, .raw) else { return nil }
        guard let event = block["event"].flatMap({ json($0, "event") }) else { return nil }
        return .raw(value: event, source: block["source"].flatMap { text($0, "source") })
    }

    private mutating func ask(_ value: JSON5Value) -> RunStep? {
        let items: [JSON5Value]
        if case .list(let several) = value.content { items = several } else { items = [value] }
        var asks: [ScriptedAsk] = []
        for item in items {
            guard let block = block(item, .ask) else { continue }
            guard let name = block["name"].flatMap({ filledText($0, "name") }) else { continue }
            var ask = ScriptedAsk(name: name)
            noteQuestion(name, block)
            ask.id = block["id"].flatMap { template($0, "id") }
            ask.message = block["message"].flatMap { template($0, "message") }
            ask.tool = block["tool"].flatMap { toolNumber($0) }
            ask.reason =
                block["reason"].flatMap { filledText($0, "reason") }
                ?? (ask.tool == nil ? "confirmation" : "tool_call")
            if let schema = block["schema"], members(of: schema, "\"schema\"") != nil {
                ask.schema = plainJSON(schema, "schema")
            }
            ask.expires = block["expires"].flatMap { interval($0, "expires") }
            if let metadata = block["metadata"], members(of: metadata, "\"metadata\"") != nil {
                ask.metadata = json(metadata, "metadata")
            }
            for item in block["choices"].flatMap({ list($0, "choices") }) ?? [] {
                if let choice = choice(item) { ask.choices.append(choice) }
            }
            asks.append(ask)
        }
        return asks.isEmpty ? nil : .ask(asks)
    }

    private mutating func choice(_ value: JSON5Value) -> RunChoice? {
        if case .text = value.content { return filledText(value, "choices").map { RunChoice(text: $0) } }
        guard let block = block(value, .choice) else { return nil }
        guard let text = block["text"].flatMap({ filledText($0, "text") }) else { return nil }
        var parts: [String: Template] = [:]
        if let answer = block["answer"] { paths(answer, "", into: &parts) }
        return RunChoice(
            text: text, parts: parts.mapValues { $0.filled { _ in nil } },
            cancels: block["cancels"].flatMap { flag($0, "cancels") } ?? false)
    }

    private mutating func failure(_ value: JSON5Value) -> RunStep? {
        guard case .object = value.content else {
            return template(value, "fail").map { .fail($0, code: nil) }
        }
        guard let block = block(value, .failure) else { return nil }
        guard let message = block["message"].flatMap({ template($0, "message") }) else { return nil }
        return .fail(message, code: block["code"].flatMap { filledText($0, "code") })
    }

    private mutating func event(_ block: Block, _ value: JSON5Value) -> RunStep? {
        guard let members = members(of: value, "\"event\"") else { return nil }
        guard let type = members.first(where: { $0.name == "type" }) else {
            report(.missingPart, at: value, "An event needs \"type\".")
            return nil
        }
        guard let name = filledText(type.value, "type") else { return nil }
        let isUnchecked = block["unchecked"].flatMap { flag($0, "unchecked") } ?? false
        let known = RunEventType(rawValue: name)
        if known == nil, !isUnchecked {
            let help =
                didYouMean(name, among: RunEventType.allCases.map(\.rawValue))
                ?? "Write unchecked: true where the event shall be a strange one."
            report(
                .unknownName, at: type.value,
                "No event is called \"\(MessageFormat.shortened(name))\". \(help)")
        }
        let endsRun = known == .runFinished || known == .runError
        return json(value, "event").map { .event(value: $0, isUnchecked: isUnchecked, endsRun: endsRun) }
    }
}

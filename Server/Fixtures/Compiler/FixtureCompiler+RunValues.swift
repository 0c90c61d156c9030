import Clocks
import ConversationEngine
import Texts

/// Compiles values of run steps, and the settings and tools of runs (fixtures/README.md#runs).
extension FixtureCompiler {
    /// Reads a flag that can only be `true`.
    mutating func mark(_ value: JSON5Value, _ name: String) -> Bool {
        guard let flag = flag(value, name) else { return false }
        if !flag { report(.wrongType, at: value, "\"\(name)\" can only be true; leave it out otherwise.") }
        return flag
    }

    /// Reads JSON without placeholders.
    mutating func plainJSON(_ value: JSON5Value, _ name: String) -> String? {
        guard let number = JSON5Writer.unfitNumber(in: value, of: document) else {
            return JSON5Writer.compactJSON(value, of: document)
        }
        guard case .number(let found) = number.content, found.isFinite else {
            report(
                .wrongType, at: number, "\"\(name)\" has Infinity or NaN in it, which no event can carry.")
            return nil
        }
        let text = MessageFormat.shortened(String(decoding: document.bytes[number.range], as: UTF8.self))
        report(
            .wrongType, at: number,
            "\"\(name)\" has \(text) in it, which events cannot carry without a loss; as a text it stays: \"\(text)\"."
        )
        return nil
    }

    /// Reads operations of a JSON Patch (RFC 6902).
    mutating func patch(_ value: JSON5Value, _ name: String) -> Template? {
        for item in list(value, name) ?? [] {
            guard let block = block(item, .operation) else { return nil }
            if let op = block["op"],
                let word = word(op, "op", among: ["add", "remove", "replace", "move", "copy", "test"]),
                word != "remove"
            {
                require([word == "move" || word == "copy" ? "from" : "value"], in: block, "A \"\(word)\"")
            }
            for name in ["path", "from"] {
                guard let path = block[name].flatMap({ text($0, name) }), !path.isEmpty,
                    !path.hasPrefix("/")
                else { continue }
                report(
                    .wrongType, at: item,
                    "\"\(name)\" must begin with a slash: \"/\(MessageFormat.shortened(path))\".")
            }
        }
        return json(value, name)
    }

    mutating func usage(_ value: JSON5Value) -> RunStep? {
        let texts = ["provider", "model"]
        guard let items = list(value, "usage") else { return nil }
        for item in items {
            guard let block = block(item, .usage) else { continue }
            for member in block.members {
                if texts.contains(member.name) {
                    _ = text(member.value, member.name)
                } else {
                    _ = whole(member.value, member.name, in: 0...Self.mostTokens)
                }
            }
        }
        return JSON5Writer.compactJSON(value, of: document).map { .usage(value: $0) }
    }

    /// Largest token count: 2^53 - 1. Larger whole numbers may be rounded, because numbers are read as Double.
    static let mostTokens = 9_007_199_254_740_991

    mutating func parts(_ value: JSON5Value) -> Template? {
        let kinds = ["text", "image", "audio", "video", "document", "binary"]
        let texts = ["id", "text", "mimeType", "url", "data", "filename"]
        for item in list(value, "parts") ?? [] {
            guard let block = block(item, .part) else { return nil }
            for name in texts { _ = block[name].flatMap { text($0, name) } }
            if let metadata = block["metadata"] { _ = members(of: metadata, "\"metadata\"") }
            if let source = block["source"] { checkSource(source) }
            switch block["type"].flatMap({ word($0, "type", among: kinds) }) {
            case "text"?: require(["text"], in: block, "A part of text")
            case "binary"?: require(["mimeType"], in: block, "A binary part")
            case let kind?: require(["source"], in: block, "A part of type \"\(kind)\"")
            case nil: break
            }
        }
        guard case .list = value.content else { return nil }
        return json(value, "parts")
    }

    private mutating func checkSource(_ value: JSON5Value) {
        let texts = ["value", "mimeType", "provider"]
        guard let block = block(value, .source) else { return }
        for name in texts { _ = block[name].flatMap { text($0, name) } }
        let type = block["type"].flatMap { word($0, "type", among: ["data", "url", "file"]) }
        if type == "data" { require(["mimeType"], in: block, "A source of data") }
    }

    // MARK: - Settings and tools

    mutating func compileRuns(_ value: JSON5Value) {
        guard let block = block(value, .runs) else { return }
        if let ids = block["ids"].flatMap({ word($0, "ids", among: RunSettings.IDs.allCases.map(\.rawValue)) }
        ) {
            script.runs.ids = RunSettings.IDs(rawValue: ids) ?? .seeded
        }
        script.runs.stamps = block["stamps"].flatMap { flag($0, "stamps") } ?? false
        script.runs.echoes = block["echo"].flatMap { flag($0, "echo") } ?? false
        if let metadata = block["metadata"], members(of: metadata, "\"metadata\"") != nil {
            script.runs.metadata = plainJSON(metadata, "metadata")
        }
        if let state = block["state"] {
            var found: [String: Template] = [:]
            paths(state, "", into: &found)
            script.runs.state = plainJSON(state, "state")
            script.runs.statePaths = found.mapValues { $0.filled { _ in nil } }
        }
        let left = block["left"].flatMap { word($0, "left", among: ["stops", "goes on"]) }
        script.runs.outlivesClients = left == "goes on"
        script.runs.profile = block["profile"].flatMap { word($0, "profile", among: ["v0", "v1", "legacy"]) }
        script.runs.toleratesStrangeDecisions = script.runs.profile.map { $0 == "v1" }
    }

    mutating func compileTool(_ member: JSON5Member) {
        var tool = Tool(name: member.name)
        defer { script.tools.append(tool) }
        guard let block = block(member.value, .tool) else { return }
        tool.title = block["title"].flatMap { filledText($0, "title") }
        tool.label = block["label"].flatMap { filledText($0, "label") }
        tool.isOfClient = block["client"].flatMap { flag($0, "client") } ?? false
        tool.takes = block["takes"].flatMap { interval($0, "takes") } ?? .zero
        for item in block["results"].flatMap({ list($0, "results") }) ?? [] {
            guard let row = self.block(item, .toolResult) else { continue }
            let conditions = row["if"].map { compileConditions($0) } ?? []
            if let outcome = outcome(row) {
                tool.rows.append(Tool.Row(conditions: conditions, outcome: outcome))
            } else {
                report(
                    .missingPart, at: item,
                    "A result says what the tool gives back: \(MessageFormat.alternatives(Self.outcomes)).")
            }
        }
        if tool.isOfClient, !tool.rows.isEmpty {
            report(
                .wrongType, at: member.nameStart,
                "The client gives the results of \"\(MessageFormat.shortened(member.name))\"; leave out \"results\"."
            )
        }
    }

    // MARK: - Calls

    /// Reports a scripted result of a client's tool.
    mutating func checkClientTool(_ tool: Int, _ block: Block) {
        guard script.tools.indices.contains(tool), script.tools[tool].isOfClient,
            let name = ["gives", "parts", "fails"].first(where: { block[$0] != nil })
        else { return }
        report(
            .wrongType, at: block.nameStart(name),
            "The client gives the results of \"\(MessageFormat.shortened(script.tools[tool].name))\"; "
                + "leave out \"\(name)\".")
    }

    /// Reads the exact chunks of a call's arguments.
    mutating func callPieces(_ value: JSON5Value, _ block: Block, of call: inout ScriptedCall) {
        guard let pieces = pieces(value, "pieces", "call") else { return }
        call.pieces = pieces
        if block["with"] != nil || block["text"] != nil {
            if !addsUp(pieces, to: call.arguments) {
                let name = block["with"] != nil ? "with" : "text"
                report(
                    .wrongType, at: value, "The pieces do not add up to the arguments of \"\(name)\".",
                    fix: "leave \"\(name)\" out: the pieces are the arguments")
            }
        } else {
            (call.arguments, call.isJSON) = (Template(parts: pieces.flatMap(\.parts)), false)
            checkArguments(call.arguments, at: value, of: call.tool)
        }
    }

    mutating func checkArguments(_ text: Template, at value: JSON5Value, of tool: Int) {
        guard (try? JSONReader.read(Array(text.filled { _ in "0" }.utf8)))?.object == nil else { return }
        let name = script.tools.indices.contains(tool) ? script.tools[tool].name : ""
        warn(
            .badArguments, at: place(of: value),
            "These arguments of \"\(MessageFormat.shortened(name))\" are no JSON object, which clients may refuse."
        )
    }

    /// Checks that `results` lists no call twice and leaves out no call with a scripted result.
    mutating func checkResults(_ value: JSON5Value, _ order: [Int], of calls: [ScriptedCall]) {
        guard case .list(let items) = value.content, items.count == order.count else { return }
        var placed: Set<Int> = []
        for (item, number) in zip(items, order) where !placed.insert(number).inserted {
            return report(
                .wrongType, at: item, "\"results\" has call \(number + 1) twice; each result comes once.")
        }
        for (number, call) in calls.enumerated() where !placed.contains(number) {
            let isOfClient = script.tools.indices.contains(call.tool) && script.tools[call.tool].isOfClient
            guard call.outcome != .nothing, !isOfClient else { continue }
            return report(
                .wrongType, at: value,
                "\"results\" leaves out call \(number + 1), whose result would never come.",
                fix: "add \(number + 1), or silent: true to the call")
        }
    }

    // MARK: - Names that requests and answers bring along

    /// Returns whether a placeholder or condition may use `name`.
    mutating func knowsGiven(_ name: String, at offset: Int) -> Bool {
        guard name.hasPrefix("run.") else {
            map.given.append((name, offset))
            return true
        }
        if DeclaredNames.ofRuns.contains(name) { return true }
        let help =
            didYouMean(name, among: DeclaredNames.ofRuns)
            ?? "It has \(DeclaredNames.ofRuns.joined(separator: ", "))."
        report(
            .unknownSlot, at: offset, "A run has nothing called \"\(MessageFormat.shortened(name))\". \(help)"
        )
        return false
    }

    /// Collects the paths of all members and items inside a value, such as `plan.steps.0`.
    static func names(in value: JSON5Value, _ path: String, into found: inout Set<String>) {
        if !path.isEmpty { found.insert(path) }
        switch value.content {
        case .object(let members):
            for member in members {
                names(in: member.value, path.isEmpty ? member.name : "\(path).\(member.name)", into: &found)
            }
        case .list(let items):
            for (index, item) in items.enumerated() { names(in: item, "\(path).\(index)", into: &found) }
        default: break
        }
    }

    /// Records a question, and the members that its answer may have.
    mutating func noteQuestion(_ name: String, _ block: Block) {
        map.questions.insert(name)
        for choice in block["choices"].map(Self.items) ?? [] {
            if let answer = choice["answer"] { Self.names(in: answer, "", into: &map.answers) }
        }
        guard case .object(let members)? = block["schema"]?["properties"]?.content else { return }
        map.answers.formUnion(members.map(\.name))
    }

    private static func items(_ value: JSON5Value) -> [JSON5Value] {
        if case .list(let items) = value.content { items } else { [] }
    }
}

package import ConversationEngine
package import Matching
package import Texts

extension RuleProbe {
    package func json(of script: Script) -> String {
        let rule: JSONValue? = answer.map { answer in
            .object([
                "name": .string(answer.rule), "file": .string(script.file),
                "line": .integer(Int64(answer.place.line)), "column": .integer(Int64(answer.place.column)),
            ])
        }
        let captures: JSONValue? = answer.map { answer in
            .object(JSONObject(answer.captures.entries.map { .init($0.name, .string($0.value)) }))
        }
        let misses = report.map { $0.misses.map { $0.json(file: script.file) } }
        return JSONWriter.line([
            ("message", .string(message)), ("heard", .bool(answer != nil)), ("stage", .string(stage)),
            ("rule", rule), ("captures", captures), ("said", .array(said.map { .string($0) })),
            ("then", .array(consequences.map { .string($0) })), ("stageAfter", .string(stageAfter)),
            ("nearest", misses.map { .array($0) }), ("asked", asked?.json(file: script.file)),
            ("report", report.map { .string($0.text) }),
        ])
    }
}

extension NearMiss {
    /// Returns the near miss as JSON; `file` is the name of the rule's fixture file.
    package func json(file: String) -> JSONValue {
        var members: [JSONObject.Member] = [
            .init("rule", .string(name)), .init("file", .string(file)),
            .init("line", .integer(Int64(place.line))), .init("hearsLine", .integer(Int64(hearsPlace.line))),
            .init("where", .string(section)), .init("why", .string(explanation)),
        ]
        func add(_ name: String, _ value: JSONValue) { members.append(.init(name, value)) }
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        switch reason {
        case .spelling(let word, let heard, _):
            add("reason", .string("spelling"))
            add("word", .string(word))
            add("heard", .string(heard))
        case .stem(let word, let heard):
            add("reason", .string("stem"))
            add("word", .string(word))
            add("heard", .string(heard))
        case .blocked(_, let obstacle):
            add("reason", .string("blocked"))
            switch obstacle {
            case .none: break
            case .stage(let stage): add("stage", .string(stage))
            case .condition(let test): add("condition", .string(test))
            case .limit(let limit): add("limit", .integer(Int64(limit)))
            case .earlier(let rule): add("earlier", .string(rule))
            }
        case .notAlone: add("reason", .string("notAlone"))
        case .part(let present, let missing):
            add("reason", .string("part"))
            add("present", texts(present))
            add("missing", texts(missing))
        case .scattered: add("reason", .string("scattered"))
        case .unwanted: add("reason", .string("unwanted"))
        case .otherType(let type, let given):
            add("reason", .string("otherType"))
            add("word", .string(type))
            add("heard", .string(given))
        case .nothingInCommon: add("reason", .string("nothing"))
        }
        add("advice", advice.map { .string($0) } ?? .null)
        return .object(JSONObject(members))
    }
}

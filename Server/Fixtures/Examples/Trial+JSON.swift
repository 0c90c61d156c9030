package import ConversationEngine
import Matching
import Texts

extension Trial {
    /// What programs read of it: one JSON object on one line.
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
        let misses = report.map { report in
            report.misses.map { miss -> JSONValue in
                .object([
                    "rule": .string(miss.name), "line": .integer(Int64(miss.place.line)),
                    "why": .string(miss.explanation),
                ])
            }
        }
        return JSONWriter.line([
            ("message", .string(message)), ("heard", .bool(answer != nil)), ("stage", .string(stage)),
            ("rule", rule), ("captures", captures), ("said", .array(said.map { .string($0) })),
            ("then", .array(consequences.map { .string($0) })), ("stageAfter", .string(stageAfter)),
            ("nearest", misses.map { .array($0) }), ("report", report.map { .string($0.text) }),
        ])
    }
}

import ConversationEngine
import Matching
import Texts

/// JSON schema of fixtures for editors, generated from the compiler's tables (`fixtures/fixture-1.schema.json`).
package enum FixtureSchema {
    package static let text = JSON5Layout.json(schema)

    private static var schema: JSONObject {
        var members: [JSONObject.Member] = [
            .init("$schema", .string("http://json-schema.org/draft-07/schema#")),
            .init("title", .string("polymock fixture, version 1")),
        ]
        members += BlockForm.top.form.members
        let definitions = definitions.map { JSONObject.Member($0, $1.json) }
        return JSONObject(members + [.init("definitions", .object(JSONObject(definitions)))])
    }

    private static func name(but words: [String]) -> ValueForm {
        let letters = "A-Za-z_\\u0080-\\uffff"
        return ValueForm([
            .init("pattern", .string("^[\(letters)][A-Za-z0-9_$\\u0080-\\uffff-]*$")),
            .init("not", ValueForm.words(words).json),
        ])
    }

    private static let kinds = SlotKind.allCases.map(\.rawValue)

    private static let definitions: [(String, ValueForm)] = [
        (
            "duration",
            .pattern(#"^[0-9]+(\.[0-9]+)?(ms|s|m|h)$"#)
                .described(#"A length of time: "800ms", "2s", "5m" or "1h", 24 hours at most."#)
        ),
        (
            "share",
            .pattern(#"^0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%$"#).described(#"A share, such as "20%"."#)
        ),
        (
            "text",
            .string.described(
                "A text. {name} shows memory or a value; {agent.name}, {liveAgent.name}, {message} and {now} are "
                    + "always there; {{ is a brace.")
        ),
        (
            "link",
            .filled.described(
                "A whole address, such as https://example.com/map; for pictures also data:image/…")
        ),
        (
            "slotName",
            name(but: ["message", "now"]).described(
                #"Letters, digits, _ and -, beginning with a letter; not "message" and not "now"."#)
        ),
        (
            "kindName",
            name(but: kinds).described(
                "Letters, digits, _ and -, beginning with a letter; no name of a built-in kind.")
        ),
        (
            "kind",
            .either(.list(.ref("spelling"), least: 1), .spellings)
                .described("The values of a kind: a list, or a block of values with their other spellings.")
        ),
        (
            "spelling",
            .constant.described(#"Plain words to listen for, such as "extra large"; no placeholders."#)
        ),
        ("hours", .block(.hours)),
        ("weekday", .words(WallTime.weekdays).described("A day of the week.")),
        ("count", .whole(1...FixtureLimits.repetitions)),
        ("agent", .block(.agent)),
        ("liveAgent", .block(.liveAgent)),
        ("session", .block(.session)),
        ("pace", .block(.pace)),
        (
            "rules",
            .list(.ref("rule")).described(
                "Rules, tried from top to bottom: the first one that hears the message answers.")
        ),
        ("rule", .block(.rule)),
        (
            "lastRules",
            .list(.ref("lastRule")).described(
                #"Rules without "hears", tried from top to bottom when nothing else answers."#)
        ),
        ("lastRule", .block(.lastRule)),
        (
            "hears",
            .either(.filled, .list(.ref("hears"), least: 1), .block(.matcher)).described(
                #"What the message must contain: a word or phrase such as "book a table", a list of which one is "#
                    + #"enough, a shape such as "table for {people:number}", or "*" for anything. Kinds: "#
                    + kinds.joined(separator: ", ")
                    + #", and those of "kinds". Capitals, accents and punctuation do not count."#)
        ),
        (
            "conditions",
            .conditions.described(
                #"What memory must be like, by name: { people: 4 }, { people: null } for "not known yet", or "#
                    + #"{ people: { atLeast: 9 } }. "now" asks for the time of day. All must hold."#)
        ),
        ("steps", .list(.ref("step")).described("Steps, done one after the other.")),
        ("step", StepVerb.form),
        (
            "chunkSize",
            .pattern(
                "^(whole|0*(1000|[1-9][0-9]{0,2}) (words?|characters?|tokens?|sentences?|lines?))$"
            ).described(#"So many words, characters, tokens, sentences or lines; or "whole"."#)
        ),
        ("speech", .schema(#"{"anyOf": [{"required": ["say"]}, {"required": ["chunks"]}]}"#)),
        ("operations", .list(.block(.operation)).described("Operations of a patch (RFC 6902).")),
        ("usage", .block(.usage)),
        ("tokens", .whole(0...FixtureCompiler.mostTokens).described("A number of tokens.")),
        ("parts", .list(.block(.part)).described("A result in parts.")),
        ("ask", .block(.ask)),
        ("toolCall", .block(.toolCall)),
        ("runs", .block(.runs)),
        ("tool", .block(.tool)),
        ("toolResult", .block(.toolResult)),
        ("attachment", .block(.attachment)),
        (
            "problem",
            .words(KnownProblem.allCases.map(\.rawValue))
                .described("One of the documented error texts, by its short name.")
        ),
        ("handoff", .block(.handoff)),
        ("fault", .block(.fault)),
        ("effect", .block(.effect)),
        ("example", .block(.example)),
    ]
}

extension ValueForm {
    /// Values of an entity type, with the other spellings of each value.
    fileprivate static let spellings = ValueForm(
        object.members + [
            .init("minProperties", .integer(1)),
            .init("additionalProperties", ValueForm.several(.ref("spelling"), least: nil).json),
        ])

    fileprivate static let conditions = ValueForm(
        object.members + [
            .init("properties", .object(["now": ValueForm.ref("hours").json])),
            .init("additionalProperties", ValueForm.either(.initial, .block(.condition)).json),
        ])
}

extension StepVerb {
    /// Form of a step: exactly one verb, and the members that the verb allows.
    fileprivate static var form: ValueForm {
        let verbs = FixtureCompiler.verbs
        var parts: [(key: Key, verbs: [String])] = []
        for verb in verbs {
            for key in verb.parts {
                if let place = parts.firstIndex(where: { $0.key.name == key.name }) {
                    parts[place].verbs.append(verb.name)
                } else {
                    parts.append((key, [verb.name]))
                }
            }
        }
        let needed = parts.filter { $0.key.name != "chunks" }.map { part in
            JSONObject.Member(part.key.name, ValueForm.anyOf(part.verbs).json)
        }
        let rules = verbs.compactMap { verb in
            verb.needsOneOf.isEmpty
                ? nil : JSONObject.Member(verb.name, ValueForm.anyOf(verb.needsOneOf).json)
        }
        // Exact chunks can be used without "say". A chunk size needs "say".
        let chunks = ValueForm.schema(
            #"{"if": {"required": ["chunks"], "properties": {"chunks": {"type": "string"}}}, "then": {"required": ["say"]}}"#
        )
        let alone = ValueForm.schema(#"{"required": ["chunks"], "not": {"required": ["say"]}}"#)
        return ValueForm(
            [
                .init("type", .string("object")), .init("additionalProperties", .bool(false)),
                .init(
                    "properties",
                    .object(JSONObject((verbs.map(\.key) + parts.map(\.key)).map(\.property)))),
                .init("oneOf", .array(verbs.map { ValueForm.required([$0.name]).json } + [alone.json])),
                .init("dependencies", .object(JSONObject(needed + rules))),
                BlockForm.notBothArguments,
            ] + chunks.members
        ).described(
            "Exactly one thing to do: \(names(FixtureCompiler.talkVerbs)); in runs also "
                + "\(names(FixtureCompiler.runVerbs)).")
    }

    private static func names(_ verbs: [StepVerb]) -> String { MessageFormat.alternatives(verbs.map(\.name)) }
}

extension ValueForm {
    /// Returns a form that needs at least one of these names.
    fileprivate static func anyOf(_ names: [String]) -> ValueForm {
        let forms: [ValueForm] = names.map { $0 == "say" ? .ref("speech") : .required([$0]) }
        return forms.count == 1 ? forms[0] : ValueForm([.init("anyOf", .array(forms.map(\.json)))])
    }
}

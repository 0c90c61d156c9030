import Texts

/// JSON Schema from its short form.
extension ControlDescription {
    private static let types: Set<Substring> = [
        "object", "array", "string", "number", "integer", "boolean", "null", "time",
    ]

    func schema(_ form: JSONValue) -> JSONValue {
        switch form {
        case .string(let text): .object(JSONObject(schema(text)))
        case .array(let forms) where forms.count == 1: list(of: forms[0])
        case .array(let forms): choice(of: forms)
        case .object(let object): schema(object)
        case .null, .bool, .integer, .double: .null
        }
    }

    private func list(of form: JSONValue) -> JSONValue {
        .object(["type": .string("array"), "items": schema(form)])
    }

    private func choice(of forms: [JSONValue]) -> JSONValue {
        .object(["oneOf": .array(forms.map { schema($0) })])
    }

    private func schema(_ form: JSONObject) -> JSONValue {
        var schema = JSONObject()
        if let item = form["[]"] {
            schema = list(of: item).object ?? [:]
        } else if let forms = form["|"]?.array {
            schema = choice(of: forms).object ?? [:]
        } else if let value = form["*"] {
            schema = ["type": .string("object"), "additionalProperties": self.schema(value)]
        } else if form["$"] == nil || form.members.count > 1 {
            schema = object(of: members(of: form))
        }
        let keywords = form["$"]?.object ?? JSONObject(present: [("description", form["$"])])
        schema.members.removeAll { keywords[$0.name] != nil }
        return .object(JSONObject(schema.members + keywords.members))
    }

    /// Those of the schema that `form` goes on with, and its own.
    private func members(of form: JSONObject) -> [JSONObject.Member] {
        let former = form["..."]?.string.flatMap { file["schemas"]?[$0]?.object }
        return (former.map { members(of: $0) } ?? [])
            + form.members.filter { $0.name != "$" && $0.name != "..." }
    }

    private func object(of members: [JSONObject.Member]) -> JSONObject {
        let needed = members.map(\.name).filter { !$0.hasSuffix("?") }
        let properties = members.map { member in
            (member.name.hasSuffix("?") ? String(member.name.dropLast()) : member.name, schema(member.value))
        }
        return JSONObject(present: [
            ("type", .string("object")), ("properties", ControlJSON.object(properties)),
            ("required", needed.isEmpty ? nil : ControlJSON.strings(needed)),
            ("additionalProperties", .bool(false)),
        ])
    }

    /// Of `string|null <=100: words`.
    private func schema(_ text: String) -> [JSONObject.Member] {
        let head = text.prefix { $0 != ":" }
        let words = head.split(separator: " ")
        let names = words.first?.split(separator: "|") ?? []
        var schema: [JSONObject.Member] = []
        if head.hasPrefix("#") {
            schema = [.init("$ref", .string("#/components/schemas/\(head.dropFirst())"))]
        } else if Self.types.isSuperset(of: names) {
            let types = names.map { JSONValue.string($0 == "time" ? "string" : String($0)) }
            schema = [.init("type", types.count == 1 ? types[0] : .array(types))]
            if names.contains("time") { schema.append(.init("format", .string("date-time"))) }
        } else {
            schema = [
                .init("type", .string("string")),
                .init("enum", ControlJSON.strings(names.map { String($0) })),
            ]
        }
        for word in words.dropFirst() {
            let bound = (try? JSONReader.read(Array(word.dropFirst(2).utf8))) ?? .null
            let most = names == ["string"] ? "maxLength" : "maximum"
            schema.append(.init(word.hasPrefix(">=") ? "minimum" : most, bound))
        }
        let description = text[head.endIndex...].dropFirst(2)
        if !description.isEmpty { schema.append(.init("description", .string(String(description)))) }
        return schema
    }
}

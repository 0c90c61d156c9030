import Pages
import Texts

/// OpenAPI 3.1 description of the control API, made from the table of routes and `Server/Pages/openapi.json`.
///
/// The file has an operation for each route. `answer` is the schema of status 200, with an example. `answers` has the
/// schemas of other statuses, each after a description. `body?` is an optional request body. Short forms:
///
/// | form | meaning |
/// | --- | --- |
/// | `"integer\|null: words"` | these types, and a description |
/// | `"time"`, `"integer >=1 <=9"`, `"string <=100"` | a time stamp; a number from 1 to 9; at most 100 characters |
/// | `"open\|ended"` | one of these words |
/// | `"#Session"` | the schema of that name |
/// | `["string"]`, `["string", "#Row"]` | a list of texts; one of two schemas |
/// | `{"name": …, "other?": …}` | an object with these members only; the second is optional |
/// | `{"*": …}`, `{"[]": …}`, `{"\|": …}` | an object with any names; a list or a choice that also has a `"$"` |
/// | `{"$": …}` | the description of the rest of the object, or its keywords of JSON Schema |
/// | `{"...": "Session", …}` | the members of that schema, and further ones |
struct ControlDescription {
    let file: JSONValue

    /// The description as JSON text.
    static let text: [UInt8] = {
        let bytes = UnsafeBufferPointer(start: polymock_openapi_bytes(), count: polymock_openapi_length)
        let file = try? JSONReader.read(Array(bytes), maxBytes: bytes.count)
        return JSONWriter.bytes(ControlDescription(file: file ?? .null).document) + [0x0A]
    }()

    private var document: JSONValue {
        var paths: [(path: String, operations: [(String, JSONValue)])] = []
        for route in ControlRoute.all {
            let place = paths.firstIndex { $0.path == route.path } ?? paths.count
            if place == paths.count { paths.append((route.path, [])) }
            paths[place].operations.append((route.method.lowercased(), operation(route)))
        }
        let head = ["openapi", "info", "servers", "security", "tags"].map { ($0, file[$0] ?? .null) }
        return ControlJSON.object(
            head + [
                ("paths", ControlJSON.object(paths.map { ($0.path, ControlJSON.object($0.operations)) })),
                ("components", components),
            ])
    }

    private var components: JSONValue {
        let schemas = members("schemas").map { ($0.name, schema($0.value)) }
        let responses = members("refusals").map { member in
            let message = part(2, of: member.value) ?? .null
            let example = JSONValue.object(["error": .object(["message": message])])
            let response = JSONObject(present: [
                ("description", part(1, of: member.value)), ("headers", part(3, of: member.value)),
                ("content", content(.array([.string("#Error"), example]))),
            ])
            return (part(0, of: member.value)?.string ?? "", JSONValue.object(response))
        }
        return .object([
            "schemas": ControlJSON.object(schemas), "responses": ControlJSON.object(responses),
            "securitySchemes": file["securitySchemes"] ?? .null,
        ])
    }

    private func members(_ name: String) -> [JSONObject.Member] { file[name]?.object?.members ?? [] }

    private func part(_ index: Int, of list: JSONValue?) -> JSONValue? { list?.array?.dropFirst(index).first }

    // MARK: - Operations

    private func operation(_ route: ControlRoute) -> JSONValue {
        let own = file["operations"]?[route.name]
        var parameters: [JSONValue] = []
        let segments = route.path.split(separator: "/")
        if let named = segments.first(where: { $0.hasPrefix("{") }) {
            let words = file["parameters"]?[String(segments[1])]
            parameters.append(parameter(named.dropFirst().dropLast(), in: "path", words))
        }
        parameters += route.query.map { parameter($0[...], in: "query", own?["query"]?[$0]) }
        return .object(
            JSONObject(present: [
                ("operationId", .string(route.name)), ("summary", .string(route.about)),
                ("tags", .array([own?["tag"] ?? .null])), ("description", own?["about"]),
                ("security", own?["security"]), ("parameters", parameters.isEmpty ? nil : .array(parameters)),
                ("requestBody", route.body.map { _ in body(own) }), ("responses", answers(route, own)),
            ]))
    }

    private func parameter(_ name: Substring, in place: String, _ words: JSONValue?) -> JSONValue {
        var schema = schema(part(0, of: words) ?? words ?? .null).object ?? [:]
        let description = schema["description"]
        schema.members.removeAll { $0.name == "description" }
        return .object(
            JSONObject(present: [
                ("name", .string(String(name))), ("in", .string(place)),
                ("required", .bool(place == "path")), ("description", description),
                ("schema", .object(schema)), ("example", part(1, of: words)),
            ]))
    }

    private func body(_ own: JSONValue?) -> JSONValue {
        let needed = own?["body"]
        return .object([
            "required": .bool(needed != nil), "content": content(needed ?? own?["body?"] ?? .null),
        ])
    }

    private func answers(_ route: ControlRoute, _ own: JSONValue?) -> JSONValue {
        var answers: [(String, JSONValue)] = []
        func answer(_ status: String, _ description: JSONValue, _ content: JSONValue) {
            answers.append((status, .object(["description": description, "content": content])))
        }
        if let done = own?["answer"] { answer("200", .string("Done."), content(done)) }
        for other in own?["answers"]?.object?.members ?? [] {
            let example = other.value.array?.dropFirst() ?? []
            answer(other.name, part(0, of: other.value) ?? .null, content(.array(Array(example))))
        }
        for status in route.refusals.map(String.init) where !answers.contains(where: { $0.0 == status }) {
            let name = part(0, of: file["refusals"]?[status])?.string ?? ""
            answers.append((status, .object(["$ref": .string("#/components/responses/\(name)")])))
        }
        return ControlJSON.object(answers)
    }

    /// A schema with its example, as the content of one media type, or of each media type in `words`.
    private func content(_ words: JSONValue) -> JSONValue {
        let types = words.object?.members ?? [.init("application/json", words)]
        return ControlJSON.object(
            types.map { type in
                let (form, example) = (part(0, of: type.value), part(1, of: type.value))
                let schema = schema(form ?? .null)
                return (type.name, .object(["schema": schema, "example": example ?? .null]))
            })
    }

    // MARK: - Schemas

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

    /// Returns the members of the extended schema, then those of `form`.
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

import Texts

/// Form of a value as JSON Schema (draft 7).
struct ValueForm: Sendable {
    let members: [JSONObject.Member]

    private init(_ members: JSONObject.Member...) { self.members = members }

    init(_ members: [JSONObject.Member]) { self.members = members }

    var json: JSONValue { .object(JSONObject(members)) }

    /// Creates a form. `text` is a JSON object whose members become the form's members.
    static func schema(_ text: String) -> ValueForm {
        let value = try? JSONReader.read(Array(text.utf8))
        return ValueForm(value?.object?.members ?? [])
    }

    static func ref(_ name: String) -> ValueForm {
        ValueForm(.init("$ref", .string("#/definitions/\(name)")))
    }

    private static func type(_ names: String...) -> ValueForm {
        ValueForm(.init("type", names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })))
    }

    static let text = ref("text")
    static let link = ref("link")
    static let duration = ref("duration")
    static let share = ref("share")
    static let count = ref("count")
    static let chunkSize = ref("chunkSize")
    static let string = type("string")
    static let filled = ValueForm(string.members + [.init("minLength", .integer(1))])
    static let flag = type("boolean")
    static let number = type("number")
    static let object = type("object")
    static let json = type("object", "array", "string", "number", "boolean", "null")
    static let constant = type("string", "number")
    static let initial = type("string", "number", "null")
    static let optionalString = type("string", "null")
    /// Form of a flag whose only allowed value is `true`.
    static let mark = ValueForm(.init("const", .bool(true)))
    static let lasting = ValueForm(
        .init("allOf", .array([duration.json, .object(["pattern": .string("[1-9]")])])))

    static func words(_ words: String...) -> ValueForm { .words(words) }

    static func words(_ words: [String]) -> ValueForm {
        ValueForm(
            words.count == 1
                ? .init("const", .string(words[0])) : .init("enum", .array(words.map { .string($0) })))
    }

    static func pattern(_ pattern: String) -> ValueForm {
        ValueForm(string.members + [.init("pattern", .string(pattern))])
    }

    static func whole(_ range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            .init("type", .string("integer")), .init("minimum", .integer(Int64(range.lowerBound))),
            .init("maximum", .integer(Int64(range.upperBound))))
    }

    static func list(_ item: ValueForm, least: Int? = nil) -> ValueForm {
        let minimum = least.map { [JSONObject.Member("minItems", .integer(Int64($0)))] } ?? []
        return ValueForm([.init("type", .string("array"))] + minimum + [.init("items", item.json)])
    }

    static func either(_ forms: ValueForm...) -> ValueForm {
        ValueForm(.init("anyOf", .array(forms.map(\.json))))
    }

    static func several(_ form: ValueForm, least: Int? = 1) -> ValueForm {
        .either(form, .list(form, least: least))
    }

    /// Form of a block with names that the author chooses.
    static func names(of value: ValueForm, called name: String? = nil) -> ValueForm {
        let names = name.map { [JSONObject.Member("propertyNames", ValueForm.ref($0).json)] } ?? []
        return ValueForm(object.members + names + [.init("additionalProperties", value.json)])
    }

    static func required(_ names: [String]) -> ValueForm {
        ValueForm(.init("required", .array(names.map { .string($0) })))
    }

    /// Form of a block with exactly one of these names. It must also satisfy `others`.
    static func oneOf(_ names: [String], _ others: ValueForm = ValueForm([])) -> ValueForm {
        ValueForm([.init("oneOf", .array(names.map { required([$0]).json }))] + others.members)
    }

    static func block(_ block: BlockForm) -> ValueForm { block.form }

    func described(_ about: String?) -> ValueForm {
        guard let about else { return self }
        return ValueForm([.init("description", .string(about))] + members.filter { $0.name != "description" })
    }
}

/// Member of a block: its name and the form of its value.
struct Key: Sendable {
    let name: String
    let form: ValueForm
    /// Description of the member, or nil.
    let about: String?
    let isNeeded: Bool

    init(_ name: String, _ form: ValueForm, _ about: String? = nil) {
        (self.name, self.form, self.about, isNeeded) = (name, form, about, false)
    }

    init(needed name: String, _ form: ValueForm, _ about: String? = nil) {
        (self.name, self.form, self.about, isNeeded) = (name, form, about, true)
    }

    var property: JSONObject.Member { .init(name, form.described(about).json) }
}

/// Result builder that makes a list of keys from one key per line.
@resultBuilder
enum KeyList {
    static func buildExpression(_ key: Key) -> [Key] { [key] }
    static func buildExpression(_ keys: [Key]) -> [Key] { keys }
    static func buildBlock(_ keys: [Key]...) -> [Key] { Array(keys.joined()) }
}

/// Block in which only listed names are allowed.
struct BlockForm: Sendable {
    /// Name of the block with its article, as in `A pace has nothing called …`.
    let owner: String
    let keys: [Key]
    private let about: String?
    private let rules: [JSONObject.Member]

    /// `rules` are further constraints of the schema.
    init(
        _ owner: String, _ about: String? = nil, rules: ValueForm = ValueForm([]),
        @KeyList keys: () -> [Key]
    ) {
        (self.owner, self.about, self.keys, self.rules) = (owner, about, keys(), rules.members)
    }

    var names: [String] { keys.map(\.name) }
    var needed: [String] { keys.filter(\.isNeeded).map(\.name) }

    var form: ValueForm {
        let properties = JSONValue.object(JSONObject(keys.map(\.property)))
        var members = [JSONObject.Member("type", .string("object"))]
        if !needed.isEmpty { members += ValueForm.required(needed).members }
        members += [.init("additionalProperties", .bool(false)), .init("properties", properties)]
        return ValueForm(members + rules).described(about)
    }
}

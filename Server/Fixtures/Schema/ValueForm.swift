import Texts

/// The form of a value, in the words of JSON Schema (draft 7).
struct ValueForm: Sendable {
    let members: [JSONObject.Member]

    private init(_ members: JSONObject.Member...) { self.members = members }

    init(_ members: [JSONObject.Member]) { self.members = members }

    var json: JSONValue { .object(JSONObject(members)) }

    /// The members as JSON, for forms that occur once.
    static func schema(_ text: String) -> ValueForm {
        let value = try? JSONReader.read(Array(text.utf8))
        return ValueForm(value?.object?.members ?? [])
    }

    /// The form of that name among ``FixtureSchema/definitions``.
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
    /// A word that can only be true.
    static let mark = ValueForm(.init("const", .bool(true)))
    /// A length of time that is not over at once.
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

    /// One, or a list of them.
    static func several(_ form: ValueForm, least: Int? = 1) -> ValueForm {
        .either(form, .list(form, least: least))
    }

    /// A block of free names.
    static func names(of value: ValueForm, called name: String? = nil) -> ValueForm {
        let names = name.map { [JSONObject.Member("propertyNames", ValueForm.ref($0).json)] } ?? []
        return ValueForm(object.members + names + [.init("additionalProperties", value.json)])
    }

    /// A block with all of these names.
    static func required(_ names: [String]) -> ValueForm {
        ValueForm(.init("required", .array(names.map { .string($0) })))
    }

    /// A block with exactly one of these names, of which `others` holds as well.
    static func oneOf(_ names: [String], _ others: ValueForm = ValueForm([])) -> ValueForm {
        ValueForm([.init("oneOf", .array(names.map { required([$0]).json }))] + others.members)
    }

    static func block(_ block: BlockForm) -> ValueForm { block.form }

    /// With a description for editors in front.
    func described(_ about: String?) -> ValueForm {
        guard let about else { return self }
        return ValueForm([.init("description", .string(about))] + members.filter { $0.name != "description" })
    }
}

/// A name in a block.
struct Key: Sendable {
    let name: String
    let form: ValueForm
    /// Missing where the form has its own.
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

/// Keys one under the other.
@resultBuilder
enum KeyList {
    static func buildExpression(_ key: Key) -> [Key] { [key] }
    static func buildExpression(_ keys: [Key]) -> [Key] { keys }
    static func buildBlock(_ keys: [Key]...) -> [Key] { Array(keys.joined()) }
}

/// A block with a closed list of names: the compiler reads it by this list, and editors complete it by the same.
struct BlockForm: Sendable {
    /// With its article, as in `A pace has nothing called …`.
    let owner: String
    let keys: [Key]
    private let about: String?
    private let rules: [JSONObject.Member]

    /// `rules` are what else holds; without `about` the block is explained where it stands.
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

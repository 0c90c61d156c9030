import Texts

/// One piece of a reply.
public class AIAssistantElement {
    private let fields: Fields

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// `text`, `card`, or another word.
    public func getType() -> String { fields.text("type") }

    /// The text, the card with its id, or any other value; nil if there is none.
    public func getData() -> Any? { fields.object["value"].flatMap { Fields.plain($0) } }
}

/// A whole reply, stored.
public class AIAssistantMessage {
    /// The message.
    public let id: Int
    /// The run; -1 when it is not known.
    public var runId: Int
    /// The thread.
    public var threadId: String
    /// The text of the message.
    public var text: String
    private let elements: [AIAssistantElement]?

    init(_ body: Fields) {
        let data = body.inner("data")
        id = body.int("id")
        runId = data.int("runId", absent: -1)
        threadId = data.text("threadId")
        text = data.text("text")
        elements = data.object["elements"]?.array?.compactMap(\.object)
            .map { AIAssistantElement(Fields($0)) }
    }

    /// Texts and cards in order; nil from a server that stores no elements, so that the text is everything.
    public func getElements() -> [AIAssistantElement]? { elements }
}

/// The answer of a tool, stored.
public class AIToolResultMessage {
    /// The message.
    public let id: Int
    /// The run; -1 when it is not known.
    public var runId: Int
    /// The thread.
    public var threadId: String
    /// The answer.
    public var text: String
    /// The call.
    public var toolCallId: String

    init(_ body: Fields) {
        let data = body.inner("data")
        id = body.int("id")
        runId = data.int("runId", absent: -1)
        threadId = data.text("threadId")
        text = data.text("text")
        toolCallId = data.text("toolCallId")
    }
}

/// Function of a tool call.
public class AIToolCallFunction {
    /// The tool.
    public let name: String
    /// The arguments, JSON text.
    public let arguments: String

    init(_ fields: Fields) {
        name = fields.text("name")
        arguments = fields.text("arguments")
    }
}

/// One call, stored.
public class AIToolCall {
    /// The call.
    public let id: String
    /// `function`.
    public let type: String
    /// Display name of the tool.
    public let displayName: String
    /// Status text while the tool worked.
    public let executionText: String
    /// The called function.
    public let function: AIToolCallFunction

    init(_ fields: Fields) {
        id = fields.text("id")
        type = fields.text("type")
        displayName = fields.text("displayName")
        executionText = fields.text("executionText")
        function = AIToolCallFunction(fields.inner("function"))
    }
}

/// The calls of one turn of the agent, stored.
public class AIToolArgumentMessage {
    /// The message.
    public let id: Int
    /// The run; -1 when it is not known.
    public var runId: Int
    /// The thread.
    public var threadId: String
    /// The calls.
    public var toolCalls: [AIToolCall]

    init(_ body: Fields) {
        let data = body.inner("data")
        id = body.int("id")
        runId = data.int("runId", absent: -1)
        threadId = data.text("threadId")
        toolCalls = (data.object["toolCalls"]?.array ?? []).compactMap(\.object)
            .map { AIToolCall(Fields($0)) }
    }
}

/// The fields of one object, with the defaults of the guide's SDK.
struct Fields {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    func text(_ name: String) -> String { object[name]?.string ?? "" }

    /// A number, also if it is given as digits in a text.
    func int(_ name: String, absent: Int = 0) -> Int {
        switch object[name] {
        case .string(let digits)?: Int(digits) ?? absent
        case let value?: value.integer.flatMap { Int(exactly: $0) } ?? absent
        case nil: absent
        }
    }

    func inner(_ name: String) -> Fields { Fields(object[name]?.object ?? JSONObject()) }

    /// The object in Foundation's types; members without a value are left out.
    static func plain(_ object: JSONObject, without known: Set<String> = []) -> [String: Any] {
        var result: [String: Any] = [:]
        for member in object.members where !known.contains(member.name) {
            if let value = plain(member.value) { result[member.name] = value }
        }
        return result
    }

    static func plain(_ value: JSONValue) -> Any? {
        switch value {
        case .null: nil
        case .bool(let flag): flag
        case .integer(let number): Int(clamping: number)
        case .double(let number): number
        case .string(let text): text
        case .array(let elements): elements.compactMap { plain($0) }
        case .object(let object): plain(object)
        }
    }
}

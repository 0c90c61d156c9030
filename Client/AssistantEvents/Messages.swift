import Texts

/// One element of a reply: a text, a card or an error.
public class AIAssistantElement {
    private let fields: Fields

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// Returns the type: `text`, `card`, `error`, or another type.
    public func getType() -> String { fields.text("type") }

    /// Returns the value of the element: a text, a card with its id, another JSON value, or nil if there is none.
    public func getData() -> Any? { fields.object["value"].flatMap { Fields.plain($0) } }
}

/// A stored reply.
public class AIAssistantMessage {
    /// The number of the message.
    public let id: Int
    /// The number of the run; -1 if unknown.
    public var runId: Int
    /// The id of the thread.
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

    /// Returns the elements in order; nil if the server stores only the text.
    public func getElements() -> [AIAssistantElement]? { elements }
}

/// A stored result of a tool.
public class AIToolResultMessage {
    /// The number of the message.
    public let id: Int
    /// The number of the run; -1 if unknown.
    public var runId: Int
    /// The id of the thread.
    public var threadId: String
    /// The result as text.
    public var text: String
    /// The id of the tool call.
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
    /// The name of the tool.
    public let name: String
    /// The arguments, as JSON text.
    public let arguments: String

    init(_ fields: Fields) {
        name = fields.text("name")
        arguments = fields.text("arguments")
    }
}

/// A stored tool call.
public class AIToolCall {
    /// The id of the tool call.
    public let id: String
    /// The type: `function`.
    public let type: String
    /// Display name of the tool.
    public let displayName: String
    /// Status text while the tool ran.
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

/// The tool calls in one message of the agent, as stored after the run.
public class AIToolArgumentMessage {
    /// The number of the message.
    public let id: Int
    /// The number of the run; -1 if unknown.
    public var runId: Int
    /// The id of the thread.
    public var threadId: String
    /// The tool calls.
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

/// Typed access to the fields of one JSON object.
struct Fields {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    func text(_ name: String) -> String { object[name]?.string ?? "" }

    /// Returns the number in a field, also from a text of digits. Without a number, returns `absent`.
    func int(_ name: String, absent: Int = 0) -> Int {
        switch object[name] {
        case .string(let digits)?: Int(digits) ?? absent
        case let value?: value.integer.flatMap { Int(exactly: $0) } ?? absent
        case nil: absent
        }
    }

    func inner(_ name: String) -> Fields { Fields(object[name]?.object ?? JSONObject()) }

    /// Returns a dictionary of Foundation types, without null members and members named in `known`.
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

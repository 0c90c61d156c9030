import Clocks
import Fixtures
import Texts

/// The JSON object in a request's body, or an object within it.
struct ControlBody {
    let object: JSONObject
    /// The path of this object in the body, such as `attachments[0].`; empty for the body itself.
    let place: String

    /// An empty body counts as `{}`.
    init(_ bytes: [UInt8]) throws(ControlProblem) {
        place = ""
        guard !bytes.isEmpty else {
            object = [:]
            return
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes, maxBytes: bytes.count)
        } catch {
            throw .bad("The body is \(error.description); send one JSON object.")
        }
        guard case .object(let object) = value else { throw .bad("The body is not an object; send {…}.") }
        self.object = Self.renamed(object)
    }

    private static func renamed(_ object: JSONObject) -> JSONObject {
        guard object.members.contains(where: { FormerNames.members[$0.name] != nil || $0.name == "as" })
        else {
            return object
        }
        return JSONObject(
            object.members.map { member in
                let now = FormerNames.members[member.name].flatMap { object[$0] == nil ? $0 : nil }
                let value =
                    member.name == "as" ? member.value.string.flatMap { FormerNames.speakers[$0] } : nil
                return JSONObject.Member(now ?? member.name, value.map { .string($0) } ?? member.value)
            })
    }

    private init(_ object: JSONObject, place: String) {
        self.object = object
        self.place = place
    }

    func allow(_ names: [String]) throws(ControlProblem) {
        for member in object.members where !names.contains(member.name) {
            let meant = NearestName.suggestion(for: member.name, among: names).map {
                "did you mean \"\($0)\"?"
            }
            let hint = meant ?? (names.isEmpty ? "leave it out." : "use \(names.joined(separator: ", ")).")
            throw .bad("\(name(member.name)) is not known here; \(hint)")
        }
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    /// The value; null counts as absent.
    func value(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    private func read<Result>(
        _ name: String, _ read: (ValueReader) throws(ValueMistake) -> Result
    ) throws(ControlProblem) -> Result? {
        guard let value = value(name) else { return nil }
        return try Self.read(value, self.name(name), read)
    }

    private static func read<Result>(
        _ value: JSONValue, _ name: String, _ read: (ValueReader) throws(ValueMistake) -> Result
    ) throws(ControlProblem) -> Result {
        do throws(ValueMistake) {
            return try read(ValueReader(value, named: name))
        } catch {
            throw .bad(error.sentence)
        }
    }

    func text(_ name: String) throws(ControlProblem) -> String? {
        try read(name) { reader throws(ValueMistake) in try reader.text() }
    }

    func neededText(_ name: String, example: String) throws(ControlProblem) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw .bad("\(self.name(name)) is missing; write \"\(name)\": \"\(example)\".")
        }
        return text
    }

    /// Reads a short text of one line, such as a name. An empty text counts as absent.
    func shortText(_ name: String) throws(ControlProblem) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= ServerLimits.Control.nameBytes,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw .bad(
                "\(self.name(name)) is no short name; use one line of at most \(ServerLimits.Control.nameBytes) bytes."
            )
        }
        return text
    }

    func flag(_ name: String) throws(ControlProblem) -> Bool? {
        try read(name) { reader throws(ValueMistake) in try reader.flag() }
    }

    func count(_ name: String, in range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
        try read(name) { reader throws(ValueMistake) in try reader.whole(in: range) }
    }

    func number(_ name: String) throws(ControlProblem) -> Double? {
        try read(name) { reader throws(ValueMistake) in try reader.number() }
    }

    func length(_ name: String, atMost limit: Interval) throws(ControlProblem) -> Interval? {
        guard let text = try text(name) else { return nil }
        return try Self.length(text, self.name(name), atMost: limit)
    }

    static func length(
        _ text: String, _ name: String, atMost limit: Interval
    ) throws(ControlProblem) -> Interval {
        let interval: Interval
        do throws(ValueMistake) {
            interval = try ValueReader(.string(text), named: name).interval()
        } catch {
            throw .bad("\(name): \(error.sentence)")
        }
        guard interval <= limit else {
            throw .bad("\(name) is too long; \(ValueSyntax.text(limit)) is the most.")
        }
        return interval
    }

    func choice(_ name: String, _ choices: [String]) throws(ControlProblem) -> String? {
        try read(name) { reader throws(ValueMistake) in try reader.word(among: choices) }
    }

    func list(_ name: String) throws(ControlProblem) -> [JSONValue] {
        _ = try read(name) { reader throws(ValueMistake) in try reader.list() }
        return value(name)?.array ?? []
    }

    func bodies(_ name: String) throws(ControlProblem) -> [ControlBody] {
        var bodies: [ControlBody] = []
        for (index, value) in try list(name).enumerated() {
            let place = self.place + "\(name)[\(index)]."
            guard case .object(let object) = value else {
                throw .bad("\"\(place.dropLast())\" is no object; write {…}.")
            }
            bodies.append(ControlBody(object, place: place))
        }
        return bodies
    }

    func name(_ name: String) -> String { "\"\(place)\(Logger.clip(name))\"" }
}

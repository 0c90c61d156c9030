import DialectKit
import Texts

struct RequestFields {
    let object: JSONObject
    let service: ServiceError.Service

    /// Parses the body, unless ``ConnectDialect/preparation(of:)`` has already parsed it.
    init(_ request: Request, for service: ServiceError.Service) throws(ServiceError) {
        self.service = service
        do throws(JSONError) {
            let known = request.prepared as? Result<JSONObject, JSONError>
            object = try (known ?? Self.object(in: request.body)).get()
        } catch {
            throw .unreadable("The body is no JSON object (\(error))", for: service)
        }
    }

    static func object(in bytes: [UInt8]) -> Result<JSONObject, JSONError> {
        guard bytes.contains(where: { $0 > 0x20 }) else { return .success([:]) }
        return Result { () throws(JSONError) in
            guard case .object(let object) = try JSONReader.read(bytes) else {
                throw JSONError(.unexpectedByte, at: 0)
            }
            return object
        }
    }

    init(_ object: JSONObject, for service: ServiceError.Service) {
        self.object = object
        self.service = service
    }

    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    /// Returns a text member; nil if it is missing. `bounds` limits the number of characters.
    func text(_ name: String, _ bounds: ClosedRange<Int> = 0...Int.max) throws(ServiceError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw wrong(name, "a text") }
        let count = text.unicodeScalars.count
        guard bounds.contains(count) else {
            throw .invalid(
                "\(name) has \(count) characters; it takes \(bounds.lowerBound) to \(bounds.upperBound)",
                for: service)
        }
        return text
    }

    func required(_ name: String, _ bounds: ClosedRange<Int> = 1...Int.max) throws(ServiceError) -> String {
        guard let text = try text(name, bounds) else { throw missing(name) }
        return text
    }

    func integer(_ name: String, _ bounds: ClosedRange<Int>) throws(ServiceError) -> Int? {
        guard let value = value(name) else { return nil }
        let whole: Int64?
        if case .double(let number) = value { whole = Int64(exactly: number) } else { whole = value.integer }
        guard let number = whole else { throw wrong(name, "a whole number") }
        guard let found = Int(exactly: number), bounds.contains(found) else {
            throw .invalid(
                "\(name) is \(number); it takes \(bounds.lowerBound) to \(bounds.upperBound)", for: service)
        }
        return found
    }

    func flag(_ name: String) throws(ServiceError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else { throw wrong(name, "true or false") }
        return flag
    }

    func object(_ name: String) throws(ServiceError) -> RequestFields? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else { throw wrong(name, "an object") }
        return RequestFields(object, for: service)
    }

    func texts(_ name: String) throws(ServiceError) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let array = value.array else { throw wrong(name, "a list") }
        var texts: [String] = []
        for element in array {
            guard let text = element.string else { throw wrong(name, "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ word: Word.Type
    ) throws(ServiceError) -> Word? {
        guard let text = try text(name) else { return nil }
        return try self.word(text, name)
    }

    func choices<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ word: Word.Type
    ) throws(ServiceError) -> [Word]? {
        guard let texts = try texts(name) else { return nil }
        var words: [Word] = []
        for text in texts { words.append(try self.word(text, name)) }
        return words
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ name: String
    ) throws(ServiceError) -> Word {
        guard let found = Word(rawValue: text) else {
            throw unknown(text, name, Word.allCases.map(\.rawValue))
        }
        return found
    }

    func checkSize(_ text: String, of owner: String) throws(ServiceError) {
        let (bytes, most) = (text.utf8.count, ItemText.messageBytes)
        if bytes > most { throw .invalid("\(owner) has \(bytes) bytes; it takes \(most)", for: service) }
    }

    func unknown(_ text: String, _ name: String, _ known: [String]) -> ServiceError {
        let hint = NearestName.suggestion(for: text, among: known).map { ". Did you mean \($0)?" } ?? ""
        return .invalid(
            "\(name) \"\(text.prefix(100))\" is none of \(known.joined(separator: ", "))\(hint)", for: service
        )
    }

    func missing(_ name: String) -> ServiceError { .unreadable("\(name) is missing", for: service) }

    func wrong(_ name: String, _ wanted: String) -> ServiceError {
        .unreadable("\(name) is not \(wanted)", for: service)
    }
}

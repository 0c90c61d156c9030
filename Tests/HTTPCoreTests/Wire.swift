import HTTPCore

/// Bytes of `text`, which writes line ends as `\r\n`.
func bytes(_ text: String) -> [UInt8] {
    Array(text.utf8)
}

/// The smallest legal GET with extra field lines.
func get(_ target: String = "/", _ fields: String...) -> [UInt8] {
    bytes("GET \(target) HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
}

/// A POST whose body is `body` as it goes over the wire.
func post(_ fields: String..., body: String = "") -> [UInt8] {
    bytes("POST / HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body)
}

func chunked(_ body: String, _ fields: String...) -> [UInt8] {
    let lines = (["Transfer-Encoding: chunked"] + fields).map { $0 + "\r\n" }.joined()
    return bytes("POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\(body)")
}

/// What a whole input leads to, with the parts of bodies joined.
func parse(_ input: [UInt8], limits: HTTPLimits = HTTPLimits()) -> [RequestParser.Output] {
    var parser = RequestParser(limits: limits)
    return joined(parser.receive(input))
}

/// Joins neighbouring parts of a body, since where they are cut has no meaning.
func joined(_ outputs: [RequestParser.Output]) -> [RequestParser.Output] {
    outputs.reduce(into: []) { result, output in
        if case .body(let more) = output, case .body(let part)? = result.last {
            result[result.count - 1] = .body(part + more)
        } else {
            result.append(output)
        }
    }
}

func joined(_ outputs: [ResponseParser.Output]) -> [ResponseParser.Output] {
    outputs.reduce(into: []) { result, output in
        if case .body(let more) = output, case .body(let part)? = result.last {
            result[result.count - 1] = .body(part + more)
        } else {
            result.append(output)
        }
    }
}

/// The fault of the refusal that ends `outputs`, by its status and words.
func refusal(_ outputs: [RequestParser.Output]) -> Refusal? {
    if case .refuse(let refusal)? = outputs.last { return refusal }
    return nil
}

func refusal(of input: [UInt8], limits: HTTPLimits = HTTPLimits()) -> Refusal? {
    refusal(parse(input, limits: limits))
}

func refusal(of input: String, limits: HTTPLimits = HTTPLimits()) -> Refusal? {
    refusal(parse(bytes(input), limits: limits))
}

func requestHead(of input: [UInt8]) -> RequestHead? {
    switch parse(input).first {
    case .head(let head)?, .upgrade(let head, _)?: head
    default: nil
    }
}

func body(of outputs: [RequestParser.Output]) -> String? {
    guard outputs.contains(.end) else { return nil }
    var body: [UInt8] = []
    for case .body(let part) in outputs { body += part }
    return String(decoding: body, as: UTF8.self)
}

/// SplitMix64, so that a failing round can be repeated from its seed.
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

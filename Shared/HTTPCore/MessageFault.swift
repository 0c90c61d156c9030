/// The reason why a message is refused (RFC 9110, RFC 9112).
package enum MessageFault: Error, Equatable, Sendable {
    case tlsHandshake
    case malformedRequestLine
    case missingVersion
    case malformedVersion
    case unsupportedVersion(String)
    case invalidMethod
    case methodTooLong(limit: Int)
    case connectMethod
    case targetTooLong(limit: Int)
    case invalidTarget
    case tooManyEmptyLines(limit: Int)
    case malformedStatusLine
    case statusLineTooLong(limit: Int)

    case bareLineFeed
    case bareCarriageReturn
    case foldedField
    case missingColon
    case spaceBeforeColon
    case invalidFieldName
    case invalidFieldValue(name: String)
    case headerTooLarge(limit: Int)
    case tooManyFields(limit: Int)

    case missingHost
    case repeatedHost
    case invalidHost
    case unknownExpectation
    case invalidContentLength
    case conflictingContentLengths
    case lengthAndCoding
    case codingInHTTP10
    case malformedCoding
    case unknownCoding

    case bodyTooLarge(limit: Int)
    case invalidChunkSize
    case invalidChunkExtension
    case chunkLineTooLong(limit: Int)
    case missingChunkEnd
    case trailersTooLarge(limit: Int)
    case incomplete

    package var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unknownExpectation: 417
        case .headerTooLarge, .tooManyFields, .trailersTooLarge: 431
        case .methodTooLong, .connectMethod, .unknownCoding: 501
        case .unsupportedVersion: 505
        default: 400
        }
    }
}

extension MessageFault: CustomStringConvertible {
    package var description: String {
        lineDescription ?? fieldDescription ?? bodyDescription
    }

    private var lineDescription: String? {
        switch self {
        case .tlsHandshake: "This port speaks plain HTTP; use http:// (or ws://) instead of https://."
        case .malformedRequestLine:
            "The request line must be method, target and version, separated by single spaces."
        case .missingVersion: "The request line must end with HTTP/1.1; HTTP/0.9 is not supported."
        case .malformedVersion: "The version must be written as HTTP/1.1."
        case .unsupportedVersion(let version): "\(version) is not supported; use HTTP/1.1."
        case .invalidMethod: "The method holds characters that are not allowed in one."
        case .methodTooLong(let limit): "The method is longer than \(limit) bytes."
        case .connectMethod: "CONNECT is for proxies, and this server is none."
        case .targetTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .invalidTarget:
            "The request target must be a path that starts with / or an absolute http:// URL, "
                + "in ASCII and without a fragment."
        case .tooManyEmptyLines(let limit): "More than \(limit) empty lines came before the request line."
        case .malformedStatusLine: "The status line must be version, three digits and a reason."
        case .statusLineTooLong(let limit): "The status line is longer than \(limit) bytes."
        default: nil
        }
    }

    private var fieldDescription: String? {
        switch self {
        case .bareLineFeed: "A line ends with LF alone; lines must end with CR LF."
        case .bareCarriageReturn: "A line holds a CR that is not followed by LF."
        case .foldedField: "A field line starts with a blank; folded fields are not supported."
        case .missingColon: "A field line has no colon."
        case .spaceBeforeColon: "A field line has a blank before its colon."
        case .invalidFieldName: "A field name is empty or holds characters that are not allowed in one."
        case .invalidFieldValue(let name): "The value of the field \(name) holds a control character."
        case .headerTooLarge(let limit): "The header is larger than \(limit) bytes."
        case .tooManyFields(let limit): "There are more than \(limit) fields."
        case .missingHost: "A request in HTTP/1.1 needs a Host field."
        case .repeatedHost: "There is more than one Host field."
        case .invalidHost: "The Host field must be a name or address, and a port up to 65535 if any."
        case .unknownExpectation: "The only expectation that can be met is 100-continue."
        default: nil
        }
    }

    private var bodyDescription: String {
        switch self {
        case .invalidContentLength: "Content-Length must be a decimal number."
        case .conflictingContentLengths: "There are Content-Length fields with different values."
        case .lengthAndCoding: "Content-Length and Transfer-Encoding must not be used together."
        case .codingInHTTP10: "Transfer-Encoding must not be used with HTTP/1.0."
        case .malformedCoding: "Transfer-Encoding must name chunked once, as the last coding."
        case .unknownCoding: "The only transfer coding that is supported is chunked."
        case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .invalidChunkSize: "A chunk must start with its size in hexadecimal digits."
        case .invalidChunkExtension: "A chunk extension is malformed."
        case .chunkLineTooLong(let limit):
            "The sizes and extensions of chunks are longer than \(limit) bytes."
        case .missingChunkEnd: "A chunk does not end with CR LF where its size says."
        case .trailersTooLarge(let limit): "The trailers are larger than \(limit) bytes or too many."
        case .incomplete: "The connection ended before the message was complete."
        default: "The message is malformed."
        }
    }
}

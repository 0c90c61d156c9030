/// Why a response cannot be read; the connection is of no use afterwards.
package enum ResponseError: Error, Equatable, Sendable {
    /// The server broke a rule of HTTP.
    case malformed(MessageFault)
    /// The connection ended before the first byte of the answer.
    case noResponse
    /// The connection ended in the middle of the answer.
    case incomplete
    /// Bytes arrived although nothing was asked.
    case unrequested
}

extension ResponseError: CustomStringConvertible {
    /// One sentence for people.
    package var description: String {
        switch self {
        case .malformed(let fault): "The server sent a malformed response. \(fault.description)"
        case .noResponse: "The server closed the connection without an answer."
        case .incomplete: "The connection ended in the middle of the response."
        case .unrequested: "The server sent a response that nothing asked for."
        }
    }
}

/// The reason why a response cannot be read. The connection cannot be used any more.
package enum ResponseError: Error, Equatable, Sendable {
    /// The response violates HTTP.
    case malformed(MessageFault)
    /// The connection ended before the first byte of the response.
    case noResponse
    /// The connection ended within the response.
    case incomplete
    /// Bytes arrived although no request was waiting for a response.
    case unrequested
}

extension ResponseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let fault): "The server sent a malformed response. \(fault.description)"
        case .noResponse: "The server closed the connection without an answer."
        case .incomplete: "The connection ended in the middle of the response."
        case .unrequested: "The server sent a response that nothing asked for."
        }
    }
}

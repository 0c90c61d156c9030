/// The reason why a response cannot be read. The connection cannot be used afterwards.
package enum ResponseError: Error, Equatable, Sendable {
    case malformed(MessageFault)
    /// The connection ended before the first byte.
    case noResponse
    /// The connection ended within the response.
    case incomplete
    /// Bytes arrived although every request had been answered.
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

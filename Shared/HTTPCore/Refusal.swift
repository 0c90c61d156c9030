/// The response to a refused request. The connection is closed after it.
package struct Refusal: Error, Equatable, Sendable {
    package var status: Int
    package var reason: String

    package init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }

    package init(_ fault: MessageFault) {
        self.init(status: fault.status, reason: fault.description)
    }

    package var response: Response {
        Response(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: Array(reason.utf8) + [ByteClass.lineFeed])
    }
}

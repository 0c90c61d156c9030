/// The ids in the text of a row.
package struct RowIDs: Equatable, Sendable {
    package var id: String?
    /// As on the wire, with its prefix.
    package var type: String?
    package var sequence: UInt64?
    package var localID: String?
    package var clientEventID: String?
    package var messageID: String?
    /// The call of a tool that it is about.
    package var callID: String?
    /// The correlation id of a REST call.
    package var requestID: String?

    package var correlation: String? { localID ?? clientEventID ?? callID ?? messageID ?? requestID }
    /// All that `corr:` compares with.
    package var correlations: [String] {
        [localID, clientEventID, callID, messageID, requestID, id].compactMap { $0 }
    }

    /// Nothing is known.
    package init() {}

    /// Ids in the head of a request or an answer.
    package init(headOf raw: [UInt8]) {
        requestID = HTTPText(raw)?.header("x-request-id")
    }
}

import HTTPClient
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A mistake that a client could make when it connects again, made between it and the network: shows that a sweep
/// finds such mistakes.
package enum SweepFlaw: Sendable, Equatable, CaseIterable {
    /// Asks for what follows one event more than it has.
    case cursorTooFar
    /// Takes the last reply of the agent or a person once more after a reconnect, as one of another id.
    case repeatsLastReply

    /// Loses the first reply after a fault that leaves the connection open, for good.
    case losesBehindFaults

    /// The address that is dialled in place of `url`.
    func address(_ url: URL) -> URL {
        guard self == .cursorTooFar, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return url }
        parts.queryItems = parts.queryItems?.map { item in
            guard item.name == "cursor", let number = item.value.flatMap({ UInt64($0) }) else { return item }
            return URLQueryItem(name: "cursor", value: "\(number + 1)")
        }
        return parts.url ?? url
    }

    /// Other ids: what is told twice by one id is dropped by every client that knows its ids at all.
    static func withOtherID(_ message: [UInt8]) -> [UInt8] {
        let text = String(decoding: message, as: UTF8.self)
            .pieces(between: "\"id\":\"0").joined(separator: "\"id\":\"f")
            .pieces(between: "\"msg_").joined(separator: "\"msg_again")
            .pieces(between: #"\"Id\":\""#).joined(separator: #"\"Id\":\"again-"#)
        return Array(text.utf8)
    }

    /// A contact's transcript has no cursor: the mistake there is to begin at its newest item.
    static func fromTheNewest(_ request: HTTPClient.Request) -> HTTPClient.Request {
        guard var body = (try? JSONReader.read(request.body))?.object, body["StartPosition"] != nil else {
            return request
        }
        var request = request
        body.members.removeAll { $0.name == "StartPosition" }
        body.members.append(.init("StartPosition", .object(["MostRecent": .integer(1)])))
        request.body = JSONWriter.bytes(.object(body))
        return request
    }
}

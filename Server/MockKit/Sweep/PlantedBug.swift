import HTTPClient
import Texts

/// A client bug simulated between client and network, to show that a sweep finds bugs.
package enum PlantedBug: Sendable, Equatable, CaseIterable {
    case cursorTooFar
    /// After a reconnect, the last reply of the agent or a live agent appears again, under another id.
    case repeatsLastReply
    /// After a fault that leaves the connection open, the next reply is lost.
    case losesBehindFaults

    /// Returns a WebSocket request with a cursor that is one too large, or a transcript request for the newest item.
    static func tooFar(_ request: HTTPClient.Request) -> HTTPClient.Request {
        guard request.webSocket != nil else { return fromTheNewest(request) }
        var request = request
        let parts = request.target.split(separator: "&").map { part in
            let number = part.hasPrefix("cursor=") ? UInt64(part.dropFirst("cursor=".count)) : nil
            return number.map { "cursor=\($0 + 1)" } ?? String(part)
        }
        request.target = parts.joined(separator: "&")
        return request
    }

    /// Returns a copy with other ids, because clients drop a copy with equal ids.
    static func withOtherID(_ message: [UInt8]) -> [UInt8] {
        let text = String(decoding: message, as: UTF8.self)
            .pieces(between: "\"id\":\"0").joined(separator: "\"id\":\"f")
            .pieces(between: "\"msg_").joined(separator: "\"msg_again")
            .pieces(between: #"\"Id\":\""#).joined(separator: #"\"Id\":\"again-"#)
        return Array(text.utf8)
    }

    /// Makes a transcript request ask only for the newest item.
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

import Clocks
import HTTPCore
import Texts

/// A participant service that says what a test tells it to: one contact, one WebSocket after the other.
package final class ConnectDouble: Sendable {
    package typealias Answer = @Sendable (CannedServer.Request) -> CannedServer.Reply?

    package let server: CannedServer
    private let script: Locked<Answer>

    package init() async throws {
        let script = Locked<Answer> { _ in nil }
        let count = Locked(0)
        self.script = script
        server = try await CannedServer { request in
            if let reply = script.withLock({ $0 })(request) { return reply }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Self.usual(request, number)
        }
    }

    package var url: String { server.url }

    /// What is answered from now on; nil is the usual.
    package func answer(_ answer: @escaping Answer) {
        script.withLock { $0 = answer }
    }

    /// An item on every WebSocket that is open.
    package func tell(_ id: String, _ text: String, role: String = "AGENT", type: String = "text/plain") {
        let kind = type.hasPrefix("application/vnd.amazonaws.connect.event") ? "EVENT" : "MESSAGE"
        let item = JSONWriter.line([
            ("AbsoluteTime", .string("2026-01-15T09:30:00.000Z")), ("Content", .string(text)),
            ("ContentType", .string(type)), ("Id", .string(id)), ("Type", .string(kind)),
            ("ParticipantId", .string(role.lowercased())), ("DisplayName", .string("Somebody")),
            ("ParticipantRole", .string(role)), ("ContactId", .string("contact")),
        ])
        server.tell(
            JSONWriter.line([
                ("content", .string(item)), ("contentType", .string("application/json")),
                ("topic", .string("aws/chat")),
            ]))
    }

    /// Paths without what stands behind `?`, in the order of the requests.
    package var paths: [String] {
        server.requests.all.map { String($0.target.prefix { $0 != "?" }) }
    }

    package func stop() async { await server.stop() }

    private static func usual(_ request: CannedServer.Request, _ number: Int) -> CannedServer.Reply {
        let host = request.headers["Host"] ?? ""
        let path = request.target.prefix { $0 != "?" }
        switch path.split(separator: "/").last {
        case "ws"?:
            let subscribed =
                #"{"topic":"aws/subscribe","content":{"status":"success","topics":["aws/chat"]}}"#
            return .feed([subscribed], closes: false)
        case "connection"?:
            return .json(
                200,
                #"{"Websocket":{"Url":"ws://\#(host)/ws?AuthToken=secret-u"},"#
                    + #""ConnectionCredentials":{"ConnectionToken":"secret-c"}}"#)
        case "transcript"?:
            return .json(200, #"{"InitialContactId":"contact","Transcript":[]}"#)
        case "message"?, "event"?:
            return .json(200, #"{"Id":"m\#(number)","AbsoluteTime":"2026-01-15T09:30:01.000Z"}"#)
        case "start-attachment-upload"?:
            return .json(
                200,
                #"{"AttachmentId":"file","UploadMetadata":{"Url":"http://\#(host)/store?key=secret-k","#
                    + #""HeadersToInclude":{"x-amz-odd":"yes","Content-Type":"text/plain"}}}"#)
        case "attachment"?:
            return .json(200, #"{"Url":"http://\#(host)/store?key=secret-k","AttachmentSizeInBytes":5}"#)
        case "store"? where request.method == "GET":
            return .pieces([Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes".utf8)], ends: true)
        default: return .json(200, "{}")
        }
    }
}

import Clocks
import ConversationEngine
import DialectKit
import Texts

extension Contact {
    /// Maximum sockets per participant.
    static let sockets = 5

    func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput
    ) {
        let others = sockets.filter { $0.party == party }
        if others.count >= Self.sockets, let oldest = others.first {
            sockets.removeAll { $0.connection == oldest.connection }
            output.steps.append(.close(oldest.connection, code: 1_001, reason: "one connection too many"))
        }
        sockets.append(Socket(connection: connection, party: party))
    }

    func detach(_ connection: ConnectionID) { sockets.removeAll { $0.connection == connection } }

    func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded {
        let frame = ClientFrame(message)
        receive(frame, from: connection, at: now, into: &output.steps)
        return isText ? Decoded(ClientInput(.ignored), type: frame.name, note: frame.note) : .binary
    }

    private func receive(
        _ frame: ClientFrame, from connection: ConnectionID, at now: Instant,
        into steps: inout Steps
    ) {
        guard let place = sockets.firstIndex(where: { $0.connection == connection }) else { return }
        switch frame {
        case .subscribe:
            sockets[place].isSubscribed = true
            steps.append(.send(text: ClientFrame.subscribed, type: "subscribe", to: connection))
            connect(sockets[place].party, at: now, into: &steps)
        case .unsubscribe(let chat): if chat { sockets[place].isSubscribed = false }
        case .ping: beat("ping", connection, into: &steps)
        case .heartbeat: beat("heartbeat", connection, into: &steps)
        case .unknown:
            let id = token()
            steps.append(
                .send(
                    text: ClientFrame.forbidden(connection: "\(connection.rawValue)", request: id),
                    type: "forbidden", to: connection))
        case .nothing: break
        }
    }

    /// Answers a heartbeat. Until the contact's end, faults can suppress the answer.
    private func beat(_ topic: String, _ connection: ConnectionID, into steps: inout Steps) {
        if endedAt == nil {
            steps.append(.receive(ClientInput(.heartbeat, metadata: "\"\(topic)\""), from: connection))
        } else {
            answer(topic, connection, into: &steps)
        }
    }

    func answer(_ topic: String, _ connection: ConnectionID, into steps: inout Steps) {
        let text = topic == "ping" ? ClientFrame.pong : ClientFrame.beat
        steps.append(.send(text: text, type: topic, to: connection))
    }
}

enum ClientFrame: Equatable {
    case subscribe
    /// `chat` is true if the frame names `aws/chat` or no topics.
    case unsubscribe(chat: Bool)
    case ping
    case heartbeat
    case unknown(topic: String)
    /// A frame without JSON or without a topic.
    case nothing

    static let chat = "aws/chat"
    static let beat = Array("{\"topic\":\"aws/heartbeat\"}".utf8)
    static let pong = Array("{\"topic\":\"aws/ping\",\"statusCode\":200,\"statusContent\":\"OK\"}".utf8)
    static let subscribed = Array(
        "{\"topic\":\"aws/subscribe\",\"content\":{\"status\":\"success\",\"topics\":[\"aws/chat\"]}}".utf8)

    static func forbidden(connection: String, request: String) -> [UInt8] {
        Array(
            "{\"message\":\"Forbidden\",\"connectionId\":\"\(connection)\",\"requestId\":\"\(request)\"}".utf8
        )
    }

    /// Parses a frame. Ignores bytes after the first JSON value (protocol-connect.md#stray-bracket).
    init(_ text: [UInt8]) {
        let frame = Self.first(text)
        guard let topic = frame?["topic"]?.string else {
            self = .nothing
            return
        }
        let named = frame?["content"]?["topics"]?.array
        self =
            switch topic {
            case "aws/subscribe": .subscribe
            case "aws/unsubscribe": .unsubscribe(chat: named?.contains(.string(Self.chat)) ?? true)
            case "aws/ping": .ping
            case "aws/heartbeat": .heartbeat
            default: .unknown(topic: topic)
            }
    }

    private static func first(_ text: [UInt8]) -> JSONValue? {
        text.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes, maxDepth: 16)
            do throws(JSONError) {
                try cursor.skip(depth: 0)
                return try JSONReader.read(UnsafeRawBufferPointer(rebasing: bytes[..<cursor.offset]))
            } catch {
                return nil
            }
        }
    }

    var name: String {
        switch self {
        case .subscribe: "subscribe"
        case .unsubscribe: "unsubscribe"
        case .ping: "ping"
        case .heartbeat: "heartbeat"
        case .unknown, .nothing: "unknown"
        }
    }

    var note: String? {
        switch self {
        case .unknown(let topic): "a frame of the unknown topic \"\(topic.prefix(100))\""
        case .nothing: "a frame that is no JSON with a topic"
        default: nil
        }
    }
}

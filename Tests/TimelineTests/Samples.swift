import Clocks
import Foundation
import PolyDialect
import Timeline

/// Rows and files the tests share.
enum Samples {
    /// 2026-01-15T09:30:00Z
    static let start = Instant(secondsSince1970: 1_768_469_400)

    static func filter(_ text: String) throws(FilterError) -> RowFilter {
        try RowFilter(text, names: PolyDialect.reading.names)
    }

    static func file(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appendingPathComponent("Data/timeline/\(name)")))
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func row(
        _ raw: String, at milliseconds: Int64 = 0, _ direction: Row.Direction = .outbound,
        kind: Row.Kind = .ws, session: String = "s-1", socket: UInt32 = 1, type: String = "",
        sequence: UInt64? = nil
    ) -> Row {
        Row(
            time: start + .milliseconds(milliseconds), direction: direction, kind: kind, session: session,
            socket: socket, type: type, sequence: sequence, raw: Array(raw.utf8),
            reading: PolyDialect.reading)
    }

    /// An event as the server sends it.
    static func event(
        _ id: String, _ sequence: UInt64?, _ type: String, _ payload: String, _ more: String = ""
    )
        -> String
    {
        let number = sequence.map(String.init) ?? "null"
        return "{\"id\":\"\(id)\",\"sequence\":\(number),\"timestamp\":\"2026-01-15T09:30:00.000Z\","
            + "\"type\":\"EVENT_TYPE_\(type)\",\"payload\":{\(payload)}\(more)}"
    }

    /// A user message as a client sends it.
    static func said(_ text: String, localID: String? = nil) -> String {
        let metadata = localID.map { ",\"metadata\":{\"custom\":{\"local_id\":\"\($0)\"}}" } ?? ""
        return "{\"type\":\"EVENT_TYPE_USER_MESSAGE\",\"payload\":{\"text\":\"\(text)\"}\(metadata)}"
    }

    /// A short talk over one socket: call, handshake, message, echo, streamed reply, a batch that repeats it.
    static let talk: [Row] = {
        let host = "Host: 127.0.0.1:8080\r\n"
        var rows = [
            row(
                "POST /api/v1/sessions HTTP/1.1\r\n\(host)Authorization: Bearer abc.def\r\n"
                    + "Content-Type: application/json\r\n\r\n{\"language\":\"en\"}",
                .inbound, kind: .rest, socket: 7, type: "POST /api/v1/sessions"),
            row(
                "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n{\"session_id\":\"s-1\"}",
                at: 2,
                kind: .rest, socket: 7, type: "POST /api/v1/sessions"),
            row(
                "GET /ws?access_token=abc.def&cursor=0 HTTP/1.1\r\n\(host)Upgrade: websocket\r\n\r\n", at: 10,
                .inbound, kind: .rest, type: "GET /ws"),
            row(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", at: 11, kind: .rest,
                type: "GET /ws"),
            row(said("Hi\\nthere", localID: "l-1"), at: 21, .inbound, type: "USER_MESSAGE"),
            row(
                event(
                    "e-2", 2, "USER_MESSAGE", "\"message_id\":\"m-1\",\"text\":\"Hi\\nthere\"",
                    ",\"metadata\":{\"custom\":{\"local_id\":\"l-1\"}}"),
                at: 22, type: "USER_MESSAGE", sequence: 2),
            row(
                event("e-3", 3, "POLY_AGENT_JOINED", "\"agent_name\":\"Juno\""), at: 23,
                type: "POLY_AGENT_JOINED", sequence: 3),
            row(chunk("e-4", 4, 1, "Hello, "), at: 320, type: "POLY_AGENT_MESSAGE_CHUNK", sequence: 4),
            row(
                chunk("e-5", 5, 2, "Ada", isLast: true), at: 340, type: "POLY_AGENT_MESSAGE_CHUNK",
                sequence: 5),
            row(
                event("b-1", nil, "EVENT_BATCH", "\"events\":[\(chunk("e-5", 5, 2, "Ada", isLast: true))]"),
                at: 900, socket: 2, type: "EVENT_BATCH"),
        ]
        for index in rows.indices { rows[index].number = UInt64(index) + 1 }
        for (index, status) in [(1, 201), (3, 101)] { rows[index].status = status }
        rows[1].latency = .microseconds(2_000)
        rows[5].latency = .milliseconds(1)
        rows[7].rule = "greet"
        rows[9].flags = [.replayed]
        return rows
    }()

    static func chunk(_ id: String, _ sequence: UInt64, _ index: Int, _ text: String, isLast: Bool = false)
        -> String
    {
        event(
            id, sequence, "POLY_AGENT_MESSAGE_CHUNK",
            "\"message_id\":\"m-2\",\"chunk_index\":\(index),\"is_complete\":\(isLast),\"text\":\"\(text)\"")
    }
}

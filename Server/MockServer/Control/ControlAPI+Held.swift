import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import ServerCore
import Texts
import Timeline

/// Interception of frames.
extension ControlAPI {
    func interceptSession() throws(ControlProblem) -> Response {
        let session = try find(id)
        let body = try body(["intercept", "release"])
        guard let isOn = try body.flag("intercept") else {
            throw .bad("\"intercept\" is missing; write \"intercept\": true or \"intercept\": false.")
        }
        let release = try body.length("release", atMost: ServerLimits.Control.longestHold)
        guard isOn || release == nil else { throw .bad("\"release\" goes with \"intercept\": true.") }
        guard !isOn || !session.hasEnded else {
            throw ControlProblem(409, "The session \(session.id) has ended, so nothing is sent in it.")
        }
        let length = isOn ? release ?? ServerLimits.Control.hold : nil
        server.hold(session.handle, length)
        return ControlJSON.response(
            .object([
                "intercept": .bool(isOn), "release": length.map { .string(ValueSyntax.text($0)) } ?? .null,
            ]))
    }

    func intercepted() throws(ControlProblem) -> Response {
        let wanted = try request.query("session").map { id throws(ControlProblem) in try find(id).id }
        return ControlJSON.response(.object(["intercepted": heldList(of: wanted)]))
    }

    /// Lists held frames of the session `wanted`, or of all. `textBytes` limits the bytes of each text.
    func heldList(of wanted: String? = nil, textBytes: Int? = nil) -> JSONValue {
        .array(
            server.heldFrames.flatMap { connection, frames in
                frames.filter { wanted == nil || $0.context.session == wanted }.map {
                    json($0, connection, textBytes)
                }
            })
    }

    private func json(_ frame: HoldQueue.HeldFrame, _ connection: Connection, _ textBytes: Int?) -> JSONValue
    {
        let text = TimelineExport.beginning(of: frame.text, atMost: textBytes)
        let object: JSONObject = [
            "id": ControlJSON.count(frame.id), "session": .string(frame.context.session),
            "connection": ControlJSON.count(connection.number), "type": .string(frame.context.type),
            "seq": frame.context.sequence.map { ControlJSON.count($0) } ?? .null,
            "since": ControlJSON.time(server.controls.heldSince[frame.id]?.since ?? now),
            "releaseAt": ControlJSON.time(frame.end),
            "text": .string(String(decoding: text, as: UTF8.self)),
        ]
        let isCut = text.count < frame.text.count
        return .object(isCut ? JSONObject(object.members + [.init("cut", .bool(true))]) : object)
    }

    func releaseFrame() throws(ControlProblem) -> Response {
        let body = try body(["text", "by"])
        let by = try body.shortText("by") ?? ConversationEngine.controls
        let changed = try body.text("text").map { Array($0.utf8) }
        let (connection, frames, id) = try frame(self.id)
        // Clients must receive frames in order.
        if let elder = frames.first, elder.id != id {
            throw ControlProblem(
                409,
                "Frame \(elder.id) waits before it on connection \(connection.number); let go of that one first."
            )
        }
        connection.withChannel { $0.letGo(ofFrame: id, as: changed, by: by) }
        server.releaseHeld(on: connection)
        return ControlJSON.response(.object(["released": .integer(1)]))
    }

    func dropFrame() throws(ControlProblem) -> Response {
        let by = try body(["by"]).shortText("by") ?? ConversationEngine.controls
        let (connection, frames, id) = try frame(self.id)
        connection.withChannel { $0.drop(frame: id) }
        // Recorded here, because a dropped frame is never sent.
        for frame in frames where frame.id == id {
            server.record(
                Row(
                    time: now, wallTime: server.wallMoment, direction: .inside, kind: .fault,
                    session: frame.context.session, socket: connection.number,
                    type: "dropped \(frame.context.type)", sequence: frame.context.sequence,
                    rule: frame.context.words.rule, raw: frame.text, flags: .held,
                    place: server.place(of: frame.context), cause: UInt64(frame.context.cause), author: by))
        }
        server.releaseHeld(on: connection)
        return ControlJSON.response(.object(["removed": .integer(1)]))
    }

    private func frame(_ text: String) throws(ControlProblem) -> (Connection, [HoldQueue.HeldFrame], UInt64) {
        if let id = UInt64(text) {
            for (connection, frames) in server.heldFrames where frames.contains(where: { $0.id == id }) {
                return (connection, frames, id)
            }
        }
        throw ControlProblem(
            404,
            "No frame \(Logger.clip(text)) is held back; GET \(ControlRoute.prefix)intercepted lists those that are."
        )
    }
}

extension ControlRoute {
    static let holding: [ControlRoute] = [
        .init(
            "interceptSession", "POST", "sessions/{id}/intercept",
            "Intercept a session's frames, or no longer", body: .object, refuses: [409],
            .once(ControlAPI.interceptSession)),
        .init(
            "intercepted", "GET", "intercepted", "Frames that are intercepted", query: ["session"],
            refuses: [404],
            .once(ControlAPI.intercepted)),
        .init(
            "releaseFrame", "POST", "intercepted/{id}", "Let a frame go, as it is or changed", body: .object,
            refuses: [409], .once(ControlAPI.releaseFrame)),
        .init(
            "dropFrame", "DELETE", "intercepted/{id}", "Take a frame away; it is never sent", body: .object,
            .once(ControlAPI.dropFrame)),
    ]
}

import Clocks
import MessagingWire
package import Texts
import WebSocketCore

/// One open WebSocket of a session: says things, hears events.
package final class Talk: Sendable {
    /// One event as it came over the wire.
    package struct Event: Sendable, CustomStringConvertible {
        package var json: JSONValue

        /// Without the `EVENT_TYPE_` prefix.
        package var type: String {
            let type = json["type"]?.string ?? "?"
            return type.hasPrefix(EventType.prefix) ? String(type.dropFirst(EventType.prefix.count)) : type
        }
        package var id: String? { json["id"]?.string }
        package var sequence: Int64? { json["sequence"]?.integer }
        package var payload: JSONValue { json["payload"] ?? .null }
        package var text: String? { payload["text"]?.string }
        /// The text of a SYSTEM_MESSAGE.
        package var message: String? { payload["message"]?.string }
        package var localID: String? { json["metadata"]?["custom"]?["local_id"]?.string }

        package var description: String {
            var bytes: [UInt8] = []
            JSONWriter.value(json, into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Received messages, read once, since waiting tests look at all of them after each.
    private struct ReceivedMessages {
        var itemCount = 0
        var messages: [Event] = []
        var events: [Event] = []
    }

    package let line: Line
    private let heard = Locked(ReceivedMessages())
    /// Events handed out by ``next()`` and its kin.
    private let taken = Locked(0)
    private let pings = Locked(0)

    package init(_ line: Line) {
        self.line = line
    }

    // MARK: - Hearing

    /// Every message so far; batches as they are.
    package var messages: [Event] { heard(line.items.all).messages }

    /// Every event so far; batches taken apart.
    package var events: [Event] { heard(line.items.all).events }

    /// How many events were handed out.
    package var takenCount: Int { taken.withLock { $0 } }

    /// The next event that was not taken yet.
    package func next() async throws -> Event {
        let index = taken.withLock { $0 }
        let event = try await line.items.wait(for: "event \(index + 1)") { [self] items -> Event? in
            let events = heard(items).events
            return events.count > index ? events[index] : nil
        }
        taken.withLock { $0 += 1 }
        return event
    }

    /// The next event of `type`; what comes before it is taken as well.
    @discardableResult
    package func event(_ type: String) async throws -> Event {
        while true {
            let event = try await next()
            if event.type == type { return event }
        }
    }

    /// The events up to the next one of `type`, that one included.
    package func events(through type: String) async throws -> [Event] {
        var events: [Event] = []
        while events.last?.type != type { events.append(try await next()) }
        return events
    }

    /// The events that are there and not taken yet; takes them.
    package func rest() -> [Event] {
        let events = events
        return taken.withLock { taken in
            let rest = Array(events[min(taken, events.count)...])
            taken = events.count
            return rest
        }
    }

    /// Suspends until the server has said goodbye; 1006 when it went without.
    package var closeCode: UInt16 {
        get async throws { try await closing.code }
    }

    package var closing: (code: UInt16, reason: String) {
        get async throws {
            let item = try await line.items.wait(for: "a Close") { items -> Line.Item? in
                guard case .closed? = items.last else { return nil }
                return items.last
            }
            guard case .closed(let code, let reason) = item else { return (1006, "") }
            return (code, reason)
        }
    }

    package var isClosed: Bool {
        if case .closed? = line.items.all.last { return true }
        return false
    }

    /// Returns when the server has dealt with everything sent before, and its answers are here: the answer to
    /// a ping travels behind them. Counts as a sign of life.
    package func settle() async throws {
        let number = pings.withLock { count in
            count += 1
            return count
        }
        let payload = Array("settle \(number)".utf8)
        line.sendFrame(.ping, payload)
        try await line.items.wait(for: "the answer to a ping") { items -> Bool? in
            if case .closed? = items.last { return true }
            return items.contains(.pong(payload)) ? true : nil
        }
    }

    // MARK: - Saying

    /// Any text, JSON or not.
    package func sendText(_ text: String) {
        line.sendFrame(.text, Array(text.utf8))
    }

    /// An event; `payload` and `custom` are JSON texts, `type` has no prefix.
    package func send(_ type: String, payload: String = "{}", custom: String? = nil) {
        let metadata = custom.map { #","metadata":{"custom":\#($0)}"# } ?? ""
        sendText(#"{"type":"\#(EventType.prefix + type)","payload":\#(payload)\#(metadata)}"#)
    }

    package func join() {
        send("REQUEST_POLY_AGENT_JOIN")
    }

    package func say(_ text: String, localID: String? = nil) {
        var quoted: [UInt8] = []
        JSONWriter.value(.object(["text": .string(text)]), into: &quoted)
        send(
            "USER_MESSAGE", payload: String(decoding: quoted, as: UTF8.self),
            custom: localID.map { #"{"local_id":"\#($0)"}"# })
    }

    package func endSession() {
        send("USER_END_SESSION")
    }

    package func heartbeat() {
        send("HEARTBEAT")
    }

    // MARK: - Reading

    private func heard(_ items: [Line.Item]) -> ReceivedMessages {
        heard.withLock { heard in
            for case .text(let bytes) in items.dropFirst(heard.itemCount) {
                let json = (try? JSONReader.read(bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
                let message = Event(json: json)
                heard.messages.append(message)
                if message.type == "EVENT_BATCH" {
                    heard.events += (message.payload["events"]?.array ?? []).map { Event(json: $0) }
                } else {
                    heard.events.append(message)
                }
            }
            heard.itemCount = max(heard.itemCount, items.count)
            return heard
        }
    }
}

import ChatPresentation
import Clocks
import Foundation
import PolyMessaging
import Testing
import Texts

/// The files of `Tests/Data/chat`; the README there says what they hold.
enum GoldenFiles {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A JSON file of the repository.
    static func read(_ path: String) throws -> JSONValue {
        try JSONReader.read(Array(try Data(contentsOf: root.appendingPathComponent(path))))
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
    }

    static func names(in folder: String) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return (all ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }

    static let talks = names(in: "Tests/Data/chat").filter { $0 != "markdown.json" }
}

/// A recorded talk.
struct GoldenTalk {
    let begins: Milliseconds
    let options: ChatModel.Options
    let steps: [JSONValue]
    let gives: JSONValue
    let cuts: Bool
    let reloads: Bool

    init(_ name: String) throws {
        let file = try GoldenFiles.read("Tests/Data/chat/" + name)
        begins = try #require(Self.milliseconds(file["begins"]))
        steps = try #require(file["steps"]?.array)
        gives = try #require(file["gives"])
        cuts = file["cuts"]?.bool ?? true
        reloads = file["reloads"]?.bool ?? true
        var options = ChatModel.Options()
        let given = file["options"]
        options.agentName = given?["agent"]?.string ?? options.agentName
        options.isProgressive = given?["progressive"]?.bool ?? true
        options.delivery = .timed(
            waitsForever: given?["queueForever"]?.bool ?? false,
            repeats: given?["resend"]?.string == "base")
        options.idleGraceSeconds = given?["idleGrace"]?.integer.map { Int($0) } ?? options.idleGraceSeconds
        if let name = given?["zone"]?.string {
            let zone = try #require(TimeZone(identifier: name))
            options.secondsFromUTC = {
                zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0) / 1_000))
            }
        }
        self.options = options
    }

    static func milliseconds(_ value: JSONValue?) -> Milliseconds? {
        value?.string.flatMap { TimeStamp.parse($0) }.map { $0 / 1_000_000 }
    }

    /// All numbered events of the steps before `end`, batches opened, as one batch.
    func history(before end: Int) -> JSONValue {
        let frames = steps.prefix(end).compactMap { $0["frame"] }
        var events: [String: JSONValue] = [:]
        for event in frames.flatMap({ $0["payload"]?["events"]?.array ?? [$0] })
        where event["sequence"]?.integer != nil {
            events[event["id"]?.string ?? ""] = event
        }
        let sorted = events.values.sorted { ($0["sequence"]?.integer ?? 0) < ($1["sequence"]?.integer ?? 0) }
        let time = frames.last { $0["timestamp"]?.string != nil }?["timestamp"] ?? sorted.last?["timestamp"]
        return .object([
            "id": .string("batch-\(end)"), "timestamp": time ?? .null,
            "type": .string("EVENT_TYPE_EVENT_BATCH"),
            "payload": .object(["events": .array(sorted)]),
        ])
    }
}

/// Plays a talk to a model, through the SDK's own reader of frames.
struct Player {
    private(set) var chat: ChatModel
    private(set) var now: Milliseconds
    private let begins: Milliseconds
    private var mapping = WireMapping(generator: SeededGenerator(seed: 1))
    private var sent: [String] = []
    private var announcements: [String] = []
    /// The rows as the changes alone make them.
    private(set) var patched: [ChatRow] = []

    init(_ talk: GoldenTalk) {
        chat = ChatModel(options: talk.options)
        (begins, now) = (talk.begins, talk.begins)
    }

    private mutating func take(_ action: ChatAction) {
        for effect in chat.apply(action, at: now) {
            switch effect {
            case .send(let id, _, _): sent.append(id)
            case .announce(let announcement): announcements.append(ChatStrings().text(of: announcement))
            case .rows(.inserted(let row, let index)): patched.insert(row, at: index)
            case .rows(.updated(let row, let index)): patched[index] = row
            case .rows(.removed(let index)): patched.remove(at: index)
            }
        }
    }

    /// Performs a step, with all that is due before it.
    mutating func play(_ step: JSONValue) throws {
        let until = begins + (step["at"]?.integer ?? 0)
        while let next = chat.nextDeadline(after: now), next <= until {
            now = max(now, next)
            take(.tick)
        }
        now = until
        if let frame = step["frame"] {
            hear(frame)
        } else {
            take(try Self.action(step))
        }
    }

    mutating func hear(_ frame: JSONValue) {
        let line = JSONWriter.line((frame.object ?? [:]).members.map { ($0.name, $0.value) })
        let inbound = mapping.read(Array(line.utf8), at: Instant(nanosecondsSince1970: now * 1_000_000))
        for event in inbound.events {
            if let action = ChatAction(event) { take(action) }
        }
        if let time = GoldenTalk.milliseconds(frame["timestamp"]) { take(.serverTime(time)) }
    }

    private static func action(_ step: JSONValue) throws -> ChatAction {
        let id = step["id"]?.string ?? ""
        switch step["do"]?.string {
        case nil: return .tick
        case "open": return .opened
        case "lost": return .lost
        case "closed": return .closed
        case "say": return .say(id: id, text: step["text"]?.string ?? "", payload: step["payload"]?.string)
        case "retry": return .retry(id: id, freshID: step["fresh"]?.string ?? "")
        case "remove": return .remove(id: id)
        case "end": return .end
        case "hide": return .hidden
        case "show": return .shown
        case "away": return .scrolledUp
        case "bottom": return .reachedEnd
        case "resume": return .resumed(after: id)
        case "active": return .active
        case "note": return .note(key: step["key"]?.string ?? "")
        case let other: throw Unknown(action: other ?? "")
        }
    }

    struct Unknown: Error {
        var action: String
    }

    // MARK: What the reader sees

    func snapshot() -> [String: String] {
        let effects: [(String, JSONValue)] = [
            ("rows", .array(chat.rows.flatMap { rows($0) })), ("typing", Self.text(chat.typing)),
            ("suggestions", .array(chat.suggestions.map { .string($0.text) })),
            ("ended", Self.text(chat.ending?.rawValue)), ("presence", Self.text(chat.presence?.rawValue)),
            ("person", Self.text(chat.person)), ("unread", .integer(Int64(chat.unread))),
            ("below", .integer(Int64(chat.below))), ("language", Self.text(chat.language)),
            ("sent", .array(sent.map { .string($0) })),
            ("announcements", .array(announcements.map { .string($0) })),
        ]
        return Dictionary(uniqueKeysWithValues: effects.map { ($0, Canonical.text($1)) })
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private func rows(_ row: ChatRow) -> [JSONValue] {
        var rows: [JSONValue] = []
        if row.hasTimeDivider {
            let day = DayAge(
                of: row.at, seenFrom: chat.serverTime(at: now), secondsFromUTC: chat.options.secondsFromUTC)
            rows.append(
                .object(["row": .string("time"), "day": .string(day.rawValue), "at": Self.time(row.at)]))
        }
        if row.hasUnreadDivider { rows.append(.object(["row": .string("unread")])) }
        switch row.content {
        case .notice(let notice): return rows + [Self.notice(notice)]
        case .message(let message): return rows + [Self.message(message, row)]
        }
    }

    private static func time(_ at: Milliseconds) -> JSONValue {
        .string(TimeStamp.text(nanoseconds: at * 1_000_000))
    }

    private static func notice(_ notice: RowNotice) -> JSONValue {
        var members: [JSONObject.Member] = [
            .init("row", .string("system")), .init("event", .string(notice.event)),
            .init("level", .string(notice.level.rawValue)),
        ]
        if let text = notice.text {
            members.append(.init("text", .string(text)))
        } else {
            members.append(.init("key", .string(notice.key)))
            let arguments = notice.arguments.map { name, value in
                switch value {
                case .text(let words): JSONObject.Member(name, .string(words))
                case .number(let number): JSONObject.Member(name, .integer(Int64(number)))
                }
            }
            members.append(.init("args", .object(JSONObject(arguments))))
        }
        if let link = notice.link { members.append(.init("link", .string(link))) }
        return .object(JSONObject(members))
    }

    private static func message(_ message: RowMessage, _ row: ChatRow) -> JSONValue {
        var all: [(String, JSONValue?)] = [
            ("row", .string("message")), ("id", .string(message.id)),
            ("from", .string(message.speaker.rawValue)),
            ("name", message.name.isEmpty ? nil : .string(message.name)), ("text", .string(message.text)),
            ("position", .string(row.position.rawValue)),
            ("delivery", message.delivery.map { .string($0.rawValue) }),
            ("streaming", message.isStreaming ? .bool(true) : nil),
            ("interrupted", message.isInterrupted ? .bool(true) : nil),
            ("unknown", message.unknownCount > 0 ? .integer(Int64(message.unknownCount)) : nil),
        ]
        if message.delivery == nil || message.delivery == .sent { all.append(("at", time(row.at))) }
        if !message.attachments.isEmpty { all.append(("attachments", .array(message.attachments.map(card)))) }
        if !message.calls.isEmpty {
            let calls = message.calls.map { call in
                JSONValue.object(["title": .string(call.title), "number": text(call.number)])
            }
            all.append(("calls", .array(calls)))
        }
        return .object(JSONObject(all.compactMap { name, value in value.map { .init(name, $0) } }))
    }

    private static func card(_ card: RowAttachment) -> JSONValue {
        let all = [
            ("kind", card.kind.rawValue), ("url", card.url), ("title", card.title), ("preview", card.preview),
            ("button", card.button),
        ]
        return .object(JSONObject(all.compactMap { name, value in value.map { .init(name, .string($0)) } }))
    }
}

/// JSON with the members of objects in order, one line for each element of a list.
enum Canonical {
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case .array(let elements)?: "[" + elements.map { "\n  " + text($0) }.joined() + "]"
        case .object(let object)?:
            "{"
                + object.members.sorted { $0.name < $1.name }.map { "\($0.name): \(text($0.value))" }
                .joined(separator: ", ") + "}"
        case .string(let text)?: "\"\(text)\""
        case .integer(let number)?: "\(number)"
        case .bool(let flag)?: "\(flag)"
        case .double(let number)?: "\(number)"
        case .null?, nil: "null"
        }
    }
}

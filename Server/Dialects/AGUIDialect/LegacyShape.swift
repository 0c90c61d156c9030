import RunWire

/// Converter of events for the oldest clients of version 0.
struct LegacyShape: Sendable {
    private var open: String?
    /// Events held back until the text or tool call `open` has ended.
    private var held: [RunEvent] = []

    var isInside: Bool { open != nil }

    mutating func shaped(_ event: RunEvent) -> [RunEvent] {
        guard let event = Self.renamed(event) else { return [] }
        held.append(event)
        if event.isTerminal {
            defer { held = [] }
            return held.filter { Self.item(of: $0) == nil }
        }
        var ready: [RunEvent] = []
        var place = 0
        while place < held.count {
            let item = Self.item(of: held[place])
            let isNext = place == 0 && (item == nil || open == nil)
            guard isNext || (item != nil && item?.id == open) else {
                place += 1
                continue
            }
            let event = held.remove(at: place)
            ready.append(event)
            if let item { open = item.closes ? nil : item.id }
            place = 0
        }
        return ready
    }

    private static func item(of event: RunEvent) -> (id: String, closes: Bool)? {
        switch event.kind {
        case .textStart(let id, _, _), .textContent(let id, _): ("text " + id, false)
        case .textEnd(let id): ("text " + id, true)
        case .toolStart(let id, _, _), .toolArguments(let id, _): ("call " + id, false)
        case .toolEnd(let id): ("call " + id, true)
        default: nil
        }
    }

    private static func renamed(_ event: RunEvent) -> RunEvent? {
        var event = event
        switch event.kind {
        case .reasoningStart: event.kind = .thinkingStart(title: nil)
        case .reasoningMessageStart: event.kind = .thinkingTextStart
        case .reasoningContent(_, let delta): event.kind = .thinkingTextContent(delta: delta)
        case .reasoningMessageEnd: event.kind = .thinkingTextEnd
        case .reasoningEnd: event.kind = .thinkingEnd
        case .reasoningChunk, .reasoningEncrypted, .activitySnapshot, .activityDelta: return nil
        case .messagesSnapshot(let messages):
            event.kind = .messagesSnapshot(messages.filter { $0.role != .activity && $0.role != .reasoning })
        default: break
        }
        return event
    }
}

/// Converter of chunk events to start, content and end events, and of the retired `THINKING_*` events to reasoning
/// events with new ids.
package struct RunExpander: Sendable {
    private enum Item: Equatable, Sendable {
        case text(id: String, role: MessageRole?, name: String?)
        case tool(id: String, name: String, parentMessageID: String?)
        case reasoning(id: String)
    }

    /// Whether a chunk that contradicts the first chunk of its item is an error (version 1).
    private let refusesConflicts: Bool
    private var item: Item?
    private var itemSubagent: String?
    private var runID = ""
    private var thinkingCount = 0
    private var thinkingSpan: String?
    private var thinkingText: String?

    package init(profile: RunProfile) { refusesConflicts = profile == .v1 }

    /// Returns the long form of an event. Throws if a chunk or a `THINKING_*` event violates the protocol.
    package mutating func expand(_ event: RunEvent) throws(SequenceViolation) -> [RunEvent] {
        switch event.kind {
        case .textChunk, .toolChunk, .reasoningChunk: return try chunk(event)
        case .raw, .activitySnapshot, .activityDelta, .reasoningEncrypted, .unknown: return [event]
        case .thinkingStart, .thinkingEnd, .thinkingTextStart, .thinkingTextContent, .thinkingTextEnd:
            let end = endOfItem()
            var expanded = event
            expanded.kind = try thinking(event.kind)
            return end.map { [$0, expanded] } ?? [expanded]
        case .runStarted(let start):
            runID = start.runID
            (thinkingSpan, thinkingText) = (nil, nil)
        default: break
        }
        guard item != nil else { return [event] }
        return endOfItem().map { [$0, event] } ?? [event]
    }

    private mutating func endOfItem() -> RunEvent? {
        guard let open = item else { return nil }
        item = nil
        let kind: RunEvent.Kind =
            switch open {
            case .text(let id, _, _): .textEnd(id: id)
            case .tool(let id, _, _): .toolEnd(id: id)
            case .reasoning(let id): .reasoningMessageEnd(id: id)
            }
        return RunEvent(kind, subagentRunID: itemSubagent)
    }

    private mutating func chunk(_ event: RunEvent) throws(SequenceViolation) -> [RunEvent] {
        var events: [RunEvent] = []
        if let opened = try opened(by: event.kind) {
            if let end = endOfItem() { events.append(end) }
            (item, itemSubagent) = (opened.item, event.subagentRunID)
            events.append(RunEvent(opened.start, timestamp: event.timestamp))
        }
        if let content = content(of: event.kind) {
            events.append(RunEvent(content, timestamp: event.timestamp))
        }
        for index in events.indices where event.subagentRunID != nil {
            events[index].subagentRunID = event.subagentRunID
        }
        // Only the last event gets the metadata and the raw event.
        if let last = events.indices.last {
            events[last].metadata = event.metadata
            events[last].rawEvent = event.rawEvent
        }
        return events
    }

    /// Returns the item that the chunk opens. Nil if the chunk continues the open item.
    private func opened(
        by kind: RunEvent.Kind
    ) throws(SequenceViolation) -> (item: Item, start: RunEvent.Kind)? {
        switch kind {
        case .textChunk(let id, let role, _, let name):
            if case .text(let open, let openRole, let openName)? = item, id == nil || id == open {
                try refuse(role.map { $0 != openRole ?? .assistant } ?? false)
                try refuse(name.map { $0 != openName } ?? false)
                return nil
            }
            guard let id else { throw .firstChunkLacksIdentity }
            return (
                .text(id: id, role: role, name: name),
                .textStart(id: id, role: role ?? .assistant, name: name)
            )
        case .toolChunk(let id, let name, let parent, _):
            if case .tool(let open, let openName, let openParent)? = item, id == nil || id == open {
                try refuse(name.map { $0 != openName } ?? false)
                try refuse(parent.map { $0 != openParent } ?? false)
                return nil
            }
            guard let id, let name else { throw .firstChunkLacksIdentity }
            return (
                .tool(id: id, name: name, parentMessageID: parent),
                .toolStart(id: id, name: name, parentMessageID: parent)
            )
        case .reasoningChunk(let id, _):
            if case .reasoning(let open)? = item, id == nil || id == open { return nil }
            guard let id else { throw .firstChunkLacksIdentity }
            return (.reasoning(id: id), .reasoningMessageStart(id: id))
        default: return nil
        }
    }

    private func refuse(_ isOther: Bool) throws(SequenceViolation) {
        if isOther, refusesConflicts { throw .chunkConflict }
    }

    private func content(of kind: RunEvent.Kind) -> RunEvent.Kind? {
        switch (kind, item) {
        case (.textChunk(_, _, let delta?, _), .text(let id, _, _)?): .textContent(id: id, delta: delta)
        case (.toolChunk(_, _, _, let delta?), .tool(let id, _, _)?): .toolArguments(id: id, delta: delta)
        case (.reasoningChunk(_, let delta?), .reasoning(let id)?): .reasoningContent(id: id, delta: delta)
        default: nil
        }
    }

    private mutating func thinking(_ kind: RunEvent.Kind) throws(SequenceViolation) -> RunEvent.Kind {
        switch kind {
        case .thinkingStart:
            let id = newThinkingID()
            thinkingSpan = id
            return .reasoningStart(id: id)
        case .thinkingTextStart:
            guard thinkingSpan != nil, thinkingText == nil else { throw .reasoningNotOpen }
            let id = newThinkingID()
            thinkingText = id
            return .reasoningMessageStart(id: id)
        case .thinkingTextContent(let delta):
            guard let id = thinkingText else { throw .reasoningNotOpen }
            return .reasoningContent(id: id, delta: delta)
        case .thinkingTextEnd:
            guard let id = thinkingText else { throw .reasoningNotOpen }
            thinkingText = nil
            return .reasoningMessageEnd(id: id)
        default:
            guard let id = thinkingSpan, thinkingText == nil else { throw .reasoningNotOpen }
            thinkingSpan = nil
            return .reasoningEnd(id: id)
        }
    }

    private mutating func newThinkingID() -> String {
        thinkingCount += 1
        return "\(runID)-thinking-\(thinkingCount)"
    }
}

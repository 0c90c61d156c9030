/// Makes whole replies of streamed ones (protocol.md#chunk-text).
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | quiet | chunk | streaming | chunk |
/// | streaming | chunk of the same reply, new index | streaming | chunk |
/// | streaming | chunk of the same reply, known index | streaming | – |
/// | streaming | chunk that completes it | quiet | chunk, message unless empty |
/// | streaming | chunk of another reply | streaming | message unless empty, chunk |
/// | streaming | another whole reply, handoff, end of the session | quiet | message unless empty |
/// | quiet | missing chunk of the reply that ended last; no gap is left | quiet | chunk, the message anew |
/// | quiet | missing chunk of the reply that ended last, and others are missing | streaming | chunk |
package struct StreamCore: Sendable {
    /// The reply being streamed, changed in place: a copy of it would make every chunk a copy of all before it.
    package private(set) var assembly: ChunkAssembly?
    /// Of the latest chunk.
    private var last: Envelope?
    /// The reply that ended last: a replay may bring one of its chunks late.
    private var ended: ChunkAssembly?
    /// How often it went on after its end.
    private var reopenCount = 0
    private var isReopened = false

    package init() {}

    package mutating func receive(_ envelope: Envelope, _ chunk: AgentMessageChunkPayload) -> [MessagingEvent]
    {
        var events = finish(unless: chunk.messageId)
        let isLate = assembly == nil && ended?.messageID == chunk.messageId
        if isLate {
            guard reopenCount < Limits.maxReopenings, ended?.add(chunk) == true else { return events }
            reopenCount += 1
            (assembly, ended, isReopened) = (ended, nil, true)
        } else if assembly == nil {
            assembly = ChunkAssembly(messageID: chunk.messageId)
            reopenCount = 0
        }
        last = envelope
        if isLate || assembly?.add(chunk) == true { events.append(.agentMessageChunk(envelope, chunk)) }
        let isWhole = chunk.isComplete || isReopened && assembly?.isGapless == true
        return isWhole ? events + finish() : events
    }

    /// Ends the stream, if there is one of another reply than this: it was abandoned.
    package mutating func finish(unless messageID: String? = nil) -> [MessagingEvent] {
        guard assembly != nil, let envelope = last else { return [] }
        if let messageID, messageID == assembly?.messageID { return [] }
        guard var whole = assembly else { return [] }
        (assembly, last, isReopened) = (nil, nil, false)
        let text = whole.text()
        ended = whole
        guard !whole.isEmpty || whole.endsConversation else { return [] }
        let payload = AgentMessagePayload(
            messageId: whole.messageID, text: text, attachments: whole.attachments,
            responseSuggestions: whole.suggestions, chatCallActions: whole.callActions,
            endConversation: whole.endsConversation)
        return [.agentMessage(envelope, payload)]
    }

    package mutating func reset() {
        self = StreamCore()
    }
}

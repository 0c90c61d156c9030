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
package struct StreamCore: Sendable {
    /// The reply being streamed, changed in place: a copy of it would make every chunk a copy of all before it.
    package private(set) var assembly: ChunkAssembly?
    /// Of the latest chunk.
    private var last: Envelope?

    package init() {}

    package mutating func receive(_ envelope: Envelope, _ chunk: AgentMessageChunkPayload) -> [MessagingEvent]
    {
        var events = finish(unless: chunk.messageId)
        if assembly == nil { assembly = ChunkAssembly(messageID: chunk.messageId) }
        last = envelope
        if assembly?.add(chunk) == true { events.append(.agentMessageChunk(envelope, chunk)) }
        return chunk.isComplete ? events + finish() : events
    }

    /// Ends the stream, if there is one of another reply than this: it was abandoned.
    package mutating func finish(unless messageID: String? = nil) -> [MessagingEvent] {
        guard assembly != nil, let envelope = last else { return [] }
        if let messageID, messageID == assembly?.messageID { return [] }
        guard var whole = assembly else { return [] }
        reset()
        guard !whole.isEmpty || whole.endsConversation else { return [] }
        let payload = AgentMessagePayload(
            messageId: whole.messageID, text: whole.text(), attachments: whole.attachments,
            responseSuggestions: whole.suggestions, chatCallActions: whole.callActions,
            endConversation: whole.endsConversation)
        return [.agentMessage(envelope, payload)]
    }

    package mutating func reset() {
        assembly = nil
        last = nil
    }
}

/// Makes whole replies of streamed ones (client-sdk 2.15).
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
    private enum State: Sendable {
        case quiet
        case streaming(ChunkAssembly, last: Envelope)
    }

    private var state = State.quiet

    package init() {}

    package mutating func receive(_ envelope: Envelope, _ chunk: AgentMessageChunkPayload) -> [MessagingEvent]
    {
        var events = finish(unless: chunk.messageId)
        var assembly = ChunkAssembly(messageID: chunk.messageId)
        if case .streaming(let present, _) = state { assembly = present }
        state = .quiet  // the only reference to the assembly is ours while it grows
        let isNew = assembly.add(chunk)
        state = .streaming(assembly, last: envelope)
        if isNew { events.append(.agentMessageChunk(envelope, chunk)) }
        return chunk.isComplete ? events + finish() : events
    }

    /// Ends the stream, if there is one of another reply than this: it was abandoned.
    package mutating func finish(unless messageID: String? = nil) -> [MessagingEvent] {
        guard case .streaming(let assembly, let envelope) = state else { return [] }
        if let messageID, messageID == assembly.messageID { return [] }
        state = .quiet
        guard !assembly.isEmpty || assembly.endsConversation else { return [] }
        let payload = AgentMessagePayload(
            messageId: assembly.messageID, text: assembly.text, attachments: assembly.attachments,
            responseSuggestions: assembly.suggestions, chatCallActions: assembly.callActions,
            endConversation: assembly.endsConversation)
        return [.agentMessage(envelope, payload)]
    }

    package mutating func reset() {
        state = .quiet
    }
}

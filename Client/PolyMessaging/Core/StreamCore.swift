/// State machine that combines the chunks of streamed replies into complete replies (protocol.md#chunk-text). In the
/// table, "message" means the complete reply. An empty reply is an output only if it ends the conversation.
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | quiet | chunk, not the last | streaming | chunk |
/// | quiet | a reply of one chunk | quiet | chunk, message |
/// | streaming | chunk of the same reply, new index | streaming | chunk |
/// | streaming | chunk of the same reply, known index | streaming | – |
/// | streaming | chunk that completes the reply | quiet | chunk, message |
/// | streaming | chunk of a new reply | streaming | message of the old reply, chunk |
/// | streaming | ``finish(unless:)``, such as at another reply or at the end of the session | quiet | message |
/// | any | late chunk of a recently ended reply | same | chunk; the message again if no chunk is missing now |
/// | any | ``finish(unless:)``, if a reply with late chunks still lacks a chunk | quiet | its message again |
package struct StreamCore: Sendable {
    /// Ended reply, kept for late chunks.
    private struct Ended: Sendable {
        var assembly: ChunkAssembly
        var envelope: Envelope
        var reopenCount = 0
        var isBehind = false
    }

    /// Reply being streamed. Changed in place: a copy would copy all earlier chunks for each new one.
    package private(set) var assembly: ChunkAssembly?
    private var last: Envelope?
    private var ended: [Ended] = []

    package init() {}

    package mutating func receive(_ envelope: Envelope, _ chunk: AgentMessageChunkPayload) -> [MessagingEvent]
    {
        if assembly?.messageID != chunk.messageId,
            let place = ended.lastIndex(where: { $0.assembly.messageID == chunk.messageId })
        {
            return receiveLate(envelope, chunk, at: place)
        }
        var events = finish(unless: chunk.messageId)
        if assembly == nil { assembly = ChunkAssembly(messageID: chunk.messageId) }
        last = envelope
        if assembly?.add(chunk) == true { events.append(.agentMessageChunk(envelope, chunk)) }
        return chunk.isComplete ? events + finish() : events
    }

    private mutating func receiveLate(
        _ envelope: Envelope, _ chunk: AgentMessageChunkPayload, at place: Int
    ) -> [MessagingEvent] {
        guard ended[place].reopenCount < MessagingLimits.maxReopenings, ended[place].assembly.add(chunk)
        else {
            return []
        }
        ended[place].envelope = envelope
        ended[place].isBehind = true
        let isWhole = ended[place].assembly.isWhole
        return [.agentMessageChunk(envelope, chunk)] + (isWhole ? catchUp(place) : [])
    }

    /// Returns the message of an ended reply again, now with its late chunks.
    private mutating func catchUp(_ place: Int) -> [MessagingEvent] {
        ended[place].isBehind = false
        ended[place].reopenCount += 1
        return Self.message(&ended[place].assembly, ended[place].envelope)
    }

    /// Ends the current stream, unless its reply is `messageID`. Returns the complete replies.
    package mutating func finish(unless messageID: String? = nil) -> [MessagingEvent] {
        if let messageID, messageID == assembly?.messageID { return [] }
        var events: [MessagingEvent] = []
        for place in ended.indices where ended[place].isBehind { events += catchUp(place) }
        guard let envelope = last, var whole = assembly else { return events }
        (assembly, last) = (nil, nil)
        events += Self.message(&whole, envelope)
        ended.append(Ended(assembly: whole, envelope: envelope))
        while ended.count > MessagingLimits.maxEndedStreams
            || ended.count > 1 && endedBytes > MessagingLimits.maxStreamBytes
        {
            ended.removeFirst()
        }
        return events
    }

    private var endedBytes: Int { ended.reduce(0) { $0 + $1.assembly.byteCount } }

    private static func message(_ whole: inout ChunkAssembly, _ envelope: Envelope) -> [MessagingEvent] {
        guard !whole.isEmpty || whole.endsConversation else { return [] }
        return [.agentMessage(envelope, whole.payload())]
    }

    package mutating func reset() {
        self = StreamCore()
    }
}

import Clocks
import MessagingWire
import Texts

/// Puts frames together to what was said.
struct TranscriptBuilder {
    private(set) var start: Instant?
    private(set) var participants: [Transcript.Participant] = []
    private(set) var messages: [Transcript.Message] = []

    /// What is known of the session that is read, and of the others: ids mean something within their session alone.
    private var talk = Talk()
    private var others: [String: Talk] = [:]

    private struct Talk {
        var session = ""
        /// Ids of events already read: every connection of a session hears them, and a cursor brings them again.
        var seen: Set<String> = []
        /// User messages that wait for their echo, by their place in `messages`.
        var unconfirmed: [(index: Int, localID: String?)] = []
        var replies: [String: Reply] = [:]
        var agentName: String?
    }

    /// A reply that comes in chunks.
    private struct Reply {
        /// Its place in `messages`.
        var place: Int
        /// Nil when the message is complete.
        var chunks: ChunkedText? = ChunkedText()
        var hasLast = false

        /// The last chunk is there and none is missing before it.
        var isWhole: Bool {
            guard hasLast, let chunks, let first = chunks.firstIndex else { return false }
            return first <= 1 && chunks.isGapless
        }
    }

    mutating func read(_ row: Row, secrets: Secrets) {
        if start == nil { start = row.time }
        guard row.direction != .inside else { return }
        turn(to: row.session)
        let raw = secrets.applied(to: row.raw)
        if let reading = row.reading {
            let body = HTTPText(raw).map { Array(raw[$0.bodyStart...]) } ?? raw
            for saying in reading.sayings(body, row) { read(saying, row) }
            return
        }
        guard row.kind == .ws else { return }
        if row.direction == .inbound { return readSent(raw, row) }
        switch WireEventReader.read(raw) {
        case .event(let event): read(event, row)
        case .batch(let events, _, _): for event in events { read(event, row) }
        case .dropped: break
        }
    }

    private mutating func turn(to session: String) {
        guard session != talk.session else { return }
        others[talk.session] = talk
        talk = others.removeValue(forKey: session) ?? Talk(session: session)
    }

    /// What another protocol's row says.
    private mutating func read(_ saying: RowSaying, _ row: Row) {
        let waiting =
            saying.speaker == .user
            ? talk.unconfirmed.firstIndex { messages[$0.index].text == saying.text } : nil
        guard !saying.id.isEmpty else {
            // Clients send it again until it is answered.
            guard waiting == nil else { return }
            talk.unconfirmed.append((messages.count, nil))
            return add(.user, id: "", text: saying.text, nil, delivery: .unconfirmed, row)
        }
        switch saying.part {
        case .whole: guard talk.seen.insert(saying.id).inserted else { return }
        case .piece(let number?): guard talk.seen.insert("\(saying.id) \(number)").inserted else { return }
        case .piece: break
        case .end:
            if let place = talk.replies.removeValue(forKey: saying.id)?.place {
                messages[place].delivery = .complete
            }
            return
        }
        let place: Int
        // Pieces behind the first do not say again whose they are.
        var isNamed = saying.part == .whole
        if let known = talk.replies[saying.id]?.place {
            place = known
        } else if let waiting, saying.part == .whole {
            place = talk.unconfirmed.remove(at: waiting).index
        } else {
            place = messages.count
            add(saying.speaker, id: saying.id, text: "", nil, row)
            isNamed = true
        }
        if isNamed {
            introduce(saying.speaker, WirePerson(id: saying.person.id, name: saying.person.name))
            (messages[place].id, messages[place].speaker) = (saying.id, saying.speaker)
            messages[place].name = saying.person.name
        }
        if saying.part == .whole {
            messages[place].text = saying.text
            messages[place].delivery = .complete
        } else {
            talk.replies[saying.id] = Reply(place: place, chunks: nil)
            messages[place].text += saying.text
            messages[place].delivery = .partial
        }
    }

    private mutating func readSent(_ raw: [UInt8], _ row: Row) {
        guard case .message(let text) = ClientEventReader.read(raw).content else { return }
        let facts = RowFacts(raw)
        let localID = facts.localID ?? facts.clientEventID
        // Clients send a draft again until its echo comes.
        if let localID, talk.unconfirmed.contains(where: { $0.localID == localID }) { return }
        talk.unconfirmed.append((messages.count, localID))
        add(.user, id: "", text: text, nil, delivery: .unconfirmed, row)
    }

    private mutating func read(_ event: WireEvent, _ row: Row) {
        if !event.id.isEmpty, !talk.seen.insert(event.id).inserted { return }
        switch event.payload {
        case .userMessage(let id, let text): confirm(id: id, text: text, event, row)
        case .agentJoined(let name, _):
            talk.agentName = name
            introduce(.agent, WirePerson(name: name))
        case .agentMessage(let message): readWhole(message, .agent, event, row)
        case .agentMessageChunk(let chunk): read(chunk, event, row)
        case .liveAgentJoined(let person): introduce(.liveAgent, person)
        case .liveAgentMessage(let message): readWhole(message, .liveAgent, event, row)
        case .systemMessage(_, let message): add(.system, id: "", text: message, event, row)
        default: break
        }
    }

    private mutating func confirm(id: String, text: String, _ event: WireEvent, _ row: Row) {
        let localID = event.metadata?.custom?["local_id"] ?? event.metadata?.custom?["client_event_id"]
        let found =
            talk.unconfirmed.firstIndex { localID != nil && $0.localID == localID }
            ?? talk.unconfirmed.firstIndex { $0.localID == nil && messages[$0.index].text == text }
        guard let found else { return add(.user, id: id, text: text, event, row) }
        let index = talk.unconfirmed.remove(at: found).index
        messages[index].id = id
        messages[index].sequence = event.sequence
        messages[index].text = text
        messages[index].delivery = .complete
    }

    private mutating func readWhole(
        _ message: WireMessage, _ speaker: Transcript.Speaker, _ event: WireEvent, _ row: Row
    ) {
        introduce(speaker, message.sender)
        // A whole message replaces its own chunks.
        let place = talk.replies[message.messageID]?.place
        talk.replies[message.messageID]?.chunks = nil
        if place == nil { add(speaker, id: message.messageID, text: message.text, event, row) }
        let index = place ?? messages.count - 1
        let name = message.sender.name ?? (speaker == .agent ? talk.agentName : nil)
        messages[index].name = name ?? person(speaker, message.sender.id)?.name
        messages[index].text = message.text
        messages[index].parts = message.parts.exported
        messages[index].delivery = .complete
    }

    private mutating func read(_ chunk: WireChunk, _ event: WireEvent, _ row: Row) {
        introduce(.agent, WirePerson(name: talk.agentName))
        if talk.replies[chunk.messageID] == nil {
            talk.replies[chunk.messageID] = Reply(place: messages.count)
            add(.agent, id: chunk.messageID, text: "", event, delivery: .partial, row)
            messages[messages.count - 1].name = talk.agentName
        }
        // In place: a copy would make every chunk a copy of all before it.
        guard let place = talk.replies[chunk.messageID]?.place,
            talk.replies[chunk.messageID]?.chunks?.add(chunk.text ?? "", at: chunk.index) == true
        else { return }
        if chunk.isComplete { talk.replies[chunk.messageID]?.hasLast = true }
        messages[place].parts += chunk.parts.exported
        guard talk.replies[chunk.messageID]?.isWhole == true else { return }
        putTogether(chunk.messageID)
        messages[place].delivery = .complete
    }

    /// Gives replies that are still partial the text of their chunks; nothing is read after that.
    mutating func finish() {
        for session in [talk.session] + others.keys {
            turn(to: session)
            for id in talk.replies.keys { putTogether(id) }
        }
    }

    private mutating func putTogether(_ id: String) {
        guard let place = talk.replies[id]?.place, let text = talk.replies[id]?.chunks?.text() else { return }
        messages[place].text = text
        talk.replies[id]?.chunks = nil
    }

    private mutating func add(
        _ speaker: Transcript.Speaker, id: String, text: String, _ event: WireEvent?,
        delivery: Transcript.Delivery = .complete, _ row: Row
    ) {
        if speaker == .user { introduce(.user, WirePerson()) }
        messages.append(
            Transcript.Message(
                id: id, sequence: event?.sequence, speaker: speaker, text: text, delivery: delivery,
                time: row.time, wallTime: row.wallTime, session: row.session))
    }

    // MARK: People

    private func person(_ speaker: Transcript.Speaker, _ id: String?) -> Transcript.Participant? {
        participants.last { $0.speaker == speaker && (id == nil || $0.id == id) }
    }

    private mutating func introduce(_ speaker: Transcript.Speaker, _ person: WirePerson) {
        let found = participants.firstIndex {
            $0.speaker == speaker && (speaker != .liveAgent || $0.id == person.id || person.id == nil)
        }
        if let found {
            participants[found].name = participants[found].name ?? person.name
        } else {
            participants.append(Transcript.Participant(speaker: speaker, id: person.id, name: person.name))
        }
    }
}

extension WireParts {
    fileprivate var exported: [JSONValue] {
        let cards = attachments.map { attachment in
            Transcript.json([
                ("part", .string("attachment")), ("contentType", .string(attachment.contentType.rawValue)),
                ("contentURL", attachment.contentURL.map { .string($0) }),
                ("title", attachment.title.map { .string($0) }),
                ("previewImageURL", attachment.previewImageURL.map { .string($0) }),
                ("callToActionText", attachment.callToActionText.map { .string($0) }),
            ])
        }
        let answers = suggestions.map { suggestion in
            Transcript.json([
                ("part", .string("suggestion")), ("messageText", .string(suggestion.messageText)),
                ("payload", suggestion.payload.map { .string($0) }),
            ])
        }
        let calls = callActions.map { action in
            Transcript.json([
                ("part", .string("callAction")), ("title", .string(action.title)),
                ("contactNumber", .string(action.contactNumber)),
            ])
        }
        return cards + answers + calls
    }
}

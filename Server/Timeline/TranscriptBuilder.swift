import Clocks
import Texts

struct TranscriptBuilder {
    private(set) var start: Instant?
    private(set) var participants: [Transcript.Participant] = []
    private(set) var messages: [Transcript.Message] = []

    /// States of the current session and of all others, because ids are unique only within a session.
    private var talk = Talk()
    private var others: [String: Talk] = [:]

    private struct Talk {
        var session = ""
        /// Ids of whole messages and of numbered pieces already read.
        var seen: Set<String> = []
        /// User messages without an echo, by index in `messages`.
        var unconfirmed: [(index: Int, localID: String?)] = []
        var replies: [String: Reply] = [:]
        var agentName: String?
    }

    private struct Reply {
        var place: Int
        /// Chunks received so far. Nil after they were joined, and for a message whose pieces arrive in order.
        var chunks: ChunkedText? = ChunkedText()
        var hasLast = false

        var isWhole: Bool {
            guard hasLast, let chunks, let first = chunks.firstIndex else { return false }
            return first <= 1 && chunks.isGapless
        }
    }

    mutating func read(_ row: Row, secrets: Secrets) {
        if start == nil { start = row.time }
        guard row.direction != .inside else { return }
        turn(to: row.session)
        guard let reading = row.reading else { return }
        let raw = secrets.applied(to: row.raw)
        let body = HTTPText(raw).map { Array(raw[$0.bodyStart...]) } ?? raw
        for saying in reading.sayings(body, row) { read(saying, row) }
    }

    private mutating func turn(to session: String) {
        guard session != talk.session else { return }
        others[talk.session] = talk
        talk = others.removeValue(forKey: session) ?? Talk(session: session)
    }

    private mutating func read(_ saying: RowSaying, _ row: Row) {
        if let event = saying.event, !event.isEmpty, !talk.seen.insert(event).inserted { return }
        switch saying.part {
        case .draft: readSent(saying, row)
        case .joining:
            if saying.speaker == .agent { talk.agentName = saying.person.name }
            introduce(saying.person)
        case .notice: add(saying, row)
        case .chunk(let index, let isLast): readChunk(saying, index, isLast: isLast, row)
        case .whole where saying.event != nil:
            saying.speaker == .user ? confirm(saying, row) : readWhole(saying, row)
        case .whole, .piece, .end: readByID(saying, row)
        }
    }

    private mutating func readByID(_ saying: RowSaying, _ row: Row) {
        let waiting =
            saying.speaker == .user
            ? talk.unconfirmed.firstIndex { messages[$0.index].text == saying.text } : nil
        guard !saying.id.isEmpty else {
            // A message with the text of an earlier one that still lacks its echo counts as a repetition.
            guard waiting == nil else { return }
            talk.unconfirmed.append((messages.count, nil))
            return add(saying, delivery: .unconfirmed, row)
        }
        switch saying.part {
        case .whole: guard talk.seen.insert(saying.id).inserted else { return }
        case .piece(let number?): guard talk.seen.insert("\(saying.id) \(number)").inserted else { return }
        case .piece, .chunk, .draft, .joining, .notice: break
        case .end:
            if let place = talk.replies.removeValue(forKey: saying.id)?.place {
                messages[place].delivery = .complete
            }
            return
        }
        let place: Int
        // Later pieces do not repeat the speaker.
        var isNamed = saying.part == .whole
        if let known = talk.replies[saying.id]?.place {
            place = known
        } else if let waiting, saying.part == .whole {
            place = talk.unconfirmed.remove(at: waiting).index
        } else {
            place = messages.count
            add(saying, text: "", row)
            isNamed = true
        }
        if isNamed {
            introduce(saying.person)
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

    private mutating func readSent(_ saying: RowSaying, _ row: Row) {
        // Ignores a message that the client has sent again before its echo.
        if let id = saying.localID, talk.unconfirmed.contains(where: { $0.localID == id }) { return }
        talk.unconfirmed.append((messages.count, saying.localID))
        add(saying, delivery: .unconfirmed, row)
    }

    private mutating func confirm(_ saying: RowSaying, _ row: Row) {
        let found =
            talk.unconfirmed.firstIndex { saying.localID != nil && $0.localID == saying.localID }
            ?? talk.unconfirmed.firstIndex { $0.localID == nil && messages[$0.index].text == saying.text }
        guard let found else { return add(saying, row) }
        let index = talk.unconfirmed.remove(at: found).index
        messages[index].id = saying.id
        messages[index].sequence = saying.sequence
        messages[index].text = saying.text
        messages[index].delivery = .complete
    }

    private mutating func readWhole(_ saying: RowSaying, _ row: Row) {
        introduce(saying.person)
        // A whole message replaces its own chunks.
        let place = talk.replies[saying.id]?.place
        talk.replies[saying.id]?.chunks = nil
        if place == nil { add(saying, row) }
        let index = place ?? messages.count - 1
        let name = saying.person.name ?? (saying.speaker == .agent ? talk.agentName : nil)
        messages[index].name = name ?? person(saying.speaker, saying.person.id)?.name
        messages[index].text = saying.text
        messages[index].parts = saying.parts
        messages[index].delivery = .complete
    }

    private mutating func readChunk(_ saying: RowSaying, _ number: Int, isLast: Bool, _ row: Row) {
        introduce(Transcript.Participant(speaker: saying.speaker, name: talk.agentName))
        if talk.replies[saying.id] == nil {
            talk.replies[saying.id] = Reply(place: messages.count)
            add(saying, text: "", delivery: .partial, row)
            messages[messages.count - 1].name = talk.agentName
        }
        // The reply is changed in place, because a copy would copy all of its chunks.
        guard let place = talk.replies[saying.id]?.place,
            talk.replies[saying.id]?.chunks?.add(saying.text, at: number) == true
        else { return }
        if isLast { talk.replies[saying.id]?.hasLast = true }
        messages[place].parts += saying.parts
        guard talk.replies[saying.id]?.isWhole == true else { return }
        putTogether(saying.id)
        messages[place].delivery = .complete
    }

    /// Joins the chunks of incomplete replies.
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
        _ saying: RowSaying, text: String? = nil, delivery: Transcript.Delivery = .complete, _ row: Row
    ) {
        if saying.speaker == .user { introduce(Transcript.Participant(speaker: .user)) }
        messages.append(
            Transcript.Message(
                id: saying.id, sequence: saying.sequence, speaker: saying.speaker, text: text ?? saying.text,
                delivery: delivery, time: row.time, wallTime: row.wallTime, session: row.session))
    }

    // MARK: People

    private func person(_ speaker: Transcript.Speaker, _ id: String?) -> Transcript.Participant? {
        participants.last { $0.speaker == speaker && (id == nil || $0.id == id) }
    }

    private mutating func introduce(_ person: Transcript.Participant) {
        let found = participants.firstIndex {
            $0.speaker == person.speaker
                && (person.speaker != .liveAgent || $0.id == person.id || person.id == nil)
        }
        if let found {
            participants[found].name = participants[found].name ?? person.name
        } else {
            participants.append(person)
        }
    }
}

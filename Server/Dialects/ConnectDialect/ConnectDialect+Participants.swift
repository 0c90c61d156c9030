import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

extension ConnectDialect {
    func connect(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        var types: Set<ConnectionType> = []
        let asked = try fields.texts("Type")
        for text in asked ?? [] {
            guard text != "WEBRTC_CONNECTION" else {
                throw .invalid("Type WEBRTC_CONNECTION is not for chats", for: .participant)
            }
            types.insert(try fields.word(text, "Type"))
        }
        let connects = try fields.flag("ConnectParticipant")
        guard asked?.isEmpty == false || connects != nil && asked == nil else { throw fields.missing("Type") }
        let now = host.now
        host.facts?.kind = connects == true ? .connect : .token
        try change(caller, &host) { contact, steps in
            if connects == true { contact.connect(caller.party, at: now, into: &steps) }
        }
        let members = connection(of: caller.session.id, party: caller.party, types, host)
        return Array(JSONWriter.line(members).utf8)
    }

    func open(_ request: Request, _ host: inout Context) throws(ServiceError) -> Answer {
        guard let text = request.query("AuthToken") else { throw .denied }
        let caller = try caller(text, .address, &host)
        try change(caller, &host) { _, _ in }
        host.party = caller.party
        return .connect(caller.session.handle, cursor: .max, note: nil)
    }

    func sendMessage(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let named = try fields.required("ContentType", 1...100)
        guard let type = ContentType(rawValue: named), type != .interactive else {
            let known = ContentType.allCases.filter { $0 != .interactive }.map(\.rawValue)
            throw fields.unknown(named, "ContentType", known)
        }
        let content = try fields.required("Content", 1...ItemText.messageBytes)
        try fields.checkSize(content, of: "Content")
        let now = host.now
        var (words, data) = Interactive.answer(content, type)
        let (speaker, number) = try change(caller, &host) { contact, steps throws(ServiceError) in
            guard contact.start.lists(type) || !options.strictContentTypes else {
                throw .invalid("The contact does not list the ContentType \(named)", for: .participant)
            }
            contact.appear(caller.party, at: now, into: &steps)
            let speaker = contact.participants[caller.party]
            words = contact.slots[words] ?? words
            contact.reservationCount += 1
            let number = contact.reservationCount
            contact.reservations.append(
                Contact.Reservation(
                    number: number, sender: speaker, type: type, content: content, heard: words))
            return (speaker, number)
        }
        if speaker.role == .customer {
            _ = host.receive(ClientInput(.say(words), metadata: data), in: caller.session.handle)
        } else {
            let message = Message(id: UniqueID.text("msg_", host.uniqueID().high), text: words)
            _ = host.push(
                .liveAgentMessage(message, speaker.profile), in: caller.session.handle, by: speaker.name)
        }
        // Most messages have their echo, so that the session is looked up only without one.
        let echoed = try change(caller.session.handle, &host) { contact, _ in
            contact.echo?.number == number ? contact.answer(number, at: now) : nil
        }
        if let echoed { return echoed }
        // If the journal is full, the engine has ended the session without an echo.
        guard host.session(id: caller.session.id)?.hasEnded == false else {
            throw .full("The contact takes no more: it is full (limits.journalEntries, limits.journalBytes)")
        }
        return try change(caller.session.handle, &host) { contact, _ in contact.answer(number, at: now) }
    }

    private enum Signal {
        case typing
        case receipt(isRead: Bool)
        case acknowledged
        case invited

        init?(_ contentType: String) {
            guard contentType.hasPrefix(ContactEvent.prefix) else { return nil }
            switch contentType.dropFirst(ContactEvent.prefix.count) {
            case "typing": self = .typing
            case "message.delivered": self = .receipt(isRead: false)
            case "message.read": self = .receipt(isRead: true)
            case "connection.acknowledged": self = .acknowledged
            case "participant.invited": self = .invited
            default: return nil
            }
        }

        static let known = [
            "typing", "message.delivered", "message.read", "connection.acknowledged", "participant.invited",
        ]
    }

    func isReceipt(_ fields: RequestFields) -> Bool {
        let signal = fields.value("ContentType")?.string.flatMap { Signal($0) }
        return if case .receipt? = signal { true } else { false }
    }

    func sendEvent(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let named = try fields.required("ContentType", 1...100)
        guard let signal = Signal(named) else {
            throw fields.unknown(named, "ContentType", Signal.known.map { ContactEvent.prefix + $0 })
        }
        let content = try fields.text("Content", 0...16_384) ?? ""
        var message: UniqueID?
        if case .receipt = signal {
            guard let object = try? JSONReader.read(Array(content.utf8)), let id = object["messageId"]?.string
            else { throw .invalid("Content is no JSON text with a messageId", for: .participant) }
            message = UniqueID(id)
        }
        let now = host.now
        if case .acknowledged = signal { host.facts?.kind = .connect }
        var input: (ClientInput.Word, Event?)?
        let bytes = try change(caller, &host) { contact, steps throws(ServiceError) in
            let sender = contact.participants[caller.party]
            switch signal {
            case .typing:
                let item = contact.deliver(.event(.typing), from: sender, at: now, into: &steps)
                contact.announcedTyping += 1
                input = (.typing(.started), .liveAgentTyping(.started, sender.profile))
                return Contact.answer(item.id, item.time)
            case .invited:
                contact.appear(caller.party, at: now, into: &steps)
                let item = contact.deliver(.event(.invited), from: sender, at: now, into: &steps)
                return Contact.answer(item.id, item.time)
            case .acknowledged: contact.connect(caller.party, at: now, into: &steps)
            case .receipt(let isRead):
                guard !contact.isCrowded else {
                    throw .conflict("Receipts are for two participants; here are more")
                }
                guard let message, let place = contact.known(message) else { break }
                let source = contact.items[place].source
                if sender.role == .customer, let source, contact.items[place].sender !== sender {
                    input = (.receipt(isRead ? .userRead : .userReceived, messageID: source), nil)
                }
                contact.mark(place, reader: sender, isRead: isRead, at: now, into: &steps)
            }
            let time = contact.moment(at: now)
            return Contact.answer(contact.uniqueID(at: time), time)
        }
        guard let (word, event) = input else { return bytes }
        if caller.party == 0 {
            _ = host.receive(ClientInput(word), in: caller.session.handle)
        } else if let event {
            _ = host.push(event, in: caller.session.handle, by: "participant")
        }
        return bytes
    }

    func transcript(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        var page = TranscriptPage()
        let limit = try fields.integer("MaxResults", 0...100) ?? 0
        if limit > 0 { page.limit = limit }
        let asked = try fields.choice("ScanDirection", TranscriptPage.Direction.self)
        page.order = try fields.choice("SortOrder", TranscriptPage.Order.self) ?? .descending
        let contact = caller.session.id
        let segment = try fields.text("ContactId", 1...256)
        if let text = try fields.text("NextToken", 1...1_000) {
            guard let pass = BearerToken(text, kind: .page, key: key), pass.contact == contact,
                page.goOn(from: pass, asked: asked)
            else {
                host.facts?.cursorText = text
                throw .invalid("NextToken is not one of this contact and direction", for: .participant)
            }
        } else {
            let start = try fields.object("StartPosition")
            let hasStart = start.map { start in Self.starts.contains { start.value($0) != nil } } ?? false
            page.direction = asked ?? (hasStart ? .forward : .backward)
            // Like the service, this server refuses a forward scan without a start position (amazon-connect-chatjs
            // issue 19).
            guard hasStart || page.direction == .backward else {
                throw .invalid(
                    "ScanDirection FORWARD needs a StartPosition that names a place", for: .participant)
            }
            if let start, hasStart { (page.start, page.reach) = (try place(start), .present) }
        }
        if let segment { page.reach = .segment(segment) }
        let now = host.now
        return try change(caller.session.handle, &host) { state, _ throws(ServiceError) in
            let lateness = state.endedAt.map { now - $0 }
            guard lateness.map({ $0 < options.transcriptGrace }) ?? true, !state.left.contains(caller.party)
            else { throw .denied }
            // Another contact's id results in an empty page, not in an error (amazon-connect-chatjs issue 28).
            let isOwn = segment.map { state.current == $0 || state.formerly.contains($0) } ?? true
            let (items, next) = isOwn ? state.page(page) : ([], nil)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(items.count + 300)
            bytes.member("{\"InitialContactId\":", state.initial)
            bytes.text(",\"Transcript\":[")
            bytes += items
            bytes.text("]")
            if let next {
                let pass = state.pass(to: next, after: page, of: contact, at: now)
                bytes.member(",\"NextToken\":", pass.signed(key))
            } else if !isOwn {
                bytes.member(",\"NextToken\":", "")
            }
            bytes.text("}")
            return bytes
        }
    }

    private static let starts = ["Id", "AbsoluteTime", "MostRecent"]

    private func place(_ start: RequestFields) throws(ServiceError) -> TranscriptPage.Start {
        if let id = try start.text("Id", 1...256) { return UniqueID(id).map { .item($0) } ?? .nowhere }
        if let text = try start.text("AbsoluteTime", 1...100) {
            guard let time = TimeStamp.parse(text) else {
                throw .invalid("AbsoluteTime is no time such as 2026-01-15T09:30:00.000Z", for: .participant)
            }
            return .time(Instant(nanosecondsSince1970: time))
        }
        if let count = try start.integer("MostRecent", 0...100) { return .mostRecent(count) }
        return .newest
    }

    func disconnect(_ caller: Caller, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let leaver = try change(caller, &host) { contact, _ in contact.participants[caller.party] }
        if leaver.role == .customer {
            _ = host.receive(ClientInput(.end), in: caller.session.handle)
        } else {
            let isKnown = try change(caller, &host) { contact, steps in
                let isKnown = contact.connectedBots.contains(leaver.place)
                if !isKnown { contact.dismiss(leaver, into: &steps) }
                return isKnown
            }
            if isKnown {
                _ = host.push(
                    .liveAgentLeft(leaver.profile, reason: nil), in: caller.session.handle, by: leaver.name)
            }
        }
        return Self.nothing
    }

    // MARK: - Views and identity

    func view(_ token: String, _ caller: Caller, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let missing = ServiceError(
            404, "ResourceNotFoundException", "There is no such view",
            [("ResourceId", .string(String(token.prefix(256)))), ("ResourceType", .string("PARTICIPANT"))])
        guard token.utf8.count <= 1_000 else { throw missing }
        try change(caller, &host) { _, _ in }
        guard let content = view(token) else { throw missing }
        return Self.body(["View": content])
    }

    /// Returns the configured view with the members that every view has.
    private func view(_ token: String) -> JSONValue? {
        guard case .object(let given)? = options.views[token] else { return nil }
        let id = given["Id"]?.string ?? token
        let name = given["Name"]?.string ?? id
        let arn =
            given["Arn"]?.string ?? "arn:aws:connect:us-east-1:000000000000:instance/polymock/view/\(id)"
        var content: [JSONObject.Member] = []
        for member in given["Content"]?.object?.members ?? [] {
            // The service sends these two members as JSON within a string.
            let isText = member.name == "InputSchema" || member.name == "Template"
            let isGiven = !isText || member.value.string != nil
            content.append(
                JSONObject.Member(
                    member.name,
                    isGiven
                        ? member.value
                        : .string(String(decoding: JSONWriter.bytes(member.value), as: UTF8.self))))
        }
        return .object([
            "Id": .string(id), "Arn": .string(arn), "Name": .string(name),
            "Version": given["Version"] ?? .integer(1), "Content": .object(JSONObject(content)),
        ])
    }

    private static let signInAddressLength = 2_083

    func authenticationAddress(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let session = try fields.required("SessionId", 36...36)
        let redirect = try fields.required("RedirectUri", 1...1_024)
        let now = host.now
        try change(caller, &host) { contact, _ throws(ServiceError) in
            guard let known = contact.authentication, known.session == session, now < known.until else {
                throw .denied
            }
        }
        let url =
            "\(origin("http", host))/connect/login?session=\(session)&redirect_uri="
            + PercentCoding.encode(redirect)
        guard url.utf8.count <= Self.signInAddressLength else {
            throw .invalid(
                "RedirectUri makes an address of \(url.utf8.count) characters; it takes \(Self.signInAddressLength)",
                for: .participant)
        }
        return Self.body(["AuthenticationUrl": .string(url)])
    }

    func cancelAuthentication(
        _ fields: RequestFields, _ caller: Caller, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let session = try fields.required("SessionId", 36...36)
        let now = host.now
        return try change(caller, &host) { contact, steps throws(ServiceError) in
            guard contact.authentication?.session == session else { throw .denied }
            contact.authentication = nil
            contact.deliver(.event(.authenticationCancelled), from: nil, at: now, into: &steps)
            return Self.nothing
        }
    }
}

extension Contact {
    /// Returns the response with the id and time of a message. A later echo gets the same id and time.
    func answer(_ number: Int, at now: Instant) -> [UInt8] {
        var sent = echo.map { ($0.id, $0.time) }
        if echo?.number != number {
            let time = moment(at: now)
            sent = (uniqueID(at: time), time)
            if let place = reservations.firstIndex(where: { $0.number == number }), let sent {
                reservations[place].sent = (sent.0, sent.1)
            }
        }
        guard let (id, time) = sent else { return [] }
        return Self.answer(id, time)
    }

    static func answer(_ id: UniqueID, _ time: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(100)
        bytes.text("{\"Id\":")
        bytes.id(id)
        bytes.text(",\"AbsoluteTime\":")
        bytes.stamp(time)
        bytes.text("}")
        return bytes
    }

    var isCrowded: Bool { connectedBots.count + (agent == nil ? 0 : 1) > 1 }

    /// Returns an item's index in the transcript; nil if the item is unknown or pending.
    func known(_ id: UniqueID) -> Int? {
        let place = items.place(of: id)
        return place < items.count && items[place].id == id && !items[place].isPending ? place : nil
    }

}

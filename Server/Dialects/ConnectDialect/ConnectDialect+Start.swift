import Clocks
import ConversationEngine
import DialectKit
import Texts

extension ConnectDialect {
    enum Rehydration: String, CaseIterable {
        case entirePastSession = "ENTIRE_PAST_SESSION"
        case fromSegment = "FROM_SEGMENT"
    }

    enum ConnectionType: String, CaseIterable {
        case webSocket = "WEBSOCKET"
        case credentials = "CONNECTION_CREDENTIALS"
    }

    private enum ResponseMode: String, CaseIterable {
        case incremental = "INCREMENTAL"
        case complete = "COMPLETE"
    }

    func start(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let instance = try fields.required("InstanceId", 1...100)
        let flow = try fields.required("ContactFlowId", 1...500)
        guard let details = try fields.object("ParticipantDetails") else {
            throw fields.missing("ParticipantDetails")
        }
        let name = try details.required("DisplayName", 1...256)
        let token = try fields.text("ClientToken", 0...500)
        let alias = token.map {
            SessionName(IdempotencyCache.key([instance, $0], request.body), as: StartedContact.self)
        }
        if let alias, let former = host.session(named: alias),
            let answer = try? change(former.handle, &host, { contact, _ in contact.opening })
        {
            host.facts?.session = former.id
            if answer.at + IdempotencyCache.time > host.now { return answer.response }
        }
        var start = try self.start(fields, &host)
        start.customer = host.uniqueID().text
        let types = try connectionTypes(fields)
        let isStreaming = try streaming(fields)
        let line: String?
        switch host.scenario(for: flow) {
        case .found(let found, _): line = found
        case .refused(let reason): throw .invalid("ContactFlowId: \(reason)", for: .connect)
        }
        let streams = options.incremental == .always || options.incremental == .auto && start.isIncremental
        let wish = SessionRequest(
            owner: start.customer, scenario: line, isStreaming: streams,
            terms: ProtocolDefaults(
                idle: start.duration + .hours(1), connectionIdle: start.duration + .hours(1),
                connections: 1_000, overLimit: .closeOldest,
                relaysTyping: true), bytes: start.heldBytes)
        let session: SessionView
        switch host.openSession(wish) {
        case .opened(let id):
            guard let view = host.session(id: id) else { throw ServiceError(.status(500), path: "/contact") }
            session = view
        case .refused(let reason): throw ServiceError(429, "LimitExceededException", reason)
        }
        host.facts?.session = session.id
        if let alias { host.name(session.handle, alias) }
        let now = host.now
        let addresses = connection(of: session.id, party: 0, types, host)
        let signed = BearerToken(kind: .participant, contact: session.id, issued: now).signed(
            key, for: options.shard)
        return try change(session.handle, &host) { contact, _ in
            contact.begin(start, name, at: now)
            var members: [(String, JSONValue?)] = [
                ("ContactId", .string(session.id)), ("ParticipantId", .string(start.customer)),
                ("ParticipantToken", .string(signed)),
                ("ContinuedFromContactId", start.continued.map { .string($0.contact) }),
            ]
            members += addresses
            if isStreaming { members.append(("StreamingId", .string(contact.token()))) }
            let bytes = Array(JSONWriter.line(members).utf8)
            contact.opening = IdempotencyCache.Answer(at: now, response: bytes)
            return bytes
        }
    }

    private func start(_ fields: RequestFields, _ host: inout Context) throws(ServiceError) -> Contact.Start {
        var start = Contact.Start()
        start.contentTypes = try contentTypes(fields)
        if let configuration = try fields.object("ParticipantConfiguration") {
            start.isIncremental = try configuration.choice("ResponseMode", ResponseMode.self) == .incremental
        }
        if let attributes = try fields.object("Attributes") { start.attributes = try Self.map(attributes) }
        if let first = try fields.object("InitialMessage") {
            let text = try first.required("Content", 1...ItemText.messageBytes)
            guard let type = try first.choice("ContentType", ContentType.self) else {
                throw first.missing("ContentType")
            }
            guard type != .interactive else {
                throw .invalid("InitialMessage cannot be interactive", for: .connect)
            }
            try first.checkSize(text, of: "InitialMessage")
            guard start.lists(type) || !options.strictContentTypes else {
                throw .invalid(
                    "The contact does not list the ContentType \(type.rawValue) of its InitialMessage",
                    for: .connect)
            }
            start.initialMessage = (type, text)
        }
        if let minutes = try fields.integer("ChatDurationInMinutes", 60...10_080) {
            start.duration = .minutes(minutes)
        }
        start.related = try fields.text("RelatedContactId", 1...256)
        if let persistent = try fields.object("PersistentChat") {
            guard start.related == nil else {
                throw .unreadable("RelatedContactId does not go with PersistentChat", for: .connect)
            }
            start.continued = try past(persistent, &host)
        }
        if let segments = try fields.object("SegmentAttributes") {
            start.segments = try Self.segments(segments)
        }
        _ = try fields.text("CustomerId", 1...128)
        if let exits = try fields.texts("DisconnectOnCustomerExit") {
            guard exits == ["AGENT"] else {
                throw fields.unknown("\(exits)", "DisconnectOnCustomerExit", ["AGENT"])
            }
            start.endsWithAgent = true
        }
        return start
    }

    private func contentTypes(_ fields: RequestFields) throws(ServiceError) -> Set<ContentType> {
        let name = "SupportedMessagingContentTypes"
        guard let types = try fields.choices(name, ContentType.self) else { return [.plain] }
        guard types.contains(.plain) else { throw .invalid("\(name) lacks text/plain", for: .connect) }
        return Set(types)
    }

    func connectionTypes(_ fields: RequestFields) throws(ServiceError) -> Set<ConnectionType> {
        let name = "ConnectionTypes"
        guard let count = try fields.texts(name)?.count else { return [] }
        guard 1...2 ~= count else { throw .invalid("\(name) has one or two elements", for: .connect) }
        return Set(try fields.choices(name, ConnectionType.self) ?? [])
    }

    /// Returns whether the request contains a `ChatStreamingConfiguration`. Throws if it is invalid.
    func streaming(_ fields: RequestFields) throws(ServiceError) -> Bool {
        guard let target = try fields.object("ChatStreamingConfiguration") else { return false }
        _ = try target.text("StreamingEndpointArn", 1...350)
        return true
    }

    /// Reads segment attributes (SegmentAttributeValue).
    private static func segments(_ fields: RequestFields) throws(ServiceError) -> [String: String] {
        var map: [String: String] = [:]
        for member in fields.object.members {
            guard 1...128 ~= member.name.unicodeScalars.count else {
                throw .invalid(
                    "SegmentAttributes has a name of \(member.name.unicodeScalars.count) characters; it takes 1 to 128",
                    for: fields.service)
            }
            map[member.name] = try fields.object(member.name)?.text("ValueString", 1...1_024)
        }
        return try bounded(map, "SegmentAttributes")
    }

    static func map(_ fields: RequestFields) throws(ServiceError) -> [String: String] {
        var map: [String: String] = [:]
        for member in fields.object.members {
            guard let text = member.value.string else { throw fields.wrong(member.name, "a text") }
            let isName = member.name.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F
            }
            guard isName, !member.name.isEmpty else {
                throw .invalid(
                    "An attribute's name has letters, digits, - and _ alone: \(member.name.prefix(100))",
                    for: fields.service)
            }
            map[member.name] = text
        }
        return try bounded(map)
    }

    static func bounded(
        _ map: [String: String], _ name: String = "Attributes"
    ) throws(ServiceError) -> [String: String] {
        let bytes = map.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard bytes <= 32_768 else {
            throw .invalid("\(name) take \(bytes) bytes; 32768 are allowed", for: .connect)
        }
        return map
    }

    func past(_ persistent: RequestFields, _ host: inout Context) throws(ServiceError) -> Contact.Continued {
        let source = try persistent.required("SourceContactId", 1...256)
        guard let kind = try persistent.choice("RehydrationType", Rehydration.self) else {
            throw persistent.missing("RehydrationType")
        }
        let missing = Self.missing(source)
        var found = source
        // With ENTIRE_PAST_SESSION, `source` is the id of a persistent chat's first contact. The chat's latest contact
        // is continued.
        if kind == .entirePastSession,
            let last = host.session(named: SessionName(source, as: LastContact.self))
        {
            found = last.id
        }
        guard let session = host.held(found, called: "contact", or: LaterContact.self) else { throw missing }
        return try change(session.handle, &host, orElse: missing) { contact, _ throws(ServiceError) in
            guard contact.endedAt != nil else {
                throw .unreadable("The contact \(source) is still active", for: .connect)
            }
            let isFormer = kind == .fromSegment && contact.formerly.contains(source)
            let segment = isFormer ? source : contact.current
            return Contact.Continued(
                contact: segment, firsts: contact.start.continued?.firsts ?? [contact.initial],
                items: contact.past(through: segment))
        }
    }

    func connection(
        of contact: String, party: Int, _ types: Set<ConnectionType>, _ host: Context
    ) -> [(String, JSONValue?)] {
        let now = host.now
        var members: [(String, JSONValue?)] = []
        if types.contains(.webSocket) {
            let pass = BearerToken(
                kind: .address, contact: contact, party: party, issued: now, end: now + .seconds(100))
            let url =
                "\(origin("ws", host))\(Path.webSocket)?AuthToken=\(pass.signed(key, for: options.shard))"
            let expiry = (now + .minutes(60)).text
            members.append(
                ("Websocket", .object(["Url": .string(url), "ConnectionExpiry": .string(expiry)])))
        }
        if types.contains(.credentials) {
            let end = now + .hours(24)
            let pass = BearerToken(kind: .connection, contact: contact, party: party, issued: now, end: end)
            let token = pass.signed(key, for: options.shard)
            members.append(
                (
                    "ConnectionCredentials",
                    .object(["ConnectionToken": .string(token), "Expiry": .string(end.text)])
                ))
        }
        return members
    }

    /// Returns the server's origin for URLs; `scheme` is the scheme without TLS.
    func origin(_ scheme: String, _ host: Context) -> String {
        guard let proxy = try? ServerAddress(options.host) else {
            return "\(scheme)://\(options.host):\(host.port)"
        }
        return "\(scheme)\(proxy.isEncrypted ? "s" : "")://\(proxy.authority)"
    }

    /// Answers ``ConnectOptions/startChatProxy`` in the format of the public widget's back end.
    func startForPage(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let bytes = try start(fields, request, &host)
        return Array("{\"data\":{\"startChatResult\":".utf8) + bytes + Array("}}".utf8)
    }
}

extension Contact {
    func begin(_ start: Start, _ name: String, at now: Instant) {
        self.start = start
        openedAt = now
        _ = add(.customer, name, id: start.customer)
    }
}

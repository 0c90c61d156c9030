import Clocks
import ConversationEngine
import DialectKit
import Texts

extension ConnectDialect {
    static let nothing = Array("{}".utf8)

    static func body(_ members: JSONObject) -> [UInt8] { JSONWriter.bytes(.object(members)) }

    static func missing(_ id: String) -> ServiceError {
        ServiceError(404, "ResourceNotFoundException", "There is no contact \(id)")
    }

    private func contact(
        _ id: String, _ host: inout Context, orElse missing: ServiceError? = nil
    ) throws(ServiceError) -> (SessionView, ServiceError) {
        let missing = missing ?? Self.missing(id)
        guard let session = host.held(id, called: "contact", or: LaterContact.self) else { throw missing }
        guard host.enter(session.handle) else { throw ServiceError(.status(500), path: "/contact") }
        return (session, missing)
    }

    private func contact(
        of request: Request, _ host: inout Context
    ) throws(ServiceError) -> (SessionView, ServiceError) {
        let path = RequestFields(
            JSONObject(request.values.map { JSONObject.Member($0.key, .string($0.value)) }), for: .connect)
        _ = try path.required("instance", 1...100)
        return try contact(try path.required("contact", 1...256), &host)
    }

    func stop(_ fields: RequestFields, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let id = try fields.required("ContactId", 1...256)
        _ = try fields.required("InstanceId", 1...100)
        let gone = ServiceError(410, "ContactNotFoundException", "There is no contact \(id)")
        let (session, _) = try contact(id, &host, orElse: gone)
        try change(session.handle, &host, orElse: gone) { contact, steps in
            if contact.endedAt == nil { contact.stop(.natural, into: &steps) }
        }
        return Self.nothing
    }

    private enum Role: String, CaseIterable {
        case customBot = "CUSTOM_BOT"
    }

    func createParticipant(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        _ = try fields.required("InstanceId", 1...100)
        let id = try fields.required("ContactId", 1...256)
        guard let details = try fields.object("ParticipantDetails") else {
            throw fields.missing("ParticipantDetails")
        }
        guard try details.choice("ParticipantRole", Role.self) != nil else {
            throw details.missing("ParticipantRole")
        }
        let name = try details.required("DisplayName", 1...256)
        let (session, missing) = try contact(id, &host)
        let now = host.now
        return try once(
            .createParticipant, fields, request, in: session.handle, &host, orElse: missing
        ) { host throws(ServiceError) in
            try change(session.handle, &host, orElse: missing) { contact, _ throws(ServiceError) in
                guard contact.endedAt == nil else { throw missing }
                let participant = contact.add(.customBot, name)
                let end = contact.openedAt + contact.start.duration
                let pass = BearerToken(
                    kind: .participant, contact: session.id, party: participant.place, issued: now, end: end)
                let credentials: JSONObject = [
                    "ParticipantToken": .string(pass.signed(key, for: options.shard)),
                    "Expiry": .string(end.text),
                ]
                return Self.body([
                    "ParticipantCredentials": .object(credentials), "ParticipantId": .string(participant.id),
                ])
            }
        }
    }

    private enum TimerRole: String, CaseIterable {
        case customer = "CUSTOMER"
        case agent = "AGENT"
    }

    private enum TimerType: String, CaseIterable {
        case idle = "IDLE"
        case disconnect = "DISCONNECT_NONCUSTOMER"
    }

    private enum TimerAction: String, CaseIterable {
        case unset = "Unset"
    }

    func configureRoles(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let (session, missing) = try contact(of: request, &host)
        let list = "ParticipantTimerConfigList"
        guard let chat = try fields.object("ChannelConfiguration")?.object("Chat"),
            let entries = chat.value(list)?.array
        else { throw fields.missing("ChannelConfiguration.Chat.\(list)") }
        guard 1...6 ~= entries.count else {
            throw .unreadable("\(list) has one to six elements", for: .connect)
        }
        var changes: [(TimerRole, TimerType, Int?)] = []
        for entry in entries {
            guard let object = entry.object else { throw chat.wrong(list, "a list of objects") }
            let entry = RequestFields(object, for: .connect)
            guard let role = try entry.choice("ParticipantRole", TimerRole.self),
                let type = try entry.choice("TimerType", TimerType.self),
                let value = try entry.object("TimerValue")
            else { throw .unreadable("\(list) lacks a role, a type or a value", for: .connect) }
            let isUnset = try value.choice("ParticipantTimerAction", TimerAction.self) != nil
            let minutes = try value.integer("ParticipantTimerDurationInMinutes", 2...480)
            guard isUnset != (minutes != nil) else {
                throw .unreadable("TimerValue has either minutes or the action Unset", for: .connect)
            }
            guard !changes.contains(where: { $0.0 == role && $0.1 == type }) else {
                throw .unreadable("\(list) has two elements for one timer", for: .connect)
            }
            changes.append((role, type, minutes))
        }
        return try change(session.handle, &host, orElse: missing) { contact, _ throws(ServiceError) in
            guard contact.endedAt == nil else { throw missing }
            for (role, type, minutes) in changes {
                let side = role == .customer ? 0 : 1
                if type == .idle {
                    contact.timers.settings[side].idle = minutes
                } else {
                    contact.timers.settings[side].disconnect = minutes
                }
            }
            return Self.nothing
        }
    }

    func associate(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let (session, missing) = try contact(of: request, &host)
        let now = host.now
        return try once(
            .createPersistentContactAssociation, fields, request, in: session.handle, &host, orElse: missing
        ) { host throws(ServiceError) in
            let continued = try past(fields, &host)
            return try change(session.handle, &host, orElse: missing) { contact, steps throws(ServiceError) in
                guard contact.endedAt == nil else { throw missing }
                contact.start.continued = contact.start.continued?.adding(continued) ?? continued
                contact.deliver(.event(.rehydrated), from: nil, at: now, into: &steps)
                return Self.body(["ContinuedFromContactId": .string(continued.contact)])
            }
        }
    }

    // MARK: - Attributes

    func attributes(_ request: Request, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let (session, missing) = try contact(of: request, &host)
        return try change(session.handle, &host, orElse: missing) { contact, _ in
            let members = contact.start.attributes.sorted { $0.key < $1.key }
            let attributes = JSONObject(members.map { .init($0.key, .string($0.value)) })
            return Self.body(["Attributes": .object(attributes)])
        }
    }

    func updateAttributes(_ fields: RequestFields, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let id = try fields.required("InitialContactId", 1...256)
        _ = try fields.required("InstanceId", 1...100)
        guard let object = try fields.object("Attributes") else { throw fields.missing("Attributes") }
        let attributes = try Self.map(object)
        let (session, missing) = try contact(id, &host)
        return try change(session.handle, &host, orElse: missing) { contact, _ throws(ServiceError) in
            contact.start.attributes = try Self.bounded(contact.start.attributes.merging(attributes) { $1 })
            return Self.nothing
        }
    }

    func describe(_ request: Request, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let asked = request.values["contact"] ?? ""
        let (session, missing) = try contact(of: request, &host)
        return try change(session.handle, &host, orElse: missing) { contact, _ in
            let place = contact.formerly.firstIndex(of: asked) ?? contact.formerly.count
            let isPast = place < contact.formerly.count
            let id = isPast ? asked : contact.current
            let begun = place == 0 ? contact.openedAt : contact.transfers[place - 1]
            let end = isPast ? contact.transfers[place] : contact.endedAt
            let related = contact.start.continued?.contact ?? contact.start.related
            let reason = contact.ending == .customerLeft ? "CUSTOMER_DISCONNECT" : "API"
            let agent = isPast ? nil : contact.agent
            let members = JSONObject(present: [
                ("Id", .string(id)), ("InitialContactId", .string(contact.initial)),
                ("PreviousContactId", contact.formerly.prefix(place).last.map { .string($0) }),
                ("RelatedContactId", related.map { .string($0) }), ("Channel", .string("CHAT")),
                ("InitiationMethod", .string("API")), ("InitiationTimestamp", .double(begun.inSeconds)),
                ("DisconnectTimestamp", end.map { .double($0.inSeconds) }),
                ("DisconnectReason", isPast || end == nil ? nil : .string(reason)),
                ("AgentInfo", agent.map { .object(["Id": .string($0.id)]) }),
            ])
            return Self.body(["Contact": .object(members)])
        }
    }

    // MARK: - Streaming elsewhere

    /// Accepts StartContactStreaming without any effect.
    func startStreaming(
        _ fields: RequestFields, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let (session, missing) = try streamed(fields, &host)
        guard try streaming(fields) else { throw fields.missing("ChatStreamingConfiguration") }
        return try once(
            .startContactStreaming, fields, request, in: session.handle, &host, orElse: missing
        ) { host throws(ServiceError) in
            try change(session.handle, &host, orElse: missing) { contact, _ in
                Self.body(["StreamingId": .string(contact.token())])
            }
        }
    }

    func stopStreaming(_ fields: RequestFields, _ host: inout Context) throws(ServiceError) -> [UInt8] {
        let (session, missing) = try streamed(fields, &host)
        _ = try fields.required("StreamingId", 1...100)
        return try change(session.handle, &host, orElse: missing) { _, _ in Self.nothing }
    }

    private func streamed(
        _ fields: RequestFields, _ host: inout Context
    ) throws(ServiceError) -> (SessionView, ServiceError) {
        let id = try fields.required("ContactId", 1...256)
        _ = try fields.required("InstanceId", 1...100)
        return try contact(id, &host)
    }
}

extension Instant {
    fileprivate var inSeconds: Double { Double(millisecondsSince1970) / 1_000 }
}

import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
import Texts
package import Timeline

typealias Context = any DialectContext
typealias Steps = [EncoderOutput.Step]

/// The server side of Amazon Connect chat: contacts, participants, and items over a WebSocket (protocol-connect.md).
package struct ConnectDialect: Dialect {
    enum Operation: String, CaseIterable {
        case startChatContact = "StartChatContact"
        case startChatProxy = "StartChatProxy"
        case stopContact = "StopContact"
        case createParticipant = "CreateParticipant"
        case updateParticipantRoleConfig = "UpdateParticipantRoleConfig"
        case createPersistentContactAssociation = "CreatePersistentContactAssociation"
        case getContactAttributes = "GetContactAttributes"
        case updateContactAttributes = "UpdateContactAttributes"
        case describeContact = "DescribeContact"
        case startContactStreaming = "StartContactStreaming"
        case stopContactStreaming = "StopContactStreaming"
        case createParticipantConnection = "CreateParticipantConnection"
        case sendMessage = "SendMessage"
        case sendEvent = "SendEvent"
        case getTranscript = "GetTranscript"
        case disconnectParticipant = "DisconnectParticipant"
        case startAttachmentUpload = "StartAttachmentUpload"
        case completeAttachmentUpload = "CompleteAttachmentUpload"
        case getAttachment = "GetAttachment"
        case describeView = "DescribeView"
        case getAuthenticationUrl = "GetAuthenticationUrl"
        case cancelParticipantAuthentication = "CancelParticipantAuthentication"
        case upload = "UploadAttachment"
        case download = "DownloadAttachment"
        case webSocket = "WebSocket"

        var service: ServiceError.Service {
            switch self {
            case .startChatContact, .startChatProxy, .stopContact, .createParticipant,
                .updateParticipantRoleConfig, .createPersistentContactAssociation, .getContactAttributes,
                .updateContactAttributes, .describeContact, .startContactStreaming, .stopContactStreaming:
                .connect
            default: .participant
            }
        }

        /// Whether the ``IdempotencyCache`` answers requests with a repeated `ClientToken`.
        var takesClientToken: Bool {
            switch self {
            case .createParticipant, .createPersistentContactAssociation, .startContactStreaming,
                .sendMessage,
                .sendEvent, .disconnectParticipant, .startAttachmentUpload, .completeAttachmentUpload:
                true
            default: false
            }
        }
    }

    /// Session names: the further ids of a contact that was transferred.
    enum LaterContact: SessionNaming {}
    /// Session names: ids of persistent chats' first contacts, for the latest contact's session.
    enum LastContact: SessionNaming {}
    /// Session names for idempotent StartChatContact requests: client token and body.
    enum StartedContact: SessionNaming {}

    enum Path {
        static let webSocket = "/connect/ws"
        static let upload = "/connect/upload"
        static let file = "/connect/file"
    }

    static let fileBytes = 20 << 20

    package let options: ConnectOptions
    let key: SigningKey

    /// `key` signs tokens and links.
    package init(options: ConnectOptions = ConnectOptions(), key: SigningKey) {
        self.options = options
        self.key = key
    }

    package var name: String { "connect" }
    package var preflightMethods: [String] { ["GET", "POST", "PUT", "OPTIONS"] }
    package var protocolRules: any ClientProtocolRules { ConnectProtocolRules() }
    package var reading: RowReading { Self.reading }
    package var namings: [any SessionNaming.Type] { [LaterContact.self] }
    package var prefixes: [String] { ["/contact", "/contacts", "/participant", "/connect"] }
    package var exposedFields: [String] { ["x-amzn-ErrorType", "x-amzn-RequestId", "ETag"] }

    package var routes: [Route] {
        // Web pages may use only the participant service and the chat widget's path.
        func route(_ method: String, _ path: String, _ operation: Operation) -> Route {
            Route(
                path, methods: [method], operation: operation.rawValue,
                isOpenToPages: operation.service == .participant || operation == .startChatProxy,
                isExact: operation == .download)
        }
        var routes = [
            route("PUT", "/contact/chat", .startChatContact),
            route("POST", "/contact/stop", .stopContact),
            route("POST", "/contact/create-participant", .createParticipant),
            route(
                "PUT", "/contact/participant-role-config/{instance}/{contact}", .updateParticipantRoleConfig),
            route(
                "POST", "/contact/persistent-contact-association/{instance}/{contact}",
                .createPersistentContactAssociation),
            route("GET", "/contact/attributes/{instance}/{contact}", .getContactAttributes),
            route("POST", "/contact/attributes", .updateContactAttributes),
            route("GET", "/contacts/{instance}/{contact}", .describeContact),
            route("POST", "/contact/start-streaming", .startContactStreaming),
            route("POST", "/contact/stop-streaming", .stopContactStreaming),
            route("POST", "/participant/connection", .createParticipantConnection),
            route("POST", "/participant/message", .sendMessage),
            route("POST", "/participant/event", .sendEvent),
            route("POST", "/participant/transcript", .getTranscript),
            route("POST", "/participant/disconnect", .disconnectParticipant),
            route("POST", "/participant/start-attachment-upload", .startAttachmentUpload),
            route("POST", "/participant/complete-attachment-upload", .completeAttachmentUpload),
            route("POST", "/participant/attachment", .getAttachment),
            route("GET", "/participant/views/{view}", .describeView),
            route("POST", "/participant/authentication-url", .getAuthenticationUrl),
            route("POST", "/participant/cancel-authentication", .cancelParticipantAuthentication),
            // Methods are case-sensitive (RFC 9110 §9.1).
            Route(
                Path.upload + "/{file}", methods: ["PUT", "put"], operation: Operation.upload.rawValue,
                bodyBytes: Self.fileBytes + 1, isOpenToPages: true, isExact: true),
            route("GET", Path.file + "/{link}", .download),
            Route(
                Path.webSocket, methods: ["GET"], operation: Operation.webSocket.rawValue, isWebSocket: true,
                compresses: false, isOpenToPages: true),
        ]
        if !options.startChatProxy.isEmpty {
            routes.append(route("POST", options.startChatProxy, .startChatProxy))
        }
        return routes
    }

    // MARK: - Requests

    package func answer(_ request: Request, host: inout any DialectContext) -> Answer {
        host.facts = RequestInfo(.other)
        let id = host.uniqueID().text
        host.facts?.correlation = id
        guard let operation = Operation(rawValue: request.operation) else {
            return .response(ServiceError(.status(404), path: request.path).response(id))
        }
        do throws(ServiceError) {
            if operation == .webSocket { return try open(request, &host) }
            if operation == .upload || operation == .download {
                var response =
                    try operation == .upload ? receiveFile(request, &host) : sendFile(request, &host)
                response.headers.set("x-amzn-RequestId", id)
                return .response(response)
            }
            return .response(.json(try bytes(operation, request, &host), id))
        } catch {
            var error = error
            if operation == .createParticipant || operation == .getContactAttributes,
                error.type == "InvalidParameterException"
            {
                error.type = "InvalidRequestException"
            }
            return .response(error.response(id))
        }
    }

    package func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement {
        guard let operation = Operation(rawValue: request.operation) else { return .answer }
        if operation == .upload { return judgeUpload(request, &host) ? .body : .answer }
        if let contact = request.values["contact"], host.session(id: contact) == nil { return .answer }
        guard operation.service == .participant else { return .body }
        let kind: BearerToken.Kind = operation == .createParticipantConnection ? .participant : .connection
        guard let text = request.head.headers["X-Amz-Bearer"], let pass = pass(text, kind, &host),
            host.now < pass.end, host.session(id: pass.contact) != nil
        else { return .answer }
        return .body
    }

    package func preparation(of request: Request) -> (@Sendable () -> any Sendable)? {
        guard request.operation != Operation.upload.rawValue else { return nil }
        let body = request.body
        return { RequestFields.object(in: body) }
    }

    private func bytes(
        _ operation: Operation, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        if operation.service == .participant { return try own(operation, request, &host) }
        try keepRate(operation, &host)
        let fields = try RequestFields(request, for: .connect)
        switch operation {
        case .startChatContact: return try start(fields, request, &host)
        case .startChatProxy: return try startForPage(fields, request, &host)
        case .stopContact: return try stop(fields, &host)
        case .createParticipant: return try createParticipant(fields, request, &host)
        case .updateParticipantRoleConfig: return try configureRoles(fields, request, &host)
        case .createPersistentContactAssociation: return try associate(fields, request, &host)
        case .getContactAttributes: return try attributes(request, &host)
        case .updateContactAttributes: return try updateAttributes(fields, &host)
        case .describeContact: return try describe(request, &host)
        case .startContactStreaming: return try startStreaming(fields, request, &host)
        default: return try stopStreaming(fields, &host)
        }
    }

    /// Performs a request to the participant service.
    private func own(
        _ operation: Operation, _ request: Request, _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        let isFirst = operation == .createParticipantConnection
        let caller = try caller(request, isFirst ? .participant : .connection, &host)
        // Requests without a valid token do not count towards the rate limit.
        try keepRate(operation, &host)
        let outlives = operation == .disconnectParticipant || operation == .getTranscript
        guard !caller.session.hasEnded || outlives else { throw .denied }
        let fields = try RequestFields(request, for: .participant)
        // Not the request, of which a closure keeps copies: 1,400 instructions.
        let view = request.values["view"] ?? ""
        let perform = { (host: inout Context) throws(ServiceError) in
            try own(operation, fields, view: view, caller, &host)
        }
        // Receipts are not idempotent (protocol-connect.md#once-per-token).
        if operation == .sendEvent, isReceipt(fields) {
            _ = try fields.text("ClientToken", 0...500)
            return try perform(&host)
        }
        return try once(
            operation, fields, request, in: caller.session.handle, party: caller.party, &host, perform)
    }

    private func own(
        _ operation: Operation, _ fields: RequestFields, view name: String, _ caller: Caller,
        _ host: inout Context
    ) throws(ServiceError) -> [UInt8] {
        switch operation {
        case .createParticipantConnection: return try connect(fields, caller, &host)
        case .sendMessage: return try sendMessage(fields, caller, &host)
        case .sendEvent: return try sendEvent(fields, caller, &host)
        case .getTranscript: return try transcript(fields, caller, &host)
        case .disconnectParticipant: return try disconnect(caller, &host)
        case .startAttachmentUpload: return try announce(fields, caller, &host)
        case .completeAttachmentUpload: return try complete(fields, caller, &host)
        case .getAttachment: return try attachment(fields, caller, &host)
        case .describeView: return try view(name, caller, &host)
        case .getAuthenticationUrl: return try authenticationAddress(fields, caller, &host)
        default: return try cancelAuthentication(fields, caller, &host)
        }
    }

    package func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response {
        let failure = ServiceError(denial, path: request.path)
        var response = failure.response(host.uniqueID().text)
        if case .status(_, _, _, _, let wait?) = denial {
            response.headers.set("Retry-After", "\(wait.seconds)")
        }
        return response
    }

    private func keepRate(_ operation: Operation, _ host: inout Context) throws(ServiceError) {
        guard options.enforcesRates else { return }
        let limit: RateLimit
        switch operation {
        case .createParticipantConnection: limit = RateLimit(burst: 9, perSecond: 6)
        case .sendMessage, .sendEvent: limit = RateLimit(burst: 15, perSecond: 10)
        case .getTranscript, .getAttachment: limit = RateLimit(burst: 12, perSecond: 8)
        case .disconnectParticipant: limit = RateLimit(burst: 5, perSecond: 3)
        case .startAttachmentUpload, .completeAttachmentUpload: limit = RateLimit(burst: 5, perSecond: 2)
        case .startChatContact, .startChatProxy: limit = RateLimit(burst: 8, perSecond: 5)
        default: return
        }
        guard host.consumeToken(for: operation.rawValue, of: "", limit: limit) != nil else { return }
        throw ServiceError(
            429, operation.service == .connect ? "TooManyRequests" : "ThrottlingException", "Rate exceeded")
    }

    // MARK: - Callers

    struct Caller {
        var session: SessionView
        var party: Int
    }

    func caller(
        _ request: Request, _ kind: BearerToken.Kind, _ host: inout Context
    ) throws(ServiceError) -> Caller {
        guard let text = request.head.headers["X-Amz-Bearer"] else { throw .denied }
        return try caller(text, kind, &host)
    }

    func caller(
        _ text: String, _ kind: BearerToken.Kind, _ host: inout Context
    ) throws(ServiceError) -> Caller {
        guard let pass = pass(text, kind, &host), host.now < pass.end,
            let session = host.held(pass.contact, called: "contact")
        else { throw .denied }
        if kind != .participant, let expiry = host.expiry(of: session.owner), pass.issued <= expiry {
            throw .denied
        }
        guard host.enter(session.handle) else { throw ServiceError(.status(500), path: "/participant") }
        return Caller(session: session, party: pass.party)
    }

    /// Parses a token and verifies its signature, but not its expiry or contact. Nil for an invalid token.
    private func pass(_ text: String, _ kind: BearerToken.Kind, _ host: inout Context) -> BearerToken? {
        let read = { BearerToken(text, kind: kind, key: key, for: options.shard) }
        return kind == .connection ? host.reading(of: text, isLast: false, read) : read()
    }

    /// Lets `body` change a contact, then carries out the steps that `body` has added.
    func change<Result>(
        _ session: SessionHandle, _ host: inout Context, orElse missing: ServiceError = .denied,
        _ body: (Contact, inout Steps) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
        var result: Swift.Result<Result, ServiceError> = .failure(missing)
        _ = host.withEncoder(of: session) { encoder, output in
            guard let contact = encoder as? Contact else { return }
            do throws(ServiceError) {
                result = .success(try body(contact, &output.steps))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Passes the caller's contact to `body`. Throws `.denied` if the caller may not change the contact.
    func change<Result>(
        _ caller: Caller, _ host: inout Context,
        _ body: (Contact, inout Steps) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
        try change(caller.session.handle, &host) { contact, steps throws(ServiceError) in
            guard contact.endedAt == nil, contact.ending == nil, !contact.left.contains(caller.party) else {
                throw .denied
            }
            return try body(contact, &steps)
        }
    }

    // MARK: - Connections

    package func encoder(of session: String) -> any SessionEncoder { Contact(of: session, settings: options) }

    /// Returns an encoder for a customer who accepts all content types and is connected from the start.
    package func retelling(of session: String) -> any SessionEncoder {
        let contact = Contact(of: session, settings: options)
        contact.start.contentTypes = Set(ContentType.allCases)
        _ = contact.add(.customer, "Customer")
        contact.isConnected = true
        contact.sockets = [Contact.Socket(connection: .none, party: 0, isSubscribed: true)]
        return contact
    }

    /// Describes a journal entry as JSON for display.
    package func describe(_ entry: JournalEntry, into bytes: inout [UInt8]) {
        let summary = entry.event.summary
        let (role, name): (Participant.Role, String?) =
            switch summary.speaker {
            case .user: (.customer, nil)
            case .liveAgent: (.agent, summary.name)
            case .agent, .system, nil: (.system, nil)
            }
        let words = entry.kind == .raw ? summary.name : summary.text
        let line = JSONWriter.line([
            ("Type", .string(entry.kind.rawValue)), ("Id", .string(entry.id.text)),
            ("AbsoluteTime", .string(entry.time.text)), ("ParticipantRole", .string(role.rawValue)),
            ("DisplayName", name.map { .string($0) }), ("Content", words.map { .string($0) }),
        ])
        bytes.append(contentsOf: line.utf8)
    }
}

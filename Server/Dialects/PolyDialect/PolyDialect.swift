import Clocks
package import ConversationEngine
package import DialectKit
package import HTTPCore
import MessagingWire
import Texts
package import Timeline

/// The server side of the Messaging API: access tokens, sessions, and events over a WebSocket (protocol.md).
package struct PolyDialect: Dialect {
    package enum Path {
        package static let accessToken = "/api/v1/access-token"
        package static let sessions = "/api/v1/sessions"
        package static let webSocket = "/ws"
    }

    enum Operation {
        static let createToken = "CreateAccessToken"
        static let createSession = "CreateSession"
        static let announceFile = "AnnounceFile"
        static let uploadFile = "UploadFile"
    }

    package let options: PolyOptions
    package let encoder: PolyEncoder
    let key: SigningKey

    /// `key` signs access tokens.
    package init(options: PolyOptions = PolyOptions(), key: SigningKey) {
        self.options = options
        encoder = PolyEncoder(options)
        self.key = key
    }

    package var name: String { "poly" }

    package var routes: [Route] {
        [
            Route(Path.accessToken, methods: ["POST"], operation: Operation.createToken, isOpenToPages: true),
            Route(Path.sessions, methods: ["POST"], operation: Operation.createSession, isOpenToPages: true),
            Route(
                Path.sessions + "/{session}/files", methods: ["POST"], operation: Operation.announceFile,
                isOpenToPages: true, isOfSomeSessions: true),
            Route(
                Path.sessions + "/{session}/files/{link}", methods: ["PUT"],
                operation: Operation.uploadFile, bodyBytes: AttachmentStore.Limits().fileBytes + 1,
                isOpenToPages: true, isExact: true, isOfSomeSessions: true),
            Route(
                Path.webSocket, methods: ["GET"], operation: "Connect", isWebSocket: true, isOpenToPages: true
            ),
        ]
    }

    package var prefixes: [String] { ["/api/v1", Path.webSocket] }
    package var exposedFields: [String] { ["X-Polyai-Correlation-Id", "Retry-After"] }

    package var protocolRules: any ClientProtocolRules {
        PolyProtocolRules(connectionLimit: options.connections.perSession)
    }

    package var reading: RowReading { Self.reading }

    /// Scripted events without a sequence number (protocol.md#what-is-transient).
    package var transientTypes: Set<String> {
        let types: [EventType] = [
            .heartbeat, .userTyping, .agentThinking, .liveAgentTyping, .systemMessage, .eventBatch,
            .sessionIdleWarning, .userReceivedMessage, .userReadMessage, .agentReceivedMessage,
            .agentReadMessage, .liveAgentReceivedMessage, .liveAgentReadMessage, .surveyRequest,
        ]
        return Set(types.map(\.rawValue))
    }

    package func encoder(of session: String) -> any SessionEncoder { encoder }
    package func encoder(of session: String, with extensions: Extensions) -> any SessionEncoder {
        extensions.isEmpty ? encoder : PolyEncoder(options, extensions)
    }
    package func describe(_ entry: JournalEntry, into bytes: inout [UInt8]) {
        encoder.encode(entry, into: &bytes)
    }

    package func answer(_ request: Request, host: inout any DialectContext) -> Answer {
        let reply = ResponseBuilder(request.head.headers, host: &host)
        switch request.operation {
        case Operation.announceFile: return announceFile(request, reply, host: &host)
        case Operation.uploadFile: return receiveFile(request, reply, host: &host)
        // The operations of these routes' only method. The path below is for requests without a route.
        case Operation.createToken: return .response(accessToken(request, reply, host: &host))
        case Operation.createSession: return .response(session(request, reply, host: &host))
        default: break
        }
        var path = request.path
        // By bytes: characters took 3,400 instructions of a token and a session.
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
        return switch (request.head.method, path) {
        case ("POST", Path.accessToken): .response(accessToken(request, reply, host: &host))
        case ("POST", Path.sessions): .response(session(request, reply, host: &host))
        case ("GET", Path.webSocket): connect(request, reply, host: &host)
        default: .response(reply.status(404))
        }
    }

    package func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement {
        let headers = request.head.headers
        if request.operation == Operation.uploadFile { return judgeUpload(request, host) }
        guard [Operation.createSession, Operation.announceFile].contains(request.operation) else {
            let token = headers["X-Token"] ?? ""
            let isRefused =
                token.isEmpty || headers["X-Host"] ?? "" == "" || host.problem(inScenario: token) != nil
            return isRefused ? .answer : .body
        }
        guard let text = headers["Authorization"].flatMap(Self.bearer), (try? token(text, host: &host)) != nil
        else { return .answer }
        return .body
    }

    package func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response {
        let reply = ResponseBuilder(request.head.headers, host: &host)
        return switch denial {
        case .problem(let problem, let retryAfter): reply.problem(problem, retryAfter: retryAfter)
        case .status(let status, _, let message, let detail, let retryAfter):
            reply.status(status, message: message, detail: detail, retryAfter: retryAfter)
        }
    }

    /// Returns the owner of the sessions that a token creates. The result never contains the token.
    func owner(_ token: AccessToken, text: String) -> String {
        switch options.tokens.binding {
        // The signer gives each token a unique `tokenID`. A token without an id is identified by its hash.
        case .exactToken, .off: token.tokenID.isEmpty ? SHA256.hex(of: Array(text.utf8)) : token.tokenID
        case .subject: token.subject
        }
    }

    /// Returns the claims of a valid token. Those of this server's own tokens are kept from the answer to the first
    /// session: 57,000 of the 370,000 instructions of both. Kept longer, they would be memory that is not in the cache.
    func token(
        _ text: String, isLast: Bool = false, host: inout any DialectContext
    ) throws(AccessToken.Fault) -> AccessToken {
        let now = host.now
        var fault = AccessToken.Fault.expired
        let read = host.reading(of: text, isLast: isLast) { () -> AccessToken? in
            do throws(AccessToken.Fault) {
                return try AccessToken(text, key: key, at: now)
            } catch {
                fault = error
                return nil
            }
        }
        guard let token = read, now.secondsSince1970 < token.expiresAt else { throw fault }
        guard let expiry = host.expiry(of: owner(token, text: text)) else { return token }
        // With the binding `subject`, tokens issued after the fault stay valid.
        let isLater = options.tokens.binding == .subject && token.issuedAt > expiry.secondsSince1970
        guard isLater else { throw .expired }
        return token
    }
}

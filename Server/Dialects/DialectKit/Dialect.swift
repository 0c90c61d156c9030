package import Clocks
package import ConversationEngine
package import HTTPCore
package import Timeline

/// A wire protocol of the server: translates between wire messages and the engine's values.
package protocol Dialect: Sendable {
    /// Short lower-case name for logs, such as `poly`.
    var name: String { get }

    var routes: [Route] { get }

    /// Prefixes, such as `/api/v1`, of the paths for which this dialect writes the error responses.
    var prefixes: [String] { get }

    /// Response header fields that pages of other origins may read (CORS).
    var exposedFields: [String] { get }

    /// Methods in CORS preflight responses; if empty, those of the requested route.
    var preflightMethods: [String] { get }

    /// Wire types of raw events (`emit` steps, control API) that are sent without being journaled.
    var transientTypes: Set<String> { get }

    /// Initial state of the protocol rules.
    var protocolRules: any ClientProtocolRules { get }

    /// Reader of rows in this protocol. Every access must return the same value.
    var reading: RowReading { get }

    /// Returns the server's events in the rows of one recorded conversation, in order and without repetitions.
    func recorded(_ rows: [Row]) -> [RecordedEvent]

    /// Returns the encoder that all clients of a session share.
    func encoder(of session: String) -> any SessionEncoder

    /// Returns an encoder like ``encoder(of:)`` for a session with extensions.
    func encoder(of session: String, with extensions: Extensions) -> any SessionEncoder

    /// Returns an encoder for a client that was connected during the whole session (``retell(_:of:_:)``).
    func retelling(of session: String) -> any SessionEncoder

    /// Kinds of names by which a session is found, in the order of the search.
    var namings: [any SessionNaming.Type] { get }

    /// Built-in agents, with one sentence about each.
    var agents: [(name: String, about: String)] { get }

    func script(of agent: String) -> Script?

    /// Decides from a request's head whether to read the body. Must not change `host`.
    func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement

    /// Returns a pure function that parses the body into ``Request/prepared``, perhaps outside the server's loop; or
    /// nil.
    func preparation(of request: Request) -> (@Sendable () -> any Sendable)?

    /// Answers a request for one of the ``routes``.
    func answer(_ request: Request, host: inout any DialectContext) -> Answer

    /// Returns the response to a request that the server refuses.
    func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response

    /// Reads the client's own id of a message from a journal entry's metadata.
    func localID(in metadata: String) -> String?

    /// Appends an entry in the protocol's form, for display.
    func describe(_ entry: JournalEntry, into bytes: inout [UInt8])

    /// Returns the damaged messages that a fault sends instead of `text`. An oversized one exceeds `messageBytes`.
    func garbled(_ text: [UInt8], as damage: Damage, messageBytes: Int) -> [[UInt8]]
}

extension Dialect {
    package func encoder(of session: String, with extensions: Extensions) -> any SessionEncoder {
        encoder(of: session)
    }
    package var preflightMethods: [String] { [] }
    package var transientTypes: Set<String> { [] }
    package var namings: [any SessionNaming.Type] { [] }
    package var agents: [(name: String, about: String)] { [] }
    package func preparation(of request: Request) -> (@Sendable () -> any Sendable)? { nil }
    package func script(of agent: String) -> Script? { nil }
    package func retelling(of session: String) -> any SessionEncoder { encoder(of: session) }
    package func describe(_ entry: JournalEntry, into bytes: inout [UInt8]) {}
    package func localID(in metadata: String) -> String? { nil }
    package func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement { .body }
    package func garbled(_ text: [UInt8], as damage: Damage, messageBytes: Int) -> [[UInt8]] { [text] }
    package func recorded(_ rows: [Row]) -> [RecordedEvent] { [] }
}

/// Damage to a message that depends on the protocol.
package enum Damage: Sendable {
    /// An event of an unknown type is sent before the message.
    case unknownEvent
    case oversized
    case wrongSequence
}

/// A decoded client message, with findings for the log and the protocol rules. For `@exclusivity(unchecked)` see
/// decision 0001.
package final class Decoded {
    package enum Fault: Equatable, Sendable {
        case serverOnly
        case unknownType
        case badPayload
        /// The message is not an event; for example, it is not JSON.
        case unreadable
        case binary
    }

    private struct Values {
        let input: ClientInput
        let type: String
        let fault: Fault?
        let serverField: String?
        let hasOddMetadata: Bool
        let note: String?
    }

    /// Values read by functions of this module, because an access from another module is checked: 85 instructions each.
    @exclusivity(unchecked) private var values: Values

    package var input: ClientInput { values.input }
    /// The protocol's event type without the common prefix, such as `USER_MESSAGE`.
    package var type: String { values.type }
    package var fault: Fault? { values.fault }
    /// Name of a field that only the server may set.
    package var serverField: String? { values.serverField }
    /// Whether the metadata has values of a wrong type.
    package var hasOddMetadata: Bool { values.hasOddMetadata }
    /// One line for the log, or nil.
    package var note: String? { values.note }

    /// A binary message in a protocol without binary messages.
    package static var binary: Decoded { Decoded(ClientInput(.ignored), type: "binary", fault: .binary) }

    package init(
        _ input: consuming ClientInput, type: String = "", fault: Fault? = nil, serverField: String? = nil,
        hasOddMetadata: Bool = false, note: String? = nil
    ) {
        values = Values(
            input: input, type: type, fault: fault, serverField: serverField, hasOddMetadata: hasOddMetadata,
            note: note)
    }

    /// Takes the values of another message without a fault. Only for an object that has one owner.
    func become(
        _ input: consuming ClientInput, type: String, serverField: consuming String?, hasOddMetadata: Bool,
        note: consuming String?
    ) {
        values = Values(
            input: input, type: type, fault: nil, serverField: serverField, hasOddMetadata: hasOddMetadata,
            note: note)
    }

    /// Whether the message is a user's text.
    package var isMessage: Bool { if case .say = values.input.word { true } else { false } }

    package var localID: Substring? { values.input.localID }

    /// Lends the input. Reading it would copy it: 350 of the 37,200 instructions of a round trip.
    package func lendInput<Result>(_ body: (borrowing ClientInput) -> Result) -> Result {
        Self.lend(&values, body)
    }

    /// With a parameter, since reading the property copies it.
    private static func lend<Result>(
        _ values: inout Values, _ body: (borrowing ClientInput) -> Result
    ) -> Result { body(values.input) }
}

/// Facts about a request, for logs and protocol rules.
package struct RequestInfo: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case token
        case session
        case connect
        case other
    }

    package var kind: Kind
    /// Hash of the connector token, or id of the access token. Empty if unknown.
    package var subject = ""
    package var origin: String?
    package var tokenExpiry: Instant?
    package var correlation: String?
    package var session = ""
    package var cursorText: String?
    /// Details about the protocol rules that the request violated, by rule id.
    package var broken: [String: String] = [:]

    package init(
        _ kind: Kind, subject: String = "", origin: String? = nil, correlation: String? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.origin = origin
        self.correlation = correlation
    }
}

/// The reason for an error response that the server, not the dialect, has decided on.
package enum Rejection: Equatable, Sendable {
    case problem(KnownProblem, retryAfter: Interval? = nil)
    /// `message` replaces the default text. `type` is the protocol's error name, such as `LimitExceededException`.
    case status(
        Int, type: String? = nil, message: String? = nil, detail: String? = nil, retryAfter: Interval? = nil)

    /// Class of an error, by which protocols choose the error's name.
    package enum Kind: Equatable, Sendable {
        /// Status 400, or another status below 500 without a case of its own.
        case badRequest
        /// Status 401 or 407.
        case unauthorized
        case forbidden
        /// Status 404 or 410.
        case notFound
        case wrongMethod
        /// Status 408.
        case tooSlow
        case conflict
        /// Status 413 (body), 414 (target) or 431 (head).
        case tooLarge
        /// Status 402 or 429.
        case throttled
        case serverError
        /// Status 502, 503 or 504.
        case unavailable
    }

    /// Class of the error; nil for a documented problem.
    package var kind: Kind? {
        guard case .status(let status, _, _, _, _) = self else { return nil }
        return switch status {
        case 401, 407: .unauthorized
        case 403: .forbidden
        case 404, 410: .notFound
        case 405: .wrongMethod
        case 408: .tooSlow
        case 409: .conflict
        case 413, 414, 431: .tooLarge
        case 402, 429: .throttled
        case 502...504: .unavailable
        case 500...: .serverError
        default: .badRequest
        }
    }
}

/// The server's services for a dialect that answers a request.
package protocol DialectContext {
    var now: Instant { get }

    /// Returns a new id from the server's seeded generator.
    mutating func uniqueID() -> UniqueID

    /// Resolves a connector token such as `mock:booking+tunnel@seed=7`.
    mutating func scenario(for connectorToken: String) -> ScenarioAnswer

    /// Whether sessions may use `bytes` more memory. Removes ended sessions if necessary.
    mutating func hasRoom(for bytes: Int) -> Bool

    /// Returns why a scenario line cannot be used, or nil.
    func problem(inScenario line: String) -> String?

    /// Returns the script of a scenario line, or the server's default script for nil. Nil if the line cannot be used.
    func script(inScenario line: String?) -> Script?

    mutating func openSession(_ wish: SessionRequest) -> OpenedSession

    /// Returns this protocol's session, or nil.
    func session(id: String) -> SessionView?

    func session(named name: SessionName) -> SessionView?

    /// Returns the time at which a fault made all tokens of an owner expire, or nil.
    func expiry(of owner: String) -> Instant?

    /// Returns what `read` parses from a bearer token. May cache the value, so `read` must depend on the token alone.
    /// With `isLast`, the token is not expected again: its value leaves the cache.
    mutating func reading<Value: Sendable>(of bearer: String, isLast: Bool, _ read: () -> Value?) -> Value?

    /// Caches the value of a new bearer token.
    mutating func keepReading<Value: Sendable>(_ value: Value, of bearer: String)

    /// Assigns the request to a session. Returns false if a fault refuses the request.
    mutating func enter(_ session: SessionHandle) -> Bool

    /// Applies the input of a client without a connection.
    mutating func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult

    mutating func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult

    /// Records and delivers an event that is not in the script.
    mutating func push(_ event: Event, in session: SessionHandle, by name: String) -> ActionResult

    /// Passes a session's encoder to `body` and carries out the resulting steps. Returns false if the session is gone.
    mutating func withEncoder(
        of session: SessionHandle, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) -> Bool

    /// The participant of the requested connection.
    var party: Int { get set }

    /// Port of the server; 0 if the server does not listen.
    var port: UInt16 { get }

    /// The part of the session ids that this server owns. Nil: all ids.
    var shard: Shard? { get }

    /// Agents that sessions can use, with one sentence about each.
    var agents: [(name: String, about: String)] { get }

    /// Returns a session's journal, oldest entry first.
    func journal(of session: SessionHandle) -> [JournalEntry]

    /// Returns the session's agent runs; nil if it has none.
    func runs(of session: SessionHandle) -> RunLog?

    mutating func name(_ session: SessionHandle, _ name: SessionName)

    var shelf: AttachmentStore { get set }

    /// Takes one token from the bucket of `subject`. Returns the time to wait if the bucket is empty.
    mutating func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval?

    /// Facts about the request, set by the dialect.
    var facts: RequestInfo? { get set }

    /// Writes one line to the log. The line must not contain a token.
    mutating func log(_ line: String)
}

extension DialectContext {
    /// Returns the session with this id or name.
    package mutating func held(
        _ id: String, called word: String = "session", or naming: (any SessionNaming.Type)? = nil
    ) -> SessionView? {
        if let session = session(id: id) { return session }
        if let naming, let session = session(named: SessionName(id, as: naming)) { return session }
        if let line = shard?.stranger(id, called: word) { log(line) }
        return nil
    }
}

extension DialectContext {
    package func reading<Value: Sendable>(
        of bearer: String, isLast: Bool, _ read: () -> Value?
    ) -> Value? { read() }
    package func keepReading<Value: Sendable>(_ value: Value, of bearer: String) {}
    package mutating func hasRoom(for bytes: Int) -> Bool { true }
    package func problem(inScenario line: String) -> String? { nil }
    package func script(inScenario line: String?) -> Script? { nil }
    package mutating func push(_ event: Event, in session: SessionHandle, by name: String) -> ActionResult {
        .refused(reason: "nothing is pushed here")
    }
    package mutating func withEncoder(
        of session: SessionHandle, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) -> Bool { false }
    package var party: Int {
        get { 0 }
        set {}
    }
    package var port: UInt16 { 0 }
    package var shard: Shard? { nil }
    package func runs(of session: SessionHandle) -> RunLog? { nil }
    package func session(named name: SessionName) -> SessionView? { nil }
    package mutating func name(_ session: SessionHandle, _ name: SessionName) {}
}

package enum ScenarioAnswer: Equatable, Sendable {
    /// `line` is the scenario line of a token; nil means the default scenario. `tokenLife` is the lifetime of access
    /// tokens; nil means the default.
    case found(line: String?, tokenLife: Interval?)
    case refused(reason: String)
}

package struct SessionRequest: Equatable, Sendable {
    /// The identity that may connect to the session.
    package var owner: String
    /// The scenario line; nil means the default scenario.
    package var scenario: String?
    package var isStreaming: Bool
    /// Whether the client inserts a space between the chunks of a reply.
    package var joinsWithBlanks: Bool
    package var platform: String
    package var deviceType: String?
    package var contextID: String?
    /// Defaults of the protocol that differ from the engine's.
    package var terms: ProtocolDefaults?
    package var extensions: Extensions
    /// Bytes that the dialect stores for the session.
    package var bytes: Int

    package init(
        owner: String, scenario: String?, isStreaming: Bool, joinsWithBlanks: Bool = false,
        platform: String = "web", deviceType: String? = nil, contextID: String? = nil,
        terms: ProtocolDefaults? = nil, extensions: Extensions = [], bytes: Int = 0
    ) {
        self.owner = owner
        self.scenario = scenario
        self.isStreaming = isStreaming
        self.joinsWithBlanks = joinsWithBlanks
        self.platform = platform
        self.deviceType = deviceType
        self.contextID = contextID
        self.terms = terms
        self.extensions = extensions
        self.bytes = bytes
    }
}

package enum ActionResult: Equatable, Sendable {
    case recorded([JournalEntry])
    case refused(reason: String)
}

package enum OpenedSession: Equatable, Sendable {
    case opened(id: String)
    case refused(reason: String)
}

package struct SessionView: Equatable, Sendable {
    package var handle: SessionHandle
    package var id: String
    package var owner: String
    package var hasEnded: Bool
    package var connectionCount: Int
    package var connectionLimit: Int
    package var extensions: Extensions

    package init(
        handle: SessionHandle, id: String, owner: String, hasEnded: Bool, connectionCount: Int,
        connectionLimit: Int, extensions: Extensions = []
    ) {
        self.handle = handle
        self.id = id
        self.owner = owner
        self.hasEnded = hasEnded
        self.connectionCount = connectionCount
        self.connectionLimit = connectionLimit
        self.extensions = extensions
    }
}

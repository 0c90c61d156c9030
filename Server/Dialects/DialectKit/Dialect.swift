package import Clocks
package import ConversationEngine
package import HTTPCore
package import Timeline

/// One wire protocol that the server speaks: translation between a client's words and the engine's.
///
/// A dialect knows no socket and no other dialect, and keeps no state: what must be remembered between two
/// requests is the host's (sessions, rate limits) or travels in what clients carry (tokens).
package protocol Dialect: Sendable {
    /// Short and lower case, for logs: `poly`.
    var name: String { get }

    /// The requests it answers.
    var routes: [Route] { get }

    /// Paths below which it words every refusal, also of what it has no route for: `/api/v1`. The first dialect words
    /// those of all other paths.
    var prefixes: [String] { get }

    /// Fields of its responses that pages of other origins may read.
    var exposedFields: [String] { get }

    /// Methods listed in answers to preflights for every path below ``prefixes``; empty: those of the path's routes.
    var preflightMethods: [String] { get }

    /// Types of scripted events that the dialect sends without a journal entry.
    var transientTypes: Set<String> { get }

    /// The protocol rules that its clients are judged by; each server begins with this value.
    var protocolRules: any ClientProtocolRules { get }

    /// The reader of rows in this protocol; the same value each time.
    var reading: RowReading { get }

    /// The encoder of the session with this id, for all of its clients.
    func encoder(of session: String) -> any SessionEncoder

    /// An encoder for an imaginary client that is connected from the start and receives everything, whatever protocol
    /// the session's own clients speak; used for comparisons (``retell(_:of:_:)``).
    func retelling(of session: String) -> any SessionEncoder

    /// The further names by which people may ask for its sessions; those that it makes itself come before those that
    /// clients choose.
    var namings: [any SessionNaming.Type] { get }

    /// Agents that it brings along besides fixtures: their names, and a sentence about each.
    var agents: [(name: String, about: String)] { get }

    /// The script of one of ``agents``.
    func script(of agent: String) -> Script?

    /// Judges the head of a request that announces a body; ``Request/body`` is empty. It asks the host only for what
    /// asking does not change.
    func judge(_ request: Request, host: inout any DialectContext) -> HeadJudgement

    /// The reading of a request's body: pure work, which the server has done away from its loop where the body is long,
    /// so that other clients need not wait. Its result comes back as ``Request/prepared``. Nil where nothing takes
    /// long.
    func preparation(of request: Request) -> (@Sendable () -> any Sendable)?

    /// Answers one complete request of ``routes``. Total: nonsense becomes the protocol's own error. A short body may
    /// come without ``Request/prepared``.
    func answer(_ request: Request, host: inout any DialectContext) -> Answer

    /// This protocol's own words for a request that the server turns away by itself: a scripted fault, a
    /// limit.
    func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response

    /// The client's own id of what an entry echoes, from its metadata.
    func localID(in metadata: String) -> String?

    /// Appends an entry in the protocol's words, for people who read a journal; nothing where it has none.
    func describe(_ entry: JournalEntry, into bytes: inout [UInt8])

    /// The damaged messages that replace `text`, a message of this protocol, when a fault applies `damage`.
    func garbled(_ text: [UInt8], as damage: Damage) -> [[UInt8]]
}

extension Dialect {
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
    package func garbled(_ text: [UInt8], as damage: Damage) -> [[UInt8]] { [text] }
}

/// Damage that only who knows the protocol can do.
package enum Damage: Sendable {
    /// An event of an unknown type comes first.
    case unknownEvent
    /// The message exceeds the announced size.
    case oversized
    /// Its sequence number is far ahead.
    case wrongSequence
}

/// A client's message, decoded, with findings for the developer. Shared by all readers of the message.
package final class Decoded: Sendable {
    /// Why a message was refused.
    package enum Fault: Equatable, Sendable {
        case serverOnly
        case unknownType
        case badPayload
        /// No event at all.
        case unreadable
        case binary
    }

    package let input: ClientInput
    /// As this protocol calls it, without what all types begin with: `USER_MESSAGE`.
    package let type: String
    package let fault: Fault?
    /// A field of the message that only the server may set.
    package let serverField: String?
    /// The message's metadata has values of the wrong kind.
    package let hasOddMetadata: Bool
    /// One line for the log; nil when there is nothing to remark.
    package let note: String?

    /// A binary message, where the protocol has none.
    package static let binary = Decoded(ClientInput(.ignored), type: "binary", fault: .binary)

    package init(
        _ input: ClientInput, type: String = "", fault: Fault? = nil, serverField: String? = nil,
        hasOddMetadata: Bool = false, note: String? = nil
    ) {
        self.input = input
        self.type = type
        self.fault = fault
        self.serverField = serverField
        self.hasOddMetadata = hasOddMetadata
        self.note = note
    }
}

/// The session and operation of a request, as far as the dialect determined them while answering; for logs and
/// protocol rules.
package struct RequestInfo: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case token
        case session
        case connect
        /// Something else, in a session or in none.
        case other
    }

    package var kind: Kind
    /// The connector or the token's owner: a hash or an id, never a secret. Empty when there was none.
    package var subject = ""
    package var origin: String?
    package var tokenExpiry: Instant?
    /// An id that all attempts of one call share.
    package var correlation: String?
    /// The session asked for, or the new one.
    package var session = ""
    package var cursorText: String?
    /// Protocol rules of the dialect's own that the request breaks, by their ids, with what was seen.
    package var broken: [String: String] = [:]

    package init(_ kind: Kind) {
        self.kind = kind
    }
}

/// A reason to turn a request away that does not come from the dialect's own checks.
package enum Rejection: Equatable, Sendable {
    /// A documented problem, with its text and status. `retryAfter` counts where the status is 429.
    case problem(KnownProblem, retryAfter: Interval? = nil)
    /// Any status. `message` replaces its default text, `detail` is added where the protocol has a field for it. `type`
    /// is the protocol's name of the error, given by a fault: `LimitExceededException`.
    case status(
        Int, type: String? = nil, message: String? = nil, detail: String? = nil, retryAfter: Interval? = nil)

    /// Classes of errors, for protocols that name their errors.
    package enum Kind: Equatable, Sendable {
        /// The request is not as it has to be: 400, 415 and other statuses of this class.
        case badRequest
        /// No identity, or one that is not believed: 401.
        case unauthorized
        case forbidden
        /// 404, 410.
        case notFound
        case wrongMethod
        /// The rest of the request did not come in time: 408.
        case tooSlow
        case conflict
        /// The body or the head: 413, 431, and 414 for the target.
        case tooLarge
        /// 402, 429: too many, or too fast.
        case throttled
        case serverError
        /// Later it may go well: 502, 503, 504.
        case unavailable
    }

    /// Nil for a documented problem, whose name says more.
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

/// The server's services for a dialect while it answers a request. Valid within that call only.
package protocol DialectContext {
    var now: Instant { get }

    /// A fresh identifier from the server's own stream.
    mutating func uniqueID() -> UniqueID

    /// Looks at the scenario line of a connector token (`mock:booking+tunnel@seed=7`); any other connector token
    /// means the server's default scenario.
    mutating func scenario(for connectorToken: String) -> ScenarioAnswer

    /// Sessions may hold `bytes` more; those that have ended are given up for it.
    mutating func hasRoom(for bytes: Int) -> Bool

    /// Why no session can play the scenario line of a token; nil when one can. Nothing counts it.
    func problem(inScenario line: String) -> String?

    /// Opens a session and journals its start.
    mutating func openSession(_ wish: SessionRequest) -> OpenedSession

    /// The session of this protocol with this id; nil when it never was, or is forgotten.
    func session(id: String) -> SessionView?

    /// The one that was given this name.
    func session(named name: SessionName) -> SessionView?

    /// The time at which a fault expired all tokens issued to this owner (``SessionRequest/owner``) before; nil if none
    /// did.
    func expiry(of owner: String) -> Instant?

    /// The value that `read` parses from a bearer token, cached by the token's text: it must depend on that text alone.
    mutating func reading<Value: Sendable>(of bearer: String, _ read: () -> Value?) -> Value?

    /// The request belongs to this session: its rows say so, and faults of the session may hit it.
    ///
    /// - Returns: false when one refuses it. Whatever the dialect answers then, the refusal is sent.
    mutating func enter(_ session: SessionHandle) -> Bool

    /// Applies the input of a client that has no connection.
    mutating func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult

    /// Applies the action of an operator.
    mutating func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult

    /// Records and delivers an event from outside the script, as a test or an operator can. A pushed end ends the
    /// session.
    mutating func push(_ event: Event, in session: SessionHandle, by name: String) -> ActionResult

    /// Lends the encoder of a session, and does what comes of it.
    ///
    /// - Returns: false when the session is forgotten.
    mutating func withEncoder(
        of session: SessionHandle, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) -> Bool

    /// The party of the session that owns the requested connection; passed to its encoder.
    var party: Int { get set }

    /// The port of the server; 0 if it does not listen.
    var port: UInt16 { get }

    /// Which sessions are the server's; nil: all.
    var shard: Shard? { get }

    /// The agents there are: what sessions can be opened with, and a sentence about each.
    var agents: [(name: String, about: String)] { get }

    /// The journal of a session so far, oldest entry first.
    func journal(of session: SessionHandle) -> [JournalEntry]

    /// The runs of a session; nil where it has none.
    func runs(of session: SessionHandle) -> RunLog?

    /// Lets `name` lead to the session as well.
    mutating func name(_ session: SessionHandle, _ name: SessionName)

    /// Files of sessions.
    var shelf: AttachmentStore { get set }

    /// Takes one token from the bucket that `subject` has for an operation of this protocol; returns how long to wait
    /// when it is empty.
    mutating func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval?

    /// The caller, as far as it is known; set while answering.
    var facts: RequestInfo? { get set }

    /// One line for the developer's log. Never put a token in it.
    mutating func log(_ line: String)
}

extension DialectContext {
    /// The session with this id, or with this name of the given purpose. If another shard owns the session, the log
    /// names the shard and calls the session `word`.
    package mutating func held(
        _ id: String, called word: String = "session", or naming: (any SessionNaming.Type)? = nil
    ) -> SessionView? {
        if let session = session(id: id) { return session }
        if let naming, let session = session(named: SessionName(id, as: naming)) { return session }
        if let line = shard?.stranger(id, called: word) { log(line) }
        return nil
    }
}

/// Requests of dialects that remember sessions; hosts of others need not answer them.
extension DialectContext {
    package func reading<Value: Sendable>(of bearer: String, _ read: () -> Value?) -> Value? { read() }
    package mutating func hasRoom(for bytes: Int) -> Bool { true }
    package func problem(inScenario line: String) -> String? { nil }
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
    /// `line` is what a token must carry so that the session finds the scenario again; nil for the default.
    /// `tokenLife` overrides the life of access tokens where the fixture asks for it.
    case found(line: String?, tokenLife: Interval?)
    /// `reason` names the likely spelling.
    case refused(reason: String)
}

package struct SessionRequest: Equatable, Sendable {
    /// The identity that may connect: compared by the dialect, opaque elsewhere.
    package var owner: String
    /// From ``ScenarioAnswer/found(line:tokenLife:)``.
    package var scenario: String?
    package var isStreaming: Bool
    /// The client puts a blank between the chunks of a reply.
    package var joinsWithBlanks: Bool
    package var platform: String
    package var deviceType: String?
    package var contextID: String?
    /// Defaults of the protocol where they differ from the engine's.
    package var terms: ProtocolDefaults?
    /// Bytes that the dialect remembers of the session from its beginning on (``EncoderMemory/heldBytes``): without
    /// room for them it is refused.
    package var bytes: Int

    package init(
        owner: String, scenario: String?, isStreaming: Bool, joinsWithBlanks: Bool = false,
        platform: String = "web", deviceType: String? = nil, contextID: String? = nil,
        terms: ProtocolDefaults? = nil, bytes: Int = 0
    ) {
        self.owner = owner
        self.scenario = scenario
        self.isStreaming = isStreaming
        self.joinsWithBlanks = joinsWithBlanks
        self.platform = platform
        self.deviceType = deviceType
        self.contextID = contextID
        self.terms = terms
        self.bytes = bytes
    }
}

/// The result of words without a connection.
package enum ActionResult: Equatable, Sendable {
    /// The entries that were recorded, in order.
    case recorded([JournalEntry])
    case refused(reason: String)
}

package enum OpenedSession: Equatable, Sendable {
    case opened(id: String)
    /// The server holds as many sessions as it may; `reason` says so.
    case refused(reason: String)
}

/// The state of a session that dialects can read.
package struct SessionView: Equatable, Sendable {
    package var handle: SessionHandle
    package var id: String
    package var owner: String
    package var hasEnded: Bool
    package var connectionCount: Int
    package var connectionLimit: Int

    package init(
        handle: SessionHandle, id: String, owner: String, hasEnded: Bool, connectionCount: Int,
        connectionLimit: Int
    ) {
        self.handle = handle
        self.id = id
        self.owner = owner
        self.hasEnded = hasEnded
        self.connectionCount = connectionCount
        self.connectionLimit = connectionLimit
    }
}

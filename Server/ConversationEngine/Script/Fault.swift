package import Clocks
package import Matching

/// A fault: an effect at a moment.
///
/// This file has the tables of both with their names in fixtures and the control API. `FaultWords.swift` reads and
/// writes arguments; `FaultPlan.swift` applies effects to bytes.
package struct Fault: Equatable, Sendable {
    package enum Effect: Equatable, Sendable {
        case drop
        case stall(Interval?)
        case close(code: Int)
        /// `type`: error type of the protocol.
        case refuse(status: Int, type: String? = nil, retryAfter: Interval?, answer: Answer? = nil)
        case delay(Interval)
        case lose
        case repeated
        case swap
        case garble(Garble)
        /// Number of pieces; ``eachByte``: as many as bytes.
        case split(Int)
        /// Bytes per second.
        case throttle(Int)
        case lag(Interval)
        case expire
        case agentError(KnownProblem)
        case handoff(Handoff.Outcome)

        package static let eachByte = Int.max

        package var kind: Kind {
            switch self {
            case .drop: .drop
            case .stall: .stall
            case .close: .close
            case .refuse: .refuse
            case .delay: .delay
            case .lose: .lose
            case .repeated: .repeated
            case .swap: .swap
            case .garble: .garble
            case .split: .split
            case .throttle: .throttle
            case .lag: .lag
            case .expire: .expire
            case .agentError: .agentError
            case .handoff: .handoff
            }
        }

        /// An effect without argument; the raw value is used in fixtures.
        package enum Kind: String, CaseIterable, Sendable {
            case drop
            case stall
            case close
            case refuse
            case delay
            case lose
            case repeated = "repeat"
            case swap
            case garble
            case split
            case throttle
            case lag
            case expire
            case agentError
            case handoff

            package var target: Target {
                switch self {
                case .drop, .stall, .delay: .output
                case .refuse: .request
                case .close, .throttle, .lag: .connection
                case .lose, .repeated, .swap, .garble, .split: .event
                case .expire: .token
                case .agentError: .agent
                case .handoff: .handoff
                }
            }
        }
    }

    /// Response that replaces the protocol's own.
    package struct Answer: Equatable, Sendable {
        package var body: String?
        package var contentType: String?
        package var location: String?

        package init(body: String? = nil, contentType: String? = nil, location: String? = nil) {
            self.body = body
            self.contentType = contentType
            self.location = location
        }
    }

    /// Target of an effect, which decides the allowed moments.
    package enum Target: Sendable {
        /// A response or event that is sent.
        case output
        /// A request that can be refused.
        case request
        case connection
        case event
        case token
        /// The agent's reply.
        case agent
        case handoff

        /// Applied by the shell, not the engine.
        package var isOnTheWire: Bool {
            switch self {
            case .output, .request, .connection, .event, .token: true
            case .agent, .handoff: false
            }
        }

        /// The reason why a moment has no such target.
        package func absence(at moment: Moment) -> String? {
            let isTalk = moment.kind.stage == .talk
            switch self {
            case .output: return nil
            case .request:
                return isTalk ? "Only a token, a session, a handshake or a request can be refused." : nil
            case .connection: return isTalk ? nil : "There is no open connection at this moment."
            case .event: return isTalk ? nil : "No event is sent at this moment."
            case .token: return isTalk ? nil : "A token expires within a talk, such as at \"user message 1\"."
            case .agent: return isTalk ? nil : "The agent has nothing to say at this moment."
            case .handoff: return isTalk ? nil : "No handoff is under way at this moment."
            }
        }
    }

    /// Damage of an event.
    package enum Garble: String, CaseIterable, Sendable {
        /// Truncated JSON.
        case badJSON = "bad JSON"
        /// A text frame that is not UTF-8; clients have to close with 1007 (RFC 6455 §8.1).
        case badUTF8 = "bad UTF-8"
        /// Half of the frame, then a disconnect.
        case halfFrame = "half a frame"
        /// An event of unknown type before it.
        case unknownEvent = "unknown event"
        /// The event padded beyond the announced size.
        case oversized
        /// A sequence far ahead.
        case wrongSequence = "wrong sequence"
        /// The event twice.
        case twoValues = "two values"
        /// Lines with CRLF.
        case crlf = "CRLF"
        /// `[DONE]` after it, as in other event streams.
        case doneMark = "done mark"
        /// No blank after the colon.
        case noBlank = "no blank"
        /// A byte order mark first.
        case byteOrderMark = "byte order mark"
    }

    /// Scope of ``times``.
    package enum Span: String, CaseIterable, Sendable {
        /// Per session.
        case session
        /// All sessions of a connector token, or all targets of a fault from outside; so a client can get through
        /// with a new session after a refusal.
        case token
    }

    package var name: String
    package var place: SourcePlace
    package var moment: Moment
    package var effect: Effect
    package var times: Int?
    /// nil: ``span`` of the moment.
    package var chosenSpan: Span?
    /// 0 to 1, the probability.
    package var chance: Double

    package init(
        name: String, place: SourcePlace = SourcePlace(), moment: Moment, effect: Effect, times: Int? = nil,
        per span: Span? = nil, chance: Double = 1
    ) {
        self.name = name
        self.place = place
        self.moment = moment
        self.effect = effect
        self.times = times
        chosenSpan = span
        self.chance = chance
    }

    package var span: Span { moment.kind.stage == .opening ? .token : chosenSpan ?? moment.kind.span }
}

extension Fault {
    /// A moment at which faults may fire: `reply 2 chunk 3`.
    package struct Moment: Hashable, Sendable, CustomStringConvertible {
        /// A moment without numbers. The raw value is the form in fixtures, with `1` for numbers and `CreateSession`
        /// for operations.
        package enum Kind: String, CaseIterable, Sendable {
            case token
            case session
            case handshake = "handshake 1"
            case connect = "connect 1"
            case userMessage = "user message 1"
            case reply = "reply 1"
            case replyChunk = "reply 1 chunk 1"
            case queueUpdate = "queue update 1"
            case liveAgentJoins = "live agent joins"
            case heartbeat = "heartbeat 1"
            /// Nth request of an operation.
            case request = "request CreateSession 1"
            /// Nth event of a run; without a number, the start of the run.
            case run = "run 1"
            case runEvent = "run 1 event 1"
            case anyEvent = "any event"

            package var stage: Stage {
                switch self {
                case .token, .session: .opening
                case .handshake, .request: .request
                case .connect, .userMessage, .reply, .replyChunk, .queueUpdate, .liveAgentJoins, .heartbeat,
                    .run, .runEvent, .anyEvent:
                    .talk
                }
            }

            /// Default span: the token for moments before a session.
            package var span: Span {
                switch self {
                case .token, .session, .handshake, .connect: .token
                case .userMessage, .reply, .replyChunk, .queueUpdate, .liveAgentJoins, .heartbeat, .request,
                    .run, .runEvent, .anyEvent:
                    .session
                }
            }

            fileprivate static let operation = "CreateSession"
        }

        /// Targets of a moment.
        package enum Stage: Sendable {
            /// A request without a session.
            case opening
            /// A request, possibly with a session.
            case request
            /// A session with connections.
            case talk
        }

        package let kind: Kind
        /// 0 for none.
        package let number: Int
        /// Chunk of the reply, from 1; 0 for none.
        package let chunk: Int
        /// Operation of a request; empty for none.
        package let operation: String

        private init(_ kind: Kind, _ number: Int = 0, chunk: Int = 0, operation: String = "") {
            self.kind = kind
            self.number = number
            self.chunk = chunk
            self.operation = operation
        }

        package static let token = Moment(.token)
        package static let session = Moment(.session)
        package static let liveAgentJoins = Moment(.liveAgentJoins)
        package static let anyEvent = Moment(.anyEvent)
        package static func handshake(_ number: Int) -> Moment { Moment(.handshake, number) }
        package static func connect(_ number: Int) -> Moment { Moment(.connect, number) }
        package static func userMessage(_ number: Int) -> Moment { Moment(.userMessage, number) }
        package static func reply(_ number: Int) -> Moment { Moment(.reply, number) }
        package static func replyChunk(_ reply: Int, _ chunk: Int) -> Moment {
            Moment(.replyChunk, reply, chunk: chunk)
        }
        package static func queueUpdate(_ number: Int) -> Moment { Moment(.queueUpdate, number) }
        package static func run(_ number: Int) -> Moment { Moment(.run, number) }
        package static func runEvent(_ run: Int, _ event: Int) -> Moment {
            Moment(.runEvent, run, chunk: event)
        }
        package static func heartbeat(_ number: Int) -> Moment { Moment(.heartbeat, number) }
        package static func request(_ operation: String, _ number: Int) -> Moment {
            Moment(.request, number, operation: operation)
        }

        /// A moment in the words of fixtures; nil for anything else.
        ///
        /// - Parameters:
        ///   - words: such as `reply 2 chunk 3`, with single blanks.
        ///   - count: reads a number, and bounds it.
        ///   - isOperation: whether a word may name an operation.
        package init?(_ words: String, count: (Substring) -> Int?, isOperation: (Substring) -> Bool) {
            let words = words.split(separator: " ", omittingEmptySubsequences: false)
            for kind in Kind.allCases {
                let form = kind.rawValue.split(separator: " ")
                guard form.count == words.count else { continue }
                var numbers: [Int] = []
                var operation = ""
                let fits = zip(form, words).allSatisfy { expected, word in
                    if expected == "1" {
                        guard let number = count(word) else { return false }
                        numbers.append(number)
                        return true
                    }
                    guard expected == Kind.operation else { return expected == word }
                    operation = String(word)
                    return isOperation(word)
                }
                guard fits else { continue }
                self.init(
                    kind, numbers.first ?? 0, chunk: numbers.count > 1 ? numbers[1] : 0, operation: operation)
                return
            }
            return nil
        }

        package var description: String {
            var numbers = [number, chunk][...]
            return kind.rawValue.split(separator: " ").map { word -> String in
                if word == "1" { return "\(numbers.removeFirst())" }
                return word == Kind.operation ? operation : String(word)
            }.joined(separator: " ")
        }

        /// True if `moment` is one of `times` moments from this one on: "user message 2", twice, is the 2nd and 3rd. A
        /// chunk that `standsForMore` is the last of its reply.
        func covers(_ moment: Moment, times: Int, standsForMore: Bool) -> Bool {
            if kind == .anyEvent { return true }
            guard kind == moment.kind, operation == moment.operation else { return false }
            guard chunk == moment.chunk || standsForMore && chunk > moment.chunk else { return false }
            return number == 0 || moment.number >= number && moment.number - number < times
        }
    }
}

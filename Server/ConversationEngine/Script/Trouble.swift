package import Clocks
package import Matching

/// A named fault, off until asked for: at one moment, one effect.
///
/// The tables of both are here, with what fixtures and the control API call them. `TroubleWords.swift` reads and writes
/// their arguments; what an effect does to bytes is in `FaultPlan.swift`.
package struct Trouble: Equatable, Sendable {
    /// What goes wrong.
    package enum Effect: Equatable, Sendable {
        case drop
        case stall(Interval?)
        case close(code: Int)
        /// `type` is what the protocol calls it, for those that name their errors.
        case refuse(status: Int, type: String? = nil, retryAfter: Interval?, answer: Answer? = nil)
        case delay(Interval)
        case lose
        case repeated
        case swap
        case garble(Garble)
        /// So many pieces; ``eachByte``: as many as there are bytes.
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

        /// An effect without its argument; the raw value is its word in fixtures.
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

    /// What a refused request gets in place of the protocol's own words.
    package struct Answer: Equatable, Sendable {
        package var body: String?
        package var contentType: String?
        /// Where else to ask.
        package var location: String?

        package init(body: String? = nil, contentType: String? = nil, location: String? = nil) {
            self.body = body
            self.contentType = contentType
            self.location = location
        }
    }

    /// What an effect acts on, and so at which moments it may stand.
    package enum Target: Sendable {
        /// Whatever is about to be sent: the answer to a request, or an event.
        case output
        /// A request that can be refused.
        case request
        /// A connection that is open.
        case connection
        /// An event on its way.
        case event
        /// The token of the session.
        case token
        /// What the agent is about to say.
        case agent
        /// A handoff under way.
        case handoff

        /// The shell's; the others act inside the talk.
        package var isOnTheWire: Bool {
            switch self {
            case .output, .request, .connection, .event, .token: true
            case .agent, .handoff: false
            }
        }

        /// Why nothing of the kind is there at a moment; nil when it is.
        package func absence(at moment: Moment) -> String? {
            let isTalk = moment.kind.stage == .talk
            switch self {
            case .output: return nil
            case .request:
                return isTalk ? "Only a token, a session, a handshake or a request can be refused." : nil
            case .connection: return isTalk ? nil : "There is no open connection at this moment."
            case .event: return isTalk ? nil : "No event is sent at this moment."
            case .token:
                return isTalk ? nil : "A token expires within a talk, such as at \"user message 1\"."
            case .agent: return isTalk ? nil : "The agent has nothing to say at this moment."
            case .handoff: return isTalk ? nil : "No handoff is under way at this moment."
            }
        }
    }

    /// How an event is damaged on its way.
    package enum Garble: String, CaseIterable, Sendable {
        /// JSON that breaks off.
        case badJSON = "bad JSON"
        /// A text frame that is not UTF-8; clients have to close with 1007 (RFC 6455 §8.1).
        case badUTF8 = "bad UTF-8"
        /// Half of the frame's bytes, then a cut.
        case halfFrame = "half a frame"
        /// An event of an unknown type comes first.
        case unknownEvent = "unknown event"
        /// The event with so much more in it that it exceeds the announced size.
        case oversized
        /// A sequence number far ahead.
        case wrongSequence = "wrong sequence"
        /// The event stands there twice, one copy behind the other.
        case twoValues = "two values"
        /// Lines end with CRLF.
        case crlf = "CRLF"
        /// `[DONE]` comes behind it, as other event streams end.
        case doneMark = "done mark"
        /// No blank behind the colon.
        case noBlank = "no blank"
        /// A byte order mark comes first.
        case byteOrderMark = "byte order mark"
    }

    /// What ``times`` counts over.
    package enum Span: String, CaseIterable, Sendable {
        /// Each session anew.
        case session
        /// All sessions of one connector token, or, armed from outside, all that it acts on: a new session has what
        /// is left. So a client whose answer to a refusal is a new session gets through.
        case token
    }

    package var name: String
    package var place: SourcePlace
    package var moment: Moment
    package var effect: Effect
    package var times: Int?
    /// nil is the span of the moment: ``span``.
    package var chosenSpan: Span?
    /// 0 to 1; 1 always strikes.
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

    package var span: Span {
        moment.kind.stage == .opening ? .token : chosenSpan ?? moment.kind.span
    }
}

extension Trouble {
    /// When a trouble strikes, or something happens that troubles may wait for: `reply 2 chunk 3`.
    package struct Moment: Hashable, Sendable, CustomStringConvertible {
        /// A moment without its numbers. The raw value is how fixtures write it, with `1` for any number, and
        /// `CreateSession` for any operation.
        package enum Kind: String, CaseIterable, Sendable {
            case token
            case session
            case handshake = "handshake 1"
            case connect = "connect 1"
            case userMessage = "user message 1"
            case reply = "reply 1"
            case replyChunk = "reply 1 chunk 1"
            case queueUpdate = "queue update 1"
            case personJoins = "person joins"
            case heartbeat = "heartbeat 1"
            /// The so-many-th request for an operation of a protocol.
            case request = "request CreateSession 1"
            /// The run as a whole, at its first event; and one event of it.
            case run = "run 1"
            case runEvent = "run 1 event 1"
            case anyEvent = "any event"

            package var stage: Stage {
                switch self {
                case .token, .session: .opening
                case .handshake, .request: .request
                case .connect, .userMessage, .reply, .replyChunk, .queueUpdate, .personJoins, .heartbeat,
                    .run, .runEvent, .anyEvent:
                    .talk
                }
            }

            /// What `times` counts over unless the trouble says otherwise: the token for what stands before a talk.
            package var span: Span {
                switch self {
                case .token, .session, .handshake, .connect: .token
                case .userMessage, .reply, .replyChunk, .queueUpdate, .personJoins, .heartbeat, .request,
                    .run, .runEvent, .anyEvent:
                    .session
                }
            }

            fileprivate static let operation = "CreateSession"
        }

        /// What there is at a moment.
        package enum Stage: Sendable {
            /// A request, and no session yet.
            case opening
            /// A request; its session may be there.
            case request
            /// A session with its connections.
            case talk
        }

        package let kind: Kind
        /// 0 where the kind has none.
        package let number: Int
        /// The place of the chunk in its reply, from 1; 0 where there is none.
        package let chunk: Int
        /// The operation of a request; empty where there is none.
        package let operation: String

        private init(_ kind: Kind, _ number: Int = 0, chunk: Int = 0, operation: String = "") {
            self.kind = kind
            self.number = number
            self.chunk = chunk
            self.operation = operation
        }

        package static let token = Moment(.token)
        package static let session = Moment(.session)
        package static let personJoins = Moment(.personJoins)
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
        package init?(
            _ words: String, count: (Substring) -> Int?, isOperation: (Substring) -> Bool
        ) {
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

        /// In the words of fixtures.
        package var description: String {
            var numbers = [number, chunk][...]
            return kind.rawValue.split(separator: " ").map { word -> String in
                if word == "1" { return "\(numbers.removeFirst())" }
                return word == Kind.operation ? operation : String(word)
            }.joined(separator: " ")
        }

        /// Whether `moment` is one of the `times` that begin with this one: "user message 2", twice, is the 2nd
        /// and the 3rd. A chunk that `standsForMore` is the last of its reply.
        func covers(_ moment: Moment, times: Int, standsForMore: Bool) -> Bool {
            if kind == .anyEvent { return true }
            guard kind == moment.kind, operation == moment.operation else { return false }
            guard chunk == moment.chunk || standsForMore && chunk > moment.chunk else { return false }
            return number == 0 || moment.number >= number && moment.number - number < times
        }
    }
}

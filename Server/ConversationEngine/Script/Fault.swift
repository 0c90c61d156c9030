package import Clocks
package import Matching

/// Fault: an effect at a moment.
package struct Fault: Equatable, Sendable {
    package enum Effect: Equatable, Sendable {
        case drop
        case stall(Interval?)
        case close(code: Int)
        case refuse(status: Int, type: String? = nil, retryAfter: Interval?, answer: Answer? = nil)
        case delay(Interval)
        case lose
        case repeated
        case swap
        case garble(Garble)
        /// Sends the bytes in this number of pieces. ``eachByte`` makes each byte a piece.
        case split(Int)
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

        /// Effect without its argument. Fixtures use the raw value.
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

    /// Response that replaces the protocol's response.
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

    /// Target of an effect, which decides at which moments the effect is allowed.
    package enum Target: Sendable {
        case output
        case request
        case connection
        case event
        case token
        case agent
        case handoff

        /// Whether the server applies the effect instead of the engine.
        package var isOnTheWire: Bool {
            switch self {
            case .output, .request, .connection, .event, .token: true
            case .agent, .handoff: false
            }
        }

        /// Returns why an effect with this target cannot occur at a moment, or nil.
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

    package enum Garble: String, CaseIterable, Sendable {
        /// The JSON is truncated.
        case badJSON = "bad JSON"
        /// The text contains invalid UTF-8 (RFC 6455 §8.1).
        case badUTF8 = "bad UTF-8"
        /// Half of the frame is sent, then the connection is cut.
        case halfFrame = "half a frame"
        /// An event of an unknown type is sent before the event.
        case unknownEvent = "unknown event"
        /// The event is padded beyond the maximum size of a message (`limits.messageBytes`).
        case oversized
        /// The sequence number is far too high.
        case wrongSequence = "wrong sequence"
        /// The event is in the message twice.
        case twoValues = "two values"
        case crlf = "CRLF"
        /// The text `[DONE]` is sent after the event.
        case doneMark = "done mark"
        /// The space after the colon in `data:` is missing.
        case noBlank = "no blank"
        case byteOrderMark = "byte order mark"
    }

    /// Scope in which ``times`` counts.
    package enum Span: String, CaseIterable, Sendable {
        case session
        /// Firings are counted across all sessions of a connector token, or of a control API fault's scope.
        case token
    }

    package var name: String
    package var place: SourcePlace
    package var moment: Moment
    package var effect: Effect
    package var times: Int?
    /// The explicit choice of ``span``; nil means the ``Moment/Kind/span`` of the moment.
    package var chosenSpan: Span?
    /// Probability, from 0 to 1.
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
    /// Moment at which a fault can fire, such as `reply 2 chunk 3`.
    package struct Moment: Hashable, Sendable, CustomStringConvertible {
        /// Moment without its numbers. The raw value is an example: `1` is any number, `CreateSession` any operation.
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
            /// The nth request of an operation.
            case request = "request CreateSession 1"
            /// The start of the nth run.
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

            /// Default span of the moment.
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

        /// State of a chat at one moment: a session or none, with or without connections.
        package enum Stage: Sendable {
            case opening
            case request
            case talk
        }

        package let kind: Kind
        /// Number of the occurrence, from 1; 0 if the moment has none.
        package let number: Int
        /// Number of the chunk in the reply, or of the event in the run, from 1; 0 if the moment has none.
        package let chunk: Int
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

        /// Parses a moment in the form of fixtures; nil for other texts.
        ///
        /// - Parameters:
        ///   - words: a text such as `reply 2 chunk 3`, with single spaces.
        ///   - count: parses a number and checks its limits.
        ///   - isOperation: returns whether a word may name an operation.
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

        /// Whether `moment` is this one or among the next `times - 1`: with `times` 2, "user message 2" covers user
        /// messages 2 and 3. With `standsForMore`, the last chunk of a reply also counts as all later chunk numbers.
        func covers(_ moment: Moment, times: Int, standsForMore: Bool) -> Bool {
            if kind == .anyEvent { return true }
            guard kind == moment.kind, operation == moment.operation else { return false }
            guard chunk == moment.chunk || standsForMore && chunk > moment.chunk else { return false }
            return number == 0 || moment.number >= number && moment.number - number < times
        }
    }
}
